//! The agent commits, resets, rebases, deletes branches and tags, empties the stash: the user's repository is not the
//! agent's.

use super::checks_that_edit::{FORMAT, STRICT};
use crate::scenario::Layout::{
    Detached, LinkedWorktree, Plain, Reftable, Sha256, Shallow, Sparse, Subfolder, Submodule,
};
use crate::scenario::{Expect, Scenario, false_done, false_fail, lost_work};

/// Bad work is committed by the first attempt; the second one is good.
const BAD_THEN_GOOD: &str = "
if [ $attempt = 1 ]; then echo bad > bad.txt; git add -A; commit -m 'agent: bad'; promise; exit; fi
echo good > good.txt
promise";

/// What a user has besides the current branch.
const BELONGINGS: &str = "
git branch other; git tag v1; git tag -a -m 'second' v2
echo one > stashed.txt; git add stashed.txt; git stash push -q -m 'mine one'
echo two > stashed.txt; git add stashed.txt; git stash push -q -m 'mine two'
echo user > user.txt; git add user.txt; git commit -q -m 'User: last'";

const GOOD: &str = "test -s good.txt";
const NOT_BAD: &str = "sh -c 'test -s good.txt && ! test -e bad.txt'";

pub(super) fn all() -> Vec<Scenario> {
    let mut all = own_commits();
    all.extend(taken_back());
    all.extend(history());
    all.extend(open_repository());
    all.extend(loops());
    all
}

fn bad_then_good() -> Scenario {
    false_done("an attempt commits bad work and the next is good").check("good", NOT_BAD).agent(BAD_THEN_GOOD)
}

fn own_commits() -> Vec<Scenario> {
    let layouts = [LinkedWorktree, Submodule, Reftable, Sha256, Shallow, Sparse, Subfolder, Detached];
    let strict =
        bad_then_good().exits(0).done().head("good.txt", "good\n").not_in_head("bad.txt").kept("bad.txt");
    let mut all = vec![strict.clone().sandboxed(), bad_then_good().exits_with(&[0, 4, 5])];
    all.extend(strict.sandboxed().in_each(&layouts));
    let commits = |name: &str, script: &'static str| {
        false_fail(name)
            .check("good", GOOD)
            .agent(script)
            .exits(0)
            .done()
            .head("good.txt", "good\n")
            .expect(Expect::Commits(1))
            .sandboxed()
    };
    all.push(commits(
        "an agent commits all of its good work",
        "echo good > good.txt; git add -A; commit -m 'agent: good'; promise",
    ));
    all.push(
        commits(
            "an agent commits a part and leaves the rest",
            "echo x > part.txt; git add -A; commit -m 'agent: part'; echo good > good.txt; promise",
        )
        .head("part.txt", "x\n"),
    );
    all.push(commits(
        "an agent makes three commits",
        "for n in 1 2 3; do echo $n > n.txt; git add -A; commit -m \"agent: $n\"; done; echo good > good.txt; git add -A; commit -m 'agent: 4'; promise",
    ).head("n.txt", "3\n"));
    all.push(commits("an agent stages and does not commit", "echo good > good.txt; git add -A; promise"));
    all.push(commits(
        "an agent works on a branch of its own and leaves it",
        "git checkout -q -b mine; echo good > good.txt; git add -A; commit -m 'agent: good'; promise",
    ));
    all
}

fn taken_back() -> Vec<Scenario> {
    let rejected = lost_work("rejected work that the agent committed is off the branch")
        .file("a.txt", "a\n")
        .args(&["--mode", "review_each"])
        .agent("echo good > good.txt; echo more >> a.txt; git add -A; commit -m 'agent: good'; promise")
        .exits(5)
        .reject()
        .not_in_head("good.txt")
        .lacks("good.txt")
        .has("a.txt", "a\n")
        .head("a.txt", "a\n");
    let deletion = false_fail("a deletion that a failed attempt committed spoils no later one")
        .file("a.txt", "a\n")
        .check("good", "sh -c 'test -s good.txt && test -s a.txt'")
        .agent("if [ $attempt = 1 ]; then git rm -q a.txt; commit -m 'agent: gone'; exit 1; fi; echo good > good.txt; promise");
    let protected = false_done("a protected file that the agent committed waits, and Reject takes it back")
        .config("gate.protected = [\"prices/**\"]")
        .agent("mkdir -p prices; echo 1 > prices/a; git add -A; commit -m 'agent: price'; promise")
        .exits(5)
        .risk("protected_path");
    let shared = false_done("rejected commits in a shared repository are taken off, and the next attempt is good")
        .check("good", GOOD)
        .agent("if [ $attempt = 1 ]; then echo bad > bad.txt; echo good > good.txt; git add -A; commit -m 'agent: both'; else echo good > good.txt; fi; promise")
        .exits(5)
        .reject()
        .resume(0)
        .done()
        .not_in_head("bad.txt")
        .head("good.txt", "good\n");
    let mut all = rejected.both();
    all.extend(shared.in_each(&[Plain, LinkedWorktree, Reftable, Subfolder, Detached]));
    all.push(deletion.clone().exits(0).done().head("a.txt", "a\n").never_says("git fsck").sandboxed());
    all.push(deletion.exits_with(&[0, 5]).never_says("git fsck"));
    all.push(protected.clone().sandboxed());
    all.push(protected.named(", then rejected").reject_last("prices/a").sandboxed());
    all
}

