//! What is shown, checked and committed is one tree. After every approval the tree of HEAD is compared with the one that
//! the gate showed.

use crate::scenario::{Expect, Scenario, false_done, lost_work};

const WORK: &str = "printf '1\\n2\\n3\\n' > work.txt; promise";
const WITH_EDITS: &[&str] = &["approve", "--with-edits", "--yes"];

fn reviewed(name: &str) -> Scenario {
    false_done(name)
        .file("a.txt", "a\n")
        .check("whole", "sh -c '! grep -q broken work.txt'")
        .args(&["--mode", "review_each"])
        .agent(WORK)
        .exits(5)
}

pub(super) fn all() -> Vec<Scenario> {
    let mut all = edits();
    all.extend(with_edits());
    all.extend(meanwhile());
    all
}

fn edits() -> Vec<Scenario> {
    let edited = reviewed("an edit at a gate is not approved unseen")
        .user("echo mine >> work.txt")
        .then(&["approve", "--yes"], 2)
        .expect(Expect::Commits(0))
        .gates(1)
        .touches("work.txt")
        .has("work.txt", "1\n2\n3\nmine\n");
    let mut all = edited.clone().both();
    all.push(edited.named(", and shown again it is").approved_again("1\n2\n3\nmine\n"));
    all.push(
        reviewed("an edit at a gate, Reject, and the next gate shows all that Approve commits")
            .user("echo mine >> work.txt")
            .then_one(&["reject", "--reason", "no"], &[0, 2])
            .says("work.txt")
            .then_one(&["resume"], &[5, 2])
            .then_one(&["approve", "--yes"], &[0, 1, 2])
            .touches("work.txt"),
    );
    all.push(
        reviewed("an edit at a gate, Reject, and what the next attempt adds is shown with all that is left")
            .user("echo mine >> work.txt; echo mine >> work.txt")
            .then(&["reject", "--reason", "no"], 0)
            .then_agent("echo more >> work.txt; promise")
            .resume(5)
            .approve()
            .resume(0)
            .touches("work.txt")
            .head("work.txt", "1\n2\n3\nmine\nmine\nmore\n"),
    );
    all.push(
        reviewed("an edit at a gate in a file that the agent left alone")
            .user("echo mine >> a.txt")
            .then_one(&["approve", "--yes"], &[0, 2])
            .touches("a.txt")
            .touches("work.txt")
            .has("a.txt", "a\nmine\n")
            .expect(Expect::NamedIfInHead("a.txt".into())),
    );
    all.push(
        reviewed("a new file at a gate is not committed unseen")
            .user("echo mine > mine.txt")
            .then_one(&["approve", "--yes"], &[0, 2])
            .touches("mine.txt")
            .touches("work.txt")
            .has("mine.txt", "mine\n")
            .expect(Expect::NamedIfInHead("mine.txt".into())),
    );
    all.push(
        reviewed("a file deleted at a gate is not approved unseen")
            .user("rm work.txt")
            .then(&["approve", "--yes"], 2)
            .expect(Expect::Commits(0))
            .touches("work.txt"),
    );
    all.push(
        reviewed("a new file at a gate stays when it is rejected")
            .user("echo mine > mine.txt")
            .then_one(&["reject", "--reason", "no"], &[0, 2])
            .touches("mine.txt")
            .touches("work.txt")
            .has("mine.txt", "mine\n"),
    );
    all.push(
        reviewed("another tree's id approves nothing")
            .then(&["approve", "--tree", "0000000000000000000000000000000000000000"], 2)
            .expect(Expect::Commits(0))
            .gates(1)
            .touches("work.txt"),
    );
    all.push(reviewed("approved as it was shown").approve().resume(0).head("work.txt", "1\n2\n3\n").done());
    all.push(
        reviewed("rejected, done again, approved")
            .reject()
            .then_agent("echo better > work.txt; promise")
            .resume(5)
            .approve()
            .resume(0)
            .head("work.txt", "better\n")
            .expect(Expect::Prompt(2, "not like that".into()))
            .expect(Expect::Commits(1)),
    );
    all
}

