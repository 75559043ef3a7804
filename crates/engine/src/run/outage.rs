//! Limits and outages: an agent that cannot work rests, another one goes on, or the run waits until one can.

use std::sync::Arc;
use std::time::Duration;

use loopwright_agents::{Harness, Reading};
use loopwright_domain::figures::elapsed;
use loopwright_domain::limit::{self, Answer, Choice, Rest, Trouble, is_limit, is_outage, is_trouble, why};
use loopwright_domain::{
    AgentProblem, ControlKind, EndCause, ErrorCode, ExitReason, FailureCause, Fault, Hold, Iteration,
    Outcome, ProblemKind, RunStatus, WaitReason,
};

use super::agent::{self, Performance};
use super::driver::{Driver, Ending};
use super::harness;
use super::lookout::{millis, timestamp};
use super::options::AgentOptions;
use super::source::Work;
use super::steer::Wish;
use super::{report, unix_millis};
use crate::agent::{self as agent_of_machine, KnownAgent, advice, known_agent, look_further};

/// How often the clock is looked at while a run waits: a machine that slept, or whose clock was set, is noticed.
const LOOK: Duration = Duration::from_secs(1);
/// As much of what an agent says about its trouble is kept.
const TOLD: usize = 300;

/// What is known before an agent is started.
pub(super) enum Next {
    /// It can start.
    Ready,
    /// Time has passed: work has to be asked for anew.
    Later,
    /// The run ends or stops.
    End(Ending),
}

