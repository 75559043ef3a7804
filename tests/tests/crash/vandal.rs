//! Agents that destroy the repository or our state. What was recorded comes back.

use std::collections::BTreeSet;

use loopwright_domain::Outcome;
use serde_json::Value;

use crate::oracle::{newest, state_is_sound};
use crate::scene::Scene;

const ITERATIONS: u32 = 3;

/// An agent that works well, and in its second iteration does something else too.
fn vandal(deed: &str) -> Scene {
    Scene::with_agent(&format!(
        "N=$LOOPWRIGHT_ATTEMPT\nmkdir -p work\necho begun $N > work/part-$N.txt\n\
         if [ $N = 2 ]; then\n{deed}\nfi\necho done $N > work/step-$N.txt\n"
    ))
}

fn our_refs(scene: &Scene) -> BTreeSet<String> {
    let refs =
        scene.sandbox.git("", &["for-each-ref", "--format=%(refname) %(objectname)", "refs/loopwright"]);
    refs.lines().map(str::to_owned).collect()
}

/// Recovers; then recovers again, which has to change nothing.
fn recover(scene: &Scene) -> Value {
    let recovered = scene.ask(&["recover", "--json"]);
    let (refs, written) = (our_refs(scene), newest(scene));
    let again = scene.run(&["recover"]);
    assert!(again.stdout.contains("Nothing to recover"), "{again:?}");
    assert_eq!((our_refs(scene), newest(scene)), (refs, written));
    recovered
}

/// The first iteration's outcome and checkpoint are there, and nothing is left unsettled.
fn first_iteration_is_back(scene: &Scene) {
    let (run, all) = newest(scene);
    assert_eq!(all[0].outcome, Some(Outcome::Succeeded));
    assert!(all.iter().all(|iteration| iteration.outcome.is_some()), "{all:?}");
    assert!(all.len() >= 2, "the iteration that did it is recorded");
    let checkpoint =
        format!("refs/loopwright/checkpoints/{}/1 {}", run.id, all[0].checkpoint.as_ref().unwrap());
    assert!(our_refs(scene).contains(&checkpoint), "{:?}", our_refs(scene));
    state_is_sound(scene);
}

#[test]
fn an_agent_that_deletes_the_repository_ends_the_run_and_recover_brings_it_back() {
    // At once: an agent that deletes file by file is ended when the state is gone, and leaves the rest.
    let scene = vandal("mv .git ../deleted && rm -rf ../deleted");
    let output = scene.sandbox.run(&mut scene.looping("work", ITERATIONS, &[]));
    assert_eq!(output.code, 1, "{output:?}");
    let said = format!("{}{}", output.stdout, output.stderr);
    assert!(said.contains("loopwright recover"), "{said}");
    assert!(!scene.sandbox.work().join(".git").exists(), "no empty repository is made in its place");
    let recovered = recover(&scene);
    assert_eq!(recovered["repository"], true, "{recovered}");
    assert_eq!(recovered["state"], true, "{recovered}");
    first_iteration_is_back(&scene);
    for iteration in &newest(&scene).1 {
        let (run, number) = (iteration.run, iteration.number + 1);
        let Some(commit) = &iteration.checkpoint else { panic!("{number} has no checkpoint") };
        let checkpoint = format!("refs/loopwright/checkpoints/{run}/{number} {commit}");
        assert!(our_refs(&scene).contains(&checkpoint), "{checkpoint} is not among {:?}", our_refs(&scene));
    }
    let kept: Vec<bool> =
        (1..=2).map(|n| scene.sandbox.work().join(format!("work/part-{n}.txt")).exists()).collect();
    assert_eq!(kept, [true, true], "files are not touched");
}

#[test]
fn a_repository_that_is_deleted_in_part_is_made_again() {
    let scene = vandal("rm -rf .git/HEAD .git/objects .git/refs .git/loopwright");
    let output = scene.sandbox.run(&mut scene.looping("work", ITERATIONS, &[]));
    assert_eq!(output.code, 1, "{output:?}");
    recover(&scene);
    first_iteration_is_back(&scene);
    assert!(scene.sandbox.work().join(".git.damaged-1").exists(), "what was left of it is kept");
}

#[test]
fn an_agent_that_deletes_our_state_ends_the_run_and_recover_brings_it_back() {
    let scene = vandal("rm -f .git/loopwright/state.db*");
    let output = scene.sandbox.run(&mut scene.looping("work", ITERATIONS, &["--auto-commit"]));
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stdout.contains("loopwright recover"), "{output:?}");
    let recovered = recover(&scene);
    assert_eq!(recovered["repository"], false, "{recovered}");
    assert_eq!(recovered["state"], true, "{recovered}");
    first_iteration_is_back(&scene);
}

#[test]
fn an_agent_that_deletes_our_references_loses_no_checkpoint() {
    let scene = vandal(
        "git for-each-ref --format='delete %(refname)' refs/loopwright | git update-ref --stdin\n\
         git reflog expire --expire=now --all\ngit gc --quiet --prune=now",
    );
    let output = scene.sandbox.run(&mut scene.looping("work", ITERATIONS, &["--auto-commit"]));
    assert_eq!(output.code, 3, "{output:?}");
    recover(&scene);
    first_iteration_is_back(&scene);
}

#[test]
fn an_agent_that_cleans_and_resets_loses_nothing_that_was_recorded() {
    let scene = vandal("git clean -fdxq\ngit reset --quiet --hard\ngit stash clear\nmkdir -p work");
    let output = scene.sandbox.run(&mut scene.looping("work", ITERATIONS, &[]));
    assert_eq!(output.code, 3, "{output:?}");
    let (_, all) = newest(&scene);
    assert_eq!(all.len(), 3, "{all:?}");
    let saved = all[1].checkpoint.as_ref().unwrap();
    let content = scene.sandbox.git("", &["show", &format!("{saved}:work/step-1.txt")]);
    assert_eq!(content, "done 1\n", "what the agent threw away is in the checkpoint before it");
    recover(&scene);
    state_is_sound(&scene);
}
