//! Keeping an iteration's work: the commit, and the branch a run works on.

use std::time::Instant;

use loopwright_domain::environment::is_environment;
use loopwright_domain::{ErrorCode, Event, Fault, GateStatus, Iteration, Outcome, Phase, Run, template};

use crate::attempt::link::AttemptMessage;
use crate::attempt::tree::adopt_commits::AdoptionOutcome;
use crate::attempt::tree::work_tree::{CommitAttempt, HookEdits, made_by_hook};
use crate::attempt::unit::Attempt;
use crate::crash;
use crate::display_text::named_paths;
use crate::logging::log_phase;
use crate::prepare::options::RunOptions;
use crate::project::Project;
use crate::report;

/// How many iterations without a commit are looked at.
const LOOK_BACK: u32 = 200;

/// What became of a commit.
pub(crate) enum CommitOutcome {
    /// Made, or not asked for, or there was nothing to commit; with the event that names its files.
    Done(Option<Event>),
    /// The repository is not where the run left it; a person has to look.
    NeedsPerson(String),
    /// A hook changed the files: what it made of them is to be checked, and shown where a gate showed something else.
    Edited,
    /// Something outside of the work kept it from being made; it is made when that is put right.
    Environment(Fault),
    /// A hook or git refused.
    Failed(Fault),
}

impl Attempt<'_> {
    /// Commits what an iteration changed, once: a commit that an earlier process made is found, not repeated.
    pub(crate) async fn commit(&mut self, iteration: &mut Iteration) -> Result<CommitOutcome, Fault> {
        let folded = match self.adopt(iteration).await? {
            AdoptionOutcome::Settled => None,
            AdoptionOutcome::Fold(subject) => Some(subject),
            AdoptionOutcome::Not(why) => return Ok(why),
        };
        if !self.options.git.auto_commit && folded.is_none() {
            return Ok(CommitOutcome::Done(None));
        }
        let Some(from) = uncommitted_since(self.project, iteration).await else {
            return Ok(CommitOutcome::Done(None));
        };
        let message = match folded {
            Some(subject) => subject,
            None => iteration_message(&self.run, &self.options, iteration)?,
        };
        self.commit_from(iteration, &from, &message).await
    }

    /// Commits what changed from a tree to the one an iteration left, once.
    pub(crate) async fn commit_from(
        &mut self,
        iteration: &mut Iteration,
        from: &str,
        message: &str,
    ) -> Result<CommitOutcome, Fault> {
        let begun = Instant::now();
        let again = iteration.phase == Phase::Committing;
        if let Some(message) = self.moved(iteration).await? {
            return Ok(CommitOutcome::NeedsPerson(message));
        }
        if let Some(message) = self.changed_hooks()? {
            return Ok(CommitOutcome::NeedsPerson(message));
        }
        iteration.phase = Phase::Committing;
        let phase = Event::IterationPhase { iteration: iteration.id, phase: Phase::Committing };
        self.write(iteration, &[], vec![phase]).await?;
        crash::point("committing.after");
        let found = if again { self.tree.find_commit(iteration.id).await? } else { None };
        let made = match found {
            Some(found) => Ok(CommitAttempt::Made(found)),
            None => self.tree.commit(&self.run, iteration, from, message).await,
        };
        let done = match made {
            Ok(CommitAttempt::Edited(hook)) if self.hook_edited == Some(iteration.id) => {
                iteration.tree_after = Some(hook.edits.tree.as_str().to_owned());
                CommitOutcome::Failed(hook.fault)
            }
            Ok(CommitAttempt::Edited(hook)) => {
                self.hook_edited = Some(iteration.id);
                self.take_hook_edits(iteration, &hook).await?;
                CommitOutcome::Edited
            }
            Ok(CommitAttempt::Made(committed)) => {
                crash::point("commit.made");
                let files = committed.files_event(Some(iteration.id));
                // What an agent committed itself is part of the branch already.
                iteration.commit = committed.commit.or(iteration.commit.take());
                for note in committed.notes {
                    self.warn(Some(iteration.id), note).await?;
                }
                CommitOutcome::Done(files)
            }
            Err(fault) if needs_person(&fault) => CommitOutcome::NeedsPerson(report::fault(&fault)),
            Err(fault) if is_environment(fault.code, self.run.kind) => CommitOutcome::Environment(fault),
            Err(fault) => CommitOutcome::Failed(fault),
        };
        log_phase("commit", begun, if iteration.commit.is_some() { "ok" } else { "none" });
        Ok(done)
    }

    /// Takes over what a hook did to the files: the iteration is checked again, also by whoever takes it up.
    async fn take_hook_edits(&mut self, iteration: &mut Iteration, hook: &HookEdits) -> Result<(), Fault> {
        let edits = &hook.edits;
        iteration.tree_after = Some(edits.tree.as_str().to_owned());
        iteration.phase = Phase::Checking;
        let phase = Event::IterationPhase { iteration: iteration.id, phase: Phase::Checking };
        if let Some(gate) = self.project.store().work_gate_of(iteration.id).await?
            && gate.status == GateStatus::Approved
            && iteration.task.is_none()
        {
            // What was approved is shown again with what the hook made of it.
            self.link.tell(AttemptMessage::ShowAgain { from: gate.from });
        }
        crash::point("hook.edited");
        self.write(iteration, &[], vec![phase]).await?;
        crash::point("hook.taken");
        let names = named_paths(&edits.edited);
        let told = format!("a commit hook changed {names}; nothing was committed, and the checks run again");
        self.warn(Some(iteration.id), told).await?;
        match made_by_hook(edits) {
            Some(told) => self.warn(Some(iteration.id), told).await,
            None => Ok(()),
        }
    }

    /// Refuses a commit whose hooks are not those that were trusted.
    fn changed_hooks(&self) -> Result<Option<String>, Fault> {
        let names = self.config.changed_hooks(self.project.layout())?;
        Ok((!names.is_empty()).then(|| {
            format!(
                "a commit would execute hooks that you have not trusted ({}); nothing was committed. Look at them and \
                 trust them, then resume",
                names.join(", ")
            )
        }))
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

/// The tree from which on nothing of a run is in a commit; none when nothing has changed since. Iterations that were
/// interrupted or failed leave their work to the next good one, unless somebody else changed files in between.
pub(crate) async fn uncommitted_since(project: &Project, iteration: &Iteration) -> Option<String> {
    // A state that cannot be read must not keep this iteration's own work from being committed.
    let earlier = project.store().last_iterations(iteration.run, LOOK_BACK).await.unwrap_or_default();
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

/// Whether a person has to see to the repository before anything can be compared or committed: a merge or the like is
/// under way, or somebody committed or switched branches.
pub(crate) const fn needs_person(fault: &Fault) -> bool {
    matches!(fault.code, ErrorCode::GitMoved | ErrorCode::GitBusy)
}

/// The message of a commit that belongs to an iteration and no task.
pub(crate) fn iteration_message(
    run: &Run,
    options: &RunOptions,
    iteration: &Iteration,
) -> Result<String, Fault> {
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
