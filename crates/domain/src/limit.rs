//! Limits and outages: what a run does when an agent's account is used up or its model's service is down, and who works
//! meanwhile. Pure functions over plain data; times are milliseconds since 1970.

use serde::{Deserialize, Serialize};

use crate::agent_event::ProblemKind;
use crate::agent_facts::OnLimit;

/// The first wait at an outage; it doubles with every try in vain.
const FIRST_OUTAGE: u64 = 10_000;
/// The first wait at a limit whose end is not known and that may be over in a moment.
const FIRST_LIMIT: u64 = 30_000;
/// After so many tries in vain an outage is a failure like any other, so that no run tries for ever.
pub const OUTAGE_TRIES: u32 = 20;
/// No wait of a growing row is longer, where the settings name no longest.
const LONGEST_BACKOFF: u64 = 6 * 60 * 60 * 1000;
/// No limit lasts longer than that: a later time is taken for a mistake.
const LONGEST: u64 = 40 * 24 * 60 * 60 * 1000;
/// A wait inside an agent that is longer than this is ended: the run waits itself, costs nothing and survives a restart.
pub const LONGEST_INSIDE: u64 = 60_000;

/// What a run does about limits and outages, and who takes over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(default)]
pub struct OutageRules {
    /// What to do at a limit.
    pub on_limit: OnLimit,
    /// Who takes over at a limit or an outage, in this order.
    pub fallback: Vec<String>,
    /// Who takes over after repeated failures, from weaker to stronger.
    pub escalation: Vec<String>,
    /// After how many failures of the same work the next stronger agent is taken; 0 is never.
    pub escalate_after: u32,
    /// How long to wait beyond the end of a limit, in milliseconds.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub margin_ms: u64,
    /// How often to look again at a limit whose end is not known.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub recheck_ms: u64,
    /// How long at most to wait before an outage is looked at again.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub max_wait_ms: u64,
}

impl Default for OutageRules {
    fn default() -> Self {
        Self {
            on_limit: OnLimit::Wait,
            fallback: Vec::new(),
            escalation: Vec::new(),
            escalate_after: 2,
            margin_ms: 60_000,
            recheck_ms: 15 * 60_000,
            max_wait_ms: 10 * 60_000,
        }
    }
}

/// Trouble that stopped an agent and is not its work's fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// What sort of trouble.
    pub kind: ProblemKind,
    /// When it is over, where the agent says so.
    pub resets_at: Option<u64>,
}

/// What to do about trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitResponse {
    /// It is a failure like any other.
    Fail,
    /// The agent rests until then, and nothing counts as a failure; none is until a person has seen to it.
    Rest(Option<u64>),
}

/// An agent that rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest<'a> {
    /// Who.
    pub agent: &'a str,
    /// Why.
    pub kind: ProblemKind,
    /// Until when; none is until a person has seen to it.
    pub until: Option<u64>,
}

impl Rest<'_> {
    /// Whether it still rests.
    #[must_use]
    pub fn lasts(&self, now: u64) -> bool {
        self.until.is_none_or(|until| until > now)
    }
}

/// Who works next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The agent at this place.
    Work(usize),
    /// Nobody before this time; the agent at this place is the first to be tried again.
    Wait(usize, u64),
    /// Nobody: the run stops because of the agent at this place.
    Stop(usize),
}

/// Whether this is the account's, the service's or the set-up's trouble, and not the work's.
#[must_use]
pub const fn is_trouble(kind: ProblemKind) -> bool {
    is_limit(kind) || is_outage(kind) || needs_person(kind)
}

/// Whether only a person can help: the account, or how the agent is set up. No attempt at any work would go better.
#[must_use]
pub const fn needs_person(kind: ProblemKind) -> bool {
    matches!(
        kind,
        ProblemKind::Billing
            | ProblemKind::Login
            | ProblemKind::BadOption
            | ProblemKind::Root
            | ProblemKind::UntrustedFolder
    )
}

/// Whether only time lifts it.
#[must_use]
pub const fn is_limit(kind: ProblemKind) -> bool {
    matches!(kind, ProblemKind::UsageLimit | ProblemKind::RateLimit)
}

/// Whether the model's service cannot be had.
#[must_use]
pub const fn is_outage(kind: ProblemKind) -> bool {
    matches!(kind, ProblemKind::Overload | ProblemKind::Connection)
}

/// Why an agent rests, as the end of a sentence about it.
#[must_use]
pub const fn why(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::UsageLimit => "its account is used up for now",
        ProblemKind::RateLimit => "its account has too many requests for now",
        ProblemKind::Overload => "its service is overloaded",
        ProblemKind::Connection => "its service does not answer",
        ProblemKind::Billing => "its account has no money left",
        ProblemKind::Login => "it is not logged in, or its key is refused",
        ProblemKind::BadOption => "it does not know an option it is given",
        ProblemKind::Root => "it refuses to work as root",
        ProblemKind::UntrustedFolder => "it does not trust this folder",
        _ => "it cannot be started",
    }
}

