//! The plainest good and bad runs, in every kind of repository.

use crate::scenario::Layout::{
    BareWorktree, Borrowing, Detached, LinkedGitDir, LinkedWorktree, NoGit, OddPath, Partial, Plain,
    Reftable, SeparateGitDir, Sha256, Shallow, Sparse, Subfolder, Submodule,
};
use crate::scenario::{Expect, Layout, Scenario, false_done, false_fail, lost_work};

const IN_GIT: &[Layout] = &[
    Plain,
    LinkedWorktree,
    Submodule,
    Reftable,
    Sha256,
    Shallow,
    Sparse,
    Subfolder,
    Detached,
    Partial,
    BareWorktree,
    SeparateGitDir,
    LinkedGitDir,
    Borrowing,
    OddPath,
];
/// Those whose git folder is not simply `.git`.
const ELSEWHERE: &[Layout] = &[Partial, BareWorktree, SeparateGitDir, LinkedGitDir, Borrowing, OddPath];

pub(super) fn all() -> Vec<Scenario> {
    let good = false_fail("good work is done")
        .file("a.txt", "a\n")
        .check("good", "test -s good.txt")
        .agent("echo good > good.txt; echo b >> a.txt; promise")
        .exits(0)
        .done();
    let committed =
        good.clone().head("good.txt", "good\n").head("a.txt", "a\nb\n").expect(Expect::Commits(1));
    let bad = lost_work("a failed attempt leaves everything as it was")
        .file("a.txt", "a\n")
        .file(".gitignore", "*.local\n")
        .before("echo mine > my.local")
        .check("good", "test -s good.txt")
        .args(&["--max-attempts", "2"])
        .agent("echo bad > bad.txt; rm a.txt; promise")
        .exits(4)
        .has("a.txt", "a\n")
        .lacks("bad.txt")
        .kept("bad.txt");
    let mut all = committed.in_each(IN_GIT);
    all.extend(bad.in_each(IN_GIT));
    all.push(good.layout(NoGit).has("good.txt", "good\n"));
    all.extend(elsewhere());
    all.extend(in_a_subfolder());
    let status = false_fail("status does not crash")
        .agent("echo good > good.txt; promise")
        .exits(0)
        .then(&["status"], 0)
        .then(&["history"], 0);
    all.extend(status.in_each(&[Reftable, Sha256, Detached]));
    all.push(
        false_fail("status over a garbled HEAD says so and does not crash")
            .before("cp .git/HEAD @ROOT@/talk/HEAD; echo rubbish > .git/HEAD")
            .then_one(&["status"], &[0, 1, 2])
            .user("cp @ROOT@/talk/HEAD .git/HEAD")
            .exits(0)
            .agent("echo good > good.txt; promise"),
    );
    all.push(
        false_fail("work in a repository without a commit yet")
            .agent("echo good > good.txt; promise")
            .before("git update-ref -d HEAD; git rm -q -r --cached .")
            .args(&["--dirty", "include"])
            .exits_with(&[0, 2])
            .touches("good.txt")
            .moves("refs/heads/main"),
    );
    all
}

/// What agents in the sandbox do with git where its folder is not simply `.git`.
fn elsewhere() -> Vec<Scenario> {
    let base =
        |scenario: Scenario| scenario.file("a.txt", "a\n").check("good", "test -s good.txt").sandboxed();
    let rewinds = base(lost_work("an agent's clearing of everything leaves the user's repository as it was"))
        .before("git branch other; git tag v1; echo s >> a.txt; git stash -q; echo 2 > two; git add -A; git commit -q -m two")
        .agent("git reset -q --hard HEAD~1; git branch -D other; git tag -d v1; git stash clear; git reflog expire --expire=now --all; git gc -q --prune=now; echo good > good.txt; promise")
        .exits_with(&[0, 5]);
    let adopts = base(false_fail("a loop adopts what its agents committed"))
        .looping()
        .args(&["--auto-commit"])
        .agent("echo good > good.txt; git add -A; commit -m 'agent: one'; echo 2 > two.txt; promise")
        .exits(0)
        .head("good.txt", "good\n")
        .head("two.txt", "2\n")
        .holds("git log --format=%s | grep -q 'agent: one'");
    [rewinds.in_each(ELSEWHERE), adopts.in_each(ELSEWHERE)].concat()
}

/// What is risky in a project is risky wherever its repository begins.
fn in_a_subfolder() -> Vec<Scenario> {
    let mut all = Vec::new();
    for (name, path, before, script) in [
        ("a check's script", "scripts/check.sh", "true\n", "echo 'exit 0' > scripts/check.sh"),
        ("a sourced script", "scripts/lib.sh", "true\n", "echo : > scripts/lib.sh"),
        ("the settings", "x.txt", "x\n", "echo 'name = \"y\"' > .loopwright/config.toml"),
        ("a protected path", "prices/a.txt", "1\n", "echo 2 > prices/a.txt"),
        ("a hook", ".husky/pre-commit", "true\n", "echo : > .husky/pre-commit"),
    ] {
        let waits = false_done(&format!("{name} that is changed in a project in a subfolder waits"))
            .file("scripts/main.sh", "test ! -e scripts/lib.sh || . scripts/lib.sh\n")
            .file(path, before)
            .config("gate.protected = [\"prices/**\"]")
            .check("script", "sh -c 'test ! -e scripts/check.sh || sh scripts/check.sh'")
            .check("main", "sh scripts/main.sh")
            .agent(format!("{script}; echo good > good.txt; promise"))
            .exits(5);
        all.push(waits.layout(Subfolder));
    }
    let quiet = false_fail("a project in a subfolder is told nothing about Loopwright's own folder")
        .check("good", "test -s good.txt")
        .agent("echo good > good.txt; promise")
        .exits(0)
        .never_says(".loopwright/run");
    all.push(quiet.layout(Subfolder));
    let beside = lost_work("a failed attempt leaves files beside the project as they were")
        .check("good", "test -s good.txt")
        .agent("echo x >> ../beside.txt; echo n > ../new.txt; exit 1")
        .args(&["--max-attempts", "1"])
        .exits(4)
        .holds("test \"$(cat ../beside.txt)\" = 'here before'; test ! -e ../new.txt");
    all.push(beside.layout(Subfolder));
    all
}
