-- What a section said before: its heading and text until something else took their place.

CREATE TABLE section_revisions (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    section_id INTEGER NOT NULL REFERENCES sections (id) ON DELETE CASCADE,
    title      TEXT NOT NULL,
    content    TEXT NOT NULL,
    words      INTEGER NOT NULL,
    -- When it was replaced, by whom, and by what, in words.
    until      TEXT NOT NULL,
    origin     TEXT NOT NULL,
    what       TEXT NOT NULL
) STRICT;

CREATE INDEX section_revisions_by_section ON section_revisions (section_id, id);

PRAGMA user_version = 20;