impl Scenario {
    /// Rejects as the last step: the open gate's risks are not asked for any more.
    fn reject_last(mut self, path: &'static str) -> Self {
        self.expects.clear();
        self.reject().not_in_head(path).lacks(path)
    }
}

/// Commands that take something from a repository, and whether files change by them.
const TAKING: &[(&str, &str)] = &[
    ("reset --soft", "git reset -q --soft HEAD~1"),
    ("reset --hard", "git reset -q --hard HEAD~1"),
    ("commit --amend", "git commit -q --amend --no-verify -m 'agent: mine now'"),
    ("rebase --root", "GIT_SEQUENCE_EDITOR=true git rebase -q --root --exec true"),
    ("checkout --detach", "git checkout -q --detach"),
    ("checkout another branch", "git checkout -q other"),
    ("branch -D", "git branch -q -D other"),
    ("branch -m", "git branch -m main mine"),
    ("tag -d", "git tag -d v1 v2"),
    ("tag -f", "git tag -f v1 HEAD"),
    ("stash drop", "git stash drop -q"),
    ("stash pop", "git stash pop -q"),
    ("stash clear", "git stash clear"),
    (
        "reflog expire and gc",
        "git stash clear; git branch -D other; git reflog expire --expire=now --all; git gc -q --prune=now",
    ),
    ("loss of the logs", "rm -rf .git/logs"),
    ("loss of the tags and the stash", "rm -rf .git/refs/tags .git/refs/stash"),
    ("read-tree --empty", "git read-tree --empty"),
    ("update-ref -d", "git update-ref -d refs/heads/main"),
    (
        "orphan branch",
        "git checkout -q --orphan empty; git add -A; commit -m 'agent: all anew'; git branch -D main",
    ),
    ("filter of all refs", "git for-each-ref --format='delete %(refname)' | git update-ref --stdin"),
];

fn history() -> Vec<Scenario> {
    let one = |name: &str, script: &str| {
        lost_work(&format!("an agent's {name} leaves the user's repository as it was"))
            .check("good", GOOD)
            .before(BELONGINGS)
            .agent(format!("{script}\necho good > good.txt\npromise"))
            .exits_with(&[0, 5])
            .sandboxed()
    };
    let mut all: Vec<Scenario> = TAKING.iter().map(|(name, script)| one(name, script)).collect();
    for layout in [LinkedWorktree, Submodule, Reftable, Sha256, Shallow, Sparse, Subfolder] {
        let script = "git stash clear; git branch -D other; git tag -d v1; git reset -q --soft HEAD~1; git reflog expire --expire=now --all; git gc -q --prune=now";
        all.push(one("clearing of everything", script).layout(layout));
    }
    all
}

