-- Finished tasks whose sections changed since. The triggers see to it whoever changes a section or a task.

CREATE TABLE stale_tasks (
    task_id    INTEGER NOT NULL REFERENCES tasks (id),
    section_id INTEGER NOT NULL REFERENCES sections (id) ON DELETE CASCADE,
    PRIMARY KEY (task_id, section_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX stale_tasks_by_section ON stale_tasks (section_id);

CREATE TRIGGER changed_sections_make_tasks_stale AFTER UPDATE OF title, content ON sections
WHEN new.title <> old.title OR new.content <> old.content
BEGIN
    INSERT OR IGNORE INTO stale_tasks (task_id, section_id)
    SELECT task_id, section_id FROM task_sections JOIN tasks ON tasks.id = task_id
    WHERE section_id = new.id AND status = 'done';
END;

-- What is taken up again is no longer stale: its next attempt reads the section as it is.
CREATE TRIGGER reopened_tasks_are_not_stale AFTER UPDATE OF status ON tasks WHEN new.status <> 'done'
BEGIN
    DELETE FROM stale_tasks WHERE task_id = new.id;
END;

CREATE TRIGGER unlinked_tasks_are_not_stale AFTER DELETE ON task_sections
BEGIN
    DELETE FROM stale_tasks WHERE task_id = old.task_id AND section_id = old.section_id;
END;

PRAGMA user_version = 13;
