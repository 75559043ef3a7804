//! The user works in the same folder while an agent does.

use crate::scenario::Layout::{LinkedWorktree, Subfolder};
use crate::scenario::{Expect, Scenario, lost_work};

const GOOD: &str = "test -s good.txt";
const FAILS: &str = "echo bad > bad.txt; user_works; exit 1";
const WORKS: &str = "echo good > good.txt; user_works; promise";

fn failing(name: &str) -> Scenario {
    lost_work(name)
        .file("a.txt", "a\n")
        .file("b.txt", "b\n")
        .check("good", GOOD)
        .agent(FAILS)
        .args(&["--max-attempts", "1"])
        .exits_with(&[4, 5])
}

fn working(name: &str) -> Scenario {
    lost_work(name)
        .file("a.txt", "a\n")
        .file("b.txt", "b\n")
        .check("good", GOOD)
        .agent(WORKS)
        .exits_with(&[0, 5])
        .touches("good.txt")
}

pub(super) fn all() -> Vec<Scenario> {
    let mut all = failed();
    all.extend(good());
    all.extend(others());
    all.extend(before());
    all
}

/// What the user had done before.
fn before() -> Vec<Scenario> {
    let mut all = Vec::new();
    for flag in ["--skip-worktree", "--assume-unchanged"] {
        let hidden = format!(
            "echo 1 > conf; git add conf; git commit -q -m conf; echo mine > conf; git update-index {flag} conf; test -z \"$(git status --porcelain)\""
        );
        all.push(
            working(&format!("an edit that the user hides by {flag} is neither dirty nor committed"))
                .agent("echo good > good.txt; promise")
                .before(&hidden)
                .exits(0)
                .has("conf", "mine\n")
                .head("conf", "1\n"),
        );
        all.push(
            failing(&format!("an edit that the user hides by {flag} stays when an attempt fails"))
                .agent("echo bad > bad.txt; exit 1")
                .before(&hidden)
                .has("conf", "mine\n")
                .head("conf", "1\n"),
        );
    }
    all.push(
        failing("what is staged and is other in the files stays both when an attempt fails")
            .agent("echo bad > bad.txt; echo bad > a.txt; exit 1")
            .before(
                "echo staged > a.txt; git add a.txt; echo work > a.txt; echo n > new.txt; git add new.txt",
            )
            .args(&["--dirty", "include"])
            .has("a.txt", "work\n")
            .holds("test \"$(git show :a.txt)\" = staged; git diff --cached --name-only | grep -qx new.txt"),
    );
    all.push(
        failing("what an agent stashed in a shared repository is told and left")
            .before("echo old >> a.txt; git stash -q; echo work > w.txt")
            .args(&["--dirty", "include"])
            .agent("git stash -q -u; echo bad > bad.txt; exit 1")
            .moves("stash")
            .has("w.txt", "work\n")
            .says("a change was stashed"),
    );
    all.push(
        failing("all that the user commits while an attempt fails stays")
            .meanwhile("echo mine > mine.txt; git add -A; git commit -q -m all")
            .touches("bad.txt")
            .head("mine.txt", "mine\n")
            .has("mine.txt", "mine\n"),
    );
    all
}

fn failed() -> Vec<Scenario> {
    // Nothing says who wrote a file: what may be the user's is put back with the attempt, named, and kept.
    let new = failing(
        "a file that the user makes or edits while an attempt fails is named, and the way back works",
    )
    .meanwhile("echo mine > mine.txt; echo mine >> a.txt")
    .touches("mine.txt")
    .touches("a.txt")
    .touches("bad.txt")
    .says("bad.txt, ")
    .says("mine.txt")
    .says("as before: ")
    .says("git restore --source=refs/loopwright/attempts/")
    .kept("mine.txt")
    .holds(
        "r=$(git for-each-ref --format='%(refname)' refs/loopwright/attempts); \
             git restore --source=$r -- mine.txt a.txt; grep -q mine mine.txt; grep -q mine a.txt",
    );
    let mut all = new.clone().both();
    all.extend(new.in_each(&[LinkedWorktree, Subfolder]));
    all.push(
        failing("a file that the user stages while an attempt in the sandbox fails stays")
            .meanwhile("echo mine > mine.txt; git add mine.txt")
            .touches("mine.txt")
            .touches("bad.txt")
            .moves("index")
            .has("mine.txt", "mine\n")
            .lacks("bad.txt")
            .holds("git diff --cached --name-only | grep -qx mine.txt")
            .sandboxed(),
    );
    all.push(
        failing("a file that the user commits while an attempt fails stays, in the tree and in HEAD")
            .meanwhile("echo mine > mine.txt; git add mine.txt; git commit -q -m 'User: mine' -- mine.txt")
            .touches("bad.txt")
            .head("mine.txt", "mine\n")
            .has("mine.txt", "mine\n"),
    );
    all.push(
        failing("an edit that the user commits while an attempt fails stays")
            .meanwhile("echo mine >> a.txt; git commit -q -m 'User: mine' -- a.txt")
            .touches("bad.txt")
            .head("a.txt", "a\nmine\n")
            .has("a.txt", "a\nmine\n"),
    );
    all.push(
        failing("an edit of the user's in the agent's own file is not lost")
            .agent("echo bad >> a.txt; user_works; exit 1")
            .meanwhile("echo mine >> a.txt")
            .touches("a.txt")
            .holds("grep -q mine a.txt || for r in $(git for-each-ref --format='%(refname)' refs/loopwright); do git show $r:a.txt 2>/dev/null; done | grep -q mine"),
    );
    all.push(
        failing("a file that the user deletes while an attempt fails is not brought back unnamed")
            .meanwhile("rm b.txt")
            .touches("b.txt")
            .touches("bad.txt")
            .expect(Expect::SaysOne(&["b.txt"])),
    );
    all.push(
        failing("an ignored file of the user's stays while an attempt fails")
            .file(".gitignore", "*.local\n")
            .meanwhile("echo mine > my.local")
            .touches("my.local")
            .touches("bad.txt")
            .has("my.local", "mine\n"),
    );
    all
}

