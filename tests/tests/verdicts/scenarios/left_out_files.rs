//! Files that a check saw and a commit could lack.

use crate::scenario::{Expect, Scenario, false_done, false_fail, lost_work};

pub(super) fn all() -> Vec<Scenario> {
    let mut all = gated();
    all.extend(honest());
    all.extend(held());
    all.extend(reached());
    all.extend(modes_and_line_ends());
    all
}

fn gated() -> Vec<Scenario> {
    let needs = |name: &str, script: &'static str, check: &'static str, word: &'static str| {
        false_done(name)
            .check("needs it", check)
            .agent(format!("{script}\necho w > work.txt\npromise"))
            .exits(5)
            .expect(Expect::SaysOne(&["loopwright gate", "gate"]))
            .holds_said(word)
    };
    let big = || {
        needs("a new file over 10 MiB", "head -c 11000000 /dev/zero > big.bin", "test -s big.bin", "big.bin")
    };
    let mut all = big().both();
    all.push(
        needs(
            "an ignored folder that a check reaches by a link",
            "mkdir gen; echo x > gen/x; ln -s gen data",
            "test -s data/x",
            "gen",
        )
        .file(".gitignore", "gen\n")
        .has("gen/x", "x\n"),
    );
    all.push(
        false_done("a link to a place outside that a check reaches moves nothing there")
            .check("needs it", "test -s data/x")
            .before("mkdir @ROOT@/outside; echo mine > @ROOT@/outside/x")
            .agent("ln -s @ROOT@/outside data; promise")
            .exits_with(&[0, 5])
            .holds("grep -q mine @ROOT@/outside/x"),
    );
    all.push(
        false_done("a large file in an agent's commit that a person leaves out is not adopted")
            .looping()
            .check("work", "test -s work.txt")
            .agent("head -c 11000000 /dev/zero > big.bin; echo w > work.txt; git add -A; commit -m 'agent: all'; promise")
            .exits(5)
            .then(&["approve", "--yes", "--leave-out"], 0)
            .touches("big.bin")
            .head("work.txt", "w\n")
            .not_in_head("big.bin")
            .sandboxed(),
    );
    all.push(big().named(", rejected").reject().lacks("big.bin").lacks("work.txt"));
    all.push(needs(
        "a name that looks secret",
        "mkdir tests; echo cert > tests/cert.pem",
        "test -s tests/cert.pem",
        "tests/cert.pem",
    ));
    all.push(
        needs(
            "a name that looks secret, rejected",
            "mkdir tests; echo cert > tests/cert.pem",
            "test -s tests/cert.pem",
            "tests/cert.pem",
        )
        .reject()
        .lacks("tests/cert.pem"),
    );
    all.push(needs("a .env that a check reads", "echo A=1 > .env", "grep -q A .env", ".env"));
    let approved = needs(
        "a name that looks secret, approved",
        "mkdir tests; echo cert > tests/cert.pem",
        "test -s tests/cert.pem",
        "tests/cert.pem",
    )
    .then_one(&["approve", "--yes"], &[0, 1, 2])
    .then_one(&["resume"], &[0, 2, 5]);
    all.push(approved);
    let decided = |name: &'static str, options: &[&'static str]| {
        let approve: Vec<&str> = ["approve", "--yes"].iter().chain(options).copied().collect();
        needs(name, "mkdir tests; echo cert > tests/cert.pem", "test -s tests/cert.pem", "tests/cert.pem")
            .then_one(&approve, &[0])
            .then_one(&["resume"], &[0])
            .head("work.txt", "w\n")
    };
    all.push(
        decided("a name that looks secret, included by a decision", &["--include", "tests/cert.pem"])
            .head("tests/cert.pem", "cert\n"),
    );
    all.push(
        needs(
            "a new file over 10 MiB, included by a decision",
            "head -c 11000000 /dev/zero > big.bin",
            "test -s big.bin",
            "big.bin",
        )
        .then_one(&["approve", "--yes", "--include-all"], &[0])
        .then_one(&["resume"], &[0])
        .holds("test \"$(git cat-file -s HEAD:big.bin)\" = 11000000"),
    );
    all.push(
        needs(
            "something that is not left out cannot be included",
            "mkdir tests; echo cert > tests/cert.pem",
            "test -s tests/cert.pem",
            "tests/cert.pem",
        )
        .then_one(&["approve", "--yes", "--include", "other.txt"], &[2])
        .gates(1),
    );
    let nested = "mkdir sub; cd sub; git init -q; echo x > x.txt; git add -A; commit -m 'agent: sub'; cd ..";
    all.push(
        needs("a repository in the repository, included by a decision", nested, "test -s sub/x.txt", "sub")
            .then_one(&["approve", "--yes", "--include-all"], &[0])
            .then_one(&["resume"], &[0])
            .head("sub/x.txt", "x\n")
            .touches("sub/"),
    );
    let ignored = |name: &str| {
        false_done(name)
            .file(".gitignore", "out/\n")
            .check("needs it", "test -s out/made.js")
            .agent("mkdir -p out; echo js > out/made.js; echo w > work.txt; promise")
            .touches("out/")
    };
    all.push(ignored("an ignored file that a check needs").exits_with(&[4, 5]));
    all.push(
        ignored("an ignored file that a check needs, in a loop")
            .looping()
            .args(&["--auto-commit", "-n", "2"])
            .exits_with(&[1, 3, 4, 5]),
    );
    all.push(
        ignored("an ignored file that a check needs, in fix")
            .fixing()
            .args(&["--auto-commit", "-n", "2"])
            .exits_with(&[1, 3, 4, 5]),
    );
    all.push(
        false_done("a folder with very many new files")
            .check("needs it", "test -s many/f20999")
            .agent("mkdir many; (cd many; seq 1 21000 | while read n; do echo $n > f$n; done); promise")
            .exits_with(&[0, 5]),
    );
    all
}

