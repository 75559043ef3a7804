//! The documents that sections come from.

use serde::{Deserialize, Serialize};
use sqlx::sqlite::SqliteRow;

use crate::error::{StoreError, StoreProblem};
use crate::store::Store;
use crate::values::{RowReader, to_json};
use crate::write::Write;

/// A document as it was when it was imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file, named from the project folder.
    pub file: String,
    /// What it calls itself.
    pub name: Option<String>,
    /// The SHA-256 of the file.
    pub hash: String,
    /// What it depends on.
    pub depends_on: Vec<SourceDependency>,
}

/// A document that another one depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceDependency {
    /// How it is named there.
    pub name: String,
    /// The SHA-256 it had when the other one was imported; none when there was no such document.
    pub hash: Option<String>,
}

impl Store {
    /// Every document that was imported, by name.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn sources(&self) -> Result<Vec<Source>, StoreError> {
        self.read_all(sqlx::query("SELECT * FROM sources ORDER BY file"), source).await
    }
}

pub(crate) async fn put_source(write: &mut Write<'_>, at: &str, source: &Source) -> Result<(), StoreProblem> {
    let upsert = sqlx::query(
        "INSERT INTO sources (file, name, hash, depends_on, imported_at) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (file) DO UPDATE SET (name, hash, depends_on, imported_at) = (?2, ?3, ?4, ?5)",
    )
    .bind(source.file.clone())
    .bind(source.name.clone())
    .bind(source.hash.clone())
    .bind(to_json(&source.depends_on)?)
    .bind(at.to_owned());
    write.execute(upsert).await.map(drop)
}

fn source(row: &SqliteRow) -> Result<Source, StoreProblem> {
    let row = RowReader::new(row, "sources");
    Ok(Source {
        file: row.get("file")?,
        name: row.get("name")?,
        hash: row.get("hash")?,
        depends_on: row.json("depends_on")?,
    })
}
