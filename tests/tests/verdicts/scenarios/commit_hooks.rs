//! Commit hooks that edit files, or refuse: what is committed is what was checked and shown.

use super::checks_that_edit::{FORMAT, STRICT};
use crate::scenario::{Expect, Scenario, false_done, false_fail};

fn hook(name: &str, script: &str) -> String {
    format!(
        "mkdir -p .git/hooks; printf '%s\\n' '#!/bin/sh' {script} > .git/hooks/{name}; chmod +x .git/hooks/{name}"
    )
}

pub(super) fn all() -> Vec<Scenario> {
    let mut all = hooks();
    all.extend(refusals());
    all.extend(hooks_of_waves());
    all.extend(people());
    all.extend(crashes());
    all
}

fn hooks() -> Vec<Scenario> {
    let base = |name: &str, hook: &str| {
        false_done(name)
            .file("work.txt", "x\n")
            .check("whole", "sh -c '! grep -q broken work.txt'")
            .before(hook)
            .args(&["--trust"])
            .agent("echo y >> work.txt; promise")
    };
    let tidy = hook("pre-commit", "'echo tidy >> work.txt' 'git add work.txt'");
    let breaks = hook("pre-commit", "'echo broken >> work.txt' 'git add work.txt'");
    let adds = hook("pre-commit", "'echo h > hooked.txt' 'git add hooked.txt'");
    let mut all = base(
        "a hook's edits are checked and in the commit",
        &hook("pre-commit", "'grep -q tidy work.txt || echo tidy >> work.txt' 'git add work.txt'"),
    )
    .exits(0)
    .done()
    .head("work.txt", "x\ny\ntidy\n")
    .both();
    all.push(
        base("a hook that edits without end is not done", &tidy)
            .args(&["--max-attempts", "1"])
            .exits_with(&[0, 4, 5]),
    );
    all.extend(
        base("a hook that breaks the work is not done", &breaks)
            .args(&["--max-attempts", "1"])
            .exits_with(&[4, 5])
            .both(),
    );
    all.push(
        base("a hook that breaks a loop's commit is not done", &breaks)
            .looping()
            .args(&["--auto-commit", "-n", "1"])
            .exits_with(&[1, 3, 4, 5]),
    );
    all.push(base("a hook that adds a file", &adds).exits_with(&[0, 5]).touches("hooked.txt"));
    all.push(
        base(
            "a hook that edits what a gate showed is shown again",
            &hook("pre-commit", "'grep -q tidy work.txt || echo tidy >> work.txt' 'git add work.txt'"),
        )
        .args(&["--mode", "review_each"])
        .exits(5)
        .then_one(&["approve", "--yes"], &[0, 2, 5]),
    );
    all.push(
        base(
            "a hook that edits, stages nothing and refuses is content with its edits",
            &hook("pre-commit", "'grep -q tidy work.txt && exit 0' 'echo tidy >> work.txt' 'echo files were modified' 'exit 1'"),
        )
        .exits(0)
        .agents(1)
        .head("work.txt", "x\ny\ntidy\n"),
    );
    all.extend(
        base(
            "a hook that edits, stages nothing and exits well is checked and in the commit",
            &hook("pre-commit", "'grep -q tidy work.txt || echo tidy >> work.txt'"),
        )
        .exits(0)
        .agents(1)
        .done()
        .head("work.txt", "x\ny\ntidy\n")
        .says("a commit hook changed work.txt")
        .both(),
    );
    all.push(
        base(
            "a hook that edits without end and stages nothing is not done",
            &hook("pre-commit", "'echo tidy >> work.txt'"),
        )
        .args(&["--max-attempts", "1"])
        .exits_with(&[4, 5])
        .says("pre-commit")
        .head("work.txt", "x\n"),
    );
    all.push(
        base(
            "a hook that breaks the work and stages nothing is not done",
            &hook("pre-commit", "'grep -q broken work.txt || echo broken >> work.txt'"),
        )
        .args(&["--max-attempts", "1"])
        .exits_with(&[4, 5])
        .head("work.txt", "x\n"),
    );
    all.push(
        base(
            "a hook that edits a loop's commit and stages nothing is checked and in it",
            &hook("pre-commit", "'grep -q tidy work.txt || echo tidy >> work.txt'"),
        )
        .looping()
        .args(&["--auto-commit"])
        .exits(0)
        .head("work.txt", "x\ny\ntidy\n")
        .holds("test -z \"$(git status --porcelain)\""),
    );
    all.push(
        base("new files of a hook are named and not committed", &hook("pre-commit", "'echo h > hooked.log'"))
            .exits(0)
            .done()
            .says("a commit hook made new files, which are not committed: hooked.log")
            .not_in_head("hooked.log")
            .touches("hooked.log")
            .then(&["task", "add", "Again"], 0)
            .then(&["begin", "2"], 0),
    );
    all.push(
        base(
            "what a hook changes after the commit is named",
            &hook("post-commit", "'grep -q late work.txt || echo late >> work.txt'"),
        )
        .exits(0)
        .head("work.txt", "x\ny\n")
        .touches("work.txt")
        .says("a commit hook changed work.txt when the commit was made"),
    );
    all.push(
        base("a failing post-commit hook takes nothing back", &hook("post-commit", "'exit 1'"))
            .exits(0)
            .head("work.txt", "x\ny\n"),
    );
    all.push(
        base("hooks in a folder of the project that edit", "mkdir .husky; printf '#!/bin/sh\\ngrep -q tidy work.txt || echo tidy >> work.txt\\ngit add work.txt\\n' > .husky/pre-commit; chmod +x .husky/pre-commit; git config core.hooksPath .husky; git add -A; git commit -q --no-verify -m hooks")
            .exits(0)
            .head("work.txt", "x\ny\ntidy\n"),
    );
    all
}

