//! Checks that edit files or make new ones: what is committed is what was checked.

use crate::scenario::{Expect, Scenario, false_done};

/// Takes blanks off the ends of lines.
pub(super) const FORMAT: (&str, &str) = ("format", "sed -i 's/ *$//' work.txt");
/// Asks that there are none: a check that judges what is committed.
pub(super) const STRICT: (&str, &str) = ("strict", "sh -c \"! grep -q ' $' work.txt\"");
const UNTIDY: &str = "printf 'x  \\n' > work.txt; promise";

pub(super) fn all() -> Vec<Scenario> {
    let mut all = checks();
    all.extend(new_files());
    all.extend(crashes());
    all.extend(replaced());
    all
}

/// Checks that put other files in the place of one, or edit a file such that it needs a new one.
fn replaced() -> Vec<Scenario> {
    let once = |name: &str| {
        false_done(name)
            .check("good", "test -s good.txt")
            .args(&["--max-attempts", "1"])
            .exits_with(&[0, 4, 5])
    };
    let good = "echo good > good.txt; promise";
    vec![
        once("a check that replaces a file by an unlike one has it in the commit")
            .file("old.txt", "some text\n")
            .check("moves", "sh -c 'if test -e old.txt; then rm old.txt; seq 100 > new.txt; fi; test -e new.txt'")
            .agent(good)
            .says("new.txt"),
        once("a check that replaces a file without a baseline has the other one in the commit")
            .file("old.txt", "some text\n")
            .check("moves", "sh -c 'if test -e old.txt; then rm old.txt; seq 100 > new.txt; fi; test -e new.txt'")
            .args(&["--baseline", "skip"])
            .agent(good),
        once("a check that splits a file has both parts in the commit")
            .file("big.txt", "1\n2\n3\n4\n")
            .check("splits", "sh -c 'if test -e big.txt; then head -n 2 big.txt > one.txt; tail -n 2 big.txt > two.txt; rm big.txt; fi; test -e one.txt -a -e two.txt'")
            .args(&["--baseline", "skip"])
            .agent(good),
        once("a check whose edit needs a file that it made has that in the commit")
            .file("mod.txt", "mods\n")
            .check("makes", "sh -c 'if ! grep -q gen mod.txt; then echo gen >> mod.txt; seq 50 > gen.txt; fi; test -s gen.txt'")
            .args(&["--baseline", "skip"])
            .agent(good),
        once("a check that edits a stamp and makes a file once has that in the commit")
            .file("stamp", "0\n")
            .check("makes", "sh -c 'if grep -q 0 stamp; then echo 1 > stamp; seq 50 > gen.txt; fi; test -s gen.txt'")
            .agent(good),
        once("a check that moves the agent's new file and writes it anew has the other in the commit")
            .check("moves", "sh -c 'test ! -e good.txt || { mkdir -p sub; test ! -e work.txt || { rm work.txt; seq 500 600 > sub/work.txt; }; test -s sub/work.txt; }'")
            .agent("seq 30 > work.txt; echo good > good.txt; promise"),
    ]
}

/// New files that a check makes again every time.
fn new_files() -> Vec<Scenario> {
    let base = |name: &str| {
        false_done(name)
            .file("work.txt", "x\n")
            .check("report", "sh -c 'date +%N > report.xml'")
            .touches("report.xml")
            .not_in_head("report.xml")
    };
    vec![
        base("new files of checks are in no commit of a loop")
            .looping()
            .args(&["--auto-commit"])
            .agent("echo $attempt >> work.txt; [ $attempt = 3 ] && promise; true")
            .exits(0)
            .says("report.xml"),
        base("new files of checks are in no later task's commit")
            .task(&["One"])
            .task(&["Two"])
            .agent("echo $task >> work.txt; promise")
            .exits(0)
            .expect(Expect::Commits(2))
            .head("work.txt", "x\n1\n2\n"),
        base("new files of checks keep no later run from starting")
            .agent("echo y >> work.txt; promise")
            .exits(0)
            .then(&["task", "add", "Again"], 0)
            .then(&["begin", "2"], 0),
        base("new files of checks are no work of a failed attempt")
            .check("never", "false")
            .args(&["--max-attempts", "1"])
            .agent("echo y >> work.txt; promise")
            .exits_with(&[4, 5])
            .has("work.txt", "x\n"),
        base("new files of checks do not close a gate")
            .args(&["--mode", "review_each"])
            .agent("echo y >> work.txt; promise")
            .exits(5)
            .approve()
            .head("work.txt", "x\ny\n"),
        false_done("a file that an agent makes of a check's is work")
            .check("report", "sh -c 'test -e report.xml || echo made > report.xml'")
            .task(&["One"])
            .task(&["Two"])
            .agent("if [ $task = 2 ]; then echo mine > report.xml; else echo x > one.txt; fi; promise")
            .exits(0)
            .head("report.xml", "mine\n"),
        false_done("an agent that changes nothing is not done by a check's edits")
            .file("far.txt", "far  \n")
            .check("format", "sed -i 's/ *$//' far.txt")
            .args(&["--max-attempts", "1"])
            .agent("promise")
            .exits_with(&[4, 5])
            .has("far.txt", "far  \n"),
        false_done("a loop that changes nothing is not done by a check's edits")
            .looping()
            .file("far.txt", "far  \n")
            .check("format", "sed -i 's/ *$//' far.txt")
            .args(&["-n", "2"])
            .agent("promise")
            .exits_with(&[1, 3, 5])
            .has("far.txt", "far  \n"),
    ]
}

