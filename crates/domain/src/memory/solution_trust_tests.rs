use proptest::prelude::*;

use super::*;

fn after(start: u8, steps: &[TrustReason]) -> u8 {
    steps.iter().fold(SolutionTrust::of_hundredths(start), |trust, step| step.apply(trust)).hundredths()
}

#[test]
fn the_seeds_figures_hold() {
    use TrustReason::{FailedAgain, Helped};
    for (start, steps, expected) in [
        (30, &[Helped][..], 45),
        (30, &[Helped, Helped], 60),
        (30, &[FailedAgain], 10),
        (10, &[FailedAgain], 0),
        (95, &[Helped], 100),
        (60, &[FailedAgain, Helped], 55),
        (60, &[FailedAgain, FailedAgain], 20),
    ] {
        assert_eq!(after(start, steps), expected, "{start} {steps:?}");
    }
    assert_eq!(SolutionTrust::of_hundredths(75).decayed(2).hundredths(), 65);
    assert_eq!(SolutionTrust::of_hundredths(75).decayed(u32::MAX).hundredths(), 0);
    assert_eq!(SolutionTrust::of_hundredths(75).to_string(), "0.75");
}

#[test]
fn states_follow_from_trust() {
    use SolutionState::{Retired, Sinking, Trial, Trusted};
    for (hundredths, retired, state) in [
        (30, false, Trial),
        (25, false, Trial),
        (24, false, Sinking),
        (10, false, Sinking),
        (59, false, Trial),
        (60, false, Trusted),
        (100, false, Trusted),
        (100, true, Retired),
    ] {
        assert_eq!(
            SolutionState::of(SolutionTrust::of_hundredths(hundredths), retired),
            state,
            "{hundredths}"
        );
    }
}

#[test]
fn only_an_attempt_after_a_failure_of_its_pattern_judges_a_solution() {
    use TrustReason::{FailedAgain, Helped};
    for (last, passed, failed_by, by_hand, expected) in [
        (Some("lint"), true, None, false, Some(Helped)),
        (Some("lint"), false, Some("lint"), false, Some(FailedAgain)),
        // Another failure than its own: it may have done its part.
        (Some("lint"), false, Some("panic"), false, None),
        // A first attempt credits nothing, and takes nothing.
        (None, true, None, false, None),
        (None, false, Some("lint"), false, None),
        // The task's last failure had another pattern.
        (Some("panic"), true, None, false, None),
        (Some("panic"), false, Some("lint"), false, None),
        // A person did it.
        (Some("lint"), true, None, true, None),
        (Some("lint"), false, None, false, None),
    ] {
        let attempt = AttemptVerdict { last_pattern: last, passed, failed_by, by_hand };
        assert_eq!(judge_solution("lint", &attempt), expected, "{attempt:?}");
    }
}

#[test]
fn a_pattern_whose_solutions_do_not_help_gets_no_more_trials() {
    for (helped, failed, expected) in [
        (0, 0, true),
        (0, 1, true),
        (0, 2, false),
        (1, 2, true),
        (1, 3, true),
        (1, 4, false),
        (u32::MAX, u32::MAX, false),
    ] {
        assert_eq!(may_try(helped, failed), expected, "{helped} {failed}");
    }
}

#[test]
fn a_trust_is_a_number_in_json() {
    let json = serde_json::to_string(&SolutionTrust::of_hundredths(75)).unwrap();
    assert_eq!(json, "0.75");
    for hundredths in 0..=100 {
        let trust = SolutionTrust::of_hundredths(hundredths);
        let json = serde_json::to_string(&trust).unwrap();
        assert_eq!(serde_json::from_str::<SolutionTrust>(&json).unwrap(), trust);
    }
    assert!(serde_json::from_str::<SolutionTrust>("1.5").is_err());
    assert!(serde_json::from_str::<SolutionTrust>("-0.1").is_err());
}

proptest! {
    #[test]
    fn trust_stays_within_bounds_and_moves_the_right_way(start in 0_u8..=100, steps in proptest::collection::vec(any::<(bool, u8)>(), 0..60)) {
        let mut trust = SolutionTrust::of_hundredths(start);
        for (credit, idle) in steps {
            let next = if credit { trust.credited() } else { trust.debited() };
            let moved_right = if credit { next >= trust } else { next <= trust };
            prop_assert!(moved_right);
            prop_assert!(next.decayed(u32::from(idle)) <= next);
            prop_assert!(next.hundredths() <= 100);
            trust = next;
        }
    }

    #[test]
    fn what_only_fails_is_in_no_prompt_any_more(credits in 0_usize..20) {
        let mut trust = SolutionTrust::START;
        for _ in 0..credits {
            trust = trust.credited();
        }
        for _ in 0..5 {
            trust = trust.debited();
        }
        prop_assert_eq!(SolutionState::of(trust, false), SolutionState::Sinking);
    }
}
