//! What an agent came to: its end, its claim, and what it learned.

use loopwright_agents::Reading;
use loopwright_domain::promise::{Expected, find_claim};
use loopwright_domain::{
    AgentFacts, AgentProblem, Automation, Claim, EndCause, ErrorCode, Event, ExitReason, FailureCause, Fault,
    Iteration, Phase, ProblemKind,
};

use super::agent::Performance;
use super::crash;
use super::driver::{Driver, Ending};
use super::files::IterationFiles;
use super::report;
use super::signal;
use crate::agent;

/// How much of the agent's last words is shown in lists.
const PREVIEW: usize = 500;
/// The promise that counts for a task.
const TASK_PROMISE: &str = "COMPLETE";

impl Driver<'_> {
    /// Writes down what the agent came to.
    pub(super) async fn agent_done(
        &mut self,
        iteration: &mut Iteration,
        files: &IterationFiles,
        mut played: Result<(Performance, signal::Said), Fault>,
    ) -> Result<Option<Ending>, Fault> {
        if let Ok((performance, _)) = &mut played {
            self.tell_at_once(iteration, std::mem::take(&mut performance.notes)).await;
        }
        self.tree.look(&self.project.layout().database())?;
        iteration.phase = Phase::AgentDone;
        let (performance, said) = match played {
            Ok(played) => played,
            Err(fault) => {
                let fault = of_the_agent(fault);
                iteration.cause = Some(FailureCause::NotStarted);
                iteration.message = Some(report::fault(&fault));
                iteration.agent.code = Some(fault.code);
                iteration.tree_after = iteration.tree_before.clone();
                self.rest_unstarted(iteration, &fault);
                let phase = Event::IterationPhase { iteration: iteration.id, phase: Phase::AgentDone };
                self.write(iteration, &[], vec![phase]).await?;
                return Ok(None);
            }
        };
        let learned = self.take_performance(iteration, &performance, &said);
        self.take_trouble(iteration).await;
        self.meet_trouble(iteration, &performance);
        iteration.tree_after = self.tree_now(iteration).await?;
        self.take_denial(iteration);
        let text = self.secrets.redact(&performance.reading.own_text).into_owned();
        let kept = files.write(&files.response(), &text);
        let ended = Event::AgentEnded {
            iteration: iteration.id,
            end: performance.end,
            exit_code: performance.exit_code,
            elapsed_ms: iteration.agent_ms,
            strays: performance.strays.clone(),
        };
        self.write(iteration, &[], [ended].into_iter().chain(learned).collect()).await?;
        crash::point("agent_done.after");
        self.observer.response(iteration, &text);
        for note in said.problem.into_iter().chain(kept.err().map(|fault| fault.message)) {
            self.warn(Some(iteration.id), note).await?;
        }
        self.pause = performance.pause.or(self.pause);
        match performance.stopped_for {
            Some(ExitReason::Cancelled) => {
                self.settle_interrupted(iteration).await?;
                Ok(Some(ExitReason::Cancelled.into()))
            }
            // The next iteration does not start; this one is judged, for its agent ended by itself.
            Some(ExitReason::Money | ExitReason::Tokens) if performance.end == EndCause::Exited => Ok(None),
            Some(reason) if performance.end != EndCause::Exited => {
                self.settle_interrupted(iteration).await?;
                Ok(Some(reason.into()))
            }
            Some(reason) => Ok(Some(reason.into())),
            None if iteration.outcome.is_some() => Ok(None),
            None => {
                let ending = self.between_phases().await?;
                if ending.as_ref().is_some_and(|ending| ending.reason == ExitReason::Cancelled) {
                    self.settle_interrupted(iteration).await?;
                }
                Ok(ending)
            }
        }
    }

    /// Tells what was seen while the agent worked before anything that can fail: an agent that also broke the
    /// repository must not silence it. What cannot be written down is told all the same.
    pub(super) async fn tell_at_once(&mut self, iteration: &Iteration, notes: Vec<String>) {
        for message in notes {
            if self.warn(Some(iteration.id), message.clone()).await.is_err() {
                let warning = Event::RunWarning { run: self.run.id, iteration: Some(iteration.id), message };
                self.journal.tell_only(self.observer, warning);
            }
        }
    }

    /// Takes over what the agent came to, and returns what it learned.
    fn take_performance(
        &self,
        iteration: &mut Iteration,
        played: &Performance,
        said: &signal::Said,
    ) -> Vec<Event> {
        let reading = &played.reading;
        iteration.end = Some(played.end);
        iteration.exit_code = played.exit_code;
        iteration.exit_signal = played.exit_signal;
        iteration.agent_ms = report::millis(played.elapsed);
        iteration.elapsed_ms = iteration.agent_ms;
        iteration.usage = reading.usage;
        let secrets = &self.secrets;
        iteration.preview = report::preview(&secrets.redact(&reading.own_text), PREVIEW);
        // Who works on a task may use the usual word for the promise; a loop asks for its own.
        let promise = self.options.promise.as_deref().or(iteration.task.map(|_| TASK_PROMISE));
        let expected = Expected { promise, plain: self.options.plain_promise };
        iteration.promise_checked = true;
        let (claim, line) = find_claim(&reading.own_text, expected);
        iteration.claim = claim;
        iteration.claim_text = line.map(|line| secrets.redact(line.trim()).into_owned());
        // The signal is the stronger word, but a failure the agent tells of wins over everything.
        let said = match iteration.task {
            Some(_) => said.clone().with_words(&reading.own_text),
            None => said.clone(),
        };
        if let (true, Some((claim, text))) = (claim != Claim::Failure, said.claim()) {
            iteration.claim = claim;
            iteration.claim_text = Some(secrets.redact(&text).into_owned());
        }
        iteration.agent = AgentFacts { confinement: iteration.agent.confinement, ..self.facts(reading) };
        let learned = said.learnings().map(|(category, text)| Event::LearningRecorded {
            learning: 0,
            category,
            text: secrets.redact(text).into_owned(),
            task: iteration.task,
            iteration: Some(iteration.id),
        });
        learned.collect()
    }

    /// Who worked, and what it told besides its words.
    fn facts(&self, reading: &Reading) -> AgentFacts {
        let redact = |text: &str| self.secrets.redact(text).into_owned();
        let problem = reading
            .error
            .as_ref()
            .map(|problem| AgentProblem { message: redact(&problem.message), ..problem.clone() });
        AgentFacts {
            harness: Some(self.harness.name().to_owned()),
            model: reading.model.clone().or_else(|| self.options.agent.model.clone()),
            session: reading.session.as_deref().map(redact),
            turns: reading.turns,
            problem,
            code: None,
            denied: reading.denied.iter().map(|tool| redact(tool)).collect(),
            confinement: None,
        }
    }

    /// Why the agent gave up, with what to do about it. A program that does not know an option may be too old.
    async fn take_trouble(&self, iteration: &mut Iteration) {
        let Some(problem) = &iteration.agent.problem else { return };
        let name = self.harness.name();
        let outdated = match problem.kind {
            ProblemKind::BadOption => {
                agent::outdated(self.project.host(), &self.project.config(), name).await
            }
            _ => None,
        };
        let fault = outdated.unwrap_or_else(|| agent::advice::fault(name, problem));
        iteration.cause = Some(FailureCause::AgentError);
        iteration.message = Some(report::fault(&fault));
        iteration.agent.code = Some(fault.code);
    }

    /// An agent that was denied what it needed and changed nothing has not done its work, whatever it says. Who only
    /// plans is meant to be denied.
    fn take_denial(&self, iteration: &mut Iteration) {
        let only = |problem: &AgentProblem| problem.kind == ProblemKind::Permission;
        let facts = &iteration.agent;
        let ended = iteration.end == Some(EndCause::Exited) && iteration.exit_code == Some(0);
        if facts.denied.is_empty()
            || !ended
            || iteration.outcome.is_some()
            || iteration.changed_tree() != Some(false)
            || !facts.problem.as_ref().is_none_or(only)
            || self.automation() == Automation::Plan.as_str()
        {
            return;
        }
        iteration.cause = Some(FailureCause::Denied);
        iteration.agent.code = Some(ErrorCode::AgentPermission);
        iteration.message = Some(report::denial(self.automation()));
    }
}

/// A program that is missing where an agent was to start is the agent's.
fn of_the_agent(fault: Fault) -> Fault {
    match fault.code {
        ErrorCode::ProcessMissing => Fault { code: ErrorCode::AgentMissing, ..fault },
        _ => fault,
    }
}