fn checks() -> Vec<Scenario> {
    let base = |name: &str| false_done(name).file("work.txt", "x\n").agent(UNTIDY);
    let mut all = base("a formatter's edits are in the commit")
        .file("other.txt", "other\n")
        .agent("printf 'y  \\n' > work.txt; promise")
        .check(FORMAT.0, FORMAT.1)
        .check(STRICT.0, STRICT.1)
        .exits(0)
        .done()
        .head("work.txt", "y\n")
        .both();
    let wave = base("a formatter's edits are in a wave's commit")
        .agent("printf 'y  \\n' > work.txt; promise")
        .check(FORMAT.0, FORMAT.1)
        .check(STRICT.0, STRICT.1)
        .args(&["--commit", "wave"])
        .exits(0)
        .head("work.txt", "y\n");
    let looped = base("a formatter's edits are in a loop's commit")
        .looping()
        .agent("printf 'y  \\n' > work.txt; promise")
        .check(FORMAT.0, FORMAT.1)
        .check(STRICT.0, STRICT.1)
        .args(&["--auto-commit"])
        .exits(0)
        .head("work.txt", "y\n");
    all.extend([wave, looped]);
    all.push(
        base("a check that edits every time fails by its name")
            .check("never still", "sh -c 'date +%N >> work.txt'")
            .args(&["--max-attempts", "1"])
            .exits_with(&[4, 5])
            .says("never still"),
    );
    all.push(
        base("a check that may not edit and does fails by its name")
            .agent("printf 'y  \\n' > work.txt; promise")
            .check_with(FORMAT.0, FORMAT.1, "edits = false")
            .args(&["--max-attempts", "1"])
            .exits_with(&[4, 5])
            .says("format"),
    );
    all.push(
        base("a check whose edits break an earlier check is not done")
            .agent("printf 'y  \\n' > work.txt; promise")
            .check("whole", "sh -c '! grep -q broken work.txt'")
            .check(
                "breaks",
                "sh -c 'grep -q broken work.txt || { grep -q y work.txt && echo broken >> work.txt; true; }'",
            )
            .args(&["--max-attempts", "1"])
            .exits_with(&[4, 5]),
    );
    all.push(
        base("new files of a check are listed and not committed")
            .agent("printf 'y\\n' > work.txt; promise")
            .check("report", "sh -c 'echo r > report.xml'")
            .exits(0)
            .touches("report.xml")
            .not_in_head("report.xml")
            .says("report.xml"),
    );
    all.push(
        base("a check that edits a file the agent left alone")
            .file("far.txt", "far  \n")
            .agent("printf 'y\\n' > work.txt; promise")
            .check("format all", "sed -i 's/ *$//' far.txt work.txt")
            .check("strict all", "sh -c \"! grep -q ' $' far.txt work.txt\"")
            .exits_with(&[0, 5]),
    );
    all.push(
        base("the edits of the baseline are put back")
            .file("far.txt", "far  \n")
            .check("format all", "sed -i 's/ *$//' far.txt")
            .agent("grep -q '  $' far.txt || exit 7; echo y > work.txt; promise")
            .exits_with(&[0, 5]),
    );
    all.push(
        base("an optional check that edits is no part of a false verdict")
            .agent("printf 'y  \\n' > work.txt; promise")
            .check_with("optional", "sed -i 's/y *$/z/' work.txt", "required = false")
            .check("strict", "sh -c \"grep -q z work.txt\"")
            .args(&["--max-attempts", "1"])
            .exits_with(&[0, 4, 5]),
    );
    all.push(
        base("fix with a check that mends by itself")
            .fixing()
            .file("far.txt", "far  \n")
            .agent("echo y > work.txt")
            .check(FORMAT.0, "sh -c \"sed -i 's/ *$//' far.txt; grep -q y work.txt\"")
            .exits_with(&[0, 5]),
    );
    all
}

/// A process that vanishes between the edits and their checks.
fn crashes() -> Vec<Scenario> {
    let points = ["checks.ended", "edits.taken", "checks.again", "committing.after"];
    let checks = points.into_iter().map(|point| {
        false_done(&format!("a formatter's edits are in the commit after a crash at {point}"))
            .file("work.txt", "x\n")
            .check(FORMAT.0, FORMAT.1)
            .check(STRICT.0, STRICT.1)
            .agent("printf 'y  \\n' > work.txt; promise")
            .crashing(point)
            .resume(0)
            .agents(1)
            .done()
            .head("work.txt", "y\n")
    });
    checks.collect()
}
