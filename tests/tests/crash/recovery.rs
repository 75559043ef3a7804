//! Recovery itself: cut off while it works, done again and again, and careful with processes that are not ours.

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use std::time::Duration;

use loopwright_domain::{EventSeq, Iteration, Outcome, Run};
use loopwright_store::{Entry, Store};
use loopwright_testkit::eventually;

use crate::chance::Chance;
use crate::oracle::{all_is_well, newest};
use crate::points::calm_tree;
use crate::processes::{is_alive, kill_at_once, marked, nobody_marked};
use crate::scene::{Scene, Started};

const ITERATIONS: u32 = 2;
const NOW: &str = "2026-01-02T03:04:05Z";
/// An agent that is at work until it is ended.
const ENDLESS: &str = "setsid sleep 600 </dev/null >/dev/null 2>&1 &\nsleep 600\n";

/// A run whose process vanished while its agent worked.
fn cut_off(scene: &Scene) {
    let mut command = scene.looping("work", ITERATIONS, &["--auto-commit"]);
    let output = scene.sandbox.run(command.env("LOOPWRIGHT_CRASH_AT", "running.after"));
    assert_eq!(output.code, -1, "{output:?}");
}

/// The agent works from now on.
fn mend_agent(scene: &Scene) {
    let root = scene.sandbox.root().display().to_string();
    let text = "mkdir -p work\necho begun $N > work/part-$N.txt\necho done $N > work/step-$N.txt\n";
    scene.outside("agent.sh", &format!("SCENE='{root}'\nN=$LOOPWRIGHT_ATTEMPT\n{text}"));
}

/// Everything that is written down, to be compared.
fn written(scene: &Scene) -> (Run, Vec<Iteration>, usize) {
    let (run, all) = newest(scene);
    let events =
        scene.with_project(async |project| project.events().since(EventSeq(0), 100_000).await.unwrap());
    (run, all, events.len())
}

#[test]
fn recovering_again_and_again_changes_nothing_more() {
    let scene = Scene::with_agent(ENDLESS);
    cut_off(&scene);
    let first = scene.ask(&["recover", "--json"]);
    assert_eq!(first["settled"], 1, "{first}");
    assert_eq!(first["ended"].as_array().unwrap().len(), 3, "the shell and both sleeps: {first}");
    let after = written(&scene);
    for _ in 0..4 {
        let again = scene.run(&["recover"]);
        assert!(again.stdout.contains("Nothing to recover"), "{again:?}");
    }
    assert_eq!(written(&scene), after);
    nobody_marked(&after.1[0].id.to_string());
}

#[test]
fn a_recovery_that_is_killed_itself_is_simply_done_again() {
    let scene = Scene::new();
    let calm = calm_tree(&scene, ITERATIONS);
    let mut chance = Chance::new(7);
    for round in 0..4 {
        let label = format!("round-{round}");
        scene.label(&label);
        let mut command = scene.looping(&label, ITERATIONS, &["--auto-commit"]);
        let output = scene.sandbox.run(command.env("LOOPWRIGHT_CRASH_AT", "commit.made"));
        assert_eq!(output.code, -1, "{output:?}");
        for _ in 0..3 {
            let mut started = scene.start(&mut scene.command(&["resume"]));
            std::thread::sleep(Duration::from_millis(chance.below(120)));
            kill_at_once(&mut started.0);
        }
        let resumed = scene.run(&["resume"]);
        assert!([2, 3].contains(&resumed.code), "{resumed:?}");
        all_is_well(&scene, &label, ITERATIONS, &calm);
    }
}

#[test]
fn a_surviving_agent_is_ended_before_the_run_goes_on() {
    let scene = Scene::with_agent(ENDLESS);
    cut_off(&scene);
    let survivor = newest(&scene).1.pop().unwrap();
    let pid = i32::try_from(survivor.pid.unwrap()).unwrap();
    assert!(is_alive(pid), "a crash does not end the agent by itself");
    mend_agent(&scene);
    let mut resumed = scene.start_heard(&mut scene.command(&["resume", "--json"]));
    let mut first = String::new();
    let mut told = BufReader::new(resumed.0.stdout.take().unwrap());
    told.read_line(&mut first).unwrap();
    assert!(first.contains("run.resumed"), "{first}");
    assert!(!is_alive(pid), "it was ended first");
    let rest = told.lines().map_while(Result::ok).collect::<Vec<_>>().join("\n");
    assert!(rest.contains("was still running from before and was ended"), "{rest}");
    assert_eq!(resumed.0.wait().unwrap().code(), Some(3));
    nobody_marked(&survivor.id.to_string());
}

