//! What fixed failures: reading, and what people do with it. What the loop does is in [`crate::effect`].

use loopwright_domain::memory::effect::{EffectAttempt, measure};
use loopwright_domain::{
    Event, FailureCategory, IterationId, MemoryEffect, MemoryOrigin, Origin, Solution, SolutionDraft,
    SolutionState, SolutionTrust, TaskId, TrustChange, TrustReason,
};
use sqlx::sqlite::SqliteRow;

use crate::error::{StoreError, StoreProblem};
use crate::event_rows::insert_event;
use crate::store::Store;
use crate::values::{RowReader, small_number, to_json};
use crate::write::Write;

/// How solutions are found; see [`crate::runs::find`].
pub(crate) mod find {
    macro_rules! solutions {
        ($rest:literal) => {
            concat!(
                "SELECT solutions.*, (SELECT count(*) FROM failures WHERE failures.solution = solutions.id) AS resolved
                 FROM solutions ",
                $rest
            )
        };
    }

    pub(crate) const ALL: &str = solutions!("ORDER BY retired, trust DESC, id");
    pub(crate) const BY_PATTERN: &str =
        solutions!("WHERE pattern = ? AND retired = 0 ORDER BY trust DESC, id LIMIT ?");
    pub(crate) const ONE: &str = solutions!("WHERE id = ?");
    pub(crate) const MADE_IN: &str = solutions!("WHERE iteration = ?");
    /// Trusted ones of the patterns that are met most, at most as many as are asked for.
    pub(crate) const TRUSTED: &str = solutions!(
        "WHERE retired = 0 AND trust >= ?
         ORDER BY (SELECT count(*) FROM failures WHERE failures.pattern = solutions.pattern) DESC, trust DESC, id
         LIMIT ?"
    );
    pub(crate) const IN_PROMPT: &str = solutions!(
        "WHERE id IN (SELECT item FROM memory_in_prompts WHERE iteration = ? AND kind = 'solution') ORDER BY id"
    );
    /// Every judged attempt at the tasks that met the solution's pattern.
    pub(crate) const EFFECT: &str = "SELECT iterations.task, iterations.outcome = 'succeeded' AS passed,
             coalesce(failures.pattern = (SELECT pattern FROM solutions WHERE id = ?1), 0) AS met,
             EXISTS (SELECT 1 FROM memory_in_prompts
                 WHERE iteration = iterations.id AND kind = 'solution' AND item = ?1) AS included
         FROM iterations LEFT JOIN failures ON failures.iteration = iterations.id
         WHERE iterations.task IN (
                 SELECT task FROM failures WHERE pattern = (SELECT pattern FROM solutions WHERE id = ?1)
             ) AND iterations.phase = 'settled' AND iterations.outcome IN ('succeeded', 'failed')
         ORDER BY iterations.place";
    pub(crate) const HISTORY: &str = "SELECT solution_history.*, iterations.number FROM solution_history
         LEFT JOIN iterations ON iterations.id = solution_history.iteration
         WHERE solution = ? ORDER BY solution_history.id DESC";
}

/// A solution to be kept.
#[derive(Clone, Copy, Debug)]
pub struct NewSolution<'a> {
    /// Its words.
    pub draft: &'a SolutionDraft,
    /// The category of its pattern.
    pub category: FailureCategory,
    /// The cause it was made for, where that is known.
    pub cause: &'a str,
    /// Where it comes from.
    pub origin: MemoryOrigin,
    /// Where an imported one comes from, in words.
    pub provenance: Option<&'a str>,
}

/// What a person does with a solution.
#[derive(Clone, Copy, Debug)]
pub enum SolutionAction<'a> {
    /// Changes its words and what it is for.
    Edit(&'a SolutionDraft, FailureCategory),
    /// Takes it out of use.
    Retire,
    /// Takes it back into use.
    Restore,
    /// Says that it still holds.
    Refresh,
}

impl SolutionAction<'_> {
    const fn reason(&self) -> TrustReason {
        match self {
            Self::Edit(..) => TrustReason::Edited,
            Self::Retire => TrustReason::Retired,
            Self::Restore => TrustReason::Restored,
            Self::Refresh => TrustReason::Refreshed,
        }
    }
}

