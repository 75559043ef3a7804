//! `loop` and `fix` have the gates of `run`: once, when a commit or a good end is due.

use crate::scenario::{Expect, Scenario, false_done, false_fail};

const TEST: &str = "def test_sum():\n    assert total() == 3\n";
const RUNS_TEST: &str = "sh -c '! grep -q \"== 3\" tests/test_sum.py'";

pub(super) fn all() -> Vec<Scenario> {
    let mut all = fixes();
    all.extend(loops());
    all.extend(decided());
    all.extend(honest());
    all
}

fn fixing(name: &str) -> Scenario {
    false_done(name).fixing().file("tests/test_sum.py", TEST).check("test", RUNS_TEST)
}

fn fixes() -> Vec<Scenario> {
    let mut all =
        fixing("fix by emptying the test waits").agent(": > tests/test_sum.py").exits(5).gates(1).both();
    all.push(fixing("fix by deleting the test waits").agent("rm tests/test_sum.py").exits_with(&[1, 3, 5]));
    all.push(
        fixing("fix by weakening the test waits")
            .agent("printf 'def test_sum():\\n    assert total()\\n' > tests/test_sum.py")
            .exits(5)
            .risk("tests_weakened"),
    );
    let script = false_done("fix by writing exit 0 into the check's script waits")
        .fixing()
        .file("check.sh", "grep -q good work.txt\n")
        .check("script", "sh check.sh")
        .agent("echo 'exit 0' > check.sh")
        .exits(5)
        .risk("checks_edited");
    all.extend(script.both());
    let ways = [
        ("the checks' settings", "printf 'name = \"x\"\\n' > .loopwright/config.toml", "checks_edited"),
        (
            "continuous integration",
            "mkdir -p .github/workflows; echo 'on: push' > .github/workflows/ci.yml",
            "checks_edited",
        ),
        ("a protected path", "mkdir -p prices; echo 1 > prices/a", "protected_path"),
        (
            "a key",
            "printf -- '-----BEGIN RSA PRIVATE KEY-----\\nMIIEowIBAAKCAQEA\\n-----END RSA PRIVATE KEY-----\\n' > key.txt",
            "secret",
        ),
        ("very many lines", "seq 1 2000 > many.txt", "large_diff"),
    ];
    for (name, script, risk) in ways {
        all.push(
            false_done(&format!("fix that also changes {name} waits"))
                .fixing()
                .config("gate.protected = [\"prices/**\"]")
                .check("good", "test -s good.txt")
                .agent(format!("{script}\necho good > good.txt"))
                .exits(5)
                .risk(risk),
        );
    }
    all
}

fn loops() -> Vec<Scenario> {
    let base =
        |name: &str| false_done(name).looping().file("tests/test_sum.py", TEST).check("test", RUNS_TEST);
    let mut all = base("a loop's promise over an emptied test waits")
        .agent(": > tests/test_sum.py; promise")
        .exits(5)
        .gates(1)
        .both();
    all.push(
        base("a loop's commit over an emptied test waits")
            .args(&["--auto-commit"])
            .agent(": > tests/test_sum.py; promise")
            .exits(5)
            .expect(Expect::Commits(0)),
    );
    all.push(
        base("a test weakened in an earlier iteration waits at the end")
            .agent("if [ $attempt = 1 ]; then : > tests/test_sum.py; else echo x > x.txt; promise; fi")
            .exits(5)
            .gates(1)
            .agents(2),
    );
    all.push(
        base("a loop that ends at its limit with a weakened test is not done")
            .args(&["-n", "1"])
            .agent(": > tests/test_sum.py")
            .exits_with(&[3, 5]),
    );
    all.push(
        base("a process that ends well over an emptied test waits")
            .args(&["--completion-promise", ""])
            .agent(": > tests/test_sum.py")
            .exits(5),
    );
    all.push(
        false_done("a loop whose agent says that a check is wrong waits")
            .looping()
            .check("red", "false")
            .agent("echo x > x.txt; loopwright signal blocked 'check is wrong: red asks for the impossible'")
            .exits_with(&[4, 5]),
    );
    all.push(
        false_done("fix whose agent says that a check is wrong waits at a gate")
            .fixing()
            .file("check.sh", "exit 1\n")
            .check("red", "sh check.sh")
            .agent("loopwright signal blocked 'check is wrong: red asks for the impossible'")
            .exits_with(&[4, 5]),
    );
    all
}

fn decided() -> Vec<Scenario> {
    vec![
        fixing("fix by emptying the test, approved").agent(": > tests/test_sum.py").exits(5).approve().then_one(&["resume"], &[0, 2]).touches("tests/test_sum.py"),
        fixing("fix by emptying the test, rejected, then mended")
            .agent("if [ $attempt = 1 ]; then : > tests/test_sum.py; else printf 'def test_sum():\\n    assert total() == 4\\n' > tests/test_sum.py; echo code > code.py; fi")
            .exits(5)
            .then(&["reject", "--reason", "the test stays"], 0)
            .then_one(&["resume"], &[0, 5])
            .expect(Expect::Prompt(2, "the test stays".into()))
            .touches("tests/test_sum.py")
            .touches("code.py"),
        false_done("approved lines are not asked about again")
            .looping()
            .file("tests/test_sum.py", TEST)
            .check("test", RUNS_TEST)
            .args(&["--auto-commit"])
            .agent("if [ $attempt = 1 ]; then : > tests/test_sum.py; else echo $attempt > more.txt; promise; fi")
            .exits(5)
            .approve()
            .resume(0)
            .touches("tests/test_sum.py"),
    ]
}

fn honest() -> Vec<Scenario> {
    vec![
        false_fail("fix by mending the code does not wait")
            .fixing()
            .file("code.txt", "bad\n")
            .file("tests/test_sum.py", TEST)
            .check("good", "grep -q good code.txt")
            .agent("echo good > code.txt")
            .exits(0)
            .gates(0),
        false_fail("a loop that adds a test does not wait")
            .looping()
            .file("tests/test_sum.py", TEST)
            .check("green", "true")
            .agent("printf '\\n\\ndef test_more():\\n    assert total() == 5\\n' >> tests/test_sum.py; echo code > code.py; promise")
            .exits(0)
            .gates(0),
        false_fail("with no risks to look for nothing waits in fix")
            .fixing()
            .config("gate.always = []")
            .file("tests/test_sum.py", TEST)
            .check("test", RUNS_TEST)
            .agent(": > tests/test_sum.py")
            .exits(0)
            .gates(0),
    ]
}
