-- The words of the spec and what they mean.

CREATE TABLE terms (
    id         INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 4294967295),
    name       TEXT NOT NULL CHECK (name <> ''),
    -- The name without regard to case: two terms never differ by case alone.
    folded     TEXT NOT NULL UNIQUE,
    definition TEXT NOT NULL CHECK (definition <> ''),
    -- Other forms that mean the same and may be used.
    variants   TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(variants)),
    -- Words that mean the same and are not to be used.
    avoid      TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(avoid))
) STRICT;

CREATE VIRTUAL TABLE terms_fts USING fts5 (
    name,
    variants,
    avoid,
    definition,
    content = 'terms',
    content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2'
);

CREATE TRIGGER terms_fts_insert AFTER INSERT ON terms
BEGIN
    INSERT INTO terms_fts (rowid, name, variants, avoid, definition)
    VALUES (new.id, new.name, new.variants, new.avoid, new.definition);
END;

CREATE TRIGGER terms_fts_delete AFTER DELETE ON terms
BEGIN
    INSERT INTO terms_fts (terms_fts, rowid, name, variants, avoid, definition)
    VALUES ('delete', old.id, old.name, old.variants, old.avoid, old.definition);
END;

CREATE TRIGGER terms_fts_update AFTER UPDATE ON terms
BEGIN
    INSERT INTO terms_fts (terms_fts, rowid, name, variants, avoid, definition)
    VALUES ('delete', old.id, old.name, old.variants, old.avoid, old.definition);
    INSERT INTO terms_fts (rowid, name, variants, avoid, definition)
    VALUES (new.id, new.name, new.variants, new.avoid, new.definition);
END;

-- The section that one written by hand stands below. In a document headings say so.
ALTER TABLE sections ADD COLUMN under INTEGER REFERENCES sections (id) ON DELETE SET NULL;

PRAGMA user_version = 11;
