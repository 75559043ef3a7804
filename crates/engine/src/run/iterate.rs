//! One iteration: intent, agent, checks, commit, outcome. Each step is written down before the next begins.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use loopwright_domain::check::failing;
use loopwright_domain::decide::{advance, finish, judge};
use loopwright_domain::{
    CheckResult, EndCause, Event, ExitReason, Facts, FailureCause, Fault, Iteration, Outcome, Phase,
    Settlement, TaskStatus, Verdict,
};
use loopwright_process::Running;
use tracing::Instrument;

use super::agent::{Listener, Performance, Stage, attend, write_files};
use super::attach;
use super::commit::Committing;
use super::crash;
use super::desk::Assignment;
use super::driver::{Driver, Ending};
use super::files::IterationFiles;
use super::journal::Note;
use super::lookout::{Account, Lookout};
use super::papers::Papers;
use super::prompt::{NamedCheck, Parts, PromptSize, compose};
use super::pulse::Pulse;
use super::report;
use super::signal::{self, signal_file};
use super::source::Work;
use super::tasks::Asked;
use super::transcript::HostEvent;
use crate::check::{Check, work_list};

impl Driver<'_> {
    /// Carries one iteration out. An ending means that the run stops with it.
    pub(crate) async fn iterate(&mut self, work: Work) -> Result<Option<Ending>, Fault> {
        let mut iteration = self.planned(&work).await?;
        let span = tracing::info_span!(
            "iteration", iteration = iteration.number + 1, id = %iteration.id, harness = %self.run.harness
        );
        let files = IterationFiles::of(&self.project.layout().state_dir, &iteration);
        async {
            let prompt = self.plan(&mut iteration, &work, &files).await?;
            match self.perform(&mut iteration, &prompt, &files).await? {
                Some(ending) => Ok(Some(ending)),
                None => self.conclude(iteration).await,
            }
        }
        .instrument(span)
        .await
    }

    /// An iteration for some work, before anything is written down.
    pub(crate) async fn planned(&mut self, work: &Work) -> Result<Iteration, Fault> {
        let number = self.run.progress.iteration;
        let attempt = match &self.last {
            Some(last) if last.number == number => last.attempt + 1,
            _ => 1,
        };
        let id = self.new_iteration_id();
        let now = self.project.host().timestamp();
        let mut iteration = Iteration::planned(id, self.run.id, number, attempt, now);
        iteration.task = work.task;
        iteration.wave = work.wave;
        self.know_task(work.task).await?;
        if let Some(task) = self.task.as_ref().filter(|_| work.task.is_some()) {
            let attempt = self.attempt_number(&iteration);
            self.observer.task(&iteration, task, attempt);
        }
        Ok(iteration)
    }

    /// Begins an iteration that a person carries out: the prompt is written down and the files are saved.
    pub(crate) async fn begin_by_hand(
        &mut self,
        iteration: &mut Iteration,
        work: &Work,
    ) -> Result<(), Fault> {
        let files = IterationFiles::of(&self.project.layout().state_dir, iteration);
        self.plan(iteration, work, &files).await?;
        self.checkpoint(iteration).await?;
        iteration.phase = Phase::Running;
        let phase = Event::IterationPhase { iteration: iteration.id, phase: Phase::Running };
        self.write(iteration, &[], vec![phase]).await
    }

    /// Writes the intent down: the prompt, the iteration, nothing started yet.
    async fn plan(
        &mut self,
        iteration: &mut Iteration,
        work: &Work,
        files: &IterationFiles,
    ) -> Result<String, Fault> {
        let begun = Instant::now();
        let Asked { prompt, notes } = self.prompt(work).await?;
        let size = PromptSize::of(&prompt, self.options.token_budget);
        iteration.prompt_tokens = size.tokens;
        iteration.head = self.tree.branch().await?;
        let kept = files.make().and_then(|()| {
            files.write(&files.prompt(), &prompt)?;
            files.write(&files.task(), &self.assignment(work).to_json())
        });
        let cleared = signal::clear(&signal_file(&self.project.layout().root));
        crash::point("planned.before");
        let started = Event::IterationStarted {
            run: self.run.id,
            iteration: iteration.id,
            number: iteration.number,
            attempt: iteration.attempt,
        };
        let begins = work.task.map(|task| Event::TaskStatusChanged {
            task,
            from: TaskStatus::Pending,
            to: TaskStatus::InProgress,
            reason: None,
            iteration: Some(iteration.id),
            origin: None,
        });
        self.write(iteration, &[], [started].into_iter().chain(begins).collect()).await?;
        crash::point("planned.after");
        let faults = [kept, cleared].into_iter().filter_map(Result::err);
        for note in faults.map(|fault| report::fault(&fault)).chain(notes) {
            self.warn(Some(iteration.id), note).await?;
        }
        if size.over() {
            let message = format!("the prompt is over its budget: {} of {} tokens", size.tokens, size.budget);
            self.warn(Some(iteration.id), message).await?;
        }
        self.observer.prompt(iteration, &self.secrets.redact(&prompt), size);
        log_phase("plan", begun, "ok");
        Ok(prompt)
    }

    /// The prompt for some work, as it is now.
    pub(crate) async fn prompt(&self, work: &Work) -> Result<Asked, Fault> {
        match self.task.as_ref().filter(|task| Some(task.id) == work.task) {
            Some(task) => self.ask_about(task).await,
            None => Ok(Asked { prompt: self.request(work), notes: Vec::new() }),
        }
    }

    /// What the agent is told when it asks.
    fn assignment(&self, work: &Work) -> Assignment {
        match self.task.as_ref().filter(|task| Some(task.id) == work.task) {
            Some(task) => Assignment::of_task(task, self.named_checks()),
            None => Assignment::of_request(&self.run.title, &work.request, self.named_checks()),
        }
    }

    /// Whether the agent gets tools to report with.
    pub(crate) fn offers_tools(&self) -> bool {
        attach::offers_tools(self.project.host(), self.harness.as_ref())
    }

    /// The checks as an agent is told about them.
    pub(crate) fn named_checks(&self) -> Vec<NamedCheck> {
        let enabled = self.checks.iter().filter(|check| check.enabled);
        let named = |check: &Check| NamedCheck {
            name: check.name.clone(),
            command: check.shown(),
            required: check.required,
        };
        enabled.map(named).collect()
    }

    fn request(&self, work: &Work) -> String {
        let checks = self.named_checks();
        let failing =
            self.last_checks.iter().any(CheckResult::failed).then(|| work_list::items(&self.last_checks));
        let last_failure = self
            .last
            .as_ref()
            .filter(|last| last.outcome == Some(Outcome::Failed) && last.cause != Some(FailureCause::Checks));
        compose(&Parts {
            request: &work.request,
            context: &self.options.context,
            number: self.run.progress.iteration,
            max: self.run.limits.max_iterations,
            iteration_context: self.options.include_iteration_context,
            promise: self.options.promise.as_deref(),
            automation: &self.options.automation,
            checks: &checks,
            tools: self.offers_tools(),
            failing: failing.as_deref(),
            last_failure: last_failure.and_then(|last| last.message.as_deref()),
        })
    }

    /// Saves the tree, starts the agent, listens to it, and writes down what it came to.
    async fn perform(
        &mut self,
        iteration: &mut Iteration,
        prompt: &str,
        files: &IterationFiles,
    ) -> Result<Option<Ending>, Fault> {
        let begun = Instant::now();
        if self.options.git.checkpoints || self.options.git.auto_commit || iteration.task.is_some() {
            self.checkpoint(iteration).await?;
        }
        log_phase("checkpoint", begun, "ok");
        self.backup.before_agent(self.project, &self.tree).await;
        let begun = Instant::now();
        let root = self.project.layout().root.clone();
        let temp = self.project.host().temp_dir.join(format!("loopwright-{}", iteration.id));
        let signal_path = signal_file(&root);
        let nonce = super::nonce();
        let played = self.play(iteration, prompt, files, &temp, &signal_path, &nonce).await;
        for folder in [&temp, &files.given()] {
            let _ = fs::remove_dir_all(folder);
        }
        let played = match played {
            Ok(performance) => {
                let said = signal::read(&signal_path, &nonce);
                Ok((performance, said))
            }
            Err(fault) => Err(fault),
        };
        let _ = signal::clear(&signal_path);
        let ending = self.agent_done(iteration, files, played).await?;
        log_phase("agent", begun, iteration.end.map_or("not_started", EndCause::as_str));
        Ok(ending)
    }

    async fn checkpoint(&mut self, iteration: &mut Iteration) -> Result<(), Fault> {
        let Some(checkpoint) = self.save_tree(iteration).await? else { return Ok(()) };
        crash::point("checkpoint.after");
        let kept = self.options.git.checkpoints || iteration.task.is_some();
        iteration.checkpoint = kept.then(|| checkpoint.commit.as_str().to_owned());
        iteration.tree_before = Some(checkpoint.snapshot.tree.as_str().to_owned());
        if let Some(tree) = &self.run.tree
            && iteration.tree_before.as_ref() != Some(tree)
            && self.last.as_ref().is_some_and(|last| last.outcome != Some(Outcome::Interrupted))
        {
            self.keep_last_tree().await;
            let message =
                "files changed since the last iteration, by you or another program; they are kept and \
                           not counted as the agent's work"
                    .to_owned();
            self.warn(Some(iteration.id), message).await?;
        }
        for note in self.tree.notes(&checkpoint.snapshot) {
            self.warn(Some(iteration.id), note).await?;
        }
        Ok(())
    }

    async fn play(
        &mut self,
        iteration: &mut Iteration,
        prompt: &str,
        files: &IterationFiles,
        temp: &Path,
        signal_path: &Path,
        nonce: &str,
    ) -> Result<Performance, Fault> {
        fs::create_dir_all(temp).map_err(|error| crate::text_file::io_fault("make", temp, &error))?;
        // Where nothing can be kept, an agent goes without what needs a file of its own.
        let given = files.make_given().ok();
        let harness = self.harness.clone();
        let options = self.options.clone();
        let secrets = self.secrets.clone();
        let guard = self.guard.clone();
        let automation = self.automation().to_owned();
        let stage = Stage {
            host: self.project.host(),
            layout: self.project.layout(),
            guard: &guard,
            options: &options,
            harness: harness.as_ref(),
            work_dir: self.work_dir(),
            files,
            signal_file: signal_path,
            nonce,
            automation: &automation,
            attempt: self.attempt_number(iteration),
            secrets: &secrets,
            scratch: given.as_deref(),
            temp: Some(temp),
            time_left: self.time_left(),
        };
        let id = iteration.id.to_string();
        let mut invocation = stage.invocation(prompt, &id)?;
        write_files(&invocation)?;
        let papers = Papers::of(&mut invocation);
        let reader = stage.reader(prompt, &id);
        let job = stage.job(iteration, invocation, temp);
        let watch = stage.watch(&job, temp);
        iteration.agent.confinement = Some(guard.confinement());
        crash::point("agent.before");
        let running: Running = loopwright_process::start(job)?;
        crash::point("agent.started");
        iteration.pid = Some(running.identity.pid);
        iteration.process_started = Some(running.identity.started.clone());
        iteration.phase = Phase::Running;
        let phase = Event::IterationPhase { iteration: iteration.id, phase: Phase::Running };
        self.write(iteration, &[], vec![phase]).await?;
        crash::point("running.after");
        let (lookout, alarm) = Lookout::new(Account {
            prices: self.prices.clone(),
            model: options.agent.model.clone(),
            spent: self.run.progress.usage,
            limits: self.run.limits,
            now: self.project.host().now,
        });
        let listener = Listener::new(iteration, files, reader, self.observer, papers, lookout);
        let grace = std::time::Duration::from_millis(options.times.grace_ms);
        let pulse = Pulse::new(files.pulse());
        let attended = attend(running, listener, &mut self.steering, alarm, pulse, grace).await;
        self.tell_at_once(iteration, watch.changes()).await;
        crash::point("agent.ended");
        attended
    }

    pub(crate) fn work_dir(&self) -> PathBuf {
        let root = &self.project.layout().root;
        self.options.working_dir.as_ref().map_or_else(|| root.clone(), |dir| root.join(dir))
    }

    /// Checks, judges, commits and settles an iteration whose agent has ended: also one that an earlier process left
    /// behind.
    pub(crate) async fn conclude(&mut self, mut iteration: Iteration) -> Result<Option<Ending>, Fault> {
        if iteration.task.is_some() {
            return self.conclude_attempt(iteration).await;
        }
        if iteration.outcome == Some(Outcome::Interrupted) {
            // A limit or an outage stopped its agent: what it did is kept and counts for nothing.
            self.settle(iteration, Outcome::Interrupted, Verdict::Stopped, true, Vec::new()).await?;
            return Ok(self.check_first().await);
        }
        let before = self.failing();
        let mut results = Vec::new();
        if iteration.end.is_some() && iteration.phase < Phase::Committing {
            results = match self.check(&mut iteration).await? {
                Ok(results) => results,
                Err(ending) => return Ok(Some(ending)),
            };
        }
        if iteration.phase == Phase::Committing {
            results = self.project.store().check_results(iteration.id).await?;
        }
        let verdict = Verdict::of(&results);
        let after = failing(&results);
        let (mut outcome, mut cause) = judge(&Facts {
            kind: self.run.kind,
            end: iteration.end,
            exit_code: iteration.exit_code,
            told: iteration.told(),
            claim: iteration.claim,
            verdict,
            improved: after.len() < before.len(),
        });
        let mut told = iteration.message.take();
        let mut needs_person = None;
        if outcome == Outcome::Succeeded {
            match self.commit(&mut iteration).await? {
                Committing::Done => self.note_commit(&iteration),
                Committing::NeedsPerson(message) => needs_person = Some(message),
                Committing::Failed(fault) => {
                    (outcome, cause) = (Outcome::Failed, Some(FailureCause::Commit));
                    told = Some(report::fault(&fault));
                }
            }
        }
        iteration.message = report::iteration(&iteration, cause, &results, told);
        iteration.cause = cause;
        iteration.failing = after.iter().cloned().collect();
        self.last_checks = results;
        self.settle(iteration, outcome, verdict, before == after, Vec::new()).await?;
        if needs_person.is_some() {
            return Ok(Some(Ending { message: needs_person, ..ExitReason::NeedsPerson.into() }));
        }
        let last = self.last.as_ref();
        Ok(last.and_then(|last| finish(self.options.goal, last, verdict)).map(Into::into))
    }

    /// Adds the commit to the transcript.
    pub(crate) fn note_commit(&self, iteration: &Iteration) {
        if let Some(commit) = iteration.commit.clone() {
            HostEvent::Committed { commit }.note(&self.project.iteration_files(iteration).transcript());
        }
    }

    /// Runs the checks of an iteration. An ending means that they were stopped; the iteration stays as it is, and
    /// its checks run again when the run is resumed.
    pub(crate) async fn check(
        &mut self,
        iteration: &mut Iteration,
    ) -> Result<Result<Vec<CheckResult>, Ending>, Fault> {
        if !self.checks.iter().any(|check| check.enabled) {
            return Ok(Ok(Vec::new()));
        }
        let begun = Instant::now();
        iteration.phase = Phase::Checking;
        let phase = Event::IterationPhase { iteration: iteration.id, phase: Phase::Checking };
        self.write(iteration, &[], vec![phase]).await?;
        crash::point("checking.after");
        let folder = IterationFiles::of(&self.project.layout().state_dir, iteration).checks();
        let marker = iteration.id.to_string();
        let results = self.run_checks(&marker, Some((&folder, iteration))).await;
        crash::point("checks.ended");
        let verdict = Verdict::of(&results);
        log_phase("checks", begun, verdict.as_str());
        if verdict == Verdict::Stopped {
            let ending = self.why_stopped();
            if ending.reason == ExitReason::Cancelled {
                self.settle_interrupted(iteration).await?;
            }
            return Ok(Err(ending));
        }
        let spent: u64 = results.iter().map(|result| result.elapsed_ms).sum();
        iteration.elapsed_ms = iteration.agent_ms.saturating_add(spent);
        let ended = results.iter().map(|result| Event::CheckEnded {
            iteration: iteration.id,
            name: result.name.clone(),
            status: result.status,
            issues: u32::try_from(result.issues.len()).unwrap_or(u32::MAX),
            elapsed_ms: result.elapsed_ms,
        });
        self.write(iteration, &results, ended.collect()).await?;
        Ok(Ok(results))
    }

    /// Writes the outcome, and with it the run's progress.
    pub(crate) async fn settle(
        &mut self,
        mut iteration: Iteration,
        outcome: Outcome,
        verdict: Verdict,
        same_failures: bool,
        more: Vec<Event>,
    ) -> Result<(), Fault> {
        crash::point("settled.before");
        let now = self.project.host().timestamp();
        iteration.phase = Phase::Settled;
        iteration.outcome = Some(outcome);
        iteration.ended_at = Some(now.clone());
        let before = std::mem::take(&mut self.run.progress);
        self.run.progress = advance(&before, &iteration, verdict, same_failures);
        let told = self
            .about_caps(&before, iteration.agent.model.as_deref())
            .into_iter()
            .map(|message| Event::RunWarning { run: self.run.id, iteration: Some(iteration.id), message });
        let more: Vec<Event> = more.into_iter().chain(told).collect();
        self.run.last_iteration_at = Some(now);
        let left = if iteration.restored { &iteration.tree_before } else { &iteration.tree_after };
        self.run.tree = left.clone().or(self.run.tree.take());
        let settled = Event::IterationSettled {
            run: self.run.id,
            iteration: iteration.id,
            number: iteration.number,
            outcome,
            code: iteration.agent.code,
            message: iteration.message.clone(),
            elapsed_ms: iteration.elapsed_ms,
            commit: iteration.commit.clone(),
        };
        let note = Note { run: Some(&self.run), iteration: Some(&iteration), checks: &[] };
        self.journal.write(self.observer, note, [settled].into_iter().chain(more).collect()).await?;
        crash::point("settled.after");
        tracing::info!(
            outcome = outcome.as_str(),
            duration_ms = iteration.elapsed_ms,
            number = iteration.number + 1,
            "iteration settled"
        );
        self.source.settled(&iteration).await?;
        self.keep_in_step(&iteration).await?;
        self.last = Some(iteration);
        Ok(())
    }

    pub(crate) async fn settle_interrupted(&mut self, iteration: &Iteration) -> Result<(), Fault> {
        let mut iteration = iteration.clone();
        iteration.message = Some(report::STOPPED.to_owned());
        if iteration.task.is_some() {
            return self.carry_out(iteration, Settlement::Again).await.map(drop);
        }
        self.settle(iteration, Outcome::Interrupted, Verdict::Stopped, true, Vec::new()).await
    }

    pub(crate) async fn write(
        &mut self,
        iteration: &Iteration,
        checks: &[CheckResult],
        events: Vec<Event>,
    ) -> Result<(), Fault> {
        // With the run each time: an entry that could not be written may have been the run's first.
        let note = Note { run: Some(&self.run), iteration: Some(iteration), checks };
        self.journal.write(self.observer, note, events).await
    }
}

/// One line of the log for each phase, so that a run's log can be read phase by phase.
pub(crate) fn log_phase(phase: &'static str, begun: Instant, outcome: &str) {
    tracing::info!(phase, duration_ms = report::millis(begun.elapsed()), outcome, "phase ended");
}