impl Scenario {
    /// The changed tree is shown by another gate, which is approved.
    fn approved_again(mut self, text: &'static str) -> Self {
        self.expects.clear();
        self.approve().resume(0).head("work.txt", text)
    }
}

fn with_edits() -> Vec<Scenario> {
    let failing = reviewed("edits that fail a check are not approved")
        .user("echo broken >> work.txt")
        .then(WITH_EDITS, 1)
        .never_says("Approved")
        .expect(Expect::Commits(0))
        .gates(1)
        .touches("work.txt")
        .has("work.txt", "1\n2\n3\nbroken\n");
    let mut all = failing.clone().both();
    all.push(failing.named(", twice").then(WITH_EDITS, 1));
    all.push(
        reviewed("edits that fail a check are told with what it printed")
            .check("loud", "sh -c 'if grep -q wrong work.txt; then echo line four is wrong; exit 1; fi'")
            .user("echo wrong >> work.txt")
            .then(WITH_EDITS, 1)
            .says("loud")
            .says("line four is wrong")
            .gates(1)
            .touches("work.txt"),
    );
    all.push(
        reviewed("edits that pass are committed with the work")
            .user("echo mine >> work.txt; echo more > more.txt")
            .then(WITH_EDITS, 0)
            .resume(0)
            .done()
            .touches("work.txt")
            .touches("more.txt")
            .head("work.txt", "1\n2\n3\nmine\n")
            .head("more.txt", "more\n"),
    );
    all.push(
        reviewed("edits that a check edits are committed as they were checked")
            .check("format", "sed -i 's/ *$//' work.txt")
            .check("strict", "sh -c \"! grep -q ' $' work.txt\"")
            .user("printf 'mine  \\n' >> work.txt")
            .then_one(WITH_EDITS, &[0, 1, 2])
            .then_one(&["resume"], &[0, 2, 5])
            .touches("work.txt"),
    );
    all
}

fn meanwhile() -> Vec<Scenario> {
    let mut all = vec![
        reviewed("a commit of the user's at a gate stays")
            .user("echo mine > mine.txt; git add mine.txt; git commit -q -m 'User: mine' -- mine.txt")
            .then_one(&["approve", "--yes"], &[0, 2, 5])
            .touches("work.txt")
            .head("mine.txt", "mine\n")
            .holds("git log --format=%s | grep -q 'User: mine'"),
        reviewed("a commit of the user's at a gate stays when it is rejected")
            .user("echo mine > mine.txt; git add mine.txt; git commit -q -m 'User: mine' -- mine.txt")
            .then_one(&["reject", "--reason", "no"], &[0, 2, 5])
            .touches("work.txt")
            .head("mine.txt", "mine\n")
            .has("mine.txt", "mine\n"),
        reviewed("the work itself committed by the user at a gate is not lost")
            .user("git add -A; git commit -q -m 'User: takes it'")
            .then_one(&["approve", "--yes"], &[0, 2, 5])
            .head("work.txt", "1\n2\n3\n"),
        lost_work("another branch checked out at a gate takes nothing")
            .args(&["--mode", "review_each"])
            .agent(WORK)
            .exits(5)
            .user("git stash push -q -u; git checkout -q -b mine; git stash pop -q")
            .then_one(&["approve", "--yes"], &[0, 2, 5])
            .touches("work.txt")
            .moves("HEAD")
            .moves("refs/heads/mine")
            .moves("refs/heads/main"),
    ];
    let waves = false_done("a gate over a task of a wave shows what the wave's commit holds")
        .task(&["One"])
        .task(&["Two"])
        .args(&["--mode", "review_each", "--commit", "wave"])
        .agent("echo $task > work-$task.txt; promise")
        .exits(5)
        .then_one(&["approve", "--yes"], &[0])
        .resume(5)
        .then_one(&["approve", "--yes"], &[0])
        .resume(0)
        .head("work-1.txt", "1\n")
        .head("work-2.txt", "2\n")
        .named(", waves");
    all.push(waves);
    all
}
