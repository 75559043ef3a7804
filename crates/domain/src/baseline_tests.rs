use proptest::prelude::*;

use super::*;
use crate::check::Issue;

fn failing(name: &str, messages: &[&str]) -> CheckResult {
    let issue = |message: &&str| Issue {
        severity: Severity::Error,
        file: Some("src/a.rs".into()),
        line: Some(3),
        message: (*message).to_owned(),
    };
    CheckResult {
        name: name.into(),
        position: 0,
        required: true,
        status: CheckStatus::Failed,
        exit_code: Some(1),
        elapsed_ms: 1,
        issues: messages.iter().map(issue).collect(),
        excerpt: String::new(),
        problem: None,
        code: None,
        red_before: None,
    }
}

#[test]
fn the_same_failure_has_the_same_fingerprint_whatever_differs_from_run_to_run() {
    let cases = [
        ("failed in 0.12s", "failed in 13.4s"),
        ("at 12:03:04", "at 23:59:59"),
        ("2026-01-02T03:04:05Z boom", "2027-11-12T13:14:15Z boom"),
        ("a.rs:12:3: bad", "a.rs:99:41: bad"),
        ("object at 0x7f3a9c is bad", "object at 0xdeadbeef is bad"),
        ("/tmp/x1/a.rs is bad", "/var/tmp/y2/a.rs is bad"),
        (r"C:\one\a.rs is bad", r"D:\two\a.rs is bad"),
        ("commit 0123abc4 is bad", "commit 89fedcb7 is bad"),
        ("took 300ms", "took 2s"),
        ("1,024 of 2,048 bytes", "512 of 64 bytes"),
    ];
    for (one, other) in cases {
        assert_eq!(normalised(one), normalised(other), "{one} and {other}");
        assert_eq!(fingerprint(&failing("t", &[one])), fingerprint(&failing("t", &[other])));
    }
}

#[test]
fn other_failures_have_other_fingerprints() {
    let base = fingerprint(&failing("t", &["test_2 failed"]));
    assert!(base.is_some());
    for other in [
        failing("u", &["test_2 failed"]),
        failing("t", &["test_3 failed"]),
        failing("t", &["test_2 failed", "test_3 failed"]),
        failing("t", &[]),
        CheckResult { status: CheckStatus::TimedOut, ..failing("t", &["test_2 failed"]) },
    ] {
        assert_ne!(fingerprint(&other), base, "{other:?}");
    }
    assert_eq!(fingerprint(&CheckResult { status: CheckStatus::Passed, ..failing("t", &["x"]) }), None);
    assert_eq!(fingerprint(&CheckResult { status: CheckStatus::Skipped, ..failing("t", &["x"]) }), None);
}

fn baseline(results: &[CheckResult]) -> Baseline {
    let checks = results.iter().map(|result| BaselineCheck::of(result, false)).collect();
    Baseline { tree: None, checks }
}

#[test]
fn what_was_red_before_is_told_from_what_was_green_and_from_what_is_not_known() {
    let green = CheckResult { status: CheckStatus::Passed, ..failing("green", &[]) };
    let stopped = CheckResult { status: CheckStatus::Stopped, ..failing("stopped", &[]) };
    let before = baseline(&[failing("red", &["bad"]), green, stopped]);
    let mut now = ["red", "green", "stopped", "new"].map(|name| failing(name, &["bad"]));
    before.mark(&mut now);
    assert_eq!(now.map(|result| result.red_before), [Some(true), Some(false), None, None]);
    assert_eq!(before.red().map(|check| check.name.as_str()).collect::<Vec<_>>(), ["red"]);
}

#[test]
fn only_a_required_failure_that_was_there_before_is_still_red() {
    let before = baseline(&[failing("a", &["line 3: bad"]), failing("b", &["bad"])]);
    let names = |results: &[CheckResult]| -> Vec<String> {
        before.still_red(results).into_iter().map(|result| result.name.clone()).collect()
    };
    assert_eq!(names(&[failing("a", &["line 9: bad"]), failing("b", &["worse"])]), ["a"]);
    assert!(names(&[CheckResult { required: false, ..failing("a", &["line 3: bad"]) }]).is_empty());
    assert!(
        names(&[CheckResult { status: CheckStatus::Passed, ..failing("a", &["line 3: bad"]) }]).is_empty()
    );
    assert!(names(&[failing("c", &["line 3: bad"])]).is_empty());
}

#[test]
fn only_a_task_that_checks_blocked_holds_the_run() {
    use crate::iteration::FailureCause;
    use crate::settle::{BlockCause, Settlement};
    let before = baseline(&[failing("a", &["bad"])]);
    let results = [failing("a", &["bad"])];
    let cases = [
        (Settlement::Block(FailureCause::Checks, BlockCause::Attempts(3)), 1),
        (Settlement::Block(FailureCause::Checks, BlockCause::Chronic(10)), 1),
        (Settlement::Block(FailureCause::Blocked, BlockCause::Said), 0),
        (Settlement::Block(FailureCause::AgentExit, BlockCause::Attempts(3)), 0),
        (Settlement::Retry(FailureCause::Checks), 0),
        (Settlement::Done, 0),
        (Settlement::Again, 0),
    ];
    for (settlement, held) in cases {
        assert_eq!(settlement.held_by(&before, &results).len(), held, "{settlement:?}");
    }
    let block = Settlement::Block(FailureCause::Checks, BlockCause::Attempts(3));
    assert!(
        block.held_by(&before, &[failing("a", &["worse"])]).is_empty(),
        "another failure is the work's own"
    );
    assert!(block.held_by(&Baseline::default(), &results).is_empty());
}

proptest! {
    /// Numbers and lines never tell two failures apart, whatever stands around them.
    #[test]
    fn numbers_do_not_matter(words in proptest::collection::vec("[a-z]{1,8}", 0..6), one in any::<u32>(), other in any::<u32>()) {
        let text = |number: u32| {
            let mut text = words.join(" ");
            text.push_str(&format!(" {number} ({number}ms) x:{number}"));
            text
        };
        let (one, other) = (failing("t", &[&text(one)]), failing("t", &[&text(other)]));
        prop_assert_eq!(fingerprint(&one), fingerprint(&other));
    }

    /// Any text is taken without harm, and twice the same way.
    #[test]
    fn any_text_is_normalised_without_harm(text in "\\PC{0,80}") {
        let once = normalised(&text);
        prop_assert_eq!(normalised(&text), once.clone());
        prop_assert!(once.len() <= text.len().max(1) * 2);
    }
}
