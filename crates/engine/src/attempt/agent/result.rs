//! What an agent came to: its end, its claim, and what it learned.

use loopwright_agents::ParsedOutput;
use loopwright_domain::environment::is_environment;
use loopwright_domain::limit::{is_limit, is_outage, is_trouble};
use loopwright_domain::promise::Expected;
use loopwright_domain::{
    AgentFacts, AgentProblem, Automation, Claim, EndCause, ErrorCode, Event, ExitReason, FailureCause, Fault,
    Iteration, MemoryOrigin, Outcome, Phase, ProblemKind,
};
use loopwright_transcript::IterationFiles;

use crate::agent;
use crate::attempt::agent::monitor::millis;
use crate::attempt::agent::process::AgentResult;
use crate::attempt::agent::signal;
use crate::attempt::link::{AttemptMessage, TroubleAnswer};
use crate::attempt::tree::commit::needs_person;
use crate::attempt::unit::Attempt;
use crate::crash;
use crate::report;

/// How much of the agent's last words is shown in lists.
const PREVIEW: usize = 500;
/// How much of the last line of the agent's error output tells why it failed.
const LAST_ERROR_LINE: usize = 300;
/// As much of what an agent says about its trouble is kept.
const TOLD: usize = 300;
/// The promise that counts for a task.
const TASK_PROMISE: &str = "COMPLETE";

/// What the agent of an attempt came to, as far as the run is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AgentEnd {
    /// It could not be started.
    NotStarted,
    /// It has ended.
    Ended {
        /// Why it was told to stop, if it was.
        stopped_for: Option<ExitReason>,
        /// Whether it ended by itself all the same.
        by_itself: bool,
    },
}

