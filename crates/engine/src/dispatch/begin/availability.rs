//! Limits and outages: an agent that cannot work rests, another one goes on, or the run waits until one can.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use loopwright_agents::Harness;
use loopwright_domain::figures::elapsed;
use loopwright_domain::limit::{self, Choice, LimitResponse, Rest, Trouble, is_limit, why};
use loopwright_domain::{
    AgentProblem, ControlKind, ExitReason, Fault, Hold, ProblemKind, RunStatus, WaitReason,
};

use crate::agent::{self, KnownAgent, advice, known_agent, look_further};
use crate::attempt::agent::monitor::{millis, timestamp};
use crate::attempt::link::TroubleAnswer;
use crate::dispatch::dispatcher::{Dispatcher, RunEnd};
use crate::dispatch::steering::SteeringRequest;
use crate::dispatch::step::{StepResult, end, proceed};
use crate::ids::unix_millis;
use crate::launch::AgentOptions;
use crate::launch::{self, harness};
use crate::prepare::source::WorkItem;
use crate::report;

/// How often the clock is looked at while a run waits: a machine that slept, or whose clock was set, is noticed.
const LOOK: Duration = Duration::from_secs(1);

/// What is known before an agent is started.
pub(crate) enum AgentReadiness {
    /// It can start.
    Ready,
    /// Time has passed: work has to be asked for anew.
    Later,
}

impl Dispatcher<'_> {
    /// Takes what kept an agent from working, when that was neither its fault nor the work's: the agent rests. One that
    /// worked is well again.
    pub(crate) fn meet_trouble(
        &mut self,
        name: String,
        trouble: Option<(AgentProblem, Option<u64>)>,
    ) -> TroubleAnswer {
        let known = self.run.holds.iter().position(|hold| hold.agent == name);
        let Some((problem, resets_at)) = trouble else {
            self.run.holds.retain(|hold| hold.agent != name);
            return TroubleAnswer::Well;
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
        let hold = Hold {
            agent: name,
            kind: problem.kind,
            code: Some(advice::code(problem.kind)),
            message: problem.message,
            since: earlier.map_or_else(|| timestamp(now), |hold| hold.since),
            until: match answer {
                LimitResponse::Rest(until) => until.map(timestamp),
                LimitResponse::Fail => Some(timestamp(now)),
            },
            tries,
        };
        self.run.holds.push(hold);
        match answer {
            LimitResponse::Fail => TroubleAnswer::Fail,
            LimitResponse::Rest(_) => {
                // A person who let this iteration start let it be done.
                self.allowed = self.allowed.saturating_add(1);
                TroubleAnswer::Rest
            }
        }
    }

    /// Sees to it that somebody can work: the chosen agent, a stronger one after repeated failures, or one that takes
    /// over. Where nobody can, waits.
    pub(crate) async fn choose_agent(&mut self, work: &WorkItem) -> StepResult<AgentReadiness> {
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
                        return Ok(ControlFlow::Continue(AgentReadiness::Ready));
                    }
                }
                Choice::Wait(place, until) => return self.wait_for(agents[place], until).await,
                Choice::Stop(place) => return end(self.stop_for(agents[place]).await),
            }
        }
    }

    /// How often the same work has failed.
    async fn failures_at(&self, work: &WorkItem) -> Result<u32, Fault> {
        match work.task() {
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
        self.secrets = launch::secrets(self.project.host(), &self.config, taken.as_ref());
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
        let options = AgentOptions::named(&self.config, name);
        let built = harness::build(self.project.host(), &self.config, &self.project.layout().root, &options)?;
        harness::refuse_root(built.as_ref(), self.automation(), self.sandbox.state())?;
        Ok((options, built))
    }

    /// Says before the work begins that nothing keeps the agent to its project, where something should.
    pub(crate) async fn warn_if_unsandboxed(&mut self) -> Result<(), Fault> {
        match self.sandbox.warning() {
            Some(warning) => self.warn(None, warning).await,
            None => Ok(()),
        }
    }

    /// Says before anything starts who is named to take over and could not.
    pub(crate) async fn tell_missing(&mut self) -> Result<(), Fault> {
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

    /// An agent that cannot be started rests until a person has seen to it.
    pub(crate) fn cannot_start(&mut self, name: &str, fault: &Fault) {
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
    async fn wait_for(&mut self, name: &str, until: u64) -> StepResult<AgentReadiness> {
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
            let request = tokio::select! {
                request = self.steering.next() => request,
                () = stop.wait_for_stop_after_iteration() => return end(ExitReason::Interrupted),
                () = tokio::time::sleep(LOOK.min(Duration::from_millis(left))) => continue,
            };
            match request {
                SteeringRequest::Asked(ControlKind::Resume) => {
                    self.try_everyone();
                    break;
                }
                SteeringRequest::Asked(ControlKind::Pause | ControlKind::PauseAfterIteration) => {
                    (self.run.message, self.run.code) = (None, None);
                    proceed!(self.hold().await?);
                    return Ok(ControlFlow::Continue(AgentReadiness::Later));
                }
                request => proceed!(self.answer(request)),
            }
        }
        (self.run.message, self.run.code) = (None, None);
        self.set_status(RunStatus::Running, None, format!("trying {name} again")).await?;
        Ok(ControlFlow::Continue(AgentReadiness::Later))
    }

    /// What a resumed run does about agents that rest: it waits for the rest of their time. Where it had stopped for
    /// them, and where only a person could help, they are tried: that is what resuming means.
    pub(crate) fn rest_on(&mut self) {
        if self.run.reason == Some(ExitReason::AgentLimit) {
            return self.try_everyone();
        }
        let now = self.project.host().timestamp();
        for hold in self.run.holds.iter_mut().filter(|hold| hold.until.is_none()) {
            hold.until = Some(now.clone());
        }
    }

    /// Nobody has to rest any longer: a person says so.
    pub(crate) fn try_everyone(&mut self) {
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
    async fn stop_for(&self, name: &str) -> RunEnd {
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
            return RunEnd { code: hold.code, message: Some(message), ..ExitReason::AgentLimit.into() };
        }
        self.unable(hold).await.into()
    }

    /// What a person has to see to. A program that does not know an option may be too old.
    async fn unable(&self, hold: &Hold) -> Fault {
        let name = hold.agent.split('/').next().unwrap_or_default();
        let outdated = match hold.kind {
            ProblemKind::BadOption => agent::outdated(self.project.host(), &self.config, name).await,
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
