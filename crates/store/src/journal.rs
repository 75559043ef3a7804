//! The journal: where a run and its iterations stand, written together with what happened.

use loopwright_domain::{CheckResult, ErrorCode, Event, EventSeq, Iteration, Run};

use crate::checks::bind_result;
use crate::effect;
use crate::error::{StoreError, StoreProblem};
use crate::event_rows::insert_event;
use crate::store::Store;
use crate::values::{origin_word, to_count, to_json};
use crate::write::Write;

/// What is written down at once. What is none or empty stays as it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entry<'a> {
    /// The run as it is now, new or not.
    pub run: Option<&'a Run>,
    /// The iteration as it is now, new or not.
    pub iteration: Option<&'a Iteration>,
    /// All results of this iteration's checks; they take the place of those there were.
    pub checks: &'a [CheckResult],
    /// What happened, in order.
    pub events: &'a [Event],
}

impl Store {
    /// Writes an entry, all of it or nothing, and returns its events as they were written, with their places. `at` is
    /// the caller's clock as RFC 3339 in UTC.
    ///
    /// Some events are more than history. A task's status moves with its event, unless it stands elsewhere by now than
    /// the event says: then a person was quicker, and the event is left out. A learning is kept, and gets its number.
    /// A failure is kept once for its iteration, and gets its number; an iteration that succeeds resolves its task's.
    /// The commit of a wave is kept.
    ///
    /// When this returns, the entry survives a power loss. What never happens, whoever writes: an iteration goes
    /// back to an earlier phase, unless a commit hook has changed its tree; an iteration that is settled changes; a run that is over changes or gets another
    /// iteration; two iterations have the same run, number and attempt.
    ///
    /// # Errors
    ///
    /// [`StoreProblem::Refused`] for an entry against these rules, and others when the database cannot be written.
    /// Then nothing has changed.
    pub async fn journal(&self, at: &str, entry: Entry<'_>) -> Result<Vec<(EventSeq, Event)>, StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let written = write_entry(&mut write, at, entry).await?;
            write.commit().await?;
            Ok(written)
        })
        .await
    }
}

/// Writes an entry as part of a write.
pub(crate) async fn write_entry(
    write: &mut Write<'_>,
    at: &str,
    entry: Entry<'_>,
) -> Result<Vec<(EventSeq, Event)>, StoreProblem> {
    write_iteration(write, at, entry).await?;
    if let Some(run) = entry.run {
        upsert_run(write, run).await?;
    }
    let mut written = Vec::with_capacity(entry.events.len());
    for event in entry.events {
        if let Some(event) = effect::carry_out(write, at, event).await? {
            written.push((insert_event(write, at, &event).await?, event));
        }
    }
    Ok(written)
}

async fn write_iteration(write: &mut Write<'_>, at: &str, entry: Entry<'_>) -> Result<(), StoreProblem> {
    let Some(iteration) = entry.iteration else {
        return if entry.checks.is_empty() {
            Ok(())
        } else {
            Err(StoreProblem::Refused("results of checks belong to an iteration".into()))
        };
    };
    upsert_iteration(write, iteration).await?;
    if entry.checks.is_empty() {
        return Ok(());
    }
    let id = iteration.id.to_string();
    write.execute(sqlx::query("DELETE FROM check_results WHERE iteration = ?").bind(id.clone())).await?;
    for result in entry.checks {
        insert_check(write, at, &id, result).await?;
    }
    Ok(())
}

async fn upsert_run(write: &mut Write<'_>, run: &Run) -> Result<(), StoreProblem> {
    let upsert = sqlx::query(
        "INSERT INTO runs (
             id, kind, title, procedure, harness, status, waiting, reason, message, limits, progress, goal, origin,
             started_at, last_iteration_at, ended_at, head, tree, options, holds, code, baseline, start_tree,
             approved_tree
         ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET
             kind = excluded.kind, title = excluded.title, procedure = excluded.procedure,
             harness = excluded.harness, status = excluded.status, waiting = excluded.waiting,
             reason = excluded.reason, message = excluded.message, limits = excluded.limits,
             progress = excluded.progress, goal = excluded.goal, origin = excluded.origin,
             started_at = excluded.started_at, last_iteration_at = excluded.last_iteration_at,
             ended_at = excluded.ended_at, head = excluded.head, tree = excluded.tree, options = excluded.options,
             holds = excluded.holds, code = excluded.code, baseline = excluded.baseline,
             start_tree = excluded.start_tree, approved_tree = excluded.approved_tree",
    )
    .bind(run.id.to_string())
    .bind(run.kind.as_str())
    .bind(run.title.as_str())
    .bind(run.procedure.as_deref())
    .bind(run.harness.as_str())
    .bind(run.status.as_str())
    .bind(run.waiting.map(|reason| reason.as_str()))
    .bind(run.reason.map(|reason| reason.as_str()))
    .bind(run.message.as_deref())
    .bind(to_json(&run.limits)?)
    .bind(to_json(&run.progress)?)
    .bind(run.goal)
    .bind(origin_word(run.origin))
    .bind(run.started_at.as_str())
    .bind(run.last_iteration_at.as_deref())
    .bind(run.ended_at.as_deref())
    .bind(run.head.as_deref())
    .bind(run.tree.as_deref())
    .bind(run.options.as_str())
    .bind(to_json(&run.holds)?)
    .bind(run.code.map(ErrorCode::as_str))
    .bind(run.baseline.as_ref().map(to_json).transpose()?)
    .bind(run.start_tree.as_deref())
    .bind(run.approved_tree.as_deref());
    write.execute(upsert).await.map(drop)
}

