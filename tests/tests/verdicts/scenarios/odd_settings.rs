//! Settings of the user's, titles of tasks and checks that use git: whatever they are, good work is committed once and
//! nothing else moves.

use crate::scenario::{Expect, Scenario, false_done, false_fail, lost_work};

/// Settings of the user's own git that change what it prints or how it keeps its index.
const SETTINGS: &[(&str, &str)] = &[
    (
        "prints otherwise",
        "git config color.ui always; git config core.quotePath true; git config diff.noprefix true; git config \
         diff.mnemonicPrefix true; git config status.short true; git config log.showSignature true; git config \
         core.pager 'false'; git config column.ui always; git config diff.renames copies",
    ),
    ("cleans messages otherwise", "git config commit.cleanup scissors; git config core.commentChar ';'"),
    ("shows what is committed", "git config commit.verbose true; git config i18n.commitEncoding ISO-8859-1"),
    ("keeps its index in version 4", "git config feature.manyFiles true; git update-index --index-version 4"),
    ("keeps its index in two files", "git update-index --split-index"),
    ("keeps no sum of its index", "git config index.skipHash true; git add -A; git update-index --refresh"),
    ("keeps a cache of new files", "git update-index --untracked-cache"),
    ("has a tag of the branch's name", "git tag main"),
    ("has a branch of the name HEAD", "git update-ref refs/heads/HEAD HEAD"),
    ("packs its references", "git branch other; git tag one; git pack-refs --all; git gc -q"),
    ("signs off by itself", "git config format.signOff true; git config commit.gpgSign false"),
    ("has no reflogs", "git config core.logAllRefUpdates false; rm -rf .git/logs"),
    ("trusts no times and no modes", "git config core.trustctime false; git config core.checkStat minimal"),
    ("has aliases of git's own words", "git config alias.status '!false'; git config alias.commit '!false'"),
];

/// Titles that a message of a commit could be broken by.
const TITLES: &[(&str, &str)] = &[
    ("a number sign", "#42 write it"),
    ("a dash", "--amend"),
    ("a command", "$(touch ran) `touch ran`; touch ran"),
    ("a mark of a fixup", "fixup! Begin"),
    ("a trailer", "Loopwright-Task: 99"),
    ("a line of scissors", "# ------------------------ >8 ------------------------"),
    ("marks of direction", "a\u{202e}b\u{2066}c"),
];

/// What a check does with git.
const GIT_IN_CHECKS: &[(&str, &str)] = &[
    ("stages", "git add -A"),
    ("commits", "git add -A && git commit -q -m check"),
    ("stashes and takes back", "git stash -q -u && git stash pop -q"),
    ("looks", "git status --porcelain && git log -1 && git diff HEAD --stat"),
    ("collects garbage", "git gc -q"),
];

fn base(scenario: Scenario) -> Scenario {
    scenario.file("a.txt", "a\n").check("good", "test -s good.txt").agent("echo good > good.txt; promise")
}

pub(super) fn all() -> Vec<Scenario> {
    let mut all = Vec::new();
    for (name, script) in SETTINGS {
        all.push(
            base(false_fail(&format!("good work is done where the user's git {name}")))
                .before(script)
                .exits(0)
                .done()
                .head("good.txt", "good\n")
                .expect(Expect::Commits(1)),
        );
        if !script.contains("index") {
            continue;
        }
        all.push(
            base(lost_work(&format!("a failed attempt leaves nothing where the user's git {name}")))
                .before(script)
                .agent("echo bad > bad.txt; echo bad > a.txt; rm -f gone; exit 1")
                .args(&["--max-attempts", "1"])
                .exits(4)
                .has("a.txt", "a\n")
                .lacks("bad.txt"),
        );
    }
    for (name, title) in TITLES {
        all.push(
            base(false_fail(&format!("a task whose title begins like {name} is committed")))
                .task(&["--", title])
                .exits(0)
                .done()
                .expect(Expect::Commits(1))
                .lacks("ran")
                .holds("git log -1 --format=%B | grep -q '^Loopwright-Task: 1$'; test -n \"$(git log -1 --format=%s)\""),
        );
    }
    for (name, script) in GIT_IN_CHECKS {
        all.push(
            base(lost_work(&format!("a check that {name} with git leaves the user's repository as it was")))
                .check("git", format!("sh -c \"{script}; test -s good.txt\""))
                .args(&["--max-attempts", "1"])
                .exits_with(&[0, 4, 5])
                .lacks("ran"),
        );
    }
    all.extend(others());
    all
}