#[test]
fn what_a_check_left_running_is_ended_and_the_check_is_run_again() {
    let scene = Scene::new();
    // Not before the first agent, where no iteration is cut off.
    scene.outside("check.sh", &format!("[ -e work/step-1.txt ] || exit 0\n{ENDLESS}"));
    let mut started = scene.start(&mut scene.looping("work", ITERATIONS, &["--auto-commit"]));
    eventually("the check runs", || scene.last_run()["phase"] == "checking");
    let id = newest(&scene).1.pop().unwrap().id.to_string();
    eventually("it has started others", || marked(&format!("{id}.check-")).len() == 3);
    kill_at_once(&mut started.0);
    scene.outside("check.sh", "");
    let resumed = scene.run(&["resume"]);
    assert_eq!(resumed.code, 3, "{resumed:?}");
    nobody_marked(&id);
    let (_, all) = newest(&scene);
    assert_eq!(all.iter().map(|iteration| iteration.attempt).collect::<Vec<_>>(), [1, 1], "no agent twice");
}

#[test]
fn a_stranger_with_the_number_of_an_agent_is_left_alone() {
    let scene = Scene::with_agent(ENDLESS);
    cut_off(&scene);
    // A number is given again only after all others; here that takes at least one tick of the system's clock.
    std::thread::sleep(Duration::from_millis(50));
    let stranger = Started(sleeper(&scene).spawn().unwrap());
    let mut iteration = newest(&scene).1.pop().unwrap();
    let mine = iteration.pid.replace(stranger.0.id());
    write_down(&scene, &iteration);
    mend_agent(&scene);
    assert_eq!(scene.run(&["resume"]).code, 3);
    assert!(is_alive(i32::try_from(stranger.0.id()).unwrap()), "it only has the same number");
    assert!(!is_alive(i32::try_from(mine.unwrap()).unwrap()), "the agent was found by its mark");
}

fn sleeper(scene: &Scene) -> Command {
    let mut command = scene.sandbox.command("sleep");
    command.arg("600");
    command
}

/// Writes an iteration as another process could have.
fn write_down(scene: &Scene, iteration: &Iteration) {
    let database = scene.state_dir().join("state.db");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (store, _) = Store::open(&database, NOW).await.unwrap();
        let entry = Entry { iteration: Some(iteration), ..Entry::default() };
        store.journal(NOW, entry).await.unwrap();
        store.close().await.unwrap();
    });
}

#[test]
fn a_commit_that_is_still_being_made_when_the_run_is_killed_is_not_made_twice() {
    let scene = Scene::new();
    let calm = calm_tree(&scene, ITERATIONS);
    let hook = scene.sandbox.work().join(".git/hooks/pre-commit");
    std::fs::write(&hook, "#!/bin/sh\nsleep 0.7\n").unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(scene.run(&["trust", "--yes"]).code, 0);
    for round in 0..3 {
        let label = format!("hook-{round}");
        scene.label(&label);
        let mut started = scene.start(&mut scene.looping(&label, ITERATIONS, &["--auto-commit"]));
        eventually("the hook runs", || committing(&scene).is_some());
        kill_at_once(&mut started.0);
        let resumed = scene.run(&["resume"]);
        assert_eq!(resumed.code, 3, "{resumed:?}");
        // Time for a commit that was left behind to show.
        std::thread::sleep(Duration::from_millis(900));
        all_is_well(&scene, &label, ITERATIONS, &calm);
    }
}

#[test]
fn the_work_of_a_failed_iteration_is_in_the_commit_of_the_next_good_one() {
    let scene = Scene::with_agent(
        "N=$LOOPWRIGHT_ATTEMPT\nmkdir -p work\necho begun $N > work/part-$N.txt\n\
         [ $N = 1 ] || for n in $(seq $N); do echo done $n > work/step-$n.txt; done\n",
    );
    let output = scene.sandbox.run(&mut scene.looping("work", 3, &["--auto-commit"]));
    assert_eq!(output.code, 3, "{output:?}");
    let outcomes: Vec<_> = newest(&scene).1.iter().map(|iteration| iteration.outcome.unwrap()).collect();
    assert_eq!(outcomes, [Outcome::Failed, Outcome::Succeeded, Outcome::Succeeded]);
    let names = scene.sandbox.git("", &["log", "--reverse", "--format=tformat:commit", "--name-only", "-2"]);
    let words: Vec<&str> = names.split_whitespace().collect();
    let second = ["work/part-1.txt", "work/part-2.txt", "work/step-1.txt", "work/step-2.txt"];
    let third = ["work/part-3.txt", "work/step-3.txt"];
    assert_eq!(words, [&["commit"][..], &second, &["commit"], &third].concat());
    assert_eq!(scene.git_line(&["status", "--porcelain"]), "");
}

/// The commit under way, when its hook runs.
fn committing(scene: &Scene) -> Option<()> {
    let hook = marked(&format!("HOME={}", scene.sandbox.root().join("home").display()));
    hook.iter().any(|process| process.command.contains("pre-commit")).then_some(())
}
