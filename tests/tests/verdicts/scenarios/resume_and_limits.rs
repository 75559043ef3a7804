//! Stopping and going on: limits can be raised, nothing is done twice, crashes cost nothing.

use crate::scenario::{Expect, Scenario, false_done, false_fail, lost_work};

const GOOD: &str = "test -s good.txt";

pub(super) fn all() -> Vec<Scenario> {
    let mut all = raised();
    all.extend(crashes());
    all.extend(reviews());
    all
}

fn raised() -> Vec<Scenario> {
    vec![
        false_fail("a run stopped at its limit goes on with a higher one")
            .task(&["One"])
            .task(&["Two"])
            .args(&["--max-iterations", "1"])
            .agent("echo $task > w-$task.txt; promise")
            .exits(3)
            .then(&["resume", "--max-iterations", "5"], 0)
            .expect(Expect::Task(2, "done"))
            .agents(2),
        false_fail("a loop stopped at its limit goes on with a higher one")
            .looping()
            .check("good", "grep -q 3 n.txt")
            .args(&["-n", "2", "-c", "loop.no_progress=0"])
            .agent("echo $attempt > n.txt; promise")
            .exits_with(&[1, 3])
            .then(&["resume", "--max-iterations", "6"], 0)
            .touches("n.txt")
            .has("n.txt", "3\n"),
        false_done("a finished run is not resumed")
            .agent("echo x > x.txt; promise")
            .exits(0)
            .then(&["resume"], 2)
            .agents(1),
        false_fail("a blocked task that is unblocked is done by the next run")
            .check("good", GOOD)
            .args(&["--max-attempts", "1"])
            .agent("exit 1")
            .exits(4)
            .then(&["task", "unblock", "1"], 0)
            .then_agent("echo good > good.txt; promise")
            .exits(0)
            .done(),
    ]
}

/// The process vanishes at a named place, and whoever goes on loses and repeats nothing.
fn crashes() -> Vec<Scenario> {
    let mut all = Vec::new();
    let points = [
        "agent.started",
        "agent_done.after",
        "checking.after",
        "checks.ended",
        "committing.after",
        "commit.made",
        "settled.before",
    ];
    for point in points {
        let killed = lost_work(&format!("a run that vanishes at {point} is done once"))
            .check("good", GOOD)
            .agent("echo good > good.txt; promise")
            .crashing(point)
            .resume(0)
            .done()
            .head("good.txt", "good\n")
            .expect(Expect::Commits(1));
        all.push(killed.clone());
        if matches!(point, "agent.started" | "checks.ended" | "commit.made") {
            all.push(killed.sandboxed());
        }
    }
    for point in ["checking.after", "commit.made"] {
        all.push(
            lost_work(&format!("a loop that vanishes at {point} goes on"))
                .looping()
                .args(&["--auto-commit"])
                .check("good", GOOD)
                .agent("echo good > good.txt; promise")
                .crashing(point)
                .resume(0)
                .head("good.txt", "good\n")
                .expect(Expect::Commits(1)),
        );
    }
    all.push(
        false_done("a failed attempt cut off while it is put back is put back")
            .file("a.txt", "a\n")
            .check("good", GOOD)
            .args(&["--max-attempts", "1"])
            .agent("echo bad > a.txt; echo bad > bad.txt; exit 1")
            .crashing("attempt.kept")
            .resume(4)
            .has("a.txt", "a\n")
            .lacks("bad.txt"),
    );
    all
}

impl Scenario {
    /// The start vanishes at this place.
    pub(super) fn crashing(mut self, point: &'static str) -> Self {
        self.crash = Some(point);
        self.exits(-1)
    }
}

fn reviews() -> Vec<Scenario> {
    vec![
        false_done("a review does not wait any more when it is approved")
            .task(&["One"])
            .task(&["Two"])
            .args(&["--mode", "review_every:1"])
            .agent("echo $task > w-$task.txt; promise")
            .exits(5)
            .approve()
            .then(&["status"], 0)
            .resume(5)
            .approve()
            .resume(0)
            .gates(0)
            .expect(Expect::Task(2, "done")),
        false_done("a plan is no work done")
            .args(&["--automation", "plan"])
            .agent("if [ \"$LOOPWRIGHT_AUTOMATION\" = plan ]; then echo 'First boil, then pour.'; exit 0; fi; echo good > good.txt; promise")
            .exits(5)
            .task_is("awaiting_approval"),
        false_done("a plan that changes files is a failed attempt").args(&["--automation", "plan", "--max-attempts", "1"]).agent("echo x > x.txt; echo planned").exits(4).lacks("x.txt"),
        lost_work("a cancelled run puts back what waits")
            .args(&["--mode", "review_each"])
            .agent("echo good > good.txt; promise")
            .exits(5)
            .then(&["cancel"], 0)
            .task_is("pending")
            .gates(0)
            .lacks("good.txt"),
    ]
}
