//! The plainest good and bad runs, in every kind of repository.

use crate::scenario::Layout::{
    Detached, LinkedWorktree, NoGit, Plain, Reftable, Sha256, Shallow, Sparse, Subfolder, Submodule,
};
use crate::scenario::{Expect, Layout, Scenario, false_fail, lost_work};

const IN_GIT: &[Layout] =
    &[Plain, LinkedWorktree, Submodule, Reftable, Sha256, Shallow, Sparse, Subfolder, Detached];

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
