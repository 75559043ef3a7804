//! Nothing changed is not done by itself.

use crate::scenario::{Scenario, false_done, false_fail};

fn idle(name: &str) -> Scenario {
    false_done(name).file("a.txt", "a\n").check("green", "true").args(&["--max-attempts", "1"])
}

pub(super) fn all() -> Vec<Scenario> {
    let mut all = tasks();
    all.extend(loops());
    all.extend(fixes());
    all
}

fn tasks() -> Vec<Scenario> {
    let mut all = idle("a claim without a change and without reasons is a failed attempt")
        .agent("echo 'LOOPWRIGHT_COMPLETE: x'")
        .exits(4)
        .task_is("blocked")
        .both();
    let claims = [
        ("a promise", "promise"),
        ("a signal", "loopwright signal complete 'did it all'"),
        ("a change that is taken back", "echo b > b.txt; rm b.txt; promise"),
        ("a file written as it was", "cp a.txt c; cat c > a.txt; rm c; promise"),
        ("only new times", "touch a.txt; promise"),
        ("only its own signal folder", "mkdir -p .loopwright/run; echo x > .loopwright/run/notes; promise"),
    ];
    all.extend(
        claims.map(|(name, script)| idle(&format!("{name} and nothing changed")).agent(script).exits(4)),
    );
    all.push(
        idle("an empty commit and nothing changed")
            .agent("commit --allow-empty -m 'agent: empty'; promise")
            .exits(4)
            .sandboxed(),
    );
    all.push(
        idle("nothing changed and no check at all")
            .named(" either")
            .without_checks()
            .agent("promise")
            .exits_with(&[4, 5]),
    );
    let reasons = idle("a claim without a change that names what satisfies the task waits")
        .agent("echo 'LOOPWRIGHT_COMPLETE: a.txt already holds the line, and check green passes'")
        .exits(5)
        .task_is("awaiting_approval")
        .gates(1);
    all.push(reasons.clone());
    all.push(reasons.named(", approved").approved());
    all.push(
        idle("reasons that name a file that is not there are none")
            .agent("echo 'LOOPWRIGHT_COMPLETE: nowhere.txt already holds it'")
            .exits(4),
    );
    all.push(
        idle("a task that only verifies may change nothing")
            .task(&["Verify it", "--kind", "verification"])
            .agent("promise")
            .exits(0)
            .done(),
    );
    all.push(
        false_fail("an attempt that changed nothing costs one, the next is good")
            .check("green", "true")
            .agent("[ $attempt = 1 ] || echo good > good.txt; promise")
            .exits(0)
            .done()
            .agents(2),
    );
    all.push(
        false_fail("a check that was green before is no gate")
            .check("green", "true")
            .agent("echo good > good.txt; promise")
            .exits(0)
            .gates(0)
            .done(),
    );
    all.push(
        false_fail("only an executable bit changed is a change")
            .file("run.sh", "true\n")
            .check("green", "true")
            .holds("git ls-tree HEAD run.sh | grep -q 100755")
            .agent("chmod +x run.sh; promise")
            .exits(0)
            .done(),
    );
    all.push(
        false_fail("only a deletion is a change")
            .file("old.txt", "o\n")
            .check("gone", "sh -c '! test -e old.txt'")
            .agent("rm old.txt; promise")
            .exits(0)
            .not_in_head("old.txt"),
    );
    all
}

impl Scenario {
    fn without_checks(mut self) -> Self {
        self.checks.clear();
        self
    }

    fn approved(mut self) -> Self {
        self.expects.clear();
        self.approve().resume(0).done()
    }
}

fn loops() -> Vec<Scenario> {
    let base = |name: &str| false_done(name).looping().file("a.txt", "a\n").check("green", "true");
    vec![
        base("a loop's promise with nothing changed is not done")
            .args(&["-n", "1"])
            .agent("promise")
            .exits_with(&[1, 3, 4, 5]),
        base("a loop's promise with nothing changed is not done, with commits")
            .args(&["-n", "1", "--auto-commit"])
            .agent("promise")
            .exits_with(&[1, 3, 4, 5]),
        base("a loop's signal with nothing changed is not done")
            .args(&["-n", "1"])
            .agent("loopwright signal complete done")
            .exits_with(&[1, 3, 4, 5]),
        base("a loop that takes its change back before it promises is not done")
            .args(&["-n", "2"])
            .agent("if [ $attempt = 1 ]; then echo b > b.txt; else rm b.txt; promise; fi")
            .exits_with(&[1, 3, 4, 5]),
        false_fail("a change of an earlier iteration counts for a loop's promise")
            .looping()
            .check("green", "true")
            .agent("if [ $attempt = 1 ]; then echo b > b.txt; else promise; fi")
            .exits(0)
            .has("b.txt", "b\n"),
        false_fail("an empty promise needs no change")
            .looping()
            .check("green", "true")
            .args(&["--completion-promise", ""])
            .agent("true")
            .exits(0),
    ]
}

fn fixes() -> Vec<Scenario> {
    let by_itself = "test -s @ROOT@/talk/agents";
    vec![
        false_done("a check that turns green by itself is not fixed")
            .fixing()
            .check("by itself", by_itself)
            .args(&["-n", "2"])
            .agent("true")
            .exits_with(&[1, 3, 4, 5]),
        false_fail("fix with nothing to mend starts no agent")
            .fixing()
            .check("green", "true")
            .agent("true")
            .exits(0)
            .agents(0),
        false_done("fix whose agent does nothing is not done")
            .fixing()
            .check("red", "false")
            .args(&["-n", "2"])
            .agent("true")
            .exits_with(&[1, 3]),
        false_fail("fix that mends is done")
            .fixing()
            .check("good", "test -s good.txt")
            .agent("echo good > good.txt")
            .exits(0)
            .has("good.txt", "good\n"),
        false_fail("fix over two checks, one at a time")
            .fixing()
            .check("one", "test -s one.txt")
            .check("two", "test -s two.txt")
            .agent("if [ -s one.txt ]; then echo 2 > two.txt; else echo 1 > one.txt; fi")
            .exits(0)
            .agents(2),
    ]
}
