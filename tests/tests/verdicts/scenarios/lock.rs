//! Lock files in git's folder: the agent's are taken away, the user's are left.

use crate::scenario::Layout::Reftable;
use crate::scenario::{Scenario, false_fail, lost_work};

const GOOD: &str = "test -s good.txt";

pub(super) fn all() -> Vec<Scenario> {
    let mut all = Vec::new();
    for lock in ["index.lock", "HEAD.lock", "refs/heads/main.lock", "packed-refs.lock"] {
        let left = false_fail(&format!("an agent leaves {lock}"))
            .check("good", GOOD)
            .agent(format!("touch .git/{lock}\necho good > good.txt\npromise"))
            .exits(0)
            .done()
            .head("good.txt", "good\n")
            .holds("git commit -q --allow-empty -m user");
        all.extend(left.both());
    }
    let tables = false_fail("an agent leaves the lock of git's tables of references")
        .check("good", GOOD)
        .agent("touch .git/reftable/tables.list.lock; echo good > good.txt; promise")
        .exits(0)
        .done()
        .head("good.txt", "good\n")
        .holds("git commit -q --allow-empty -m user")
        .layout(Reftable);
    all.extend(tables.both());
    let failed = false_fail("a failed attempt leaves index.lock and the next one is good")
        .check("good", GOOD)
        .agent("if [ $attempt = 1 ]; then touch .git/index.lock; echo bad > bad.txt; exit 1; fi; echo good > good.txt; promise")
        .exits(0)
        .done()
        .lacks("bad.txt")
        .never_says("git reset --mixed");
    all.extend(failed.both());
    let looping = false_fail("a loop with commits goes on over an agent's index.lock")
        .looping()
        .check("good", GOOD)
        .agent("touch .git/index.lock; echo good > good.txt; promise")
        .args(&["--auto-commit"])
        .exits(0)
        .head("good.txt", "good\n");
    all.extend(looping.both());
    all.push(
        lost_work("a lock that was there before the run is the user's")
            .check("good", GOOD)
            .before("touch .git/index.lock")
            .agent("echo good > good.txt; promise")
            .exits_with(&[0, 2, 5])
            .touches("good.txt")
            .moves("index")
            .holds("test -e .git/index.lock"),
    );
    all.push(
        lost_work("a lock that the user's own git holds meanwhile is left")
            .check("good", GOOD)
            .agent("user_works; echo good > good.txt; promise")
            .meanwhile("touch .git/index.lock")
            .exits_with(&[0, 5])
            .touches("good.txt")
            .moves("index")
            .moves("git folder")
            .holds("test -e .git/index.lock")
            .sandboxed(),
    );
    all
}
