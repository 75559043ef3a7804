//! What an agent reaches: not its own gate, not the user's files, and nothing of it lives on.

use crate::scenario::{Expect, Scenario, false_done, lost_work};

pub(super) fn all() -> Vec<Scenario> {
    let gate = |name: &str, script: &'static str| {
        false_done(name)
            .args(&["--mode", "review_each"])
            .agent(script)
            .exits(5)
            .task_is("awaiting_approval")
            .expect(Expect::Commits(0))
    };
    let mut all = vec![
        gate("an agent does not approve its own gate", "loopwright approve --yes >/dev/null 2>&1; echo x > x.txt; promise"),
        gate("a child that waits for its gate does not approve it", "echo x > x.txt; (setsid sh -c 'sleep 0.5; env -i PATH=$PATH HOME=$HOME loopwright approve --yes' >/dev/null 2>&1 &) ; promise").sandboxed(),
        gate("an agent does not change the rules", "loopwright config set mode autonomous >/dev/null 2>&1; loopwright config set sandbox off >/dev/null 2>&1; echo x > x.txt; promise").sandboxed(),
    ];
    all.extend(
        false_done("what an agent leaves running is ended")
            .agent("setsid sleep 600 >/dev/null 2>&1 </dev/null & (sleep 600 &) ; echo x > x.txt; promise")
            .exits(0)
            .both(),
    );
    all.push(
        lost_work("files outside of the project are out of reach")
            .before("echo mine > @ROOT@/home/mine.txt; echo mine > @ROOT@/outside.txt")
            .agent("echo bad > @ROOT@/home/mine.txt; echo bad > @ROOT@/outside.txt; rm -f @ROOT@/home/.gitconfig; echo x > x.txt; promise")
            .exits(0)
            .holds("grep -q mine @ROOT@/home/mine.txt; grep -q mine @ROOT@/outside.txt; test -s @ROOT@/home/.gitconfig")
            .sandboxed(),
    );
    all.push(
        lost_work("Loopwright's own state is out of reach")
            .agent("for f in $(ls .git/loopwright 2>/dev/null); do echo bad > .git/loopwright/$f; done 2>/dev/null; rm -rf .git/loopwright 2>/dev/null; echo x > x.txt; promise")
            .exits(0)
            .done()
            .sandboxed(),
    );
    all
}
