//! The sections of the spec.

use loopwright_domain::section::parents;
use loopwright_domain::{Event, Origin, Section, SectionId, TaskId};
use sqlx::sqlite::SqliteRow;

use crate::error::{StoreError, StoreProblem};
use crate::event_rows::insert_event;
use crate::search::match_expression;
use crate::section_history::keep_revision;
use crate::sources::{Source, put_source};
use crate::store::Store;
use crate::tasks::{numbers, section};
use crate::values::{RowReader, small_number};
use crate::write::Write;

/// A section as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSection {
    /// The section.
    pub section: Section,
    /// Its place in its document.
    pub position: u32,
    /// Whether a person changed it since it was imported.
    pub edited: bool,
    /// The section it stands below: in a document by its heading, else where it was put.
    pub parent: Option<SectionId>,
    /// The tasks that carry it out, by id.
    pub tasks: Vec<TaskId>,
}

/// A section to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PutSection {
    /// The one it replaces; none adds it.
    pub id: Option<SectionId>,
    /// Its place in its document, counted from 0.
    pub position: u32,
    /// All about it; its `id` is not looked at.
    pub section: Section,
    /// Whether a person changed it since it was imported.
    pub edited: bool,
    /// The section that one written by hand stands below.
    pub under: Option<SectionId>,
}

/// A change of the spec that happens whole or not at all.
#[derive(Clone, Copy, Debug)]
pub struct SpecChange<'a> {
    /// The caller's clock as RFC 3339 in UTC.
    pub at: &'a str,
    /// What is done, in words for the history.
    pub what: &'a str,
    /// Sections that are added or replaced.
    pub put: &'a [PutSection],
    /// Sections that go, and with them their links to tasks.
    pub remove: &'a [SectionId],
    /// Documents as they were read just now.
    pub sources: &'a [Source],
    /// Who does it.
    pub origin: Origin,
}

/// How sections are found; see [`crate::runs::find`]. Documents come by name, what was written by hand comes last.
pub(crate) mod find {
    macro_rules! sections {
        ($rest:literal) => {
            concat!(
                "SELECT sections.*, (
                     SELECT group_concat(task_id, ' ' ORDER BY task_id)
                     FROM task_sections WHERE section_id = sections.id
                 ) AS tasks, ",
                $rest
            )
        };
    }

    pub(crate) const ALL: &str =
        sections!("under AS parent FROM sections ORDER BY file IS NULL, file, position, id");
    /// The best are found before their texts are read, and what they stand below.
    pub(crate) const SEARCH: &str = sections!(
        "coalesce(under, (
             SELECT id FROM sections AS above
             WHERE above.file = sections.file AND above.position < sections.position AND above.level < sections.level
             ORDER BY above.position DESC LIMIT 1
         )) AS parent FROM (
             SELECT rowid AS found, bm25(sections_fts, 4.0, 1.0) AS rank FROM sections_fts
             WHERE sections_fts MATCH ? ORDER BY 2, 1 LIMIT ?
         ) JOIN sections ON sections.id = found ORDER BY rank, found"
    );
}

impl Store {
    /// Every section, in the order of its document.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn sections(&self) -> Result<Vec<StoredSection>, StoreError> {
        let mut all = self.read_all(sqlx::query(find::ALL), stored).await?;
        for document in all.chunk_by_mut(|one, other| one.section.file == other.section.file) {
            if document.first().is_some_and(|first| first.section.file.is_some()) {
                let parents = parents(document.iter().map(|stored| &stored.section));
                document.iter_mut().zip(parents).for_each(|(stored, parent)| stored.parent = parent);
            }
        }
        Ok(all)
    }

    /// The sections that have any of the words, best match first, at most `limit`. Any text will do, as with
    /// [`Store::search_tasks`].
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn search_sections(&self, text: &str, limit: u32) -> Result<Vec<StoredSection>, StoreError> {
        let Some(expression) = match_expression(text) else { return Ok(Vec::new()) };
        self.read_all(sqlx::query(find::SEARCH).bind(expression).bind(limit), stored).await
    }

    /// Changes the spec, with its event, and returns the ids of what was put, in order.
    ///
    /// # Errors
    ///
    /// [`StoreProblem::Refused`] when a section to be replaced or removed is not there, and others when the database
    /// cannot be written. Then nothing has changed.
    pub async fn change_spec(&self, change: SpecChange<'_>) -> Result<Vec<SectionId>, StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            for id in change.remove {
                let delete = sqlx::query("DELETE FROM sections WHERE id = ?").bind(id.0);
                there(*id, write.execute(delete).await?)?;
            }
            let mut ids = Vec::with_capacity(change.put.len());
            for put in change.put {
                if let Some(id) = put.id {
                    keep_revision(&mut write, (change.at, change.origin, change.what), id, &put.section)
                        .await?;
                }
                ids.push(put_section(&mut write, put).await?);
            }
            for source in change.sources {
                put_source(&mut write, change.at, source).await?;
            }
            let count = sqlx::query_scalar("SELECT count(*) FROM sections");
            let sections = small_number(write.number(count).await?)?;
            let event = Event::SpecChanged { what: change.what.to_owned(), sections, origin: change.origin };
            insert_event(&mut write, change.at, &event).await?;
            write.commit().await?;
            Ok(ids)
        })
        .await
    }
}

fn there(id: SectionId, rows: u64) -> Result<(), StoreProblem> {
    match rows {
        0 => Err(StoreProblem::NoSection(id)),
        _ => Ok(()),
    }
}

pub(crate) async fn put_section(write: &mut Write<'_>, put: &PutSection) -> Result<SectionId, StoreProblem> {
    let section = &put.section;
    // No upsert: its way of meeting conflicts would count in the triggers too, and make a section that changes twice
    // fail.
    let statement = match put.id {
        None => sqlx::query_scalar(
            "INSERT INTO sections (id, position, number, title, level, content, file, words, edited, under)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) RETURNING id",
        ),
        Some(id) => {
            let exists = sqlx::query_scalar("SELECT count(*) FROM sections WHERE id = ?").bind(id.0);
            there(id, write.number(exists).await?.unsigned_abs())?;
            sqlx::query_scalar(
                "UPDATE sections SET (position, number, title, level, content, file, words, edited, under)
                     = (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                 WHERE id = ?1 RETURNING id",
            )
        }
    };
    let statement = statement
        .bind(put.id.map(|id| id.0))
        .bind(put.position)
        .bind(section.number.clone())
        .bind(section.title.clone())
        .bind(section.level)
        .bind(section.content.clone())
        .bind(section.file.clone())
        .bind(section.words)
        .bind(put.edited)
        .bind(put.under.map(|id| id.0));
    Ok(SectionId(small_number(write.number(statement).await?)?))
}

fn stored(row: &SqliteRow) -> Result<StoredSection, StoreProblem> {
    let section = section(row)?;
    let row = RowReader::new(row, "sections");
    let tasks = numbers(&row, "tasks")?.into_iter().map(TaskId).collect();
    let parent = row.get::<Option<u32>>("parent")?.map(SectionId);
    Ok(StoredSection { section, position: row.get("position")?, edited: row.get("edited")?, parent, tasks })
}