impl Store {
    /// Every solution: those in use first, by trust.
    ///
    /// # Errors
    ///
    /// When the database cannot be read, or a solution was written by another version of Loopwright.
    pub async fn solutions(&self) -> Result<Vec<Solution>, StoreError> {
        self.read_all(sqlx::query(find::ALL), solution).await
    }

    /// The solutions of a pattern that are in use, by trust, at most `limit`.
    ///
    /// # Errors
    ///
    /// As [`Store::solutions`].
    pub async fn solutions_of(&self, pattern: &str, limit: u32) -> Result<Vec<Solution>, StoreError> {
        self.read_all(sqlx::query(find::BY_PATTERN).bind(pattern).bind(limit), solution).await
    }

    /// Trusted solutions, those of the most frequent patterns first, at most `limit`.
    ///
    /// # Errors
    ///
    /// As [`Store::solutions`].
    pub async fn trusted_solutions(&self, limit: u32) -> Result<Vec<Solution>, StoreError> {
        let trusted = SolutionTrust::TRUSTED.hundredths();
        self.read_all(sqlx::query(find::TRUSTED).bind(trusted).bind(limit), solution).await
    }

    /// The solutions that were in an iteration's prompt.
    ///
    /// # Errors
    ///
    /// As [`Store::solutions`].
    pub async fn solutions_in_prompt(&self, iteration: IterationId) -> Result<Vec<Solution>, StoreError> {
        self.read_all(sqlx::query(find::IN_PROMPT).bind(iteration.to_string()), solution).await
    }

    /// The solution of this number.
    ///
    /// # Errors
    ///
    /// As [`Store::solutions`].
    pub async fn solution(&self, id: u32) -> Result<Option<Solution>, StoreError> {
        self.read_one(sqlx::query(find::ONE).bind(id), solution).await
    }

    /// The solution that was made from an iteration.
    ///
    /// # Errors
    ///
    /// As [`Store::solutions`].
    pub async fn solution_made_in(&self, iteration: IterationId) -> Result<Option<Solution>, StoreError> {
        self.read_one(sqlx::query(find::MADE_IN).bind(iteration.to_string()), solution).await
    }

    /// Every change of a solution, the newest first.
    ///
    /// # Errors
    ///
    /// As [`Store::solutions`].
    pub async fn solution_history(&self, id: u32) -> Result<Vec<TrustChange>, StoreError> {
        self.read_all(sqlx::query(find::HISTORY).bind(id), change).await
    }

    /// What a solution changes, over all tasks that met its pattern.
    ///
    /// # Errors
    ///
    /// As [`Store::solutions`].
    pub async fn solution_effect(&self, id: u32) -> Result<MemoryEffect, StoreError> {
        let attempts = self.read_all(sqlx::query(find::EFFECT).bind(id), attempt).await?;
        Ok(measure(&attempts))
    }

