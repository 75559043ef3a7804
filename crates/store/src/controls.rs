//! What people ask of a run, from any process.

use loopwright_domain::{Control, ControlKind, Event, Origin, RunId};
use sqlx::sqlite::SqliteRow;

use crate::error::{StoreError, StoreProblem};
use crate::event_rows::insert_event;
use crate::store::Store;
use crate::values::{RowReader, origin_word, small_number};

/// How requests are found; see [`crate::runs::find`].
pub(crate) const FIND: &str = "SELECT * FROM controls WHERE run = ? AND id > ? ORDER BY id";

impl Store {
    /// Asks something of a run, with its event. The process that works on the run finds it with
    /// [`Store::controls_after`]. `at` is the caller's clock as RFC 3339 in UTC.
    ///
    /// # Errors
    ///
    /// [`StoreProblem::Refused`] when there is no such run, and others when the database cannot be written. Then
    /// nothing has changed.
    pub async fn request(
        &self,
        at: &str,
        run: RunId,
        kind: ControlKind,
        origin: Origin,
    ) -> Result<Control, StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let insert = sqlx::query_scalar(
                "INSERT INTO controls (run, kind, origin, at) VALUES (?, ?, ?, ?) RETURNING id",
            )
            .bind(run.to_string())
            .bind(kind.as_str())
            .bind(origin_word(origin))
            .bind(at);
            let id = small_number(write.number(insert).await?)?;
            insert_event(&mut write, at, &Event::ControlRequested { run, control: kind, origin }).await?;
            write.commit().await?;
            Ok(Control { id, run, kind, origin, at: at.to_owned() })
        })
        .await
    }

    /// What was asked of a run after the request `last`, in order. 0 is before the first.
    ///
    /// # Errors
    ///
    /// When the database cannot be read, or a request was written by another version of Loopwright.
    pub async fn controls_after(&self, run: RunId, last: u32) -> Result<Vec<Control>, StoreError> {
        self.read_all(sqlx::query(FIND).bind(run.to_string()).bind(last), control).await
    }
}

fn control(row: &SqliteRow) -> Result<Control, StoreProblem> {
    let row = RowReader::new(row, "controls");
    Ok(Control {
        id: row.get("id")?,
        run: row.id("run")?,
        kind: row.word("kind", ControlKind::parse)?,
        origin: row.origin("origin")?,
        at: row.get("at")?,
    })
}