fn refusals() -> Vec<Scenario> {
    let refuses =
        hook("pre-commit", "'grep -q good work.txt && exit 0' 'echo needs the word good >&2' 'exit 1'");
    let pre = false_fail("a refusing pre-commit hook is told to the next attempt, which is good")
        .file("work.txt", "x\n")
        .before(&refuses)
        .args(&["--trust"])
        .agent("if [ $attempt = 1 ]; then echo bad > work.txt; else echo good > work.txt; fi; promise")
        .exits(0)
        .done()
        .head("work.txt", "good\n")
        .expect(Expect::Prompt(2, "needs the word good".into()));
    let mut all = pre.both();
    let ticket = hook("commit-msg", "'echo wants a ticket >&2' 'exit 1'");
    let message = false_fail("a commit-msg hook that refuses stops the run and costs nothing")
        .file("work.txt", "x\n")
        .before(&ticket)
        .args(&["--trust"])
        .agent("echo good > work.txt; promise")
        .exits(5)
        .user("rm .git/hooks/commit-msg")
        .resume(0)
        .agents(1)
        .done()
        .moves("config")
        .head("work.txt", "good\n");
    all.extend(message.both());
    all.push(
        false_fail("a commit-msg hook stops a loop with commits the same way")
            .looping()
            .before(&ticket)
            .args(&["--trust", "--auto-commit"])
            .agent("echo good > work.txt; promise")
            .exits(5)
            .user("rm .git/hooks/commit-msg")
            .resume(0)
            .agents(1)
            .moves("config")
            .head("work.txt", "good\n"),
    );
    all
}

