//! What the loop does to memory, in the same write as the outcome that it follows from.

use loopwright_domain::memory::likeness::nearly_same;
use loopwright_domain::{
    Event, Fix, IterationId, MemoryOrigin, SolutionDraft, SolutionTrust, TaskId, TrustReason,
};

use crate::error::StoreProblem;
use crate::solutions::{self, NewSolution, add_history, find, solution, standing};
use crate::write::Write;

/// As many solutions of a pattern as a new one is compared with.
const COMPARED: u32 = 200;

/// Notes which solutions and learnings are in an iteration's prompt, once.
pub(crate) async fn include(
    write: &mut Write<'_>,
    iteration: IterationId,
    solutions: &[u32],
    learnings: &[u32],
) -> Result<(), StoreProblem> {
    let id = iteration.to_string();
    for (kind, table, items) in [
        ("solution", "UPDATE solutions SET included = included + 1 WHERE id = ?", solutions),
        ("learning", "UPDATE learnings SET included = included + 1 WHERE id = ?", learnings),
    ] {
        for item in items {
            let insert = sqlx::query(
                "INSERT INTO memory_in_prompts (iteration, kind, item) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            );
            if write.execute(insert.bind(id.as_str()).bind(kind).bind(*item)).await? == 1 {
                write.execute(sqlx::query(table).bind(*item)).await?;
            }
        }
    }
    Ok(())
}

/// Counts an attempt that passed for the learnings in its prompt.
pub(crate) async fn count_passed(write: &mut Write<'_>, iteration: IterationId) -> Result<(), StoreProblem> {
    let update = sqlx::query(
        "UPDATE learnings SET passed = passed + 1
         WHERE id IN (SELECT item FROM memory_in_prompts WHERE iteration = ? AND kind = 'learning')",
    );
    write.execute(update.bind(iteration.to_string())).await.map(drop)
}

/// Keeps what fixed a failure, once for its iteration. Where nearly the same is kept already, that one is said to be
/// found again. Returns the event of what was done; none when this iteration's was kept before.
pub(crate) async fn keep_fix(
    write: &mut Write<'_>,
    at: &str,
    fix: &Fix,
    task: Option<TaskId>,
    iteration: IterationId,
) -> Result<Option<Event>, StoreProblem> {
    let kept =
        sqlx::query_scalar("SELECT count(*) FROM solutions WHERE iteration = ?").bind(iteration.to_string());
    if write.number(kept).await? > 0 {
        return Ok(None);
    }
    let query = sqlx::query(find::BY_PATTERN).bind(fix.pattern.as_str()).bind(COMPARED);
    let rows = query.fetch_all(&mut *write.connection()).await?;
    for row in &rows {
        let known = solution(row)?;
        if nearly_same(&known.text, &fix.text) {
            let reason = TrustReason::FoundAgain;
            return change(write, at, known.id, reason, iteration).await;
        }
    }
    let draft = SolutionDraft {
        pattern: fix.pattern.clone(),
        title: fix.title.clone(),
        text: fix.text.clone(),
        files: fix.files.clone(),
    };
    let new = NewSolution {
        draft: &draft,
        category: fix.category,
        cause: &fix.cause,
        origin: MemoryOrigin::Loop,
        provenance: None,
    };
    let id = solutions::insert(write, at, &new, Some((task, iteration))).await?;
    let note = format!("a failure of {} was followed by a pass", fix.pattern);
    add_history(write, at, id, (TrustReason::Made, None, SolutionTrust::START), Some(iteration), &note)
        .await?;
    mark_resolved(write, id, iteration).await?;
    Ok(Some(Event::SolutionRecorded { solution: id, fix: Box::new(fix.clone()), task, iteration }))
}

/// Credits or debits a solution for an iteration, once. The trust is the one it has in this write, whatever whoever
/// asked for it saw. Returns the event of what was done; none when the iteration has judged it before, or it is gone.
pub(crate) async fn change(
    write: &mut Write<'_>,
    at: &str,
    id: u32,
    reason: TrustReason,
    iteration: IterationId,
) -> Result<Option<Event>, StoreProblem> {
    let Some((title, before)) = standing(write, id).await? else { return Ok(None) };
    let after = reason.apply(before);
    let note = match reason {
        TrustReason::Helped => "an attempt passed with it in its prompt",
        TrustReason::FailedAgain => "the same pattern failed again with it in the prompt",
        TrustReason::FoundAgain => "the same fix was found again",
        _ => "",
    };
    if !add_history(write, at, id, (reason, Some(before), after), Some(iteration), note).await? {
        return Ok(None);
    }
    let update = sqlx::query(
        "UPDATE solutions SET trust = ?2, validated_at = ?3, idle_from = ?3, helped = helped + ?4, failed = failed + ?5
         WHERE id = ?1",
    )
    .bind(id)
    .bind(after.hundredths())
    .bind(at)
    .bind(reason == TrustReason::Helped)
    .bind(reason == TrustReason::FailedAgain);
    write.execute(update).await?;
    if reason != TrustReason::FailedAgain {
        mark_resolved(write, id, iteration).await?;
    }
    let (before, iteration) = (Some(before), Some(iteration));
    Ok(Some(Event::SolutionChanged { solution: id, title, reason, before, after, iteration, origin: None }))
}

/// Marks the failures of a solution's pattern that an iteration resolved as resolved with it.
async fn mark_resolved(write: &mut Write<'_>, id: u32, iteration: IterationId) -> Result<(), StoreProblem> {
    let update = sqlx::query(
        "UPDATE failures SET solution = ?1
         WHERE solution IS NULL AND resolved_by = ?2 AND pattern = (SELECT pattern FROM solutions WHERE id = ?1)",
    );
    write.execute(update.bind(id).bind(iteration.to_string())).await.map(drop)
}
