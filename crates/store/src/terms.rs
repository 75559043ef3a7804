//! The terms of the spec.

use loopwright_domain::term::fold_word;
use loopwright_domain::{Event, Origin, Term, TermId};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::error::{StoreError, StoreProblem};
use crate::event_rows::insert_event;
use crate::search::match_expression;
use crate::store::Store;
use crate::values::{RowReader, small_number, to_json};
use crate::write::Write;

const FIND: &str = "SELECT * FROM terms ORDER BY folded";

/// A term to be written.
#[derive(Clone, Copy, Debug)]
pub struct PutTerm<'a> {
    /// The caller's clock as RFC 3339 in UTC.
    pub at: &'a str,
    /// The term; its id is not looked at, its name says which one it is.
    pub term: &'a Term,
    /// Whether it takes the place of one with its name.
    pub replace: bool,
    /// Who does it.
    pub origin: Origin,
}

impl Store {
    /// Every term, by name.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn terms(&self) -> Result<Vec<Term>, StoreError> {
        self.read_all(sqlx::query(FIND), term).await
    }

    /// The terms that have any of the words, best match first, at most `limit`: names weigh most, definitions least.
    /// Any text will do, as with [`Store::search_tasks`].
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn search_terms(&self, text: &str, limit: u32) -> Result<Vec<Term>, StoreError> {
        let Some(expression) = match_expression(text) else { return Ok(Vec::new()) };
        let query = sqlx::query(
            "SELECT terms.* FROM terms_fts JOIN terms ON terms.id = terms_fts.rowid WHERE terms_fts MATCH ?
             ORDER BY bm25(terms_fts, 8.0, 4.0, 4.0, 1.0), terms.id LIMIT ?",
        );
        self.read_all(query.bind(expression).bind(limit), term).await
    }

    /// Writes a term, with its event, and returns it as it is kept.
    ///
    /// # Errors
    ///
    /// [`StoreProblem::InvalidTerm`] when it cannot be so beside the others, and others when the database cannot be
    /// written. Then nothing has changed.
    pub async fn put_term(&self, put: PutTerm<'_>) -> Result<Term, StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let others = terms_in(&mut write).await?;
            let folded = fold_word(&put.term.name);
            let known = others.iter().find(|other| put.replace && fold_word(&other.name) == folded);
            let id = known.map_or(TermId(0), |known| known.id);
            let mut term = Term { id, ..put.term.clone() }.checked(&others)?;
            term.id = write_term(&mut write, known.map(|known| known.id), &term).await?;
            let what = if known.is_some() { "changed" } else { "added" };
            changed(&mut write, put.at, format!("{what} the term {}", term.name), put.origin).await?;
            write.commit().await?;
            Ok(term)
        })
        .await
    }

    /// Removes terms, with their events, and returns them: all or none.
    ///
    /// # Errors
    ///
    /// [`StoreProblem::NoTerm`] when there is none with one of the names, and others when the database cannot be
    /// written. Then nothing has changed.
    pub async fn remove_terms(
        &self,
        at: &str,
        names: &[String],
        origin: Origin,
    ) -> Result<Vec<Term>, StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let mut left = terms_in(&mut write).await?;
            let mut removed = Vec::with_capacity(names.len());
            for name in names {
                let place = left.iter().position(|term| fold_word(&term.name) == fold_word(name));
                let place = place.ok_or_else(|| StoreProblem::NoTerm(name.clone()))?;
                let term = left.swap_remove(place);
                write.execute(sqlx::query("DELETE FROM terms WHERE id = ?").bind(term.id.0)).await?;
                changed(&mut write, at, format!("removed the term {}", term.name), origin).await?;
                removed.push(term);
            }
            write.commit().await?;
            Ok(removed)
        })
        .await
    }
}

/// Writes a term that was checked: in the place of another one, or as a new one.
pub(crate) async fn write_term(
    write: &mut Write<'_>,
    known: Option<TermId>,
    term: &Term,
) -> Result<TermId, StoreProblem> {
    let upsert = sqlx::query_scalar(
        "INSERT INTO terms (id, name, folded, definition, variants, avoid) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (id) DO UPDATE SET (name, folded, definition, variants, avoid) = (?2, ?3, ?4, ?5, ?6)
         RETURNING id",
    )
    .bind(known.map(|known| known.0))
    .bind(term.name.clone())
    .bind(fold_word(&term.name))
    .bind(term.definition.clone())
    .bind(to_json(&term.variants)?)
    .bind(to_json(&term.avoid)?);
    Ok(TermId(small_number(write.number(upsert).await?)?))
}

pub(crate) async fn terms_in(write: &mut Write<'_>) -> Result<Vec<Term>, StoreProblem> {
    let rows = sqlx::query(FIND).fetch_all(write.connection()).await?;
    rows.iter().map(term).collect()
}

async fn changed(write: &mut Write<'_>, at: &str, what: String, origin: Origin) -> Result<(), StoreProblem> {
    let sections = small_number(write.number(sqlx::query_scalar("SELECT count(*) FROM sections")).await?)?;
    insert_event(write, at, &Event::SpecChanged { what, sections, origin }).await.map(drop)
}

fn term(row: &SqliteRow) -> Result<Term, StoreProblem> {
    let id = TermId(small_number(row.try_get("id")?)?);
    let row = RowReader::new(row, "terms");
    Ok(Term {
        id,
        name: row.get("name")?,
        definition: row.get("definition")?,
        variants: row.json("variants")?,
        avoid: row.json("avoid")?,
    })
}
