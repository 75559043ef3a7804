//! The history: what happened, in order, and only ever added to.

use loopwright_domain::{Event, EventEnvelope, EventSeq};

use crate::error::StoreError;
use crate::event_rows::{envelope, insert_event, seq_of};
use crate::store::Store;
use crate::values::to_count;

impl Store {
    /// Adds an event to the history and returns its place. `at` is the caller's clock as RFC 3339 in UTC.
    ///
    /// When this returns, the event survives a power loss.
    ///
    /// # Errors
    ///
    /// When the database cannot be written; then nothing has changed.
    pub async fn append(&self, at: &str, event: &Event) -> Result<EventSeq, StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let seq = insert_event(&mut write, at, event).await?;
            write.commit().await?;
            Ok(seq)
        })
        .await
    }

    /// The events after a place in history, oldest first, at most `limit`. Place 0 is before the first.
    ///
    /// # Errors
    ///
    /// When the database cannot be read, or an event was written by another version of Loopwright.
    pub async fn events_since(&self, seq: EventSeq, limit: u32) -> Result<Vec<EventEnvelope>, StoreError> {
        let query = sqlx::query("SELECT seq, v, at, body FROM events WHERE seq > ? ORDER BY seq LIMIT ?");
        self.read_all(query.bind(to_count(seq.0)).bind(limit), envelope).await
    }

    /// The place of the latest event; 0 before the first. Whoever watches asks this often: it reads one page.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn last_seq(&self) -> Result<EventSeq, StoreError> {
        let query = sqlx::query("SELECT coalesce(max(seq), 0) AS seq FROM events");
        Ok(self.read_one(query, seq_of).await?.unwrap_or_default())
    }

    /// The latest events, newest first, at most `limit`.
    ///
    /// # Errors
    ///
    /// As [`Store::events_since`].
    pub async fn recent_events(&self, limit: u32) -> Result<Vec<EventEnvelope>, StoreError> {
        let query = sqlx::query("SELECT seq, v, at, body FROM events ORDER BY seq DESC LIMIT ?");
        self.read_all(query.bind(limit), envelope).await
    }
}
