//! The baseline: the required checks, once, on the untouched tree before the first agent.

use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use loopwright_checks::{Check, CheckMode, CheckWork, NoEdits, missing_program, program_of};
use loopwright_config::{Host, TrustedCheck};
use loopwright_domain::digest::sha256_hex;
use loopwright_domain::{
    Baseline, BaselineCheck, BaselineMode, CheckResult, ErrorCode, Event, ExitReason, Fault, NextAction,
    Verdict,
};
use loopwright_process::{Secrets, end_survivors};
use loopwright_transcript::run_folder;
use loopwright_vcs::{Checkpoint, CheckpointName, Produced};

use crate::attempt::checks::round::CheckRound;
use crate::crash;
use crate::dispatch::dispatcher::{Dispatcher, RunEnd};
use crate::dispatch::step::{GO_ON, StepFuture, end};
use crate::display_text::named_paths;
use crate::logging::log_phase;

/// For so long a result that passed counts for the same tree, check and program.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// Refuses to start where a required check cannot: nothing is spent on work that nobody could judge.
pub(crate) fn refuse_missing(host: &Host, root: &Path, checks: &[TrustedCheck]) -> Result<(), Fault> {
    for check in checks.iter().filter(|check| check.enabled && check.required) {
        if let Some(fault) = missing_program(host, root, check) {
            let message = format!("the check \"{}\" cannot start: {}", check.name, fault.message);
            return Err(Fault {
                code: ErrorCode::CheckProgram,
                kind: ErrorCode::CheckProgram.kind(),
                message,
                ..fault
            }
            .next(NextAction::SkipBaseline, "Start without looking"));
        }
    }
    Ok(())
}