/// What to do about trouble that was met for the first time, or again after so many `tries` in vain. `seed` spreads the
/// waits of different runs; the same run always waits the same.
#[must_use]
pub fn answer(trouble: Trouble, tries: u32, now: u64, rules: &OutageRules, seed: u64) -> LimitResponse {
    let outage = is_outage(trouble.kind);
    if !is_trouble(trouble.kind) || (outage && tries >= OUTAGE_TRIES) {
        return LimitResponse::Fail;
    }
    if !outage && !is_limit(trouble.kind) {
        return LimitResponse::Rest(None);
    }
    if trouble.kind == ProblemKind::UsageLimit && trouble.resets_at.is_none() && rules.recheck_ms == 0 {
        return LimitResponse::Rest(None);
    }
    let margin = if outage { 0 } else { rules.margin_ms };
    let sane = |at: &u64| *at <= now.saturating_add(LONGEST);
    let known = trouble.resets_at.filter(sane).map(|at| at.saturating_add(margin)).filter(|at| *at > now);
    LimitResponse::Rest(Some(known.unwrap_or_else(|| {
        now.saturating_add(match trouble.kind {
            ProblemKind::UsageLimit if trouble.resets_at.is_none() => rules.recheck_ms,
            _ if outage => backoff(tries, FIRST_OUTAGE, rules.max_wait_ms, seed),
            _ => backoff(tries, FIRST_LIMIT, rules.recheck_ms, seed),
        })
    })))
}

/// How long to wait after so many tries in vain: twice as long each time, never longer than `longest` (where that is
/// none, than six hours), and up to a fifth less, so that not all runs come back at once.
#[must_use]
pub fn backoff(tries: u32, first: u64, longest: u64, seed: u64) -> u64 {
    let factor = 1_u64.checked_shl(tries).unwrap_or(u64::MAX);
    let longest = if longest == 0 { LONGEST_BACKOFF } else { longest };
    let whole = first.saturating_mul(factor).min(longest).max(1);
    whole - spread(seed, tries) % (whole / 5 + 1)
}

/// A number that looks like chance and is always the same (SplitMix64).
fn spread(seed: u64, step: u32) -> u64 {
    let mut mixed = seed.wrapping_add((u64::from(step) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Who may work, the best first: the chosen agent, or a stronger one after repeated `failures` of the same work; then, at
/// a limit or an outage, those who take over. Each is named once.
#[must_use]
pub fn agents<'a>(chosen: &'a str, rules: &'a OutageRules, failures: u32) -> Vec<&'a str> {
    let mut agents = vec![escalated(chosen, rules, failures)];
    if rules.on_limit == OnLimit::Fallback {
        for agent in std::iter::once(chosen).chain(rules.fallback.iter().map(String::as_str)) {
            if !agents.contains(&agent) {
                agents.push(agent);
            }
        }
    }
    agents
}

/// Who works after so many failures of the same work. Where the chosen agent is on the list itself, the climb begins
/// behind it.
fn escalated<'a>(chosen: &'a str, rules: &'a OutageRules, failures: u32) -> &'a str {
    let from = rules.escalation.iter().position(|agent| agent == chosen).map_or(0, |place| place + 1);
    let stronger = rules.escalation.get(from..).unwrap_or_default();
    let level = failures.checked_div(rules.escalate_after).unwrap_or(0) as usize;
    match level.min(stronger.len()) {
        0 => chosen,
        level => stronger.get(level - 1).map_or(chosen, String::as_str),
    }
}

/// Who works next: the first agent that does not rest. Where all rest the run waits for the one that is back first,
/// unless it is to stop at limits or nobody comes back by itself.
#[must_use]
pub fn choose(agents: &[&str], rests: &[Rest<'_>], now: u64, on_limit: OnLimit) -> Choice {
    let resting = |agent: &str| rests.iter().find(|rest| rest.agent == agent && rest.lasts(now));
    let mut first: Option<(usize, u64)> = None;
    for (place, agent) in agents.iter().enumerate() {
        let Some(rest) = resting(agent) else { return Choice::Work(place) };
        if on_limit == OnLimit::Stop && is_limit(rest.kind) {
            return Choice::Stop(place);
        }
        if let Some(until) = rest.until.filter(|until| first.is_none_or(|(_, first)| *until < first)) {
            first = Some((place, until));
        }
    }
    first.map_or(Choice::Stop(0), |(place, until)| Choice::Wait(place, until))
}

#[cfg(test)]
#[path = "limit_tests.rs"]
mod tests;