/// The keys are left as they are: rewriting them would cost their indexes. An iteration that came with others than
/// it has is not updated at all.
async fn upsert_iteration(write: &mut Write<'_>, iteration: &Iteration) -> Result<(), StoreProblem> {
    let upsert = sqlx::query(
        "INSERT INTO iterations (
             id, run, number, attempt, task, phase, outcome, cause, message, started_at, ended_at, agent_ms,
             elapsed_ms, pid, process_started, exit_code, exit_signal, end_cause, claim, claim_text,
             promise_checked, preview, usage, prompt_tokens, head, checkpoint, tree_before, tree_after, commit_id,
             failing, wave, by_hand, restored, agent
         ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET
             task = excluded.task, phase = excluded.phase, outcome = excluded.outcome, cause = excluded.cause,
             message = excluded.message, started_at = excluded.started_at, ended_at = excluded.ended_at,
             agent_ms = excluded.agent_ms, elapsed_ms = excluded.elapsed_ms, pid = excluded.pid,
             process_started = excluded.process_started, exit_code = excluded.exit_code,
             exit_signal = excluded.exit_signal, end_cause = excluded.end_cause, claim = excluded.claim,
             claim_text = excluded.claim_text, promise_checked = excluded.promise_checked,
             preview = excluded.preview, usage = excluded.usage, prompt_tokens = excluded.prompt_tokens,
             head = excluded.head, checkpoint = excluded.checkpoint, tree_before = excluded.tree_before,
             tree_after = excluded.tree_after, commit_id = excluded.commit_id, failing = excluded.failing,
             wave = excluded.wave, by_hand = excluded.by_hand, restored = excluded.restored, agent = excluded.agent
         WHERE run = excluded.run AND number = excluded.number AND attempt = excluded.attempt",
    );
    if write.execute(bind_iteration(upsert, iteration)?).await? == 0 {
        return Err(StoreProblem::Refused("an iteration keeps its run, its number and its attempt".into()));
    }
    Ok(())
}

type Statement<'q> = sqlx::query::Query<'q, sqlx::Sqlite, sqlx::sqlite::SqliteArguments>;

/// The iteration's values in the order of the columns above.
fn bind_iteration<'q>(
    upsert: Statement<'q>,
    iteration: &'q Iteration,
) -> Result<Statement<'q>, StoreProblem> {
    Ok(upsert
        .bind(iteration.id.to_string())
        .bind(iteration.run.to_string())
        .bind(iteration.number)
        .bind(iteration.attempt)
        .bind(iteration.task.map(|task| task.0))
        .bind(iteration.phase.as_str())
        .bind(iteration.outcome.map(|outcome| outcome.as_str()))
        .bind(iteration.cause.map(|cause| cause.as_str()))
        .bind(iteration.message.as_deref())
        .bind(iteration.started_at.as_str())
        .bind(iteration.ended_at.as_deref())
        .bind(to_count(iteration.agent_ms))
        .bind(to_count(iteration.elapsed_ms))
        .bind(iteration.pid)
        .bind(iteration.process_started.as_deref())
        .bind(iteration.exit_code)
        .bind(iteration.exit_signal)
        .bind(iteration.end.map(|end| end.as_str()))
        .bind(iteration.claim.as_str())
        .bind(iteration.claim_text.as_deref())
        .bind(iteration.promise_checked)
        .bind(iteration.preview.as_str())
        .bind(to_json(&iteration.usage)?)
        .bind(to_count(iteration.prompt_tokens))
        .bind(iteration.head.as_deref())
        .bind(iteration.checkpoint.as_deref())
        .bind(iteration.tree_before.as_deref())
        .bind(iteration.tree_after.as_deref())
        .bind(iteration.commit.as_deref())
        .bind(to_json(&iteration.failing)?)
        .bind(iteration.wave)
        .bind(iteration.by_hand)
        .bind(iteration.restored)
        .bind(to_json(&iteration.agent)?))
}

async fn insert_check(
    write: &mut Write<'_>,
    at: &str,
    iteration: &str,
    result: &CheckResult,
) -> Result<(), StoreProblem> {
    let insert = sqlx::query(
        "INSERT INTO check_results (
             iteration, at, position, name, required, status, exit_code, elapsed_ms, issues, excerpt, problem, code,
             red_before
         ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    write.execute(bind_result(insert.bind(iteration).bind(at), result)?).await.map(drop)
}
