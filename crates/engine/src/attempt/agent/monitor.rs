//! Keeps an eye on an agent while it works: what it costs, and whether it waits for its service longer than a run waits
//! better itself.

use jiff::Timestamp;
use loopwright_agents::ParsedOutput;
use loopwright_domain::limit::{LONGEST_INSIDE, is_trouble};
use loopwright_domain::{AgentEvent, AgentProblem, Prices, ProblemKind, Usage};
use tokio::sync::watch;

/// An agent that is refused and tries again for this time is ended: no try of its own changes that.
const RETRIES_IN_VAIN: u32 = 3;

/// An agent that waits for its service, and is ended for that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServiceWait {
    pub(crate) problem: AgentProblem,
    /// Until when, in milliseconds since 1970.
    pub(crate) until: u64,
}

/// What is known about the agent's costs before it starts.
pub(crate) struct UsageAccount {
    pub(crate) prices: Prices,
    /// The model that was asked for.
    pub(crate) model: Option<String>,
    /// The clock.
    pub(crate) now: fn() -> Timestamp,
}

/// Looks at every event before anybody else does.
pub(crate) struct AgentMonitor {
    account: UsageAccount,
    alarm: watch::Sender<Option<ServiceWait>>,
    /// The trouble it has told of and not overcome yet.
    stuck: Option<AgentProblem>,
}

impl AgentMonitor {
    /// A lookout, and where its alarm is seen.
    pub(crate) fn new(account: UsageAccount) -> (Self, watch::Receiver<Option<ServiceWait>>) {
        let (alarm, seen) = watch::channel(None);
        (Self { account, alarm, stuck: None }, seen)
    }

    /// Looks at an event, and completes what it says about money.
    pub(crate) fn see(&mut self, event: &mut AgentEvent) {
        match event {
            AgentEvent::Session { model: Some(model), .. } => self.account.model = Some(model.clone()),
            AgentEvent::Usage { usage } => *usage = self.completed(*usage),
            AgentEvent::Retry { wait_ms, problem, attempt, .. } => {
                self.stuck = Some(problem.clone()).filter(|problem| is_trouble(problem.kind));
                let in_vain = attempt.is_some_and(|attempt| attempt >= RETRIES_IN_VAIN);
                if in_vain && matches!(problem.kind, ProblemKind::Login | ProblemKind::Billing) {
                    self.raise(problem.clone(), self.now());
                    return;
                }
                let until = wait_ms.map(|wait| self.now().saturating_add(u64::from(wait)));
                self.waits(problem.clone(), until);
            }
            AgentEvent::Limit { limit } => {
                let message = limit.message.clone();
                let problem = AgentProblem { kind: ProblemKind::UsageLimit, message, status: None };
                self.stuck = Some(problem.clone());
                self.waits(problem, limit.resets_at.as_deref().and_then(millis));
            }
            AgentEvent::Message { .. } | AgentEvent::ToolCall { .. } | AgentEvent::ToolResult { .. } => {
                self.goes_on();
            }
            _ => {}
        }
    }

    /// Completes what all came to; the trouble that it did not overcome.
    pub(crate) fn finish(mut self, reading: &mut ParsedOutput) -> Option<AgentProblem> {
        self.account.model = reading.model.clone().or(self.account.model.take());
        reading.usage = self.completed(reading.usage);
        self.stuck
    }

    fn completed(&self, usage: Usage) -> Usage {
        self.account.prices.complete(usage, self.account.model.as_deref())
    }

    fn waits(&self, problem: AgentProblem, until: Option<u64>) {
        let long = |until: &u64| *until > self.now().saturating_add(LONGEST_INSIDE);
        if let Some(until) = until.filter(long).filter(|_| is_trouble(problem.kind)) {
            self.raise(problem, until);
        }
    }

    fn raise(&self, problem: AgentProblem, until: u64) {
        self.alarm.send_replace(Some(ServiceWait { problem, until }));
    }

    /// It works again: what it waited for is over.
    fn goes_on(&mut self) {
        self.stuck = None;
        self.alarm.send_if_modified(|alarm| alarm.take().is_some());
    }

    fn now(&self) -> u64 {
        u64::try_from((self.account.now)().as_millisecond()).unwrap_or(0)
    }
}

/// A time as RFC 3339 writes it, in milliseconds since 1970.
pub(crate) fn millis(time: &str) -> Option<u64> {
    u64::try_from(time.parse::<Timestamp>().ok()?.as_millisecond()).ok()
}

/// The same the other way round.
pub(crate) fn timestamp(millis: u64) -> String {
    let time = i64::try_from(millis).ok().and_then(|millis| Timestamp::from_millisecond(millis).ok());
    time.unwrap_or(Timestamp::MAX).to_string()
}

#[cfg(test)]
mod tests {
    use loopwright_domain::{Price, UsageLimit};

    use super::*;

    fn lookout() -> (AgentMonitor, watch::Receiver<Option<ServiceWait>>) {
        let mut prices = Prices::default();
        prices.add("tea", Price { input: 1_000_000, ..Price::default() });
        let now = || Timestamp::UNIX_EPOCH;
        AgentMonitor::new(UsageAccount { prices, model: None, now })
    }

    fn used(input: u64) -> AgentEvent {
        AgentEvent::Usage { usage: Usage { input, ..Usage::default() } }
    }

    fn retry(kind: ProblemKind, wait_ms: u32) -> AgentEvent {
        let problem = AgentProblem { kind, message: "busy".into(), status: None };
        AgentEvent::Retry { attempt: None, attempts: None, wait_ms: Some(wait_ms), problem }
    }

    #[test]
    fn money_is_estimated_as_it_is_used() {
        let (mut lookout, _alarm) = lookout();
        let mut unknown = used(59);
        lookout.see(&mut unknown);
        assert_eq!(unknown, used(59), "no model, no price");
        lookout.see(&mut AgentEvent::Session { id: None, model: Some("tea-1".into()) });
        let mut known = used(59);
        lookout.see(&mut known);
        let AgentEvent::Usage { usage } = known else { unreachable!() };
        assert_eq!((usage.cost_micros, usage.estimated), (Some(59), true));
        let mut reading =
            ParsedOutput { usage: Usage { input: 70, ..Usage::default() }, ..ParsedOutput::default() };
        assert_eq!(lookout.finish(&mut reading), None);
        assert_eq!(reading.usage.cost_micros, Some(70));
    }

    #[test]
    fn only_a_long_wait_for_the_service_raises_the_alarm_and_work_ends_it() {
        let (mut lookout, alarm) = lookout();
        lookout.see(&mut retry(ProblemKind::Overload, 60_000));
        lookout.see(&mut retry(ProblemKind::Other, 600_000));
        assert_eq!(*alarm.borrow(), None);
        lookout.see(&mut retry(ProblemKind::RateLimit, 60_001));
        assert!(matches!(&*alarm.borrow(), Some(waits) if waits.until == 60_001));
        lookout.see(&mut AgentEvent::Message { text: "done".into(), continues: false });
        assert_eq!(*alarm.borrow(), None);
        let limit = UsageLimit { message: "used up".into(), resets_at: Some("1970-01-01T01:00:00Z".into()) };
        lookout.see(&mut AgentEvent::Limit { limit });
        assert!(matches!(&*alarm.borrow(), Some(waits) if waits.until == 3_600_000));
        let stuck = lookout.finish(&mut ParsedOutput::default());
        assert_eq!(stuck.map(|problem| problem.kind), Some(ProblemKind::UsageLimit));
    }
}
