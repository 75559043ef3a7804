//! The environment's faults: the run waits for a person, the work stays in the files, and a resume goes on from there.

use loopwright_domain::environment::is_environment;
use loopwright_domain::{
    CheckResult, ErrorCode, ExitReason, Fault, Iteration, Phase, Settlement, WaitReason,
};

use crate::dispatch::dispatcher::{Dispatcher, RunEnd};
use crate::report;

impl RunEnd {
    /// A run that waits until something outside of the work is put right.
    fn environment(code: ErrorCode, message: String) -> Self {
        let waiting = Some(WaitReason::Environment);
        Self { code: Some(code), message: Some(message), waiting, ..ExitReason::Environment.into() }
    }
}

impl Dispatcher<'_> {
    /// How the run ends or stops by a fault.
    pub(crate) fn ending_of(&self, fault: Fault) -> RunEnd {
        match is_environment(fault.code, self.run.kind) {
            true => RunEnd::environment(fault.code, report::fault(&fault)),
            false => fault.into(),
        }
    }

    /// How the run stops at a check that cannot be run here.
    pub(crate) fn unable_to_check(&self, check: &CheckResult) -> RunEnd {
        let why = check.problem.as_deref().unwrap_or("its program is missing");
        let message = format!("the check \"{}\" cannot be run: {why}", check.name);
        RunEnd::environment(check.code.unwrap_or(ErrorCode::CheckProgram), message)
    }

    /// How the run stops when a commit cannot be made for a reason outside of the work.
    pub(crate) fn unable_to_commit(&self, fault: &Fault) -> RunEnd {
        RunEnd::environment(fault.code, format!("the commit could not be made: {}", report::fault(fault)))
    }

    /// The tree after the agent, where there was no room to save it before.
    pub(crate) async fn know_tree(&mut self, iteration: &mut Iteration) -> Result<(), Fault> {
        let unsaved = iteration.tree_after.is_none() && iteration.tree_before.is_some();
        if unsaved && matches!(iteration.phase, Phase::AgentDone | Phase::Checking) {
            let (mut attempt, mailbox) = self.attempt(Some(iteration));
            iteration.tree_after = self.serve(mailbox, attempt.tree_now(iteration)).await?;
        }
        Ok(())
    }

    /// Sees whether a task is blocked by a failure that was there before the run: then no other task is spent on it.
    pub(crate) fn hold_for_baseline(&mut self, iteration: &Iteration, settlement: &Settlement) {
        let Some(baseline) = &self.run.baseline else { return };
        let held = settlement.held_by(baseline, &self.last_checks);
        let red: Vec<String> = held.iter().map(|check| format!("\"{}\"", check.name)).collect();
        if red.is_empty() {
            return;
        }
        let task = iteration.task.map(|task| task.to_string()).unwrap_or_default();
        let (checks, fail) = if red.len() == 1 { ("check", "fails") } else { ("checks", "fail") };
        let message = format!(
            "task {task} is blocked: the {checks} {} {fail} as before this run, so no other task is begun. Mend the \
             cause or the check, unblock the task, then resume",
            red.join(", ")
        );
        self.held_by = Some(RunEnd {
            message: Some(message),
            waiting: Some(WaitReason::Baseline),
            ..ExitReason::RedBefore.into()
        });
    }
}