/// Hooks around the commit of a whole wave.
fn hooks_of_waves() -> Vec<Scenario> {
    let base = |name: &str, script: &str| {
        false_done(name)
            .file("work.txt", "x\n")
            .check("whole", "sh -c '! grep -q broken work.txt'")
            .before(&hook("pre-commit", script))
            .args(&["--trust", "--commit", "wave"])
            .task(&["One"])
            .task(&["Two"])
            .agent("echo $task >> work.txt; promise")
    };
    let tidy = "'grep -q tidy work.txt || echo tidy >> work.txt' 'git add work.txt'";
    let unstaged = "'grep -q tidy work.txt || echo tidy >> work.txt'";
    // Both tasks are approved; then the wave's commit shows what its hook made of them.
    let shown_again = |name: &str, script: &str| {
        base(name, script).args(&["--mode", "review_each"]).exits(5).approve().resume(5).approve().resume(5)
    };
    vec![
        base("a hook's edits are checked and in a wave's commit", tidy)
            .exits(0)
            .head("work.txt", "x\n1\n2\ntidy\n"),
        base("a hook that edits a wave and stages nothing is checked and in its commit", unstaged)
            .exits(0)
            .head("work.txt", "x\n1\n2\ntidy\n"),
        shown_again("a hook that edits what gates of a wave showed is shown again", tidy)
            .then(&["approve", "--yes"], 0)
            .gates(0)
            .head("work.txt", "x\n1\n2\ntidy\n")
            .resume(0),
        shown_again(
            "a hook that edits what gates of a wave showed and stages nothing is shown again",
            unstaged,
        )
        .then(&["approve", "--yes"], 0)
        .gates(0)
        .resume(0)
        .head("work.txt", "x\n1\n2\ntidy\n"),
        shown_again("a wave's hook whose edits are rejected has them put back", tidy)
            .then(&["reject", "--reason", "no"], 0)
            .says("what the commit hook changed is put back")
            .gates(0)
            .has("work.txt", "x\n1\n2\n")
            .head("work.txt", "x\n")
            .touches("work.txt"),
        shown_again("a wave's hook whose edits were rejected is shown again by a resume", unstaged)
            .then(&["reject", "--reason", "no"], 0)
            .resume(5)
            .gates(1)
            .head("work.txt", "x\n")
            .touches("work.txt"),
        shown_again("a wave is committed once the hook whose edits were rejected is gone", tidy)
            .then(&["reject", "--reason", "no"], 0)
            .user("rm .git/hooks/pre-commit")
            .moves("config")
            .then(&["trust"], 0)
            .resume(0)
            .head("work.txt", "x\n1\n2\n"),
        shown_again("edits at the gate of a wave's hook are committed", tidy)
            .user("echo mine >> work.txt")
            .then(&["approve", "--with-edits", "--yes"], 0)
            .resume(0)
            .head("work.txt", "x\n1\n2\ntidy\nmine\n"),
        base(
            "a wave's hook that edits what is protected waits",
            "'grep -q b deploy.yml || echo b >> deploy.yml' 'git add deploy.yml'",
        )
        .file("deploy.yml", "a\n")
        .config("[gate]\nprotected = [\"deploy.yml\"]")
        .exits(5)
        .gates(1)
        .head("deploy.yml", "a\n")
        .touches("work.txt")
        .touches("deploy.yml"),
        base("a hook that breaks a wave's work waits", "'echo broken >> work.txt' 'git add work.txt'")
            .exits(5)
            .touches("work.txt")
            .head("work.txt", "x\n"),
        base("a hook that refuses a wave waits and loses nothing", "'echo not today >&2' 'exit 1'")
            .exits(5)
            .says("not today")
            .touches("work.txt")
            .user("rm .git/hooks/pre-commit")
            .moves("config")
            .then(&["trust"], 0)
            .resume(0)
            .head("work.txt", "x\n1\n2\n"),
    ]
}

