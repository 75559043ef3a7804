//! What sections said before.

use loopwright_domain::{Origin, Section, SectionId, SectionRevision};
use sqlx::sqlite::SqliteRow;

use crate::error::{StoreError, StoreProblem};
use crate::store::Store;
use crate::values::{RowReader, origin_word};
use crate::write::Write;

/// So many revisions of a section are kept, the newest.
const MOST_KEPT: u32 = 50;

impl Store {
    /// What a section said before, the newest first.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn section_history(&self, id: SectionId) -> Result<Vec<SectionRevision>, StoreError> {
        let query = sqlx::query("SELECT * FROM section_revisions WHERE section_id = ? ORDER BY id DESC");
        self.read_all(query.bind(id.0), revision).await
    }
}

/// Keeps what a section says, where the text that takes its place differs.
pub(crate) async fn keep_revision(
    write: &mut Write<'_>,
    (at, origin, what): (&str, Origin, &str),
    id: SectionId,
    next: &Section,
) -> Result<(), StoreProblem> {
    let keep = sqlx::query(
        "INSERT INTO section_revisions (section_id, title, content, words, until, origin, what)
         SELECT id, title, content, words, ?4, ?5, ?6 FROM sections
         WHERE id = ?1 AND (title <> ?2 OR content <> ?3)",
    );
    let keep = keep.bind(id.0).bind(next.title.clone()).bind(next.content.clone());
    let keep = keep.bind(at).bind(origin_word(origin)).bind(what);
    if write.execute(keep).await? > 0 {
        let drop_old = sqlx::query(
            "DELETE FROM section_revisions WHERE section_id = ?1 AND id NOT IN (
                 SELECT id FROM section_revisions WHERE section_id = ?1 ORDER BY id DESC LIMIT ?2
             )",
        );
        write.execute(drop_old.bind(id.0).bind(MOST_KEPT)).await?;
    }
    Ok(())
}

fn revision(row: &SqliteRow) -> Result<SectionRevision, StoreProblem> {
    let row = RowReader::new(row, "section_revisions");
    Ok(SectionRevision {
        id: row.get("id")?,
        title: row.get("title")?,
        content: row.get("content")?,
        words: row.get("words")?,
        until: row.get("until")?,
        origin: row.origin("origin")?,
        what: row.get("what")?,
    })
}
