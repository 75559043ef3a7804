//! Files of odd names and kinds: what is done holds them, what failed leaves nothing of them, and nobody else's are touched.

use crate::scenario::Layout::LinkedWorktree;
use crate::scenario::{Expect, Scenario, false_done, false_fail, lost_work};

/// Ways to make files whose names somebody could stumble over, as shell scripts.
const NAMES: &[&str] = &[
    // A line feed.
    "printf x > \"$(printf 'a\\nb.txt')\"",
    // A tab and quotes.
    "printf x > \"$(printf 'a\\t\"b\\047.txt')\"",
    // Bytes that are no text.
    "printf x > \"$(printf 'a\\377\\376.txt')\"",
    // A dash at its beginning.
    "printf x > ./-n; printf x > ./--help",
    // Signs of patterns.
    "printf x > '[a]*?.txt'; printf x > ':(exclude)b.txt'; printf x > '!c.txt'",
    // A backslash.
    "printf x > 'a\\b.txt'",
    // Blanks at both ends.
    "printf x > ' a '",
    // The name of a reference.
    "printf x > HEAD; printf x > @; printf x > main",
    // 255 letters.
    "printf x > $(printf '%0255d' 7)",
    // Many folders above it.
    "d=$(printf 'd%.0s/' $(seq 60)); mkdir -p $d; printf x > $d/f",
    // Signs of configuration.
    "printf x > 'a#b;c=d.txt'; printf x > '~'; printf x > '$HOME'",
];

/// What an agent puts in the place of what was there.
const REPLACED: &[(&str, &str)] = &[
    ("a folder in the place of a file", "rm a.txt; mkdir a.txt; echo x > a.txt/x"),
    ("a file in the place of a folder", "rm -r deep; echo x > deep"),
    ("a link in the place of a file", "rm a.txt; ln -s b.txt a.txt"),
    ("a link in the place of a folder", "mv deep other; ln -s other deep"),
    ("a file in the place of a link", "rm link; echo x > link"),
    ("another case of a name", "mv a.txt A.txt"),
    ("two names exchanged", "mv a.txt t; mv b.txt a.txt; mv t b.txt"),
    ("a hard link of two files", "ln -f b.txt a.txt"),
    ("a link in a ring", "ln -s ring2 ring1; ln -s ring1 ring2"),
];

fn base(scenario: Scenario) -> Scenario {
    scenario
        .file("a.txt", "a\n")
        .file("b.txt", "b\n")
        .file("deep/c.txt", "c\n")
        .before("ln -s a.txt link; git add link; git commit -q -m link")
        .check("good", "test -s good.txt")
}

pub(super) fn all() -> Vec<Scenario> {
    let mut all = Vec::new();
    let names = NAMES.join("\n");
    all.extend(
        base(false_fail("files of odd names are committed"))
            .agent(format!("{names}\necho good > good.txt\npromise"))
            .exits(0)
            .done()
            .holds("test -z \"$(git status --porcelain)\"; test $(git show --format= --name-only -z HEAD -- | tr -dc '\\0' | wc -c) = 19")
            .both(),
    );
    all.push(
        base(lost_work("files of odd names go with their failed attempt"))
            .agent(format!("{names}\nexit 1"))
            .args(&["--max-attempts", "1"])
            .exits(4)
            .holds("test -z \"$(git status --porcelain)\""),
    );
    for (name, script) in REPLACED {
        all.push(
            base(false_fail(&format!("{name} is committed")))
                .agent(format!("{script}\necho good > good.txt\npromise"))
                .exits(0)
                .done()
                .holds("test -z \"$(git status --porcelain)\""),
        );
        all.push(
            base(lost_work(&format!("{name} goes with its failed attempt")))
                .agent(format!("{script}\nexit 1"))
                .args(&["--max-attempts", "1"])
                .exits(4)
                .has("a.txt", "a\n")
                .has("b.txt", "b\n")
                .has("deep/c.txt", "c\n")
                .holds("test -z \"$(git status --porcelain)\"; test -L link; test $(stat -c %h b.txt) = 1"),
        );
    }
    all.extend(others());
    all
}