impl Scenario {
    /// It was named.
    fn holds_said(self, word: &'static str) -> Self {
        self.says(word)
    }
}

/// What a check finds by another way than its own name.
fn reached() -> Vec<Scenario> {
    let once = |name: &str| {
        false_done(name)
            .check("good", "test -s good.txt")
            .args(&["--max-attempts", "1"])
            .exits_with(&[0, 4, 5])
    };
    let library = "git init -q @ROOT@/lib; cd @ROOT@/lib; echo l > l.txt; git add -A; git commit -q -m l; cd -; git submodule --quiet add @ROOT@/lib part; git commit -q -m part";
    let part = |name: &str| {
        once(name)
            .before(library)
            .check("part", "sh -c 'test ! -e good.txt || test -s part/new.txt'")
            .touches("part/")
            .touches("part")
    };
    vec![
        once("build output that a check reaches by a link")
            .file(".gitignore", "out/\n")
            .check("data", "test -s data")
            .agent("mkdir out; echo x > out/data; ln -s out/data data; echo good > good.txt; promise")
            .touches("out/"),
        once("build output that a check's script reads")
            .file(".gitignore", "out/\n")
            .file("check.sh", "test -s out/data.json\n")
            .check("data", "sh check.sh")
            .agent("mkdir out; echo x > out/data.json; echo good > good.txt; promise")
            .touches("out/"),
        once("a file among Loopwright's signals that a check's script reads")
            .file("check.sh", "test -s .loopwright/run/data\n")
            .check("data", "sh check.sh")
            .agent("mkdir -p .loopwright/run; echo x > .loopwright/run/data; echo good > good.txt; promise"),
        once("a file that the user's own list of ignored files has")
            .before("git config --global core.excludesFile @ROOT@/home/ignore; echo '*.gen' > @ROOT@/home/ignore")
            .check("gen", "test -s x.gen")
            .agent("echo x > x.gen; echo good > good.txt; promise")
            .touches("x.gen"),
        once("a pipe in the place of a file that a check needs")
            .file("a.txt", "a\n")
            .check("there", "test -e a.txt")
            .agent("rm a.txt; mkfifo a.txt; echo good > good.txt; promise")
            .touches("a.txt"),
        once("a folder of the project that becomes a repository of its own")
            .file("deep/c.txt", "c\n")
            .check("deep", "sh -c 'test -s deep/new.txt && grep -q more deep/c.txt'")
            .agent("git init -q deep; echo n > deep/new.txt; echo more >> deep/c.txt; echo good > good.txt; promise")
            .touches("deep/"),
        part("a new file in a submodule").agent("echo n > part/new.txt; echo good > good.txt; promise"),
        part("a commit in a submodule that only this machine has")
            .agent("cd part; echo n > new.txt; git add -A; commit -m 'agent: in'; cd ..; echo good > good.txt; promise"),
    ]
}

/// What ordinary projects leave beside their commits is no reason to ask anybody.
fn honest() -> Vec<Scenario> {
    let quiet = |name: &str, rules: &'static str, check: &'static str, script: &'static str| {
        false_fail(name)
            .file(".gitignore", rules)
            .check("good", check)
            .agent(format!("{script}\necho w > work.txt; promise"))
            .exits(0)
            .done()
            .gates(0)
            .head("work.txt", "w\n")
    };
    vec![
        quiet(
            "build output and packages that git ignores raise no gate",
            "target/\nnode_modules/\n__pycache__/\n*.log\n",
            "test -s work.txt",
            "mkdir -p target/debug node_modules/a __pycache__; for f in target/debug/app node_modules/a/i.js __pycache__/a.pyc x.log; do echo x > $f; done",
        )
        .touches("target/")
        .touches("node_modules/")
        .touches("__pycache__/")
        .touches("x.log"),
        quiet(
            "build output that a check makes itself raises no gate",
            "build/\n",
            "sh -c 'mkdir -p build; test -e build/app || cp work.txt build/app; test -s build/app'",
            "mkdir -p build; echo x > build/app",
        )
        .touches("build/"),
        quiet(
            "an ignored file that no check needs raises no gate",
            "*.local\ndata/\n",
            "test -s work.txt",
            "echo x > notes.local; mkdir data; echo 1 > data/a.csv",
        )
        .touches("notes.local")
        .touches("data/"),
        quiet(
            "an empty folder that a check makes itself raises no gate",
            "*.local\n",
            "sh -c 'mkdir -p reports; test -s work.txt'",
            "mkdir reports",
        )
        .touches("reports/"),
    ]
}

