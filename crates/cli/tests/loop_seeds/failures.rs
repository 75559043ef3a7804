//! What made attempts fail: read from what checks print, remembered, and shown.

use crate::common::json;
use crate::place::ProjectFolder;

/// A check that prints what a test run prints, and wants tea on the menu.
const CHECK: &str = "[[checks]]\nname = \"test\"\ncommand = \"sh check.sh\"\n";
const SCRIPT: &str = "grep -q Assam menu.txt && exit 0\n\
    echo 'tests/test_menu.py:7: AssertionError: no Assam'\necho 'make: *** [test] Error 1' >&2\nexit 1\n";

fn shop() -> ProjectFolder {
    let place = ProjectFolder::git(CHECK);
    place.sandbox.write("check.sh", SCRIPT);
    place.sandbox.git("", &["add", "."]);
    place.sandbox.git("", &["commit", "-qm", "check"]);
    place.trusted()
}

#[test]
fn a_failed_attempt_is_remembered_with_its_cause() {
    let place = shop();
    let agent = "test $LOOPWRIGHT_ATTEMPT = 1 || echo 'Assam 3.00' >> menu.txt\necho x >> notes.txt\n\
                 echo '<promise>COMPLETE</promise>'\n";
    let ended = place.start_loop(agent, &["-n", "3", "--json"]);
    assert_eq!(ended.stdout.matches("\"failure.recorded\"").count(), 1, "{}", ended.stdout);
    let failures = json(&place.run(&["failure", "list", "--json"]));
    assert_eq!(failures.as_array().map(Vec::len), Some(1));
    let failure = &failures[0];
    assert_eq!(
        (failure["pattern"].as_str(), failure["category"].as_str()),
        (Some("assertion_failed"), Some("test"))
    );
    assert_eq!((failure["check"].as_str(), failure["line"].as_u64()), (Some("test"), Some(7)));
    assert_eq!(failure["file"], "tests/test_menu.py");
    assert_eq!(json(&place.run(&["failure", "show", "1", "--json"])), *failure);
    assert!(place.run(&["failure", "show", "1"]).stdout.contains("AssertionError: no Assam"));
    let none = json(&place.run(&["failure", "list", "--pattern", "network", "--json"]));
    assert_eq!(none.as_array().map(Vec::len), Some(0));
    let shown = json(&place.run(&["pattern", "show", "assertion_failed", "--json"]));
    assert_eq!((shown["failures"].as_u64(), shown["examples"].as_array().map(Vec::len)), (Some(1), Some(1)));
}

#[test]
fn what_is_not_there_is_said() {
    let place = shop();
    assert_eq!(place.run(&["failure", "list"]).stdout, "No attempt has failed.\n");
    for (args, code) in [
        (&["failure", "show", "9", "--json"] as &[_], "failure.not_found"),
        (&["failure", "list", "--pattern", "tea", "--json"], "pattern.not_found"),
        (&["pattern", "show", "tea", "--json"], "pattern.not_found"),
    ] {
        let output = place.run(args);
        assert_eq!((output.code, json(&output)["error"]["code"].as_str()), (2, Some(code)), "{args:?}");
    }
}

#[test]
fn saved_outputs_are_classified_anywhere() {
    let place = ProjectFolder::plain("");
    place.sandbox.write(
        "one.log",
        "error[E0308]: mismatched types\n  --> src/till.rs:4:9\nerror: could not compile `till`\n",
    );
    place.sandbox.write("two.log", "all was well\n");
    let tested = json(&place.run(&["pattern", "test", "one.log", "two.log", "--json"]));
    assert_eq!(
        (tested[0]["pattern"].as_str(), tested[0]["line"].as_u64()),
        (Some("rust_compile_error"), Some(4))
    );
    assert_eq!(tested[0]["cause"], "error[E0308]: mismatched types");
    assert_eq!(
        (tested[1]["pattern"].as_str(), tested[1]["category"].as_str()),
        (Some("unknown"), Some("unknown"))
    );
    let output = place.run(&["pattern", "test", "one.log", "two.log"]);
    insta::assert_snapshot!("pattern_test", place.shown(&output));
    let listed = place.run(&["pattern", "list"]);
    insta::assert_snapshot!("pattern_list", place.shown(&listed));
    assert_ne!(place.run(&["pattern", "test", "none.log"]).code, 0);
}