impl Driver<'_> {
    /// Sees what kept an agent from working, when that was neither its fault nor the work's: the agent rests, and the
    /// iteration counts for nothing. An agent that worked is well again.
    pub(super) fn meet_trouble(&mut self, iteration: &mut Iteration, played: &Performance) {
        if played.stopped_for.is_some() {
            return;
        }
        let name = self.options.agent.spec();
        let known = self.run.holds.iter().position(|hold| hold.agent == name);
        let Some((problem, resets_at)) = trouble(played) else {
            self.run.holds.retain(|hold| hold.agent != name);
            return;
        };
        let earlier = known.map(|place| self.run.holds.remove(place));
        let tries = earlier.as_ref().map_or(0, |hold| hold.tries.saturating_add(1));
        let now = unix_millis(self.project.host());
        let met = Trouble { kind: problem.kind, resets_at };
        let seed = self
            .run
            .id
            .to_string()
            .bytes()
            .fold(0, |seed: u64, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)));
        let answer = limit::answer(met, tries, now, &self.options.outages, seed);
        let message = report::preview(&self.secrets.redact(&problem.message), TOLD);
        let hold = Hold {
            agent: name,
            kind: problem.kind,
            code: Some(advice::code(problem.kind)),
            message: message.clone(),
            since: earlier.map_or_else(|| timestamp(now), |hold| hold.since),
            until: match answer {
                Answer::Rest(until) => until.map(timestamp),
                Answer::Fail => Some(timestamp(now)),
            },
            tries,
        };
        self.run.holds.push(hold);
        if answer == Answer::Fail {
            // Who was ended because it waited has not been interrupted: it did nothing for too long.
            iteration.end = played.waits.as_ref().map_or(iteration.end, |_| Some(EndCause::IdleTimeout));
            return;
        }
        let told = AgentProblem { message: message.clone(), ..problem.clone() };
        // What it says to being ended while it waited is no reason.
        let own = iteration.agent.problem.take().filter(|_| played.waits.is_none());
        iteration.agent.problem = own.or(Some(told));
        iteration.agent.code = iteration.agent.problem.as_ref().map(|problem| advice::code(problem.kind));
        let cause = match problem.kind {
            kind if is_limit(kind) => FailureCause::Limit,
            kind if is_outage(kind) => FailureCause::Overload,
            _ => FailureCause::AgentError,
        };
        iteration.outcome = Some(Outcome::Interrupted);
        iteration.cause = Some(cause);
        iteration.message = report::iteration(iteration, Some(cause), &[], Some(message));
        // A person who let this iteration start let it be done.
        self.allowed = self.allowed.saturating_add(1);
    }

    /// Sees to it that somebody can work: the chosen agent, a stronger one after repeated failures, or one that takes
    /// over. Where nobody can, waits.
    pub(super) async fn choose_agent(&mut self, work: &Work) -> Result<Next, Fault> {
        let failures = self.failures_at(work).await?;
        loop {
            let rules = self.options.outages.clone();
            let chosen = self.chosen.agent.spec();
            let agents = limit::agents(&chosen, &rules, failures);
            let now = unix_millis(self.project.host());
            let rests: Vec<Rest<'_>> = self.run.holds.iter().map(rest).collect();
            match limit::choose(&agents, &rests, now, rules.on_limit) {
                Choice::Work(place) => {
                    if self.take_agent(agents[place], failures).await? {
                        return Ok(Next::Ready);
                    }
                }
                Choice::Wait(place, until) => return self.wait_for(agents[place], until).await,
                Choice::Stop(place) => return Ok(Next::End(self.stop_for(agents[place]).await)),
            }
        }
    }

    /// How often the same work has failed.
    async fn failures_at(&self, work: &Work) -> Result<u32, Fault> {
        match work.task {
            Some(task) => Ok(self.project.store().failures_of(task, self.run.id).await?.in_run),
            None => Ok(self.run.progress.consecutive_failures),
        }
    }

    /// Makes this agent the one that works. One that cannot be started rests until a person has seen to it.
    async fn take_agent(&mut self, name: &str, failures: u32) -> Result<bool, Fault> {
        let before = self.options.agent.spec();
        if name == before {
            return Ok(true);
        }
        let (options, taken) = match self.build(name) {
            Ok(built) => built,
            Err(fault) => {
                self.cannot_start(name, &fault);
                return Ok(false);
            }
        };
        self.secrets = agent::secrets(self.project.host(), &self.project.config(), taken.as_ref());
        self.harness = taken;
        self.options.agent = options;
        let now = unix_millis(self.project.host());
        let told = match self.run.holds.iter().find(|hold| hold.agent == before && rest(hold).lasts(now)) {
            Some(hold) => format!("{name} goes on: {before} rests, {}", why(hold.kind)),
            None if name == self.chosen.agent.spec() => format!("{name} goes on again"),
            None => format!("{name} goes on after {failures} failures of {before}"),
        };
        self.warn(None, told).await?;
        Ok(true)
    }

    fn build(&self, name: &str) -> Result<(AgentOptions, Arc<dyn Harness>), Fault> {
        if name == self.chosen.agent.spec() {
            return Ok((self.chosen.agent.clone(), self.chosen.harness.clone()));
        }
        let config = self.project.config();
        let options = AgentOptions::named(&config, name);
        let built = harness::build(self.project.host(), &config, &self.project.layout().root, &options)?;
        harness::refuse_root(built.as_ref(), self.automation(), self.guard.confinement())?;
        Ok((options, built))
    }

    /// Says before anything starts who is named to take over and could not.
    pub(super) async fn tell_missing(&mut self) -> Result<(), Fault> {
        let rules = self.options.outages.clone();
        for known in rules.fallback.iter().chain(&rules.escalation).filter_map(|name| known_by(name)) {
            look_further(self.project.host(), known.programs).await;
        }
        for name in rules.fallback.iter().chain(&rules.escalation) {
            if let Err(fault) = self.build(name) {
                self.warn(None, format!("{name} cannot take over: {}", report::fault(&fault))).await?;
            }
        }
        Ok(())
    }

    /// A named agent that could not be started for a reason that no attempt at any work would change rests until a
    /// person has seen to it, and the iteration counts for nothing. A command of one's own fails, as any program would.
    pub(super) fn rest_unstarted(&mut self, iteration: &mut Iteration, fault: &Fault) {
        let lasting = matches!(fault.code, ErrorCode::AgentMissing | ErrorCode::AgentRoot);
        if lasting && self.options.agent.command.is_none() {
            self.cannot_start(&self.options.agent.spec(), fault);
            iteration.outcome = Some(Outcome::Interrupted);
        }
    }

    fn cannot_start(&mut self, name: &str, fault: &Fault) {
        self.run.holds.retain(|hold| hold.agent != name);
        self.run.holds.push(Hold {
            agent: name.to_owned(),
            kind: ProblemKind::Other,
            code: Some(fault.code),
            message: report::fault(fault),
            since: self.project.host().timestamp(),
            until: None,
            tries: 0,
        });
    }

    /// Waits for an agent. The clock of the wall decides, so that sleep and restarts do not matter. A person's pause
    /// stays a pause; a person's resume tries at once.
    async fn wait_for(&mut self, name: &str, until: u64) -> Result<Next, Fault> {
        if let Some(place) = self.run.holds.iter().position(|hold| hold.agent == name) {
            let first = self.run.holds.remove(place);
            self.run.holds.insert(0, first);
        }
        let message = self.resting_words(until);
        self.run.message = Some(message.clone());
        self.run.code = self.run.holds.first().and_then(|hold| hold.code);
        self.set_status(RunStatus::Waiting, Some(WaitReason::Limit), message).await?;
        let stop = self.steering.stop().clone();
        loop {
            let left = until.saturating_sub(unix_millis(self.project.host()));
            if left == 0 {
                break;
            }
            let wish = tokio::select! {
                wish = self.steering.next() => wish,
                () = stop.wait_for_stop_after_iteration() => return Ok(Next::End(ExitReason::Interrupted.into())),
                () = tokio::time::sleep(LOOK.min(Duration::from_millis(left))) => continue,
            };
            match wish {
                Wish::Asked(ControlKind::Resume) => {
                    self.try_everyone();
                    break;
                }
                Wish::Asked(ControlKind::Pause | ControlKind::PauseAfterIteration) => {
                    (self.run.message, self.run.code) = (None, None);
                    let ending = self.hold().await?;
                    return Ok(ending.map_or(Next::Later, Next::End));
                }
                wish => {
                    if let Some(ending) = self.heed(wish) {
                        return Ok(Next::End(ending));
                    }
                }
            }
        }
        (self.run.message, self.run.code) = (None, None);
        self.set_status(RunStatus::Running, None, format!("trying {name} again")).await?;
        Ok(Next::Later)
    }

    /// What a resumed run does about agents that rest: it waits for the rest of their time. Where it had stopped for
    /// them, and where only a person could help, they are tried: that is what resuming means.
    pub(super) fn rest_on(&mut self) {
        if self.run.reason == Some(ExitReason::AgentLimit) {
            return self.try_everyone();
        }
        let now = self.project.host().timestamp();
        for hold in self.run.holds.iter_mut().filter(|hold| hold.until.is_none()) {
            hold.until = Some(now.clone());
        }
    }

    /// Nobody has to rest any longer: a person says so.
    pub(super) fn try_everyone(&mut self) {
        let now = self.project.host().timestamp();
        for hold in &mut self.run.holds {
            hold.until = Some(now.clone());
        }
    }

    fn resting_words(&self, until: u64) -> String {
        let now = unix_millis(self.project.host());
        let resting = self
            .run
            .holds
            .first()
            .map_or_else(String::new, |hold| format!("{} rests, {}; ", hold.agent, why(hold.kind)));
        format!("{resting}waiting {} until {}", elapsed(until.saturating_sub(now)), minute(until))
    }

    /// How a run ends that does not wait.
    async fn stop_for(&self, name: &str) -> Ending {
        let Some(hold) = self.run.holds.iter().find(|hold| hold.agent == name) else {
            return ExitReason::Error.into();
        };
        if let (Some(until), true) = (hold.until.as_deref().and_then(millis), is_limit(hold.kind)) {
            let message = format!(
                "{name} cannot go on, {}: {}. It can be tried again from {} on.",
                why(hold.kind),
                hold.message.trim_end_matches('.'),
                minute(until)
            );
            return Ending { code: hold.code, message: Some(message), ..ExitReason::AgentLimit.into() };
        }
        self.unable(hold).await.into()
    }

    /// What a person has to see to. A program that does not know an option may be too old.
    async fn unable(&self, hold: &Hold) -> Fault {
        let name = hold.agent.split('/').next().unwrap_or_default();
        let outdated = match hold.kind {
            ProblemKind::BadOption => {
                agent_of_machine::outdated(self.project.host(), &self.project.config(), name).await
            }
            _ => None,
        };
        let fault = outdated.unwrap_or_else(|| {
            let told = hold.message.trim_end_matches('.');
            let message = format!("{} cannot go on, {}: {told}", hold.agent, why(hold.kind));
            let told = advice::fault(name, &AgentProblem { kind: hold.kind, message, status: None });
            Fault { code: hold.code.unwrap_or(told.code), ..told }
        });
        let hint = format!("{} Then resume.", fault.hint.as_deref().unwrap_or_default());
        fault.hint(hint)
    }
}