impl Dispatcher<'_> {
    /// Runs the required checks once before the first agent, and writes down how they stand. Where the work begins with
    /// checks, all of them run, and what fails is the work. An ending means that the run stops here.
    pub(crate) fn baseline(&mut self) -> StepFuture<'_> {
        Box::pin(async move {
            let first = self.source.starts_with_checks();
            if self.options.baseline == BaselineMode::Skip {
                return if first { self.check_first().await } else { GO_ON };
            }
            let wanted = |check: &&TrustedCheck| check.enabled && (check.required || first);
            let checks: Vec<TrustedCheck> = self.checks.iter().filter(wanted).cloned().collect();
            if checks.is_empty() {
                return GO_ON;
            }
            let begun = Instant::now();
            let tree = self.untouched().await?;
            let kept = if first { Vec::new() } else { self.kept_results(&checks, tree.as_deref()).await };
            let known = |check: &Check| kept.iter().any(|result: &CheckResult| result.name == check.name);
            let unknown: Vec<TrustedCheck> = checks.iter().filter(|check| !known(check)).cloned().collect();
            let mut results = Vec::new();
            if !unknown.is_empty() {
                results = self.run_untouched(&unknown).await?;
            }
            if results.iter().any(|result| Verdict::of(std::slice::from_ref(result)) == Verdict::Stopped) {
                return end(self.why_stopped());
            }
            self.keep_results(&unknown, &results, tree.as_deref()).await;
            let mut all: Vec<BaselineCheck> = Vec::with_capacity(checks.len());
            all.extend(kept.iter().map(|result| BaselineCheck::of(result, true)));
            all.extend(results.iter().map(|result| BaselineCheck::of(result, false)));
            let place = |check: &BaselineCheck| checks.iter().position(|other| other.name == check.name);
            all.sort_by_key(place);
            let baseline = Baseline { tree, checks: all };
            let event = Event::RunBaseline { run: self.run.id, checks: baseline.checks.clone() };
            let red: Vec<String> = baseline.red().map(|check| check.name.clone()).collect();
            self.run.baseline = Some(baseline);
            crash::point("baseline.before");
            self.note(vec![event]).await?;
            crash::point("baseline.after");
            log_phase("baseline", begun, if red.is_empty() { "passed" } else { "failed" });
            if first {
                self.last_checks = results;
                return GO_ON;
            }
            let refuses = self.options.baseline == BaselineMode::Require && !red.is_empty();
            if refuses { end(refused(&red)) } else { GO_ON }
        })
    }

    /// The tree that the checks are about to run on.
    async fn untouched(&self) -> Result<Option<String>, Fault> {
        match &self.run.tree {
            Some(tree) => Ok(Some(tree.clone())),
            None => Ok(self.tree.snapshot().await?.map(|snapshot| snapshot.tree.as_str().to_owned())),
        }
    }

    /// Runs checks and puts back what they edit: a run begins on the tree that its user left.
    async fn run_untouched(&mut self, checks: &[TrustedCheck]) -> Result<Vec<CheckResult>, Fault> {
        let since = SystemTime::now();
        let marker = format!("{}.baseline", self.run.id);
        let before = match self.tree.workspace() {
            Some(workspace) => {
                let mut name = CheckpointName::new(self.run.id, "baseline")?;
                if workspace.find_checkpoint(&name).await?.is_some() {
                    // An earlier process was cut off here. What it left may be the user's by now, and stays.
                    end_left_over(&marker, checks);
                    let again = self.new_iteration_id()?;
                    name = CheckpointName::new(self.run.id, format!("baseline-{again}"))?;
                }
                Some(workspace.checkpoint(&name).await?)
            }
            None => None,
        };
        let folder = run_folder(&self.project.layout().state_dir, self.run.id).join("baseline");
        let round = CheckRound {
            checks,
            mode: CheckMode::All,
            marker: &marker,
            outputs: Some(&folder),
            iteration: None,
            no_edits: NoEdits::Forbidden,
        };
        let (mut attempt, mailbox) = self.attempt(None);
        let results = self.serve(mailbox, attempt.run_round(round)).await;
        crash::point("baseline.checked");
        if let Some(before) = before {
            self.put_back_edits(&before, since).await?;
        }
        Ok(results)
    }

    async fn put_back_edits(&mut self, before: &Checkpoint, since: SystemTime) -> Result<(), Fault> {
        let Some(workspace) = self.tree.workspace() else { return Ok(()) };
        let now = workspace.snapshot().await?;
        if now.tree == before.snapshot.tree && now.index_tree == before.snapshot.index_tree {
            return Ok(());
        }
        let plan = workspace.plan_restore(before, Produced::from(&now), Some(since)).await?;
        let safety = CheckpointName::new(self.run.id, "safety-baseline")?;
        let edited: Vec<_> = plan.write.iter().chain(&plan.delete).cloned().collect();
        let restored = workspace.restore(&plan, &safety).await?;
        let left = !restored.left.is_empty();
        if !edited.is_empty() {
            let what = if left { "some of it could not be put back" } else { "that was put back" };
            let message = format!("checks changed {}; {what}", named_paths(&edited));
            self.warn(None, message).await?;
        }
        if left && self.run.tree.is_some() {
            self.run.tree = self.tree.snapshot().await?.map(|snapshot| snapshot.tree.as_str().to_owned());
        }
        Ok(())
    }

    /// Results that are known from the last day. Only those that passed: what a failing check lacked may be there now.
    async fn kept_results(&self, checks: &[TrustedCheck], tree: Option<&str>) -> Vec<CheckResult> {
        let mut kept = Vec::new();
        let Some(tree) = tree else { return kept };
        let (after, until) = self.times();
        for check in checks {
            let Some(key) = self.key(check, tree) else { continue };
            // A result that cannot be read is asked for again.
            let found = self.project.store().baseline_result(&key, &after, &until).await.ok().flatten();
            if let Some(found) = found.filter(CheckResult::passed) {
                let own = CheckResult {
                    name: check.name.clone(),
                    position: check.position,
                    required: check.required,
                    ..found
                };
                kept.push(own);
            }
        }
        kept
    }

    async fn keep_results(&self, checks: &[TrustedCheck], results: &[CheckResult], tree: Option<&str>) {
        let Some(tree) = tree else { return };
        let passed = |result: &&CheckResult| result.passed();
        let named = |result: &CheckResult| checks.iter().find(|check| check.name == result.name);
        let new: Vec<(String, CheckResult)> = results
            .iter()
            .filter(passed)
            .filter_map(|result| Some((self.key(named(result)?, tree)?, result.clone())))
            .collect();
        let (after, now) = self.times();
        if let Err(error) = self.project.store().keep_baseline_results(&now, &after, &new).await {
            tracing::warn!(run = %self.run.id, "the baseline is not kept for the next run: {error}");
        }
    }

    /// A day ago, and now.
    fn times(&self) -> (String, String) {
        let now = (self.project.host().now)();
        let ago = now.checked_sub(KEPT).unwrap_or(jiff::Timestamp::MIN);
        (ago.to_string(), now.to_string())
    }

    /// What a result depends on besides the files that are ignored: the tree, the check as it is written, and its
    /// program by place, size and time. None where that cannot be said.
    fn key(&self, check: &Check, tree: &str) -> Option<String> {
        let CheckWork::Command(command) = &check.work else { return None };
        let program = program_of(self.project.host(), &self.project.layout().root, command)?;
        let metadata = std::fs::metadata(&program).ok()?;
        let modified = metadata.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        let identity = format!(
            "{tree}\0{command:?}\0{:?}\0{}\0{}\0{}",
            check.timeout,
            program.display(),
            metadata.len(),
            modified.as_nanos()
        );
        Some(sha256_hex(identity.as_bytes()))
    }
}

/// Ends what checks of an earlier process left running.
fn end_left_over(marker: &str, checks: &[TrustedCheck]) {
    for check in checks {
        let _ended = end_survivors(&format!("{marker}.check-{}", check.position), None, &Secrets::built_in());
    }
}

fn refused(red: &[String]) -> RunEnd {
    let (checks, fail) = if red.len() == 1 { ("check", "fails") } else { ("checks", "fail") };
    let message = format!(
        "the required {checks} {} {fail} already, before any agent. Mend that, or start with \
         the baseline set to run",
        red.join(", ")
    );
    RunEnd { message: Some(message), ..ExitReason::BaselineRefused.into() }
}
