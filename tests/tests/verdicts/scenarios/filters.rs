//! Clean and smudge filters, line ends and encodings: what git calls clean is clean.

use crate::scenario::{Scenario, false_fail, lost_work};

/// A filter that keeps lower case in the repository and upper case in the files.
const FILTER: &str = "git config filter.case.clean 'tr A-Z a-z'; git config filter.case.smudge 'tr a-z A-Z'; git rm -q --cached f.case; git add f.case; git commit -q -m filtered; rm f.case; git checkout -q f.case; test \"$(cat f.case)\" = SECRET";

fn filtered(name: &str) -> Scenario {
    false_fail(name)
        .file(".gitattributes", "*.case filter=case\n")
        .file("f.case", "SECRET\n")
        .before(FILTER)
        .check("good", "test -s good.txt")
        .args(&["--trust"])
}

pub(super) fn all() -> Vec<Scenario> {
    let works = filtered("a file under a filter is not called dirty")
        .agent("echo good > good.txt; promise")
        .exits(0)
        .done()
        .has("f.case", "SECRET\n")
        .head("f.case", "secret\n");
    let edits = filtered("an edited file under a filter is committed cleaned, and the tree is clean")
        .agent("echo MORE >> f.case; echo good > good.txt; promise")
        .exits_with(&[0, 5])
        .head("f.case", "secret\nmore\n")
        .has("f.case", "SECRET\nMORE\n");
    let mut fails = filtered("a failed attempt puts a file under a filter back as it was")
        .agent("echo MORE >> f.case; exit 1")
        .args(&["--max-attempts", "1"])
        .exits_with(&[4, 5])
        .has("f.case", "SECRET\n");
    fails.class = lost_work("").class;
    let mut all = works.both();
    all.extend(edits.both());
    all.extend(fails.both());
    all.push(
        filtered("a loop over files under a filter")
            .looping()
            .args(&["--auto-commit"])
            .agent("echo good > good.txt; promise")
            .exits(0)
            .head("f.case", "secret\n"),
    );
    let ends = false_fail("files with CRLF in the folder and LF in the repository are not dirty")
        .file(".gitattributes", "*.txt text eol=crlf\n")
        .file("w.txt", "a\nb\n")
        .before(
            "rm w.txt; git checkout -q w.txt; git add -A; git status --porcelain | grep . && exit 1 || true",
        )
        .check("good", "test -s good.md")
        .agent("echo good > good.md; promise")
        .exits(0)
        .done()
        .head("w.txt", "a\nb\n")
        .has("w.txt", "a\r\nb\r\n");
    all.extend(ends.both());
    all.push(
        false_fail("a file in UTF-16 by its attributes is not dirty")
            .file(".gitattributes", "*.u16 working-tree-encoding=UTF-16LE-BOM\n")
            .before("printf 'abc\\n' | iconv -t UTF-16LE > b; { printf '\\377\\376'; cat b; } > w.u16; rm b; git add w.u16; git commit -q -m encoded")
            .check("good", "test -s good.txt")
            .agent("echo good > good.txt; promise")
            .exits(0)
            .head("w.u16", "abc\n"),
    );
    all.push(
        false_fail("autocrlf with files as git wrote them is not dirty")
            .file("w.txt", "a\nb\n")
            .before("git config core.autocrlf true; rm w.txt; git checkout -q w.txt")
            .check("good", "test -s good.txt")
            .agent("printf 'good\\r\\n' > good.txt; promise")
            .exits(0)
            .head("w.txt", "a\nb\n")
            .has("w.txt", "a\r\nb\r\n"),
    );
    let missing = "git config filter.gone.clean /nowhere/clean; git config filter.gone.required true; echo '*.gone filter=gone' > .gitattributes; git add .gitattributes; git commit -q -m attributes";
    all.push(
        false_fail("a filter whose program is missing is no fault of the agent")
            .before(missing)
            .args(&["--trust"])
            .agent("echo x > w.gone; echo good > good.txt; promise")
            .exits_with(&[2, 5])
            .touches("w.gone")
            .touches("good.txt"),
    );
    all
}
