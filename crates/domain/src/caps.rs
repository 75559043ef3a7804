//! The caps of a run: time, money, tokens, iterations. What was used only ever grows, over pauses, recoveries and
//! resumes, so each cap is neared once and reached once.

use crate::run::{ExitReason, Limits, Progress};
use crate::usage::Usage;

/// Fewer iterations than these are counted without a warning.
const FEW_ITERATIONS: u32 = 10;

/// The caps of which four fifths were used up between two points of a run, and that are not reached yet: each is told
/// once.
#[must_use]
pub fn neared(before: &Progress, after: &Progress, limits: &Limits) -> Vec<ExitReason> {
    let shares = |progress: &Progress| {
        [
            (u64::from(progress.iteration), iterations(limits), ExitReason::MaxIterations),
            (progress.worked_ms, limits.max_runtime_ms, ExitReason::Time),
            (progress.usage.cost_micros.unwrap_or(0), limits.max_cost_micros, ExitReason::Money),
            (progress.usage.tokens(), limits.max_tokens, ExitReason::Tokens),
        ]
    };
    let pairs = shares(before).into_iter().zip(shares(after));
    let crossed = |((before, cap, reason), (after, ..)): ((u64, Option<u64>, ExitReason), (u64, _, _))| {
        let cap = cap.filter(|cap| *cap > 0)?;
        let near = |value: u64| u128::from(value) * 5 >= u128::from(cap) * 4;
        (!near(before) && near(after) && after < cap).then_some(reason)
    };
    pairs.filter_map(crossed).collect()
}

fn iterations(limits: &Limits) -> Option<u64> {
    (limits.max_iterations >= FEW_ITERATIONS).then(|| u64::from(limits.max_iterations))
}

/// Whether the first tokens of a run came without their cost, so that its cap on money does not hold. Told once, as tokens
/// only ever grow.
#[must_use]
pub fn unpriced(before: &Progress, after: &Progress, limits: &Limits) -> bool {
    limits.max_cost_micros.is_some()
        && before.usage.tokens() == 0
        && after.usage.tokens() > 0
        && after.usage.cost_micros.is_none()
}

/// The cap that is reached by what was used, if one is: money before tokens.
#[must_use]
pub fn reached(usage: &Usage, limits: &Limits) -> Option<ExitReason> {
    let used = |value: u64, cap: Option<u64>| cap.is_some_and(|cap| value >= cap);
    if used(usage.cost_micros.unwrap_or(0), limits.max_cost_micros) {
        return Some(ExitReason::Money);
    }
    used(usage.tokens(), limits.max_tokens).then_some(ExitReason::Tokens)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(iteration: u32, worked_ms: u64, cost: u64, tokens: u64) -> Progress {
        let usage = Usage { input: tokens, cost_micros: Some(cost), ..Usage::default() };
        Progress { iteration, worked_ms, usage, ..Progress::default() }
    }

    #[test]
    fn tokens_without_a_cost_are_told_once_where_money_is_capped() {
        let used = |tokens, cost_micros| Progress {
            usage: Usage { input: tokens, cost_micros, ..Usage::default() },
            ..Progress::default()
        };
        let (none, some) = (used(0, None), used(10, None));
        assert!(unpriced(&none, &some, &limits()));
        assert!(!unpriced(&some, &used(20, None), &limits()), "once");
        assert!(!unpriced(&none, &used(10, Some(1)), &limits()), "the cost is known");
        assert!(!unpriced(&none, &some, &Limits { max_cost_micros: None, ..limits() }), "nothing is capped");
    }

    fn limits() -> Limits {
        Limits {
            max_iterations: 20,
            max_runtime_ms: Some(1000),
            max_cost_micros: Some(1000),
            max_tokens: Some(1000),
            ..Limits::default()
        }
    }

    #[test]
    fn four_fifths_are_told_once_and_the_end_is_not() {
        use ExitReason::{MaxIterations, Money, Time, Tokens};
        let start = at(0, 0, 0, 0);
        assert_eq!(neared(&start, &at(15, 799, 799, 799), &limits()), []);
        assert_eq!(neared(&start, &at(16, 800, 800, 800), &limits()), [MaxIterations, Time, Money, Tokens]);
        assert_eq!(neared(&at(16, 800, 800, 800), &at(19, 999, 999, 999), &limits()), []);
        assert_eq!(neared(&start, &at(20, 1000, 1000, 1000), &limits()), [], "the end says it itself");
        let few = Limits { max_iterations: 5, max_cost_micros: None, ..limits() };
        assert_eq!(neared(&start, &at(4, 0, 900, 0), &few), []);
    }

    #[test]
    fn money_and_tokens_are_looked_at_while_an_agent_works() {
        let used = |cost, tokens| reached(&at(0, 0, cost, tokens).usage, &limits());
        assert_eq!(used(999, 999), None);
        assert_eq!(used(1000, 1000), Some(ExitReason::Money));
        assert_eq!(used(0, 1000), Some(ExitReason::Tokens));
        assert_eq!(reached(&Usage::default(), &limits()), None);
    }

    proptest! {
        #[test]
        fn each_cap_is_told_at_most_once_however_a_run_goes(steps in proptest::collection::vec(0..400_u64, 1..20)) {
            let mut told = 0;
            let mut used = 0;
            for step in steps {
                let before = at(0, 0, used, 0);
                used += step;
                told += neared(&before, &at(0, 0, used, 0), &limits()).len();
            }
            prop_assert!(told <= 1);
        }
    }
}