fn held() -> Vec<Scenario> {
    let made = |name: &str, script: &str, check: &'static str| {
        false_done(name)
            .check("needs it", check)
            .agent(format!("{script}\necho w > work.txt\npromise"))
            .args(&["--max-attempts", "1"])
            .exits_with(&[0, 4, 5])
    };
    let mut all = vec![
        made("an empty folder that a check needs", "mkdir empty", "test -d empty").touches("empty/"),
        made(
            "a repository in the repository",
            "mkdir sub; cd sub; git init -q; echo x > x.txt; git add -A; commit -m 'agent: sub'; cd ..",
            "test -s sub/x.txt",
        )
        .touches("sub/"),
        made("a link out of the project", "ln -s /etc/hostname link", "test -e link"),
        made("a broken link", "ln -s nowhere link", "test -L link"),
        made(
            "a name with a line end and quotes",
            "printf x > \"$(printf 'a\\nb\\\"c')\"",
            "sh -c 'ls | grep -q b'",
        ),
        made("a name that is not UTF-8", "printf x > \"$(printf 'caf\\351')\"", "sh -c 'ls | grep -q caf'"),
        made("a file called like an option", "printf x > ./--force; printf y > ./-n", "test -s ./--force"),
        made("a folder in place of a file", "rm a.txt; mkdir a.txt; echo x > a.txt/b", "test -s a.txt/b")
            .file("a.txt", "a\n"),
        made("a file in place of a folder", "rm -r d; echo x > d", "test -f d").file("d/a.txt", "a\n"),
        made("a name that differs only in its case", "echo x > A.txt", "test -s A.txt").file("a.txt", "a\n"),
        made("a file that is only intended to be added", "echo x > i.txt; git add -N i.txt", "test -s i.txt")
            .sandboxed(),
    ];
    all.push(
        false_fail("a named pipe that the agent leaves holds nobody up")
            .check("good", "test -s work.txt")
            .agent("mkfifo pipe; echo w > work.txt; promise")
            .exits_with(&[0, 5])
            .head_or_gate("work.txt")
            .touches("pipe"),
    );
    all.push(
        lost_work("what a failed attempt made and a snapshot left out is not left behind unnamed")
            .agent("head -c 11000000 /dev/zero > big.bin; mkdir tests; echo c > tests/cert.pem; echo w > work.txt; exit 1")
            .args(&["--max-attempts", "1"])
            .exits_with(&[4, 5])
            .touches("big.bin")
            .touches("tests/cert.pem")
            .lacks("work.txt")
            .holds_said_or_gone("big.bin"),
    );
    all
}

impl Scenario {
    fn head_or_gate(self, path: &'static str) -> Self {
        self.holds(format!("git show HEAD:{path} >/dev/null 2>&1 || test -e {path}"))
    }

    fn holds_said_or_gone(self, path: &'static str) -> Self {
        self.expect(Expect::NamedIfThere(path.into()))
    }
}

fn modes_and_line_ends() -> Vec<Scenario> {
    let base = |name: &str| false_done(name).args(&["--max-attempts", "1"]).exits_with(&[0, 4, 5]);
    vec![
        base("an executable bit that git does not see")
            .before("git config core.fileMode false")
            .check("runs", "./run.sh")
            .agent("printf '#!/bin/sh\\ntrue\\n' > run.sh; chmod +x run.sh; promise"),
        base("an executable bit that git sees")
            .check("runs", "./run.sh")
            .agent("printf '#!/bin/sh\\ntrue\\n' > run.sh; chmod +x run.sh; promise"),
        base("line ends that git changes")
            .file(".gitattributes", "* text=auto eol=lf\n")
            .check("has CR", "sh -c \"grep -q \\\"$(printf '\\\\r')\\\" dos.txt\"")
            .agent("printf 'a\\r\\n' > dos.txt; promise"),
        base("an ident that git takes out")
            .file(".gitattributes", "*.txt ident\n")
            .check("has an id", "grep -q 'Id: [a-z]' v.txt")
            .agent("echo '$Id: abc $' > v.txt; promise"),
        base("autocrlf of the user's")
            .before("git config core.autocrlf input")
            .check("has CR", "sh -c \"grep -q \\\"$(printf '\\\\r')\\\" dos.txt\"")
            .agent("printf 'a\\r\\n' > dos.txt; promise"),
    ]
}