/// Where nothing can be mounted, what was lost is put back.
fn open_repository() -> Vec<Scenario> {
    let losses = [
        "reset --soft",
        "branch -D",
        "tag -d",
        "tag -f",
        "stash drop",
        "stash clear",
        "reflog expire and gc",
        "loss of the logs",
        "loss of the tags and the stash",
        "read-tree --empty",
    ];
    let taking = TAKING.iter().filter(|(name, _)| losses.contains(name));
    let put_back = taking.map(|(name, script)| {
        lost_work(&format!("what an agent's {name} took in a shared repository is put back"))
            .check("good", GOOD)
            .before(BELONGINGS)
            .agent(format!("{script}\necho good > good.txt\npromise"))
            .exits_with(&[0, 5])
    });
    let mut all: Vec<Scenario> = put_back.collect();
    let left = |name: &str, script: &'static str| {
        false_done(name)
            .check("good", GOOD)
            .before(BELONGINGS)
            .agent(script)
            .exits_with(&[4, 5])
            .moves("HEAD")
            .moves("refs/heads/mine")
            .moves("config")
            .moves("git folder")
            .touches("user.txt")
            .touches("good.txt")
    };
    all.push(left(
        "a detached HEAD that the agent left waits for a person",
        "git checkout -q --detach; echo good > good.txt; promise",
    ));
    all.push(left(
        "another branch that the agent left waits for a person",
        "git checkout -q -b mine; echo good > good.txt; promise",
    ));
    all.push(
        lost_work("a failed attempt in a shared repository loses no branch, tag or stash")
            .check("good", GOOD)
            .before(BELONGINGS)
            .agent("git stash clear; git branch -D other; git tag -d v1 v2; echo bad > bad.txt; exit 1")
            .args(&["--max-attempts", "2"])
            .exits_with(&[4, 5])
            .lacks("bad.txt"),
    );
    all
}

fn loops() -> Vec<Scenario> {
    let adopted = false_fail("a loop adopts what its agents committed")
        .looping()
        .check("good", "test -s one.txt")
        .agent(
            "if [ $attempt = 1 ]; then echo 1 > one.txt; git add -A; commit -m 'agent: one'; exit; fi
             git log --format=%s | grep -q 'agent: one' || exit 9
             echo 2 > two.txt; git add -A; commit -m 'agent: two'; promise",
        )
        .exits(0)
        .head("one.txt", "1\n")
        .head("two.txt", "2\n")
        .holds("git log --format=%s | grep -q 'agent: one'; test -z \"$(git status --porcelain)\"")
        .sandboxed();
    let failing = false_done("a loop that never passes its checks adopts nothing")
        .looping()
        .check("good", GOOD)
        .args(&["-n", "2", "-c", "loop.no_progress=0"])
        .agent("echo $attempt > n.txt; git add -A; commit -m \"agent: $attempt\"; promise")
        .exits_with(&[1, 3])
        .expect(Expect::Commits(0))
        .has("n.txt", "2\n")
        .sandboxed();
    let hooked = false_done("commits of a loop with a hook are folded into one that the hook saw")
        .looping()
        .check("good", GOOD)
        .before("mkdir -p .git/hooks; printf '#!/bin/sh\\necho x >> @ROOT@/talk/hook\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit")
        .agent("echo 1 > one.txt; git add -A; commit -m 'agent: one'; echo good > good.txt; git add -A; commit -m 'agent: two'; promise")
        .args(&["--trust"])
        .exits(0)
        .head("good.txt", "good\n")
        .holds("test \"$(wc -l < @ROOT@/talk/hook)\" -ge 1")
        .sandboxed();
    let fixed = false_fail("fix takes what its agent committed")
        .fixing()
        .check("good", GOOD)
        .agent("echo good > good.txt; git add -A; commit -m 'agent: good'")
        .exits(0)
        .has("good.txt", "good\n");
    let rewound = lost_work("a loop's agent rewinds the user's commits and none is lost")
        .looping()
        .check("good", GOOD)
        .before(BELONGINGS)
        .agent("git reset -q --soft HEAD~1; commit -m 'agent: instead'; echo good > good.txt; git add -A; commit -m 'agent: good'; promise")
        .exits_with(&[0, 5])
        .sandboxed();
    let formatted = false_done("edits of checks that a loop does not commit are named")
        .looping()
        .file("work.txt", "x\n")
        .check(FORMAT.0, FORMAT.1)
        .check(STRICT.0, STRICT.1)
        .agent("printf 'y  \\n' > work.txt; git add -A; commit -m 'agent: work'; promise")
        .exits(0)
        .has("work.txt", "y\n")
        .head("work.txt", "y  \n")
        .says("not in the agent's commits and left uncommitted, because the run makes no commits of its own: work.txt")
        .sandboxed();
    let folded = false_done("edits of checks are in the commit of a loop that commits")
        .looping()
        .file("work.txt", "x\n")
        .check(FORMAT.0, FORMAT.1)
        .check(STRICT.0, STRICT.1)
        .args(&["--auto-commit"])
        .agent("printf 'y  \\n' > work.txt; git add -A; commit -m 'agent: work'; promise")
        .exits(0)
        .head("work.txt", "y\n")
        .never_says("left uncommitted")
        .sandboxed();
    let mut all = vec![adopted, failing, hooked, rewound, formatted, folded];
    all.extend(fixed.both());
    all
}
