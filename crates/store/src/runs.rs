//! Reading runs and their iterations.

use loopwright_domain::{
    Claim, EndCause, ErrorCode, ExitReason, FailureCause, Iteration, IterationId, Outcome, Phase, Run, RunId,
    RunKind, RunStatus, TaskId, WaitReason,
};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::error::{StoreError, StoreProblem};
use crate::store::Store;
use crate::values::RowReader;

/// How rows are found. Every one of these goes through an index, however long the history is; a test holds that.
pub(crate) mod find {
    pub(crate) const RUN: &str = "SELECT * FROM runs WHERE id = ?";
    /// The number is written out: SQLite prepares a statement again once a limit is bound.
    pub(crate) const LAST_RUN: &str = "SELECT * FROM runs ORDER BY place DESC LIMIT 1";
    pub(crate) const RUNS: &str = "SELECT * FROM runs ORDER BY place DESC LIMIT ?";
    pub(crate) const RUNS_BEFORE: &str =
        "SELECT * FROM runs WHERE place < (SELECT place FROM runs WHERE id = ?)
         ORDER BY place DESC LIMIT ?";
    pub(crate) const ITERATION: &str = "SELECT * FROM iterations WHERE id = ?";
    pub(crate) const BY_NUMBER: &str =
        "SELECT * FROM iterations WHERE run = ? AND number = ? ORDER BY attempt DESC LIMIT 1";
    pub(crate) const OLDEST_FIRST: &str =
        "SELECT * FROM iterations WHERE run = ? ORDER BY number, attempt LIMIT ? OFFSET ?";
    pub(crate) const NEWEST_FIRST: &str =
        "SELECT * FROM iterations WHERE run = ? ORDER BY number DESC, attempt DESC LIMIT ? OFFSET ?";
    pub(crate) const COUNT: &str = "SELECT count(*) FROM iterations WHERE run = ?";
    /// Left to itself, SQLite would read all iterations to save sorting the few.
    pub(crate) const UNSETTLED: &str = "SELECT * FROM iterations INDEXED BY iterations_unsettled
         WHERE phase <> 'settled' ORDER BY place";
}

/// From which end a list begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The first one first.
    OldestFirst,
    /// The last one first.
    NewestFirst,
}

impl Store {
    /// A run, if there is one with this id.
    ///
    /// # Errors
    ///
    /// When the database cannot be read, or the run was written by another version of Loopwright.
    pub async fn run(&self, id: RunId) -> Result<Option<Run>, StoreError> {
        self.read_one(sqlx::query(find::RUN).bind(id.to_string()), run).await
    }

    /// The run that was begun last.
    ///
    /// # Errors
    ///
    /// As [`Store::run`].
    pub async fn latest_run(&self) -> Result<Option<Run>, StoreError> {
        self.read_one(sqlx::query(find::LAST_RUN), run).await
    }

    /// The runs begun before `before`, or all, the last one first, at most `limit`.
    ///
    /// # Errors
    ///
    /// As [`Store::run`].
    pub async fn runs(&self, limit: u32, before: Option<RunId>) -> Result<Vec<Run>, StoreError> {
        let query = match before {
            None => sqlx::query(find::RUNS),
            Some(before) => sqlx::query(find::RUNS_BEFORE).bind(before.to_string()),
        };
        self.read_all(query.bind(limit), run).await
    }

    /// An iteration, if there is one with this id.
    ///
    /// # Errors
    ///
    /// As [`Store::run`].
    pub async fn iteration(&self, id: IterationId) -> Result<Option<Iteration>, StoreError> {
        self.read_one(sqlx::query(find::ITERATION).bind(id.to_string()), iteration).await
    }

    /// The latest attempt at the iteration of this number, counted from 0.
    ///
    /// # Errors
    ///
    /// As [`Store::run`].
    pub async fn iteration_by_number(
        &self,
        run: RunId,
        number: u32,
    ) -> Result<Option<Iteration>, StoreError> {
        let query = sqlx::query(find::BY_NUMBER);
        self.read_one(query.bind(run.to_string()).bind(number), iteration).await
    }

