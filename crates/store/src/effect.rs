//! Events of the journal that are more than history: what they say is done in the same write.

use loopwright_domain::{
    Blocked, Event, GateStatus, LearningDraft, LearningScope, Outcome, RunId, TaskId, TaskStatus,
};
use sqlx::sqlite::SqliteRow;

use crate::error::{StoreError, StoreProblem};
use crate::failures;
use crate::learnings::{self, NewLearning};
use crate::memory_effects;
use crate::store::Store;
use crate::values::{RowReader, small_number, to_json};
use crate::write::Write;

/// A commit that holds the finished tasks of a wave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedWave {
    /// The run.
    pub run: RunId,
    /// The wave, counted from 1.
    pub wave: u32,
    /// The commit.
    pub commit: String,
    /// When.
    pub at: String,
    /// Its finished tasks.
    pub tasks: Vec<TaskId>,
}

impl Store {
    /// The commits of waves, the newest first, at most `limit`.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn wave_commits(&self, limit: u32) -> Result<Vec<RecordedWave>, StoreError> {
        let query = sqlx::query("SELECT * FROM wave_commits ORDER BY place DESC LIMIT ?").bind(limit);
        self.read_all(query, recorded).await
    }
}

fn recorded(row: &SqliteRow) -> Result<RecordedWave, StoreProblem> {
    let row = RowReader::new(row, "wave_commits");
    Ok(RecordedWave {
        run: row.id("run")?,
        wave: row.get("wave")?,
        commit: row.get("commit_id")?,
        at: row.get("at")?,
        tasks: row.json("tasks")?,
    })
}

/// Does what an event says, and returns the event to be written; none when it is not so any more.
pub(crate) async fn carry_out(
    write: &mut Write<'_>,
    at: &str,
    event: &Event,
) -> Result<Option<Event>, StoreProblem> {
    match event {
        Event::TaskStatusChanged { task, from, to, reason, .. } => {
            let moved = move_task(write, at, (*task, *from, *to), reason.as_deref()).await?;
            Ok(moved.then(|| event.clone()))
        }
        Event::LearningRecorded { .. } => keep_learning(write, at, event).await.map(Some),
        Event::MemoryIncluded { iteration, solutions, learnings } => {
            memory_effects::include(write, *iteration, solutions, learnings).await?;
            Ok(Some(event.clone()))
        }
        Event::SolutionRecorded { fix, task, iteration, .. } => {
            memory_effects::keep_fix(write, at, fix, *task, *iteration).await
        }
        Event::SolutionChanged { solution, reason, iteration: Some(iteration), .. } => {
            memory_effects::change(write, at, *solution, *reason, *iteration).await
        }
        Event::FailureRecorded { run, iteration, task, check, diagnosis, .. } => {
            let of = (*run, *iteration, *task);
            let kept = failures::keep(write, at, of, check.as_deref(), diagnosis).await?;
            Ok(kept.map(|failure| {
                let (check, diagnosis) = (check.clone(), diagnosis.clone());
                Event::FailureRecorded { failure, run: of.0, iteration: of.1, task: of.2, check, diagnosis }
            }))
        }
        Event::IterationSettled { iteration, outcome: Outcome::Succeeded, .. } => {
            failures::resolve(write, *iteration).await?;
            memory_effects::count_passed(write, *iteration).await?;
            Ok(Some(event.clone()))
        }
        Event::WaveFinished { run, wave, commit: Some(commit), tasks } => {
            let insert = sqlx::query(
                "INSERT INTO wave_commits (run, wave, commit_id, at, tasks) VALUES (?, ?, ?, ?, ?)
                 ON CONFLICT (run, wave) DO NOTHING",
            )
            .bind(run.to_string())
            .bind(*wave)
            .bind(commit.as_str())
            .bind(at)
            .bind(to_json(tasks)?);
            write.execute(insert).await?;
            Ok(Some(event.clone()))
        }
        Event::GateDecided { gate, status: GateStatus::Replaced, .. } => {
            let close = "UPDATE gates SET status = 'replaced' WHERE id = ? AND status = 'open'";
            let closed = write.execute(sqlx::query(close).bind(gate.0)).await? == 1;
            Ok(closed.then(|| event.clone()))
        }
        _ => Ok(Some(event.clone())),
    }
}

/// Moves a task, if it still stands where the mover saw it. A blocked one keeps why, and how often it had failed.
async fn move_task(
    write: &mut Write<'_>,
    at: &str,
    (task, from, to): (TaskId, TaskStatus, TaskStatus),
    reason: Option<&str>,
) -> Result<bool, StoreProblem> {
    let blocked = match to {
        TaskStatus::Blocked => {
            let count = "SELECT count(*) FROM iterations WHERE task = ? AND outcome = 'failed'";
            let attempts = small_number(write.number(sqlx::query_scalar(count).bind(task.0)).await?)?;
            let reason = reason.unwrap_or_default().to_owned();
            Some(to_json(&Blocked { reason, attempts, at: at.to_owned() })?)
        }
        _ => None,
    };
    let update =
        sqlx::query("UPDATE tasks SET status = ?, blocked = ?, updated_at = ? WHERE id = ? AND status = ?")
            .bind(to.as_str())
            .bind(blocked)
            .bind(at)
            .bind(task.0)
            .bind(from.as_str());
    Ok(write.execute(update).await? == 1)
}

/// Keeps what was learned, and returns the event with its number.
async fn keep_learning(write: &mut Write<'_>, at: &str, event: &Event) -> Result<Event, StoreProblem> {
    let mut kept = event.clone();
    if let Event::LearningRecorded { learning, category, title, when, text, pattern, by, task, iteration } =
        &mut kept
    {
        if let (None, Some(task)) = (&pattern, &task) {
            *pattern = failures::open_pattern(write, *task).await?;
        }
        let draft = LearningDraft {
            category: *category,
            title: title.clone(),
            when: when.clone(),
            text: text.clone(),
            scope: LearningScope::Project,
            pattern: pattern.clone(),
        };
        let new = NewLearning { draft: &draft, stack: None, origin: *by, task: *task, iteration: *iteration };
        *learning = learnings::keep(write, at, new).await?;
    }
    Ok(kept)
}
