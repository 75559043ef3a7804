//! What was red before the run, and what is missing on the machine, is not the agent's fault.

use crate::scenario::{Expect, Scenario, false_done, false_fail};

pub(super) fn all() -> Vec<Scenario> {
    let mut all = programs();
    all.extend(red_before());
    all.extend(committing());
    all.extend(environment());
    all
}

fn programs() -> Vec<Scenario> {
    let missing = |name: &str| {
        false_fail(name)
            .check("lint", "no-such-linter --all")
            .agent("echo x > x.txt; promise")
            .exits(2)
            .agents(0)
            .says("no-such-linter")
    };
    vec![
        missing("a check whose program is not on PATH stops the start"),
        missing("a check whose program is not on PATH stops a loop's start").looping(),
        missing("a check whose program is not on PATH stops fix's start").fixing(),
        false_fail("doctor names a check's missing program").check("lint", "no-such-linter --all").then_one(&["doctor"], &[0, 1, 2]).says("no-such-linter"),
        false_fail("a program inside the project that is not there yet is no stop")
            .check("own", "./build/tests.sh")
            .agent("mkdir build; printf '#!/bin/sh\\ntrue\\n' > build/tests.sh; chmod +x build/tests.sh; promise")
            .exits_with(&[0, 5])
            .agents(1),
        false_fail("a check's program that vanishes during the run costs no attempt")
            .variable("PATH", "@ROOT@/talk:/usr/local/bin:/usr/bin:/bin")
            .before("printf '#!/bin/sh\\ntest -s good.txt\\n' > @ROOT@/talk/tool; chmod +x @ROOT@/talk/tool")
            .check_with("tool", "tool", "env = { PATH = \"@ROOT@/talk:/usr/local/bin:/usr/bin:/bin\" }")
            .agent("mv @ROOT@/talk/tool @ROOT@/talk/gone; echo good > good.txt; promise")
            .exits(5)
            .user("mv @ROOT@/talk/gone @ROOT@/talk/tool")
            .touches("good.txt")
            .resume(0)
            .agents(1)
            .done(),
    ]
}

fn red_before() -> Vec<Scenario> {
    let red = |name: &str| {
        false_fail(name).file("old.txt", "broken\n").check("old", "sh -c '! grep -q broken old.txt'")
    };
    vec![
        red("red before and green after is done")
            .agent("echo mended > old.txt; promise")
            .exits(0)
            .done()
            .agents(1),
        red("a check that is red for another reason does not cost every task")
            .task(&["One"])
            .task(&["Two"])
            .task(&["Three"])
            .args(&["--max-attempts", "2"])
            .agent("echo $task > w-$task.txt; promise")
            .exits(5)
            .agents(2),
        red("a run that requires a green baseline refuses a red one")
            .args(&["--baseline", "require"])
            .agent("echo x > x.txt; promise")
            .exits(2)
            .agents(0),
        red("a run that skips the baseline works")
            .args(&["--baseline", "skip"])
            .agent("echo mended > old.txt; promise")
            .exits(0)
            .done(),
        red("what was red before is said before anything is spent")
            .agent("echo mended > old.txt; promise")
            .exits(0)
            .expect(Expect::SaysOne(&[
                "before the run",
                "already fails",
                "fails already",
                "red before",
                "failed before",
                "Baseline",
                "baseline",
            ])),
        red("a red baseline in a loop")
            .looping()
            .args(&["-n", "1"])
            .agent("echo mended > old.txt; promise")
            .exits(0),
        red("a red baseline in fix is the work").fixing().agent("echo mended > old.txt").exits(0).agents(1),
        false_done("a green baseline does not make a red end green")
            .check("good", "sh -c '! test -e bad.txt'")
            .args(&["--max-attempts", "1"])
            .agent("echo bad > bad.txt; promise")
            .exits(4)
            .task_is("blocked"),
        false_fail("a baseline that is red because nothing is built yet is no stop")
            .check("built", "sh build/run.sh")
            .agent("mkdir build; echo true > build/run.sh; promise")
            .exits_with(&[0, 5]),
    ]
}

fn committing() -> Vec<Scenario> {
    let signing = "git config commit.gpgSign true; git config gpg.program /nowhere/gpg";
    let unsigned = |name: &str| {
        false_fail(name)
            .before(signing)
            .agent("echo good > work.txt; promise")
            .args(&["--trust"])
            .exits(5)
            .user("git config --unset commit.gpgSign")
            .resume(0)
            .agents(1)
            .head("work.txt", "good\n")
            .moves("config")
            .touches("work.txt")
    };
    vec![
        unsigned("signing that is not there stops the run once and loses nothing").done(),
        unsigned("signing that is not there stops a loop with commits once")
            .looping()
            .args(&["--auto-commit"]),
        unsigned("signing that is not there, sandbox").sandboxed(),
        false_fail("no identity of the user's costs nothing")
            .before("rm @ROOT@/home/.gitconfig")
            .agent("echo good > work.txt; promise")
            .exits_with(&[0, 2, 5])
            .touches("work.txt"),
    ]
}

fn environment() -> Vec<Scenario> {
    let color = "sh -c 'test -z \"$NO_COLOR\"'";
    vec![
        false_fail("a check that wants no NO_COLOR passes as by hand")
            .check_with("colour", color, "env = { NO_COLOR = \"\" }")
            .agent("echo x > x.txt; promise")
            .exits(0)
            .done(),
        false_fail("a check gets the variables of its table")
            .check_with("variable", "sh -c 'test \"$MODE\" = strict'", "env = { MODE = \"strict\" }")
            .agent("echo x > x.txt; promise")
            .exits(0),
        false_done("a check does not see the user's keys")
            .variable("SECRET_TOKEN", "abc")
            .check("no key", "sh -c 'test -z \"$SECRET_TOKEN\"'")
            .agent("echo x > x.txt; promise")
            .exits(0),
        false_done("a check that leaves a process behind")
            .check("leaves one", "sh -c 'test -z \"$LOOPWRIGHT_CHECK\" || sleep 300 & true'")
            .agent("echo x > x.txt; promise")
            .exits(0),
        false_done("a check that takes too long fails")
            .check_with("slow", "sleep 60", "timeout = \"1s\"")
            .agent("echo x > x.txt; promise")
            .args(&["--max-attempts", "1", "--baseline", "skip"])
            .exits_with(&[4, 5]),
        false_done("a check that kills itself fails")
            .check("dies", "sh -c 'test ! -e x.txt || kill -9 $$'")
            .agent("echo x > x.txt; promise")
            .args(&["--max-attempts", "1"])
            .exits(4),
        false_fail("a check with an exit code that is a warning passes")
            .check_with("warns", "sh -c 'exit 3'", "warn = [3]")
            .agent("echo x > x.txt; promise")
            .exits(0)
            .checks_aside(),
        false_fail("an optional check that fails is no failure")
            .check_with("optional", "false", "required = false")
            .agent("echo x > x.txt; promise")
            .exits(0),
    ]
}

impl Scenario {
    /// Its exit code is a pass by its table only, which a shell does not know.
    fn checks_aside(mut self) -> Self {
        self.checks[0].2 = format!("{}\n# required = false", self.checks[0].2).into();
        self
    }
}
