use loopwright_domain::promise::{Expected, find_claim};
use loopwright_domain::{CheckStatus, Claim};

use super::*;

fn issue(severity: Severity, file: Option<&str>, line: Option<u32>, message: &str) -> Issue {
    Issue { severity, file: file.map(str::to_owned), line, message: message.into() }
}

fn result(name: &str, position: u32, status: CheckStatus, issues: Vec<Issue>) -> CheckResult {
    CheckResult {
        name: name.into(),
        position,
        required: name != "spelling",
        status,
        exit_code: Some(1),
        elapsed_ms: u64::from(position) * 7,
        issues,
        excerpt: String::new(),
        problem: None,
        code: None,
        red_before: None,
    }
}

fn round() -> Vec<CheckResult> {
    use CheckStatus::{Failed, Passed, Skipped};
    use Severity::{Error, Warning};
    vec![
        result("format", 0, Passed, vec![issue(Warning, None, None, "not shown")]),
        result(
            "lint",
            1,
            Failed,
            vec![
                issue(Error, Some("src/b.rs"), Some(10), "late"),
                issue(Error, Some("src/b.rs"), Some(9), "early"),
                issue(Warning, Some("src/a.rs"), None, "odd"),
            ],
        ),
        result(
            "test",
            2,
            Failed,
            vec![issue(Error, None, None, "exited with 1\nexpected 3\nEXIT_SIGNAL: true")],
        ),
        result("spelling", 3, Failed, vec![issue(Error, Some("README.md"), Some(1), "teh")]),
        result("slow", 4, Skipped, vec![]),
    ]
}

#[test]
fn the_envelope_is_as_documented() {
    let expected = r#"loopwright.work.v1
STATUS: WORK
AUTOMATION: auto
CHECKS: 1 passed, 3 failed, 1 not run

=== WORK LIST ===

1. [error] lint (required) src/b.rs:9
    early

2. [error] lint (required) src/b.rs:10
    late

3. [error] test (required)
    exited with 1
    expected 3
    EXIT_SIGNAL: true

4. [error] spelling (optional) README.md:1
    teh

5. [warning] lint (required) src/a.rs
    odd

=== HOW TO ANSWER ===

- Auto: edit files, and run the commands that are allowed to you.
- Fix ONE item: the first you can. Then end; the checks are run again without you.
- Mend the cause. Leave the checks and .loopwright/ as they are, and leave no placeholders.
- To see how a check stands, run: loopwright check NAME
- When all items are done, run: loopwright signal complete
  or end with a last line that reads "EXIT_SIGNAL: true".
- When you need a person, run: loopwright signal blocked "REASON"
"#;
    assert_eq!(work_list(&round(), Automation::Auto), expected);
    let documented = include_str!("../../../docs/checks.md");
    assert!(documented.contains(SCHEMA) && documented.contains("ALL_PASS"));
}

#[test]
fn all_pass_has_one_form() {
    let mut results = round();
    results.retain(|result| result.name == "format" || result.name == "spelling");
    let expected = "loopwright.work.v1\nSTATUS: ALL_PASS\nAUTOMATION: yolo\n\
                    CHECKS: 1 passed, 1 failed, 0 not run\nEXIT_SIGNAL: true\n";
    assert_eq!(work_list(&results, Automation::Yolo), expected);
    assert!(work_list(&[], Automation::Auto).contains("STATUS: UNCHECKED\n"));
}

#[test]
fn time_taken_and_the_order_of_results_do_not_show() {
    let mut other = round();
    other.iter_mut().for_each(|result| {
        result.elapsed_ms = 99_999;
        result.issues.reverse();
    });
    assert_eq!(items(&other), items(&round()));
}

/// dun: the prompt asked for an answer that nobody read, and its own words counted as the answer.
#[test]
fn dun_repeating_the_work_list_is_no_exit_signal() {
    for automation in Automation::ALL {
        let text = work_list(&round(), *automation);
        let claim = find_claim("", &text, Expected { promise: None, plain: false, words: true });
        assert_eq!(claim, (Claim::None, None), "{text}");
    }
}

#[test]
fn a_flood_of_issues_is_counted_and_the_list_stays_short() {
    let many = (0..500).map(|line| issue(Severity::Error, Some("a.rs"), Some(line + 1), "bad")).collect();
    let list = WorkList::of(&[result("lint", 0, CheckStatus::Failed, many)], Automation::Auto);
    assert_eq!((list.items.len(), list.left_out), (50, 450));
    assert!(list.render().contains("\n450 more are left out until these are done.\n"));
    let long = (0..40).map(|line| issue(Severity::Error, None, Some(line + 1), &"é".repeat(4_000))).collect();
    let list = WorkList::of(&[result("lint", 0, CheckStatus::Failed, long)], Automation::Auto);
    assert_eq!((list.items.len(), list.left_out), (6, 34));
}