/// What is known of an agent that settings name.
fn known_by(spec: &str) -> Option<KnownAgent> {
    known_agent(spec.split('/').next().unwrap_or_default())
}

/// A time to the minute, in UTC.
fn minute(millis: u64) -> String {
    let time = timestamp(millis);
    format!("{} UTC", time.get(..16).unwrap_or(&time).replace('T', " "))
}

fn rest(hold: &Hold) -> Rest<'_> {
    // A time that cannot be read must not keep an agent from working.
    let until = hold.until.as_deref().map(|until| millis(until).unwrap_or(0));
    Rest { agent: &hold.agent, kind: hold.kind, until }
}

/// The trouble that kept an agent from working and when it is over, told by structured data only.
fn trouble(played: &Performance) -> Option<(AgentProblem, Option<u64>)> {
    if let Some(waits) = &played.waits {
        return Some((waits.problem.clone(), Some(waits.until)));
    }
    let reading: &Reading = &played.reading;
    let failed = played.end != EndCause::Exited || played.exit_code != Some(0);
    let silent = reading.own_text.trim().is_empty();
    if let Some(limit) = reading.limit.as_ref().filter(|_| failed || silent || reading.error.is_some()) {
        let message = limit.message.clone();
        let problem = AgentProblem { kind: ProblemKind::UsageLimit, message, status: None };
        return Some((problem, limit.resets_at.as_deref().and_then(millis)));
    }
    match &reading.error {
        Some(problem) => is_trouble(problem.kind).then(|| (problem.clone(), None)),
        None => played.stuck.clone().filter(|_| failed).map(|problem| (problem, None)),
    }
}