impl Attempt<'_> {
    /// Has written down what the agent came to.
    pub(crate) async fn agent_done(
        &mut self,
        iteration: &mut Iteration,
        files: &IterationFiles,
        mut result: Result<(AgentResult, signal::SignalReport), Fault>,
    ) -> Result<AgentEnd, Fault> {
        if let Ok((result, _)) = &mut result {
            self.tell_at_once(iteration, std::mem::take(&mut result.notes)).await;
        }
        self.tree.look(&self.project.layout().database())?;
        iteration.phase = Phase::AgentDone;
        let (result, said) = match result {
            Ok(result) => result,
            Err(fault) => {
                let fault = of_the_agent(fault);
                iteration.cause = Some(FailureCause::NotStarted);
                iteration.message = Some(report::fault(&fault));
                iteration.agent.code = Some(fault.code);
                iteration.tree_after = iteration.tree_before.clone();
                self.tell_unstartable(iteration, fault);
                let phase = Event::IterationPhase { iteration: iteration.id, phase: Phase::AgentDone };
                self.write(iteration, &[], vec![phase]).await?;
                return Ok(AgentEnd::NotStarted);
            }
        };
        let learned = self.take_result(iteration, &result, &said);
        self.take_trouble(iteration).await;
        self.meet_trouble(iteration, &result).await?;
        let unsaved = match self.tree_now(iteration).await {
            Ok(tree) => {
                iteration.tree_after = tree;
                None
            }
            // What the agent did is in the files, and is saved when there is room, or when a person has seen to a merge.
            Err(fault) if is_environment(fault.code, self.run.kind) || needs_person(&fault) => Some(fault),
            Err(fault) => return Err(fault),
        };
        self.take_denial(iteration);
        let text = self.secrets.redact(&result.reading.own_text).into_owned();
        let kept = files.write(&files.response(), &text);
        let ended = Event::AgentEnded {
            iteration: iteration.id,
            end: result.end,
            exit_code: result.exit_code,
            elapsed_ms: iteration.agent_ms,
            strays: result.strays.clone(),
        };
        self.write(iteration, &[], [ended].into_iter().chain(learned).collect()).await?;
        crash::point("agent_done.after");
        if let Some(fault) = unsaved {
            return Err(fault);
        }
        self.link.tell(AttemptMessage::Response(text));
        let misplaced = report::misplaced(iteration);
        for note in said.problem.into_iter().chain(kept.err().map(|fault| fault.message)).chain(misplaced) {
            self.warn(Some(iteration.id), note).await?;
        }
        Ok(AgentEnd::Ended { stopped_for: result.stopped_for, by_itself: result.end == EndCause::Exited })
    }

    /// A named agent that could not be started for a reason that no attempt at any work would change rests until a
    /// person has seen to it, and the iteration counts for nothing. A command of one's own fails, as any program would.
    fn tell_unstartable(&self, iteration: &mut Iteration, fault: Fault) {
        let lasting = matches!(fault.code, ErrorCode::AgentMissing | ErrorCode::AgentRoot);
        if lasting && self.options.agent.command.is_none() {
            self.link.tell(AttemptMessage::Unstartable { agent: self.options.agent.spec(), fault });
            iteration.outcome = Some(Outcome::Interrupted);
        }
    }

    /// Tells what kept the agent from working, when that was neither its fault nor the work's. Where it rests for that,
    /// the iteration counts for nothing.
    async fn meet_trouble(&self, iteration: &mut Iteration, result: &AgentResult) -> Result<(), Fault> {
        if result.stopped_for.is_some() {
            return Ok(());
        }
        let met = trouble(result).map(|(problem, until)| {
            let message = report::preview(&self.secrets.redact(&problem.message), TOLD);
            (AgentProblem { message, ..problem }, until)
        });
        let (agent, trouble) = (self.options.agent.spec(), met.clone());
        let answer = self.link.ask(|reply| AttemptMessage::Trouble { agent, trouble, reply }).await?;
        let Some((problem, _)) = met else { return Ok(()) };
        match answer {
            TroubleAnswer::Well => {}
            TroubleAnswer::Fail => {
                // Who was ended because it waited has not been interrupted: it did nothing for too long.
                iteration.end =
                    result.service_wait.as_ref().map_or(iteration.end, |_| Some(EndCause::IdleTimeout));
            }
            TroubleAnswer::Rest => {
                let message = problem.message.clone();
                let cause = match problem.kind {
                    kind if is_limit(kind) => FailureCause::Limit,
                    kind if is_outage(kind) => FailureCause::Overload,
                    _ => FailureCause::AgentError,
                };
                // What it says to being ended while it waited is no reason.
                let own = iteration.agent.problem.take().filter(|_| result.service_wait.is_none());
                iteration.agent.problem = own.or(Some(problem));
                let code = iteration.agent.problem.as_ref().map(|problem| agent::advice::code(problem.kind));
                iteration.agent.code = code;
                iteration.outcome = Some(Outcome::Interrupted);
                iteration.cause = Some(cause);
                iteration.message = report::iteration(iteration, Some(cause), &[], Some(message));
            }
        }
        Ok(())
    }

    /// Takes over what the agent came to, and returns what it learned.
    fn take_result(
        &self,
        iteration: &mut Iteration,
        result: &AgentResult,
        said: &signal::SignalReport,
    ) -> Vec<Event> {
        let reading = &result.reading;
        iteration.end = Some(result.end);
        iteration.exit_code = result.exit_code;
        iteration.exit_signal = result.exit_signal;
        iteration.agent_ms = report::millis(result.elapsed);
        iteration.elapsed_ms = iteration.agent_ms;
        iteration.usage = reading.usage;
        let secrets = &self.secrets;
        if result.end == EndCause::Exited && result.exit_code != Some(0) {
            // What it tells of its failure by an event says more, and takes the place of this.
            let last = result.last_error_line.as_deref().map(loopwright_domain::sanitize::strip);
            iteration.message = last.map(|line| report::preview(&secrets.redact(&line), LAST_ERROR_LINE));
        }
        iteration.preview = report::preview(&secrets.redact(&reading.own_text), PREVIEW);
        // Who works on a task may use the usual word for the promise; a loop asks for its own.
        let promise = self.options.promise.as_deref().or(iteration.task.map(|_| TASK_PROMISE));
        let words = iteration.task.is_some();
        let expected = Expected { promise, plain: self.options.plain_promise, words };
        iteration.promise_checked = true;
        let (claim, text) = reading.claim(expected);
        // The signal is the stronger word, but what the agent tells of trouble wins over it.
        let signalled = match claim {
            Claim::Failure => None,
            Claim::Blocked => said.claim().filter(|(claim, _)| *claim == Claim::Blocked),
            _ => said.claim(),
        };
        let (claim, text) = signalled.map_or((claim, text), |(claim, text)| (claim, Some(text)));
        iteration.claim = claim;
        iteration.claim_text = text.map(|text| secrets.redact(text.trim()).into_owned());
        let satisfied_by = self.satisfied_by(iteration, said);
        let said = if words { said.clone().with_learnings(&reading.own_text) } else { said.clone() };
        iteration.agent =
            AgentFacts { sandbox: iteration.agent.sandbox, satisfied_by, ..self.facts(reading) };
        let learned = said.learnings().map(|card| Event::LearningRecorded {
            learning: 0,
            category: card.category,
            title: secrets.redact(card.title).into_owned(),
            when: secrets.redact(card.when).into_owned(),
            text: secrets.redact(card.text).into_owned(),
            pattern: None,
            by: MemoryOrigin::Agent,
            task: iteration.task,
            iteration: Some(iteration.id),
        });
        learned.collect()
    }

    /// Who worked, and what it told besides its words.
    fn facts(&self, reading: &ParsedOutput) -> AgentFacts {
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
            satisfied_by: Vec::new(),
            sandbox: None,
        }
    }

    /// Why the agent gave up, with what to do about it. A program that does not know an option may be too old.
    async fn take_trouble(&self, iteration: &mut Iteration) {
        let Some(problem) = &iteration.agent.problem else { return };
        let name = self.harness.name();
        let outdated = match problem.kind {
            ProblemKind::BadOption => agent::outdated(self.project.host(), &self.config, name).await,
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
            || self.automation == Automation::Plan
        {
            return;
        }
        iteration.cause = Some(FailureCause::Denied);
        iteration.agent.code = Some(ErrorCode::AgentPermission);
        iteration.message = Some(report::denial(self.automation));
    }
}

/// A program that is missing where an agent was to start is the agent's.
fn of_the_agent(fault: Fault) -> Fault {
    match fault.code {
        ErrorCode::ProcessMissing => Fault { code: ErrorCode::AgentMissing, ..fault },
        _ => fault,
    }
}

/// The trouble that kept an agent from working and when it is over, told by structured data only.
fn trouble(result: &AgentResult) -> Option<(AgentProblem, Option<u64>)> {
    if let Some(service_wait) = &result.service_wait {
        return Some((service_wait.problem.clone(), Some(service_wait.until)));
    }
    let reading: &ParsedOutput = &result.reading;
    let failed = result.end != EndCause::Exited || result.exit_code != Some(0);
    let silent = reading.own_text.trim().is_empty();
    if let Some(limit) = reading.limit.as_ref().filter(|_| failed || silent || reading.error.is_some()) {
        let message = limit.message.clone();
        let problem = AgentProblem { kind: ProblemKind::UsageLimit, message, status: None };
        return Some((problem, limit.resets_at.as_deref().and_then(millis)));
    }
    match &reading.error {
        Some(problem) => is_trouble(problem.kind).then(|| (problem.clone(), None)),
        None => result.stuck.clone().filter(|_| failed).map(|problem| (problem, None)),
    }
}