fn others() -> Vec<Scenario> {
    let failed = |name: &str| {
        base(lost_work(name))
            .args(&["--max-attempts", "1"])
            .exits(4)
            .holds("test -z \"$(git status --porcelain)\"")
    };
    let mut all = vec![
        failed("nothing is written into a file of the user's that a failed attempt linked to")
            .file(".gitignore", "*.local\n")
            .before("echo mine > my.local")
            .agent("ln -f my.local a.txt; exit 1")
            .has("my.local", "mine\n")
            .has("a.txt", "a\n"),
        failed("nothing is written into a file outside that a failed attempt linked to")
            .before("echo mine > @ROOT@/talk/outside")
            .agent("ln -f @ROOT@/talk/outside a.txt 2>/dev/null || true; exit 1")
            .has("a.txt", "a\n")
            .holds("grep -qx mine @ROOT@/talk/outside"),
        failed("a folder that nobody may write in goes with its failed attempt")
            .agent("mkdir -p locked/in; echo x > locked/in/f; chmod 500 locked/in locked; exit 1")
            .lacks("locked/in/f"),
        failed("a file that nobody may read goes with its failed attempt")
            .agent("echo x > shut.txt; chmod 000 shut.txt; echo y >> a.txt; chmod 400 a.txt; exit 1")
            .has("a.txt", "a\n"),
        failed("all files that an agent deletes are there again")
            .agent("rm -rf ./*; exit 1")
            .has("a.txt", "a\n")
            .has("deep/c.txt", "c\n"),
        base(lost_work("an agent that deletes the settings and the checks waits"))
            .agent("rm -rf .loopwright; echo good > good.txt; promise")
            .exits(5)
            .risk("checks_edited"),
        base(false_done("a repository inside of this one that a check uses waits"))
            .check("inner", "test -s inner/code.txt")
            .agent("git init -q inner; echo x > inner/code.txt; echo good > good.txt; promise")
            .touches("inner/")
            .args(&["--max-attempts", "1"])
            .exits(5),
        base(false_done("attributes by which a clone has other line ends than the check saw wait"))
            .file("run.sh", "exit 0\n")
            .check("run", "sh run.sh")
            .agent("printf '*.sh text eol=crlf\\n' > .gitattributes; printf 'true\\nexit 0\\n' > run.sh; echo good > good.txt; promise")
            .args(&["--max-attempts", "1"])
            .exits_with(&[4, 5]),
    ];
    all.extend(
        base(lost_work("set user ID is taken off what an agent leaves, and told"))
            .agent("cp /bin/true tool; chmod 6755 tool; chmod u+s a.txt; echo good > good.txt; promise")
            .exits(0)
            .says("tool")
            .says("set user ID")
            .holds("test -z \"$(find . -path ./.git -prune -o -perm /6000 -type f -print)\"")
            .both(),
    );
    all.push(
        failed("set user ID is taken off what a failed attempt leaves")
            .file(".gitignore", "*.local\n")
            .before("cp /bin/true my.local")
            .agent("chmod u+s my.local a.txt; cp my.local new; chmod 4755 new; exit 1")
            .touches("my.local")
            .holds("test -z \"$(find . -path ./.git -prune -o -perm /6000 -type f -print)\""),
    );
    all.push(
        base(lost_work("another .git in a linked work tree leads nobody elsewhere"))
            .agent("git init -q --bare ../elsewhere 2>/dev/null; echo 'gitdir: ../elsewhere' > .git; echo good > good.txt; promise")
            .exits_with(&[0, 5])
            .expect(Expect::Head("a.txt".into(), "a\n".into()))
            .sandboxed()
            .layout(LinkedWorktree),
    );
    all
}
