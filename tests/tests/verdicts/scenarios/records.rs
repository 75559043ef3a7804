//! The record says what the words and the exit code say.

use crate::scenario::{Expect, Scenario, false_done, false_fail, lost_work};

const GOOD: &str = "test -s good.txt";

pub(super) fn all() -> Vec<Scenario> {
    let mut all = limits();
    all.extend(endings());
    all.extend(left_in_git());
    all
}

fn limits() -> Vec<Scenario> {
    let not_completed: &[&str] = &["aborted", "interrupted", "paused", "waiting", "exhausted", "stopped"];
    vec![
        false_done("a loop that used its iterations in vain is not completed")
            .looping()
            .check("good", GOOD)
            .args(&["-n", "2", "-c", "loop.no_progress=0"])
            .agent("echo $attempt > n.txt")
            .exits_with(&[1, 3])
            .expect(Expect::RunStatus(not_completed)),
        false_done("a loop without a promise that passes its checks is not completed")
            .looping()
            .check("green", "true")
            .args(&["-n", "2"])
            .agent("echo $attempt > n.txt")
            .exits(3)
            .expect(Expect::RunStatus(not_completed)),
        false_done("fix that used its iterations in vain is not completed")
            .fixing()
            .check("good", GOOD)
            .args(&["-n", "1"])
            .agent("echo x > n.txt")
            .exits_with(&[1, 3])
            .expect(Expect::RunStatus(not_completed)),
        false_done("a run that used its iterations is not completed")
            .task(&["One"])
            .task(&["Two"])
            .args(&["--max-iterations", "1"])
            .agent("echo $task > w-$task.txt; promise")
            .exits(3)
            .expect(Expect::Task(2, "pending"))
            .expect(Expect::RunStatus(not_completed)),
    ]
}

fn endings() -> Vec<Scenario> {
    let wave = |name: &str| false_done(name).task(&["One"]).task(&["Two"]).task(&["Three", "--after", "1"]);
    vec![
        false_fail("done without a commit says so").check("good", GOOD).args(&["--commit", "none"]).agent("echo good > good.txt; promise").exits(0).done().has("good.txt", "good\n").expect(Expect::Commits(0)).expect(Expect::SaysOne(&["not committed", "no commit", "uncommitted", "without a commit"])),
        false_fail("each iteration committed").check("good", GOOD).args(&["--commit", "iteration"]).agent("echo good > good.txt; promise").exits(0).done().head("good.txt", "good\n"),
        wave("a wave with a blocked task commits only what is finished")
            .args(&["--commit", "wave", "--max-attempts", "1"])
            .check("no junk", "sh -c '! test -e junk.txt'")
            .agent("if [ $task = 2 ]; then echo j > junk.txt; promise; exit; fi; echo $task > w-$task.txt; promise")
            .exits(4)
            .expect(Expect::Task(1, "done"))
            .expect(Expect::Task(2, "blocked"))
            .head("w-1.txt", "1\n")
            .not_in_head("junk.txt"),
        wave("a blocked task holds what waits for it")
            .args(&["--max-attempts", "1"])
            .agent("[ $task = 1 ] && exit 1; echo $task > w-$task.txt; promise")
            .exits(4)
            .expect(Expect::Task(1, "blocked"))
            .expect(Expect::Task(2, "done"))
            .expect(Expect::Task(3, "pending")),
        false_done("an agent that cannot be started is no work done").args(&["--command", "no-such-agent", "--max-attempts", "1"]).exits_with(&[1, 2, 4, 5]),
        false_done("an agent that says nothing has not finished").check("good", GOOD).args(&["--max-attempts", "1"]).agent("echo good > good.txt").exits(4).lacks("good.txt").kept("good.txt"),
        false_fail("the third attempt is good").check("good", "grep -q 3 n.txt").agent("echo $attempt > n.txt; promise").exits(0).done().head("n.txt", "3\n").expect(Expect::Commits(1)),
        lost_work("what failed stays reachable").check("good", GOOD).args(&["--max-attempts", "2"]).agent("echo $attempt > bad.txt; promise").exits(4).kept("bad.txt").lacks("bad.txt"),
        false_done("a run over the user's uncommitted work is refused").before("echo mine > mine.txt").agent("echo x > x.txt; promise").exits(2).agents(0).has("mine.txt", "mine\n"),
        lost_work("the user's uncommitted work that is included stays when an attempt fails")
            .file("a.txt", "a\n")
            .before("echo mine > mine.txt; echo more >> a.txt")
            .args(&["--dirty", "include", "--max-attempts", "1"])
            .agent("rm mine.txt; echo bad > a.txt; exit 1")
            .exits(4)
            .has("mine.txt", "mine\n")
            .has("a.txt", "a\nmore\n"),
    ]
}

/// Without the sandbox an agent can leave a merge or a rebase half done.
fn left_in_git() -> Vec<Scenario> {
    let conflict = "git checkout -q -b other; echo theirs > a.txt; git commit -q -a -m theirs; git checkout -q main; echo ours > a.txt; git commit -q -a -m ours";
    let left = |name: &str, script: &'static str| {
        false_done(name)
            .file("a.txt", "a\n")
            .before(conflict)
            .check("good", GOOD)
            .agent(script)
            .exits_with(&[4, 5])
            .moves("index")
            .moves("config")
            .moves("git folder")
            .moves("HEAD")
            .moves("refs/heads/main")
            .touches("a.txt")
            .touches("good.txt")
    };
    let merge = "git merge -q other >/dev/null 2>&1; echo good > good.txt; promise";
    let rebase = "git rebase -q other >/dev/null 2>&1; echo good > good.txt; promise";
    vec![
        left("a merge that the agent left waits for a person", merge).named(", shared"),
        left("a rebase that the agent left waits for a person", rebase).named(", shared"),
        false_done("a merge that the agent left in its own copy is its own")
            .file("a.txt", "a\n")
            .before(conflict)
            .check("good", GOOD)
            .check("markers", "sh -c '! grep -q \"<<<<\" a.txt'")
            .args(&["--max-attempts", "1"])
            .agent(merge)
            .exits_with(&[4, 5])
            .has("a.txt", "ours\n")
            .sandboxed(),
        lost_work("an agent in the middle of a user's merge is not started")
            .file("a.txt", "a\n")
            .before(&format!("{conflict}; git merge -q other >/dev/null 2>&1 || true"))
            .agent("echo good > good.txt; promise")
            .exits_with(&[2, 5])
            .agents(0)
            .moves("index")
            .touches("a.txt"),
    ]
}
