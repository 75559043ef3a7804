//! Keeping an iteration's work: the commit, and the branch a run works on.

use std::time::Instant;

use loopwright_domain::{ErrorCode, Event, Fault, Iteration, Outcome, Phase, Run, template};

use super::crash;
use super::driver::Driver;
use super::iterate::log_phase;
use super::options::RunOptions;

/// How many iterations without a commit are looked at.
const LOOK_BACK: u32 = 200;

/// What became of a commit.
pub(crate) enum Committing {
    /// Made, or not asked for, or there was nothing to commit.
    Done,
    /// The repository is not where the run left it; a person has to look.
    NeedsPerson(String),
    /// A hook or git refused.
    Failed(Fault),
}

impl Driver<'_> {
    /// Commits what an iteration changed, once: a commit that an earlier process made is found, not repeated.
    pub(crate) async fn commit(&mut self, iteration: &mut Iteration) -> Result<Committing, Fault> {
        if !self.options.git.auto_commit {
            return Ok(Committing::Done);
        }
        let Some(from) = self.uncommitted_since(iteration).await else { return Ok(Committing::Done) };
        let message = self.iteration_message(iteration)?;
        self.commit_from(iteration, &from, &message).await
    }

    /// The message of a commit that belongs to an iteration and no task.
    pub(crate) fn iteration_message(&self, iteration: &Iteration) -> Result<String, Fault> {
        message(&self.run, &self.options, iteration)
    }

    /// Commits what changed from a tree to the one an iteration left, once.
    pub(crate) async fn commit_from(
        &mut self,
        iteration: &mut Iteration,
        from: &str,
        message: &str,
    ) -> Result<Committing, Fault> {
        let begun = Instant::now();
        let again = iteration.phase == Phase::Committing;
        if let Some(message) = self.moved(iteration).await? {
            return Ok(Committing::NeedsPerson(message));
        }
        iteration.phase = Phase::Committing;
        let phase = Event::IterationPhase { iteration: iteration.id, phase: Phase::Committing };
        self.write(iteration, &[], vec![phase]).await?;
        crash::point("committing.after");
        let found = if again { self.tree.find_commit(iteration.id).await? } else { None };
        let made = match found {
            Some(found) => Ok(found),
            None => self.tree.commit(&self.run, iteration, from, message).await,
        };
        let done = match made {
            Ok(committed) => {
                crash::point("commit.made");
                iteration.commit = committed.commit;
                for note in committed.notes {
                    self.warn(Some(iteration.id), note).await?;
                }
                Committing::Done
            }
            Err(fault) if fault.code == ErrorCode::GitMoved => Committing::NeedsPerson(fault.message),
            Err(fault) => Committing::Failed(fault),
        };
        log_phase("commit", begun, if iteration.commit.is_some() { "ok" } else { "none" });
        Ok(done)
    }

    /// The tree from which on nothing of this run is in a commit; none when nothing has changed since. Iterations
    /// that were interrupted or failed leave their work to the next good one, unless somebody else changed files in
    /// between.
    async fn uncommitted_since(&self, iteration: &Iteration) -> Option<String> {
        // A state that cannot be read must not keep this iteration's own work from being committed.
        let earlier = self.project.store().last_iterations(self.run.id, LOOK_BACK).await.unwrap_or_default();
        let mut from = iteration.tree_before.clone();
        for past in earlier.into_iter().filter(|past| past.id != iteration.id) {
            let in_sequence = past.tree_after.is_none() || past.tree_after == from;
            if past.outcome == Some(Outcome::Succeeded) || !in_sequence {
                break;
            }
            // Without a saved tree no agent was started.
            from = past.tree_before.or(from);
        }
        from.filter(|from| iteration.tree_after.as_ref().is_some_and(|after| after != from))
    }

    /// Whether another branch was checked out since the iteration began.
    async fn moved(&self, iteration: &Iteration) -> Result<Option<String>, Fault> {
        let now = self.tree.branch().await?;
        let was = iteration.head.as_deref();
        let same = match (was, &now) {
            (Some(was), Some(now)) => was == now,
            // Without a branch every commit moves HEAD, also the agent's own.
            _ => true,
        };
        let shown = |name: Option<&str>| name.unwrap_or("no branch").to_owned();
        Ok((!same).then(|| {
            format!(
                "the checked-out branch changed from {} to {} while the agent worked; nothing was committed. Check out the right branch, then resume",
                shown(was),
                shown(now.as_deref()),
            )
        }))
    }
}

/// The commit message of an iteration.
fn message(run: &Run, options: &RunOptions, iteration: &Iteration) -> Result<String, Fault> {
    let number = (iteration.number + 1).to_string();
    filled("git.commit_template", &options.git.commit_template, run, &number, &iteration.started_at)
}

/// The name of a run's own branch.
pub(crate) fn branch_name(run: &Run, options: &RunOptions) -> Result<String, Fault> {
    filled("git.branch_template", &options.git.branch_template, run, "1", &run.started_at)
}

fn filled(key: &str, text: &str, run: &Run, iteration: &str, at: &str) -> Result<String, Fault> {
    let timestamp = compact_time(at);
    let max = run.limits.max_iterations.to_string();
    let id = run.id.to_string();
    let values = [
        ("iteration", iteration),
        ("max", &max),
        ("timestamp", &timestamp),
        ("date", at.get(..10).unwrap_or(at)),
        ("run", &id),
        ("title", &run.title),
        ("harness", &run.harness),
    ];
    template::fill(text, &values).map_err(|unknown| {
        let names: Vec<String> = values.iter().map(|(name, _)| format!("{{{name}}}")).collect();
        Fault::new(ErrorCode::ConfigBadValue, format!("\"{key}\" cannot be filled: {unknown}"))
            .hint(format!("These names can be used: {}.", names.join(", ")))
    })
}

/// `20260102-030405` from an RFC 3339 time: fit for branch names.
fn compact_time(at: &str) -> String {
    let digits: String = at.chars().filter(char::is_ascii_digit).take(14).collect();
    match (digits.get(..8), digits.get(8..)) {
        (Some(day), Some(time)) => format!("{day}-{time}"),
        _ => digits,
    }
}

/// Checks templates before a run starts, so that no work is done for a commit that cannot be made.
pub(crate) fn check_templates(run: &Run, options: &RunOptions) -> Result<(), Fault> {
    filled("git.commit_template", &options.git.commit_template, run, "1", &run.started_at)?;
    branch_name(run, options).map(drop)
}