fn others() -> Vec<Scenario> {
    vec![
        base(lost_work("variables of git's in the user's environment lead nobody elsewhere"))
            .before("git init -q --bare @ROOT@/talk/other.git")
            .variable("GIT_DIR", "@ROOT@/talk/other.git")
            .variable("GIT_INDEX_FILE", "@ROOT@/talk/other-index")
            .variable("GIT_OBJECT_DIRECTORY", "@ROOT@/talk/objects")
            .exits(0)
            .head("good.txt", "good\n")
            .holds("test ! -e @ROOT@/talk/other-index; test ! -e @ROOT@/talk/objects"),
        base(false_done("files that are made for a while in the project folder are no work"))
            .before("mkdir made; touch made/.keep; git add made; git commit -q -m made")
            .variable("TMPDIR", "@ROOT@/work/made")
            .agent("echo good > good.txt; echo x > \"$TMPDIR/scratch\"; promise")
            .exits(0)
            .expect(Expect::Commits(1))
            .holds("test \"$(git show --format= --name-only HEAD)\" = good.txt"),
        base(false_done("what a process writes that outlived its agent is not committed unchecked"))
            .check("slow", "sh -c 'sleep 0.6; ! grep -q bad good.txt'")
            .agent("env -i PATH=\"$PATH\" setsid sh -c 'sleep 0.3; echo bad > good.txt; sleep 1' >/dev/null 2>&1 </dev/null &\necho good > good.txt; promise")
            .args(&["--max-attempts", "1"])
            .exits_with(&[0, 4, 5])
            .holds("for i in $(seq 100); do pgrep -f 'echo bad > good.tx[t]' >/dev/null || break; sleep 0.1; done"),
        base(false_done("an agent that leaves its work to a child is judged by what was checked"))
            .agent("(sleep 0.5; echo good > good.txt) >/dev/null 2>&1 &\necho x > x.txt; promise")
            .args(&["--max-attempts", "1"])
            .exits_with(&[0, 4, 5]),
        base(false_done("a check that renames a file has the new name in the commit"))
            .file("old.txt", "some text that is long enough to be known again\nand a second line\n")
            .check("renames", "sh -c 'test ! -e old.txt || mv old.txt new.txt'")
            .agent("echo good > good.txt; echo more >> old.txt; promise")
            .exits(0)
            .done()
            .head("new.txt", "some text that is long enough to be known again\nand a second line\nmore\n")
            .not_in_head("old.txt"),
        base(false_done("a check that renames a file and makes another commits the one"))
            .file("old.txt", "some text that is long enough to be known again\nand a second line\n")
            .check("renames", "sh -c 'echo r > report.xml; test ! -e old.txt || mv old.txt new.txt'")
            .agent("echo good > good.txt; promise")
            .touches("report.xml")
            .exits(0)
            .head("new.txt", "some text that is long enough to be known again\nand a second line\n")
            .not_in_head("report.xml")
            .says("report.xml"),
        base(false_done("a check that passes once and never again is not done"))
            .check("once", "sh -c 'test ! -e good.txt || { test ! -e @ROOT@/talk/once && touch @ROOT@/talk/once; }'")
            .check("edits", "sh -c 'grep -q edited a.txt || { test ! -e good.txt || echo edited >> a.txt; }'")
            .args(&["--max-attempts", "1"])
            .exits_with(&[4, 5]),
    ]
}