    /// Keeps solutions that a person wrote or imported, with their events, and returns their numbers.
    ///
    /// # Errors
    ///
    /// When the database cannot be written; then nothing has changed.
    pub async fn add_solutions(
        &self,
        at: &str,
        new: &[NewSolution<'_>],
        origin: Origin,
    ) -> Result<Vec<u32>, StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let mut ids = Vec::with_capacity(new.len());
            for one in new {
                let id = insert(&mut write, at, one, None).await?;
                let reason = match one.origin {
                    MemoryOrigin::Import => TrustReason::Imported,
                    _ => TrustReason::Added,
                };
                let after = SolutionTrust::START;
                let title = one.draft.title.clone();
                let event = Event::SolutionChanged {
                    solution: id,
                    title,
                    reason,
                    before: None,
                    after,
                    iteration: None,
                    origin: Some(origin),
                };
                let note = one.provenance.unwrap_or_default();
                add_history(&mut write, at, id, (reason, None, after), None, note).await?;
                insert_event(&mut write, at, &event).await?;
                ids.push(id);
            }
            write.commit().await?;
            Ok(ids)
        })
        .await
    }

    /// Does something with a solution, with its event. `note` is why, in a person's words.
    ///
    /// # Errors
    ///
    /// [`StoreProblem::Refused`] when there is none of this number, and others when the database cannot be written. Then
    /// nothing has changed.
    pub async fn change_solution(
        &self,
        at: &str,
        id: u32,
        action: SolutionAction<'_>,
        note: &str,
        origin: Origin,
    ) -> Result<(), StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let Some((title, trust)) = standing(&mut write, id).await? else {
                return Err(StoreProblem::Refused(format!("there is no solution {id}")));
            };
            let update = match action {
                SolutionAction::Edit(draft, category) => sqlx::query(
                    "UPDATE solutions SET pattern = ?2, category = ?3, title = ?4, text = ?5, files = ?6 WHERE id = ?1",
                )
                .bind(id)
                .bind(draft.pattern.clone())
                .bind(category.as_str())
                .bind(draft.title.clone())
                .bind(draft.text.clone())
                .bind(to_json(&draft.files)?),
                SolutionAction::Retire => sqlx::query("UPDATE solutions SET retired = 1 WHERE id = ?").bind(id),
                SolutionAction::Restore => sqlx::query("UPDATE solutions SET retired = 0 WHERE id = ?").bind(id),
                SolutionAction::Refresh => {
                    sqlx::query("UPDATE solutions SET validated_at = ?2, idle_from = ?2 WHERE id = ?1")
                        .bind(id)
                        .bind(at.to_owned())
                }
            };
            write.execute(update).await?;
            let title = match action {
                SolutionAction::Edit(draft, _) => draft.title.clone(),
                _ => title,
            };
            let reason = action.reason();
            add_history(&mut write, at, id, (reason, Some(trust), trust), None, note).await?;
            let event = Event::SolutionChanged {
                solution: id,
                title,
                reason,
                before: Some(trust),
                after: trust,
                iteration: None,
                origin: Some(origin),
            };
            insert_event(&mut write, at, &event).await?;
            write.commit().await
        })
        .await
    }

    /// Takes trust from solutions that nobody has used for whole periods of [`SolutionTrust::IDLE_DAYS`] days, and
    /// returns how many. A period counts once, however often this is called.
    ///
    /// # Errors
    ///
    /// When the database cannot be written; then nothing has changed.
    pub async fn decay_solutions(&self, at: &str) -> Result<u32, StoreError> {
        let due = "SELECT id, trust, title, CAST((julianday(?1) - julianday(idle_from)) / ?2 AS INTEGER) AS periods
             FROM solutions WHERE retired = 0 AND trust > 0 AND julianday(?1) - julianday(idle_from) >= ?2 ORDER BY id";
        let idle = |row: &SqliteRow| {
            let row = RowReader::new(row, "solutions");
            Ok((
                row.get::<u32>("id")?,
                row.get::<String>("title")?,
                trust_of(&row, "trust")?,
                row.get::<u32>("periods")?,
            ))
        };
        let query = sqlx::query(due).bind(at).bind(SolutionTrust::IDLE_DAYS);
        if self.read_all(query, idle).await?.is_empty() {
            return Ok(0);
        }
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let query = sqlx::query(due).bind(at).bind(SolutionTrust::IDLE_DAYS);
            let rows = query.fetch_all(&mut *write.connection()).await?;
            let idle = rows.iter().map(idle).collect::<Result<Vec<_>, StoreProblem>>()?;
            for (id, title, before, periods) in &idle {
                let after = before.decayed(*periods);
                let days = periods.saturating_mul(SolutionTrust::IDLE_DAYS);
                let update = sqlx::query(
                    "UPDATE solutions SET trust = ?2,
                         idle_from = strftime('%Y-%m-%dT%H:%M:%SZ', idle_from, '+' || ?3 || ' days')
                     WHERE id = ?1",
                );
                write.execute(update.bind(*id).bind(after.hundredths()).bind(days)).await?;
                let note = format!("not used for {days} days");
                let reason = TrustReason::Decayed;
                add_history(&mut write, at, *id, (reason, Some(*before), after), None, &note).await?;
                let event = Event::SolutionChanged {
                    solution: *id,
                    title: title.clone(),
                    reason,
                    before: Some(*before),
                    after,
                    iteration: None,
                    origin: None,
                };
                insert_event(&mut write, at, &event).await?;
            }
            write.commit().await?;
            Ok(u32::try_from(idle.len()).unwrap_or(u32::MAX))
        })
        .await
    }
}

/// A solution's title and trust, as they are in the write.
pub(crate) async fn standing(
    write: &mut Write<'_>,
    id: u32,
) -> Result<Option<(String, SolutionTrust)>, StoreProblem> {
    let query = sqlx::query("SELECT title, trust FROM solutions WHERE id = ?").bind(id);
    let row = query.fetch_optional(&mut *write.connection()).await?;
    row.map(|row| {
        let row = RowReader::new(&row, "solutions");
        Ok((row.get("title")?, trust_of(&row, "trust")?))
    })
    .transpose()
}

