//! Reading what figures are made from: what happened, without texts.

use loopwright_domain::memory::metric_facts::{
    AttemptFact, FailureFact, LearningFact, MetricFacts, SolutionFact, TaskChangeFact, TaskFact,
};
use loopwright_domain::{FailureCategory, SolutionTrust, TaskId, TaskStatus, TrustReason, Usage};
use sqlx::sqlite::SqliteRow;

use crate::error::{StoreError, StoreProblem};
use crate::store::Store;
use crate::values::RowReader;

/// How rows are found. All of a kind are read: figures are made from everything that happened.
mod find {
    pub(super) const RUNS: &str = "SELECT coalesce(unixepoch(started_at), 0) AS at FROM runs ORDER BY place";
    pub(super) const ATTEMPTS: &str = "SELECT iterations.id, iterations.task, iterations.by_hand,
             iterations.outcome = 'succeeded' AS passed, iterations.elapsed_ms,
             coalesce(iterations.agent ->> '$.harness', runs.harness) AS harness,
             iterations.agent ->> '$.model' AS model, iterations.usage,
             coalesce(unixepoch(coalesce(iterations.ended_at, iterations.started_at)), 0) AS at,
             substr(coalesce(iterations.ended_at, iterations.started_at), 1, 10) AS date
         FROM iterations JOIN runs ON runs.id = iterations.run
         WHERE iterations.phase = 'settled' AND iterations.outcome IN ('succeeded', 'failed')
         ORDER BY iterations.place";
    pub(super) const FAILURES: &str = "SELECT failures.pattern, failures.category, failures.iteration, failures.task,
             failures.at AS at_text, coalesce(unixepoch(failures.at), 0) AS at, failures.resolved_by,
             CASE WHEN failures.resolved_by IS NULL THEN NULL
                  ELSE coalesce(unixepoch(coalesce(passed.ended_at, passed.started_at)), 0) END AS resolved_at,
             coalesce(passed.by_hand, 0) AS by_hand,
             EXISTS (SELECT 1 FROM memory_in_prompts WHERE iteration = failures.resolved_by
                 AND kind = 'solution' AND item = failures.solution) AS with_solution
         FROM failures LEFT JOIN iterations AS passed ON passed.id = failures.resolved_by
         ORDER BY failures.id";
    pub(super) const TASKS: &str =
        "SELECT id, status, coalesce(unixepoch(created_at), 0) AS created FROM tasks ORDER BY id";
    pub(super) const TASK_CHANGES: &str = "SELECT body ->> '$.task' AS task, body ->> '$.to' AS status,
             at AS at_text, coalesce(unixepoch(at), 0) AS at
         FROM events WHERE body ->> '$.task' IS NOT NULL AND type = 'task.status' ORDER BY seq";
    pub(super) const SOLUTIONS: &str = "SELECT solution_history.solution, solution_history.after,
             solution_history.reason, coalesce(unixepoch(solution_history.at), 0) AS at,
             solutions.title, solutions.pattern
         FROM solution_history JOIN solutions ON solutions.id = solution_history.solution
         ORDER BY solution_history.id";
    pub(super) const LEARNINGS: &str = "SELECT coalesce(unixepoch(learnings.at), 0) AS at,
             (SELECT min(coalesce(unixepoch(iterations.started_at), 0)) FROM memory_in_prompts
                 JOIN iterations ON iterations.id = memory_in_prompts.iteration
                 WHERE memory_in_prompts.kind = 'learning' AND memory_in_prompts.item = learnings.id) AS first_used
         FROM learnings ORDER BY learnings.id";
}

impl Store {
    /// Everything that figures are made from.
    ///
    /// # Errors
    ///
    /// When the database cannot be read, or a row was written by another version of Loopwright.
    pub async fn metric_facts(&self) -> Result<MetricFacts, StoreError> {
        Ok(MetricFacts {
            runs: self.read_all(sqlx::query(find::RUNS), |row| RowReader::new(row, "runs").get("at")).await?,
            attempts: self.read_all(sqlx::query(find::ATTEMPTS), attempt).await?,
            failures: self.read_all(sqlx::query(find::FAILURES), failure).await?,
            tasks: self.read_all(sqlx::query(find::TASKS), task).await?,
            task_changes: self.read_all(sqlx::query(find::TASK_CHANGES), task_change).await?,
            solutions: self.read_all(sqlx::query(find::SOLUTIONS), solution).await?,
            learnings: self.read_all(sqlx::query(find::LEARNINGS), learning).await?,
        })
    }
}

fn attempt(row: &SqliteRow) -> Result<AttemptFact, StoreProblem> {
    let row = RowReader::new(row, "iterations");
    Ok(AttemptFact {
        iteration: row.id("id")?,
        task: row.get::<Option<u32>>("task")?.map(TaskId),
        harness: row.get("harness")?,
        model: row.get("model")?,
        at: row.get("at")?,
        date: row.get("date")?,
        passed: row.get("passed")?,
        by_hand: row.get("by_hand")?,
        elapsed_ms: row.count("elapsed_ms")?,
        usage: row.json::<Usage>("usage")?,
    })
}

fn failure(row: &SqliteRow) -> Result<FailureFact, StoreProblem> {
    let row = RowReader::new(row, "failures");
    Ok(FailureFact {
        pattern: row.get("pattern")?,
        category: row.word("category", FailureCategory::parse)?,
        iteration: row.id("iteration")?,
        task: row.get::<Option<u32>>("task")?.map(TaskId),
        at: row.get("at")?,
        at_text: row.get("at_text")?,
        resolved_by: row.optional_id("resolved_by")?,
        resolved_at: row.get("resolved_at")?,
        with_solution: row.get("with_solution")?,
        by_hand: row.get("by_hand")?,
    })
}

fn task(row: &SqliteRow) -> Result<TaskFact, StoreProblem> {
    let row = RowReader::new(row, "tasks");
    Ok(TaskFact {
        id: TaskId(row.get("id")?),
        status: row.word("status", TaskStatus::parse)?,
        created: row.get("created")?,
    })
}

fn task_change(row: &SqliteRow) -> Result<TaskChangeFact, StoreProblem> {
    let row = RowReader::new(row, "events");
    Ok(TaskChangeFact {
        task: TaskId(row.get("task")?),
        at: row.get("at")?,
        at_text: row.get("at_text")?,
        to: row.word("status", TaskStatus::parse)?,
    })
}

fn solution(row: &SqliteRow) -> Result<SolutionFact, StoreProblem> {
    let row = RowReader::new(row, "solution_history");
    Ok(SolutionFact {
        solution: row.get("solution")?,
        title: row.get("title")?,
        pattern: row.get("pattern")?,
        at: row.get("at")?,
        trust: SolutionTrust::of_hundredths(row.get("after")?),
        reason: row.word("reason", TrustReason::parse)?,
    })
}

fn learning(row: &SqliteRow) -> Result<LearningFact, StoreProblem> {
    let row = RowReader::new(row, "learnings");
    Ok(LearningFact { at: row.get("at")?, first_used: row.get("first_used")? })
}
