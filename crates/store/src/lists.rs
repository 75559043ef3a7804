//! Iterations in any order, those beside one, and what was written down about one.

use loopwright_domain::{EventEnvelope, Iteration, IterationId, RunId};
use sqlx::Row;

use crate::error::StoreError;
use crate::event_rows::envelope;
use crate::runs::iteration;
use crate::store::Store;

/// What iterations are sorted by. The latest migration has an index for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IterationKey {
    /// Number and attempt.
    Number,
    /// When it was planned.
    Started,
    /// How long agent and checks took together.
    Duration,
    /// The agent's exit code.
    Exit,
    /// How it ended, by its word.
    Outcome,
    /// All tokens it used.
    Tokens,
    /// What it cost.
    Cost,
}

/// The two directions of a list: upwards and downwards. What is not known comes last in both, and what is equal goes
/// by number and attempt.
macro_rules! sorted_by {
    ($key:literal) => {
        [
            concat!(
                "SELECT * FROM iterations WHERE run = ? ORDER BY ",
                $key,
                " NULLS LAST, number, attempt LIMIT ? OFFSET ?"
            ),
            concat!(
                "SELECT * FROM iterations WHERE run = ? ORDER BY ",
                $key,
                " DESC NULLS LAST, number DESC, attempt DESC LIMIT ? OFFSET ?"
            ),
        ]
    };
}

/// How rows are found; see [`crate::runs::find`].
pub(crate) mod find {
    use crate::runs::find::{NEWEST_FIRST, OLDEST_FIRST};

    pub(crate) const BY_NUMBER: [&str; 2] = [OLDEST_FIRST, NEWEST_FIRST];
    pub(crate) const BY_START: [&str; 2] = sorted_by!("started_at");
    pub(crate) const BY_DURATION: [&str; 2] = sorted_by!("elapsed_ms");
    pub(crate) const BY_EXIT: [&str; 2] = sorted_by!("exit_code");
    pub(crate) const BY_OUTCOME: [&str; 2] = sorted_by!("outcome");
    pub(crate) const BY_TOKENS: [&str; 2] = sorted_by!(
        "(usage ->> '$.input') + (usage ->> '$.output') + (usage ->> '$.cache_read') + (usage ->> '$.cache_write')"
    );
    pub(crate) const BY_COST: [&str; 2] = sorted_by!("usage ->> '$.cost_micros'");
    pub(crate) const BEFORE: &str = "SELECT id FROM iterations WHERE run = ? AND (number, attempt) < (?, ?)
         ORDER BY number DESC, attempt DESC LIMIT 1";
    pub(crate) const AFTER: &str = "SELECT id FROM iterations WHERE run = ? AND (number, attempt) > (?, ?)
         ORDER BY number, attempt LIMIT 1";
    pub(crate) const EVENTS: &str =
        "SELECT seq, v, at, body FROM events WHERE body ->> '$.iteration' = ? ORDER BY seq LIMIT ?";
}

impl Store {
    /// A page of a run's iterations in any order.
    ///
    /// # Errors
    ///
    /// As [`Store::run`].
    pub async fn sorted_iterations(
        &self,
        run: RunId,
        key: IterationKey,
        descending: bool,
        offset: u32,
        limit: u32,
    ) -> Result<Vec<Iteration>, StoreError> {
        let [upwards, downwards] = match key {
            IterationKey::Number => find::BY_NUMBER,
            IterationKey::Started => find::BY_START,
            IterationKey::Duration => find::BY_DURATION,
            IterationKey::Exit => find::BY_EXIT,
            IterationKey::Outcome => find::BY_OUTCOME,
            IterationKey::Tokens => find::BY_TOKENS,
            IterationKey::Cost => find::BY_COST,
        };
        let query = sqlx::query(if descending { downwards } else { upwards });
        self.read_all(query.bind(run.to_string()).bind(limit).bind(offset), iteration).await
    }

    /// The iterations just before and just after one in its run.
    ///
    /// # Errors
    ///
    /// As [`Store::run`].
    pub async fn iterations_beside(
        &self,
        iteration: &Iteration,
    ) -> Result<[Option<IterationId>; 2], StoreError> {
        let mut beside = [None; 2];
        for (place, query) in beside.iter_mut().zip([find::BEFORE, find::AFTER]) {
            let query = sqlx::query(query)
                .bind(iteration.run.to_string())
                .bind(iteration.number)
                .bind(iteration.attempt);
            let id: Option<String> = self.read_one(query, |row| Ok(row.try_get(0)?)).await?;
            *place = id.and_then(|id| id.parse().ok());
        }
        Ok(beside)
    }

    /// What was written down about an iteration, oldest first, at most `limit`.
    ///
    /// # Errors
    ///
    /// As [`Store::events_since`].
    pub async fn events_of(
        &self,
        iteration: IterationId,
        limit: u32,
    ) -> Result<Vec<EventEnvelope>, StoreError> {
        self.read_all(sqlx::query(find::EVENTS).bind(iteration.to_string()).bind(limit), envelope).await
    }
}