    /// A page of a run's iterations, by number and attempt.
    ///
    /// # Errors
    ///
    /// As [`Store::run`].
    pub async fn iterations(
        &self,
        run: RunId,
        offset: u32,
        limit: u32,
        order: Order,
    ) -> Result<Vec<Iteration>, StoreError> {
        let query = match order {
            Order::OldestFirst => find::OLDEST_FIRST,
            Order::NewestFirst => find::NEWEST_FIRST,
        };
        self.read_all(sqlx::query(query).bind(run.to_string()).bind(limit).bind(offset), iteration).await
    }

    /// The last iterations of a run, the last one first, at most `limit`.
    ///
    /// # Errors
    ///
    /// As [`Store::run`].
    pub async fn last_iterations(&self, run: RunId, limit: u32) -> Result<Vec<Iteration>, StoreError> {
        self.iterations(run, 0, limit, Order::NewestFirst).await
    }

    /// How many iterations a run has, with every attempt.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn iteration_count(&self, run: RunId) -> Result<u32, StoreError> {
        let query = sqlx::query(find::COUNT).bind(run.to_string());
        Ok(self.read_one(query, |row| Ok(row.try_get(0)?)).await?.unwrap_or_default())
    }

    /// The iterations of all runs that are not over, in the order in which they were begun.
    ///
    /// # Errors
    ///
    /// As [`Store::run`].
    pub async fn unsettled(&self) -> Result<Vec<Iteration>, StoreError> {
        self.read_all(sqlx::query(find::UNSETTLED), iteration).await
    }
}

fn run(row: &SqliteRow) -> Result<Run, StoreProblem> {
    let row = RowReader::new(row, "runs");
    Ok(Run {
        id: row.id("id")?,
        kind: row.word("kind", RunKind::parse)?,
        title: row.get("title")?,
        procedure: row.get("procedure")?,
        harness: row.get("harness")?,
        status: row.word("status", RunStatus::parse)?,
        waiting: row.optional_word("waiting", WaitReason::parse)?,
        reason: row.optional_word("reason", ExitReason::parse)?,
        // A word for people and scripts: one that only a newer version knows must not hide the run.
        code: row.get::<Option<String>>("code")?.and_then(|code| ErrorCode::parse(&code)),
        message: row.get("message")?,
        limits: row.json("limits")?,
        progress: row.json("progress")?,
        goal: row.get("goal")?,
        origin: row.origin("origin")?,
        started_at: row.get("started_at")?,
        last_iteration_at: row.get("last_iteration_at")?,
        ended_at: row.get("ended_at")?,
        head: row.get("head")?,
        tree: row.get("tree")?,
        baseline: row.optional_json("baseline")?,
        start_tree: row.get("start_tree")?,
        approved_tree: row.get("approved_tree")?,
        holds: row.json("holds")?,
        options: row.get("options")?,
    })
}

pub(crate) fn iteration(row: &SqliteRow) -> Result<Iteration, StoreProblem> {
    let row = RowReader::new(row, "iterations");
    Ok(Iteration {
        id: row.id("id")?,
        run: row.id("run")?,
        number: row.get("number")?,
        attempt: row.get("attempt")?,
        task: row.get::<Option<u32>>("task")?.map(TaskId),
        phase: row.word("phase", Phase::parse)?,
        outcome: row.optional_word("outcome", Outcome::parse)?,
        cause: row.optional_word("cause", FailureCause::parse)?,
        message: row.get("message")?,
        started_at: row.get("started_at")?,
        ended_at: row.get("ended_at")?,
        agent_ms: row.count("agent_ms")?,
        elapsed_ms: row.count("elapsed_ms")?,
        pid: row.get("pid")?,
        process_started: row.get("process_started")?,
        exit_code: row.get("exit_code")?,
        exit_signal: row.get("exit_signal")?,
        end: row.optional_word("end_cause", EndCause::parse)?,
        claim: row.word("claim", Claim::parse)?,
        claim_text: row.get("claim_text")?,
        promise_checked: row.get("promise_checked")?,
        preview: row.get("preview")?,
        usage: row.json("usage")?,
        prompt_tokens: row.count("prompt_tokens")?,
        head: row.get("head")?,
        checkpoint: row.get("checkpoint")?,
        tree_before: row.get("tree_before")?,
        tree_after: row.get("tree_after")?,
        commit: row.get("commit_id")?,
        failing: row.json("failing")?,
        wave: row.get("wave")?,
        by_hand: row.get("by_hand")?,
        restored: row.get("restored")?,
        agent: row.json("agent")?,
    })
}