fn good() -> Vec<Scenario> {
    let mut all = working("a file that the user makes while an attempt is good is not committed unnamed")
        .meanwhile("echo mine > mine.txt")
        .touches("mine.txt")
        .has("mine.txt", "mine\n")
        .expect(Expect::NamedIfInHead("mine.txt".into()))
        .both();
    all.push(
        working("an edit of the user's in another file is not committed unnamed")
            .meanwhile("echo mine >> b.txt")
            .touches("b.txt")
            .has("b.txt", "b\nmine\n")
            .expect(Expect::NamedIfInHead("b.txt".into())),
    );
    all.extend(
        working("a commit of the user's while an attempt is good stays")
            .meanwhile("echo mine > mine.txt; git add mine.txt; git commit -q -m 'User: mine' -- mine.txt")
            .head("mine.txt", "mine\n")
            .holds("git log --format=%s | grep -q 'User: mine'")
            .both(),
    );
    all.push(
        working("a commit of the user's over a file that the agent changed stays in the history")
            .agent("echo good > good.txt; echo agent >> a.txt; user_works; promise")
            .meanwhile("git commit -q -m 'User: takes it' -- a.txt")
            .touches("a.txt")
            .holds("git log --format=%s | grep -q 'User: takes it'"),
    );
    all.push(
        working("what the user stages meanwhile stays staged")
            .meanwhile("echo mine > mine.txt; git add mine.txt")
            .touches("mine.txt")
            .moves("index")
            .has("mine.txt", "mine\n")
            .holds(
                "git show HEAD:mine.txt >/dev/null 2>&1 || git diff --cached --name-only | grep -q mine.txt",
            ),
    );
    all
}

fn others() -> Vec<Scenario> {
    let refs = "git branch mine; git tag mine-tag; echo s >> b.txt; git stash push -q -- b.txt";
    let mut all = working("branches, tags and a stash that the user makes meanwhile stay")
        .meanwhile(refs)
        .moves("refs/heads/mine")
        .moves("refs/tags/mine-tag")
        .moves("stash")
        .holds(
            "git rev-parse -q --verify mine; git rev-parse -q --verify mine-tag; git stash list | grep -q .",
        )
        .both();
    all.push(
        working("what the user makes while the checks run is not committed unnamed")
            .agent("echo good > good.txt; promise")
            .check("slow", "sh @ROOT@/talk/user-works")
            .meanwhile("test -e good.txt && echo mine > mine.txt || true")
            .args(&["--baseline", "skip"])
            .touches("mine.txt")
            .expect(Expect::NamedIfInHead("mine.txt".into())),
    );
    all.push(
        working("a commit of the user's while the checks run stays")
            .agent("echo good > good.txt; promise")
            .check("slow", "sh @ROOT@/talk/user-works")
            .meanwhile("echo mine > mine.txt; git add mine.txt; git commit -q -m 'User: mine' -- mine.txt")
            .args(&["--baseline", "skip"])
            .head("mine.txt", "mine\n"),
    );
    let looping = lost_work("a loop keeps what the user makes meanwhile")
        .looping()
        .check("good", GOOD)
        .agent(WORKS)
        .meanwhile("echo mine > mine.txt")
        .touches("mine.txt")
        .has("mine.txt", "mine\n");
    all.push(looping.clone().exits(0));
    all.push(
        looping
            .named(", with commits")
            .args(&["--auto-commit"])
            .exits_with(&[0, 5])
            .expect(Expect::NamedIfInHead("mine.txt".into())),
    );
    all.push(
        lost_work("fix keeps what the user makes meanwhile")
            .fixing()
            .check("good", GOOD)
            .agent("echo good > good.txt; user_works")
            .meanwhile("echo mine > mine.txt")
            .touches("mine.txt")
            .exits(0)
            .has("mine.txt", "mine\n"),
    );
    all
}