/// Adds a solution at the trust that all begin with.
pub(crate) async fn insert(
    write: &mut Write<'_>,
    at: &str,
    new: &NewSolution<'_>,
    made_by: Option<(Option<TaskId>, IterationId)>,
) -> Result<u32, StoreProblem> {
    let (task, iteration) = made_by.map_or((None, None), |(task, iteration)| (task, Some(iteration)));
    let insert = sqlx::query_scalar(
        "INSERT INTO solutions (
             pattern, category, title, text, files, cause, trust, origin, provenance, task, iteration, created_at,
             validated_at, idle_from
         ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12, ?12) RETURNING id",
    )
    .bind(new.draft.pattern.clone())
    .bind(new.category.as_str())
    .bind(new.draft.title.clone())
    .bind(new.draft.text.clone())
    .bind(to_json(&new.draft.files)?)
    .bind(new.cause.to_owned())
    .bind(SolutionTrust::START.hundredths())
    .bind(new.origin.as_str())
    .bind(new.provenance.map(str::to_owned))
    .bind(task.map(|task| task.0))
    .bind(iteration.map(|iteration| iteration.to_string()))
    .bind(at.to_owned());
    small_number(write.number(insert).await?)
}

/// Adds to a solution's history; false when its iteration has judged it already.
pub(crate) async fn add_history(
    write: &mut Write<'_>,
    at: &str,
    solution: u32,
    (reason, before, after): (TrustReason, Option<SolutionTrust>, SolutionTrust),
    iteration: Option<IterationId>,
    note: &str,
) -> Result<bool, StoreProblem> {
    let insert = sqlx::query(
        "INSERT INTO solution_history (solution, at, reason, before, after, iteration, note)
         VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    )
    .bind(solution)
    .bind(at)
    .bind(reason.as_str())
    .bind(before.map(SolutionTrust::hundredths))
    .bind(after.hundredths())
    .bind(iteration.map(|iteration| iteration.to_string()))
    .bind(note);
    Ok(write.execute(insert).await? == 1)
}

fn trust_of(row: &RowReader<'_>, column: &'static str) -> Result<SolutionTrust, StoreProblem> {
    Ok(SolutionTrust::of_hundredths(row.get(column)?))
}

pub(crate) fn solution(row: &SqliteRow) -> Result<Solution, StoreProblem> {
    let row = RowReader::new(row, "solutions");
    let trust = trust_of(&row, "trust")?;
    Ok(Solution {
        id: row.get("id")?,
        pattern: row.get("pattern")?,
        category: row.word("category", FailureCategory::parse)?,
        title: row.get("title")?,
        text: row.get("text")?,
        files: row.json("files")?,
        cause: row.get("cause")?,
        trust,
        state: SolutionState::of(trust, row.get("retired")?),
        origin: row.word("origin", MemoryOrigin::parse)?,
        provenance: row.get("provenance")?,
        task: row.get::<Option<u32>>("task")?.map(TaskId),
        iteration: row.optional_id("iteration")?,
        created_at: row.get("created_at")?,
        validated_at: row.get("validated_at")?,
        included: row.get("included")?,
        helped: row.get("helped")?,
        failed: row.get("failed")?,
        resolved: row.get("resolved")?,
    })
}

fn attempt(row: &SqliteRow) -> Result<EffectAttempt, StoreProblem> {
    let row = RowReader::new(row, "iterations");
    Ok(EffectAttempt {
        task: TaskId(row.get("task")?),
        passed: row.get("passed")?,
        met: row.get("met")?,
        included: row.get("included")?,
    })
}

fn change(row: &SqliteRow) -> Result<TrustChange, StoreProblem> {
    let row = RowReader::new(row, "solution_history");
    Ok(TrustChange {
        at: row.get("at")?,
        reason: row.word("reason", TrustReason::parse)?,
        before: row.get::<Option<u8>>("before")?.map(SolutionTrust::of_hundredths),
        after: trust_of(&row, "after")?,
        iteration: row.optional_id("iteration")?,
        number: row.get("number")?,
        note: row.get("note")?,
    })
}