/// Edits of checks and hooks while a person decides or works.
fn people() -> Vec<Scenario> {
    let tidy = hook("pre-commit", "'grep -q tidy work.txt || echo tidy >> work.txt' 'git add work.txt'");
    let by_hand = |name: &str| {
        false_done(name)
            .file("work.txt", "x\n")
            .check(FORMAT.0, FORMAT.1)
            .check(STRICT.0, STRICT.1)
            .then(&["begin", "1"], 0)
            .user("printf 'y  \\n' > work.txt")
    };
    vec![
        false_done("a hook that edits what a gate showed is committed once it was shown")
            .file("work.txt", "x\n")
            .before(&tidy)
            .args(&["--trust", "--mode", "review_each"])
            .agent("echo y >> work.txt; promise")
            .exits(5)
            .then(&["approve", "--yes"], 2)
            .then(&["approve", "--yes"], 0)
            .gates(0)
            .head("work.txt", "x\ny\ntidy\n"),
        false_done("a hook that edits what a loop's gate showed is shown again")
            .looping()
            .file("work.txt", "x\n")
            .file("deploy.yml", "a\n")
            .config("[gate]\nprotected = [\"deploy.yml\"]")
            .before(&tidy)
            .args(&["--trust", "--auto-commit"])
            .agent("echo y >> work.txt; echo b >> deploy.yml; promise")
            .exits(5)
            .then(&["approve", "--yes"], 2)
            .then(&["approve", "--yes"], 0)
            .head("work.txt", "x\ny\ntidy\n"),
        false_done("what a check makes of a person's edits at a gate is committed")
            .file("work.txt", "x\n")
            .check(FORMAT.0, FORMAT.1)
            .check(STRICT.0, STRICT.1)
            .args(&["--mode", "review_each"])
            .agent("echo y > work.txt; promise")
            .exits(5)
            .user("printf 'mine  \\n' > work.txt")
            .then(&["approve", "--with-edits", "--yes"], 0)
            .head("work.txt", "mine\n"),
        by_hand("a formatter's edits are in the commit of work by hand")
            .then(&["finish"], 0)
            .done()
            .head("work.txt", "y\n"),
        by_hand("a hook's edits are in the commit of work by hand")
            .before(&tidy)
            .then(&["trust"], 0)
            .then(&["finish"], 0)
            .done()
            .head("work.txt", "y\ntidy\n"),
        by_hand("a refusing hook leaves work by hand as it is")
            .before(&hook(
                "pre-commit",
                "'grep -q good work.txt && exit 0' 'echo needs the word good >&2' 'exit 1'",
            ))
            .then(&["trust"], 0)
            .then_one(&["finish"], &[1, 5])
            .user("grep -q y work.txt && echo good >> work.txt")
            .then(&["finish"], 0)
            .done()
            .head("work.txt", "y\ngood\n"),
    ]
}

/// A process that vanishes between a hook's edits and their checks.
fn crashes() -> Vec<Scenario> {
    let hooks = ["hook.edited", "hook.taken", "checks.ended#2", "commit.made"].into_iter().map(|point| {
        false_done(&format!("a hook's edits are checked after a crash at {point}"))
            .file("work.txt", "x\n")
            .check("whole", "sh -c '! grep -q broken work.txt'")
            .before(&hook(
                "pre-commit",
                "'grep -q tidy work.txt || echo tidy >> work.txt' 'git add work.txt'",
            ))
            .args(&["--trust"])
            .agent("echo y >> work.txt; promise")
            .crashing(point)
            .resume(0)
            .agents(1)
            .done()
            .head("work.txt", "x\ny\ntidy\n")
    });
    let breaks = false_done("a hook that breaks the work is not done after a crash")
        .file("work.txt", "x\n")
        .check("whole", "sh -c '! grep -q broken work.txt'")
        .before(&hook("pre-commit", "'echo broken >> work.txt' 'git add work.txt'"))
        .args(&["--trust", "--max-attempts", "1"])
        .agent("echo y >> work.txt; promise")
        .crashing("hook.edited")
        .then_one(&["resume"], &[4, 5])
        .head("work.txt", "x\n");
    hooks.chain([breaks]).collect()
}
