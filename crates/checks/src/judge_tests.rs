use std::collections::BTreeMap;

use loopwright_config::check::CheckWork;
use loopwright_domain::Verdict;

use super::*;

fn command(parser: Parser) -> CheckCommand {
    CheckCommand {
        text: "lint".into(),
        argv: vec!["lint".into()],
        dir: ".".into(),
        env: BTreeMap::new(),
        success: vec![0],
        warn: vec![5],
        parser,
    }
}

fn judged(parser: Parser, cause: Cause, exit: Exit, stdout: &str, stderr: &str) -> CheckResult {
    let command = command(parser);
    let check = Check {
        name: "lint".into(),
        position: 0,
        required: true,
        enabled: true,
        edits: true,
        order: 0,
        timeout: Duration::from_secs(90),
        work: CheckWork::Command(Box::new(command.clone())),
    };
    let execution = Execution {
        cause,
        exit,
        stdout: stdout.into(),
        stderr: stderr.into(),
        elapsed: Duration::from_millis(12),
        trouble: None,
    };
    judge(&check, &command, &execution, Places { root: Path::new("/p"), temporary: Path::new("") })
}

fn messages(result: &CheckResult) -> Vec<(Severity, &str)> {
    result.issues.iter().map(|issue| (issue.severity, issue.message.as_str())).collect()
}

#[test]
fn the_exit_code_decides() {
    let cases = [
        (Cause::Ended, Exit::Code(0), CheckStatus::Passed),
        (Cause::Ended, Exit::Code(5), CheckStatus::Passed),
        (Cause::Ended, Exit::Code(1), CheckStatus::Failed),
        (Cause::Ended, Exit::Signal(11), CheckStatus::Failed),
        (Cause::TimedOut, Exit::Signal(9), CheckStatus::TimedOut),
        (Cause::Stopped, Exit::Code(0), CheckStatus::Stopped),
    ];
    for (cause, exit, status) in cases {
        assert_eq!(judged(Parser::Text, cause, exit, "", "").status, status, "{exit}");
    }
}

/// DIAL kept stderr only, and lost what tests print on stdout.
#[test]
fn dial_22_the_failure_text_holds_stdout_and_stderr() {
    let result = judged(Parser::Text, Cause::Ended, Exit::Code(1), "1 test failed\n", "make: error\n");
    let expected = "exited with 1\nstdout:\n1 test failed\nstderr:\nmake: error";
    assert_eq!(messages(&result), [(Severity::Error, expected)]);
    assert_eq!(result.excerpt, "stdout:\n1 test failed\nstderr:\nmake: error");
    let flood = "x\n".repeat(100_000);
    let result = judged(Parser::Text, Cause::Ended, Exit::Code(1), &format!("{flood}last out"), "the reason");
    assert!(result.excerpt.contains("last out") && result.excerpt.ends_with("the reason"));
    assert!(result.excerpt.chars().count() < EXCERPT + 20);
}

#[test]
fn a_failed_check_always_says_something() {
    let result = judged(Parser::Lines, Cause::Ended, Exit::Signal(6), "", "");
    assert_eq!(messages(&result), [(Severity::Error, "was ended by signal 6")]);
    let late = judged(Parser::Lines, Cause::TimedOut, Exit::Signal(15), "half a line", "");
    assert_eq!(late.problem.as_deref(), Some("it did not end within 1m 30s and was stopped"));
    assert_eq!(
        messages(&late),
        [
            (Severity::Error, "did not end within 1m 30s and was stopped\nhalf a line"),
            (Severity::Error, "half a line")
        ]
    );
    let json = judged(Parser::Json(Default::default()), Cause::Ended, Exit::Code(2), "oops", "");
    assert!(json.problem.is_some_and(|problem| problem.contains("JSON")));
    assert_eq!(json.issues[0].message, "exited with 2\noops");
}

#[test]
fn what_a_passing_check_says_is_at_most_a_warning() {
    let text = r#"[{"message":"hm","severity":"error"},{"message":"so","severity":"info"}]"#;
    let passed = judged(Parser::Json(Default::default()), Cause::Ended, Exit::Code(0), text, "");
    assert_eq!(messages(&passed), [(Severity::Warning, "hm"), (Severity::Info, "so")]);
    assert_eq!(messages(&judged(Parser::Lines, Cause::Ended, Exit::Code(0), "all fine", "")), []);
    let warned = judged(Parser::Text, Cause::Ended, Exit::Code(5), "old tool", "");
    assert_eq!(
        (warned.passed(), messages(&warned)),
        (true, vec![(Severity::Warning, "exited with 5\nold tool")])
    );
    assert_eq!(Verdict::of(&[warned]), Verdict::Passed);
}

#[test]
fn issues_are_in_order_once_each_and_from_the_project_folder() {
    let printed = "/p/src/b.rs:2: two\nsrc/b.rs:2: two\nsrc/b.rs:10: ten\nsrc/a.rs:99: warning: last\n/p/src/a.rs:3: one at /p/src/c.rs\n";
    let result = judged(Parser::Lines, Cause::Ended, Exit::Code(1), printed, "");
    let places: Vec<_> =
        result.issues.iter().map(|issue| (issue.file.as_deref().unwrap(), issue.line.unwrap())).collect();
    assert_eq!(places, [("src/a.rs", 3), ("src/b.rs", 2), ("src/b.rs", 10), ("src/a.rs", 99)]);
    assert_eq!(result.issues[0].message, "one at src/c.rs");
}
