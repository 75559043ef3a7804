//! Gates of a loop: the process vanishes before, at and after the gate, and nothing is asked, approved or committed twice.

use loopwright_domain::{ExitReason, Outcome, RunStatus};

use crate::oracle::{newest, state_is_sound};
use crate::scene::Scene;

/// What a process that was aborted ends with.
const ABORTED: i32 = -1;
/// Places that the run itself passes up to its gate.
const BEFORE: &[&str] = &["checks.ended", "gate.before", "gate.opened", "ended.before"];
/// Places that whoever approves passes.
const AFTER: &[&str] =
    &["gate.decided", "committing.after", "commit.made", "settled.before", "settled.after"];

/// Writes a protected file and says that it is done.
const AGENT: &str = "mkdir -p work\necho step > work/step-1.txt\necho x > guarded.txt\n\
                     echo '<promise>COMPLETE</promise>'\n";

fn scene() -> Scene {
    let scene = Scene::with_agent(AGENT);
    assert_eq!(scene.run(&["config", "set", "gate.protected", "guarded*"]).code, 0);
    scene.sandbox.git("", &["commit", "--quiet", "--all", "--message", "Guard"]);
    scene
}

#[test]
fn a_loop_cut_off_around_its_gate_asks_once_and_commits_once() {
    for point in BEFORE.iter().chain(AFTER) {
        let scene = scene();
        let mut command = scene.looping("work", 3, &["--auto-commit"]);
        if BEFORE.contains(point) {
            let output = scene.sandbox.run(command.env("LOOPWRIGHT_CRASH_AT", format!("{point}#1")));
            assert_eq!(output.code, ABORTED, "{point}: {output:?}");
            command = scene.command(&["resume"]);
        }
        let waiting = scene.sandbox.run(&mut command);
        assert_eq!(waiting.code, 5, "{point}: {waiting:?}");
        let gates = scene.ask(&["gate", "list", "--json"]);
        assert_eq!(gates["open"].as_array().map(Vec::len), Some(1), "{point}: {gates}");
        let mut approve = scene.command(&["approve", "--yes"]);
        if AFTER.contains(point) {
            let output = scene.sandbox.run(approve.env("LOOPWRIGHT_CRASH_AT", format!("{point}#1")));
            assert_eq!(output.code, ABORTED, "{point}: {output:?}");
            let resumed = scene.run(&["resume"]);
            assert_eq!(resumed.code, 0, "{point}: {resumed:?}");
        } else {
            let output = scene.sandbox.run(&mut approve);
            assert_eq!(output.code, 0, "{point}: {output:?}");
        }
        let (run, iterations) = newest(&scene);
        assert_eq!((run.status, run.reason), (RunStatus::Completed, Some(ExitReason::Promise)), "{point}");
        assert_eq!(iterations.len(), 1, "{point}: no agent is started after the last one");
        assert_eq!(iterations[0].outcome, Some(Outcome::Succeeded), "{point}");
        assert_eq!(run.approved_tree, iterations[0].tree_after, "{point}");
        let subjects = scene.sandbox.git("", &["log", "--format=%s"]);
        assert_eq!(subjects.lines().count(), 3, "{point}: {subjects}");
        assert_eq!(scene.git_line(&["status", "--porcelain"]), "", "{point}: something is left uncommitted");
        let gates = scene.ask(&["gate", "list", "--json"]);
        assert_eq!(gates["open"].as_array().map(Vec::len), Some(0), "{point}: {gates}");
        assert_eq!(gates["decided"].as_array().map(Vec::len), Some(1), "{point}: {gates}");
        state_is_sound(&scene);
    }
}
