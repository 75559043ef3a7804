use proptest::prelude::*;

use super::*;
use ProblemKind::{
    BadOption, Billing, BudgetLimit, Connection, Login, Other, Output, Overload, Permission, RateLimit, Root,
    TurnLimit, UntrustedFolder, UsageLimit,
};

const NOW: u64 = 1_800_000_000_000;
const MINUTE: u64 = 60_000;

fn rules() -> OutageRules {
    OutageRules::default()
}

fn told(kind: ProblemKind, resets_at: Option<u64>, tries: u32) -> LimitResponse {
    answer(Trouble { kind, resets_at }, tries, NOW, &rules(), 7)
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn every_sort_of_trouble_has_its_answer() {
    for kind in [Permission, TurnLimit, BudgetLimit, Output, Other] {
        assert_eq!(told(kind, Some(NOW + MINUTE), 0), LimitResponse::Fail, "{kind}");
    }
    for kind in [Billing, Login, UntrustedFolder, Root, BadOption] {
        assert_eq!(
            told(kind, Some(NOW + MINUTE), 0),
            LimitResponse::Rest(None),
            "{kind}: only a person helps"
        );
    }
    for kind in [UsageLimit, RateLimit] {
        let known = told(kind, Some(NOW + 5 * MINUTE), 0);
        assert_eq!(known, LimitResponse::Rest(Some(NOW + 6 * MINUTE)), "{kind}: the reset and the margin");
    }
    assert_eq!(
        told(UsageLimit, None, 3),
        LimitResponse::Rest(Some(NOW + 15 * MINUTE)),
        "looked at every quarter"
    );
    let never = OutageRules { recheck_ms: 0, ..rules() };
    let unknown = Trouble { kind: UsageLimit, resets_at: None };
    assert_eq!(
        answer(unknown, 0, NOW, &never, 7),
        LimitResponse::Rest(None),
        "never looked at again unasked"
    );
    assert_eq!(told(Overload, Some(NOW + MINUTE), 0), LimitResponse::Rest(Some(NOW + MINUTE)), "no margin");
    for kind in [Overload, Connection] {
        assert!(matches!(told(kind, None, OUTAGE_TRIES - 1), LimitResponse::Rest(Some(_))), "{kind}");
        assert_eq!(told(kind, None, OUTAGE_TRIES), LimitResponse::Fail, "{kind}: no run tries for ever");
    }
}

#[test]
fn a_reset_that_is_over_or_nonsense_is_not_believed() {
    for resets_at in [0, NOW - 2 * MINUTE, NOW + 400 * 24 * 60 * MINUTE, u64::MAX] {
        for kind in [UsageLimit, RateLimit] {
            let LimitResponse::Rest(Some(until)) = told(kind, Some(resets_at), 0) else {
                unreachable!("{kind} {resets_at}")
            };
            assert!((NOW + 1..=NOW + 15 * MINUTE).contains(&until), "{kind} {resets_at}: {until}");
        }
    }
}

#[test]
fn waits_double_up_to_their_cap() {
    let waits: Vec<u64> = (0..9).map(|tries| backoff(tries, 10_000, 600_000, 1)).collect();
    let whole = [10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 600_000, 600_000, 600_000];
    for (wait, whole) in waits.iter().zip(whole) {
        assert!((whole * 4 / 5..=whole).contains(wait), "{waits:?}");
    }
    assert_ne!(waits, (0..9).map(|tries| backoff(tries, 10_000, 600_000, 2)).collect::<Vec<_>>());
}

#[test]
fn who_may_work() {
    let mut rules = rules();
    rules.fallback = names(&["codex", "claude", "gemini", "codex"]);
    rules.escalation = names(&["claude/sonnet", "claude/opus"]);
    let of = |rules: &OutageRules, chosen: &str, failures| {
        agents(chosen, rules, failures).into_iter().map(str::to_owned).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(of(&rules, "claude", 0), "claude", "fallback is asked for");
    rules.on_limit = OnLimit::Fallback;
    for (failures, expected) in [
        (0, "claude codex gemini"),
        (1, "claude codex gemini"),
        (2, "claude/sonnet claude codex gemini"),
        (4, "claude/opus claude codex gemini"),
        (99, "claude/opus claude codex gemini"),
    ] {
        assert_eq!(of(&rules, "claude", failures), expected, "{failures}");
    }
    assert_eq!(of(&rules, "claude/sonnet", 2), "claude/opus claude/sonnet codex claude gemini");
    assert_eq!(of(&rules, "claude/opus", 9), "claude/opus codex claude gemini", "nobody is stronger");
    rules.escalate_after = 0;
    assert_eq!(of(&rules, "claude", 9), "claude codex gemini");
}

#[test]
fn who_works_next() {
    let rest = |agent, kind, until| Rest { agent, kind, until };
    let both = ["claude", "codex"];
    let later = Some(NOW + MINUTE);
    let cases: [(&[Rest<'_>], OnLimit, Choice); 9] = [
        (&[], OnLimit::Wait, Choice::Work(0)),
        (&[rest("claude", UsageLimit, Some(NOW))], OnLimit::Wait, Choice::Work(0)),
        (&[rest("gemini", UsageLimit, later)], OnLimit::Wait, Choice::Work(0)),
        (&[rest("claude", UsageLimit, later)], OnLimit::Fallback, Choice::Work(1)),
        (&[rest("claude", Login, None)], OnLimit::Fallback, Choice::Work(1)),
        (
            &[rest("claude", UsageLimit, Some(NOW + 9)), rest("codex", Overload, Some(NOW + 5))],
            OnLimit::Fallback,
            Choice::Wait(1, NOW + 5),
        ),
        (
            &[rest("claude", Login, None), rest("codex", UsageLimit, later)],
            OnLimit::Fallback,
            Choice::Wait(1, NOW + MINUTE),
        ),
        (&[rest("claude", Login, None), rest("codex", Billing, None)], OnLimit::Fallback, Choice::Stop(0)),
        (&[rest("claude", RateLimit, later)], OnLimit::Stop, Choice::Stop(0)),
    ];
    for (index, (rests, on_limit, expected)) in cases.into_iter().enumerate() {
        assert_eq!(choose(&both, rests, NOW, on_limit), expected, "case {index}");
    }
    let outage = [rest("claude", Overload, later)];
    assert_eq!(
        choose(&["claude"], &outage, NOW, OnLimit::Stop),
        Choice::Wait(0, NOW + MINUTE),
        "an outage is waited out whatever is to be done at limits"
    );
}

fn kind() -> impl Strategy<Value = ProblemKind> {
    proptest::sample::select(ProblemKind::ALL)
}

fn on_limit() -> impl Strategy<Value = OnLimit> {
    proptest::sample::select(OnLimit::ALL)
}

proptest! {
    #[test]
    fn whoever_rests_rests_for_a_while_and_never_for_ever(
        kind in kind(),
        resets_at in proptest::option::of(any::<u64>()),
        tries in any::<u32>(),
        now in 0..=u64::MAX / 2,
        (margin_ms, recheck_ms, max_wait_ms) in (0..=3_600_000_u64, 0..=3_600_000_u64, 0..=3_600_000_u64),
        seed in any::<u64>(),
    ) {
        let rules = OutageRules { margin_ms, recheck_ms, max_wait_ms, ..OutageRules::default() };
        match answer(Trouble { kind, resets_at }, tries, now, &rules, seed) {
            LimitResponse::Fail => prop_assert!(!is_trouble(kind) || is_outage(kind)),
            LimitResponse::Rest(None) => prop_assert!(needs_person(kind) || kind == UsageLimit && recheck_ms == 0),
            LimitResponse::Rest(Some(until)) => {
                prop_assert!(until > now);
                prop_assert!(until <= now + LONGEST + margin_ms);
            }
        }
    }

    #[test]
    fn a_wait_never_passes_its_cap(tries in any::<u32>(), first in any::<u64>(), longest in any::<u64>(), seed in any::<u64>()) {
        let wait = backoff(tries, first, longest, seed);
        let cap = if longest == 0 { LONGEST_BACKOFF } else { longest };
        prop_assert!(wait >= 1 && wait <= cap);
        prop_assert_eq!(wait, backoff(tries, first, longest, seed));
    }

    #[test]
    fn nobody_works_who_rests_and_nobody_waits_who_need_not(
        rests in proptest::collection::vec((0..4_usize, kind(), proptest::option::of(0..200_u64)), 0..6),
        count in 1..4_usize,
        now in 0..200_u64,
        on_limit in on_limit(),
    ) {
        let all = ["a", "b", "c", "d"];
        let rests: Vec<Rest<'_>> =
            rests.into_iter().map(|(agent, kind, until)| Rest { agent: all[agent], kind, until }).collect();
        let agents = &all[..count];
        let rests_now = |agent: &str| rests.iter().any(|rest| rest.agent == agent && rest.lasts(now));
        match choose(agents, &rests, now, on_limit) {
            Choice::Work(place) => {
                prop_assert!(!rests_now(agents[place]));
                prop_assert!(agents[..place].iter().all(|agent| rests_now(agent)), "the first who can");
            }
            Choice::Wait(place, until) => {
                prop_assert!(until > now);
                prop_assert!(rests_now(agents[place]));
                prop_assert!(agents.iter().all(|agent| rests_now(agent)));
            }
            Choice::Stop(place) => prop_assert!(rests_now(agents[place])),
        }
    }
}
