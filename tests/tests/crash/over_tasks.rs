//! Twenty tasks in five waves, with attempts that fail and gates that wait: the process vanishes at every named place of
//! a run over tasks, and whoever goes on loses and repeats nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use loopwright_domain::{Iteration, Outcome, Phase, RunStatus, Task, TaskStatus};
use loopwright_engine::run::{CRASH_POINTS, TASK_CRASH_POINTS};

use crate::oracle::{newest, state_is_sound};
use crate::processes::nobody_marked;
use crate::scene::Scene;

const WAVES: u32 = 5;
const IN_A_WAVE: u32 = 4;
const ABORTED: i32 = -1;
/// More lives than that and something goes in circles.
const LIVES: u32 = 120;
/// Places that lie before the run is known, or after it is over.
const OUTSIDE: &[&str] = &["run.before", "run.after", "ended.after"];
/// The place that a run passes last.
const LAST: &str = "ended.before";
/// Places of runs that commit by wave.
const OF_WAVES: &[&str] = &["wave.before", "wave.made", "wave.after"];

/// Fails at its first attempt in every third task, changes a protected file in every seventh, and leaves a child in
/// every fifth. The same attempt always leaves the same files.
const AGENT: &str = r#"
task=$LOOPWRIGHT_TASK
[ $((task % 5)) = 0 ] && setsid sleep 600 >/dev/null 2>&1 </dev/null &
mkdir -p work
echo "task $task" > "work/part-$task.txt"
[ $((task % 7)) = 0 ] && echo "task $task" > "guarded-$task.txt"
if [ $((task % 3)) = 0 ] && [ "$LOOPWRIGHT_ATTEMPT" = 1 ]; then
    echo broken > "work/broken-$task.txt"
fi
loopwright signal learning --category test "task $task taught something" >/dev/null
loopwright signal complete "did $task" >/dev/null
"#;

const CHECK: &str =
    "if ls work/broken-*.txt >/dev/null 2>&1; then echo 'AssertionError: a part is broken'; exit 1; fi\n";

#[test]
fn a_run_over_tasks_cut_off_at_every_named_place_loses_and_repeats_nothing() {
    let all = CRASH_POINTS.iter().chain(TASK_CRASH_POINTS).copied();
    let inside = all.filter(|point| !OUTSIDE.contains(point) && *point != LAST);
    let (mut of_waves, mut of_tasks): (Vec<&str>, Vec<&str>) = inside.partition(|it| OF_WAVES.contains(it));
    // The next one is taken from the end.
    of_tasks.push(LAST);
    of_tasks.reverse();
    of_waves.reverse();
    let left = Mutex::new(vec![("task", of_tasks), ("wave", of_waves)]);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let Some((commit, points)) = left.lock().unwrap().pop() else { return };
                crash_at(commit, points);
            });
        }
    });
}

/// One run from its first task to its last, ended once at each of these places.
fn crash_at(commit: &str, mut points: Vec<&str>) {
    let scene = scene();
    let agent = format!("sh {}/agent.sh", scene.sandbox.root().display());
    let begin = ["run", "--command", &agent, "--prompt-mode", "stdin", "--commit", commit];
    let mut command = scene.command(&begin);
    for life in 0..LIVES {
        let point = points.last().copied();
        if let Some(point) = point {
            command.env("LOOPWRIGHT_CRASH_AT", format!("{point}#1"));
        }
        let output = scene.sandbox.run(&mut command);
        match output.code {
            0 => break,
            ABORTED => {
                points.pop();
            }
            5 => approve(&scene, &mut points),
            _ => panic!("life {life}, at {point:?}: {output:?}"),
        }
        assert!(life + 1 < LIVES, "the run does not come to its end; left: {points:?}");
        command = scene.command(&["resume"]);
    }
    assert_eq!(points, Vec::<&str>::new(), "every place is reached");
    all_tasks_are_done_once(&scene, commit);
}

/// Approves what waits. Where the process vanishes while it carries that out, resuming does it.
fn approve(scene: &Scene, points: &mut Vec<&str>) {
    let mut command = scene.command(&["approve", "--yes"]);
    if let Some(point) = points.iter().position(|point| *point == "gate.decided") {
        command.env("LOOPWRIGHT_CRASH_AT", "gate.decided#1");
        let output = scene.sandbox.run(&mut command);
        assert_eq!(output.code, ABORTED, "{output:?}");
        points.remove(point);
        return;
    }
    let output = scene.sandbox.run(&mut command);
    assert_eq!(output.code, 0, "{output:?}");
}

fn scene() -> Scene {
    let scene = Scene::with_agent(AGENT);
    scene.outside("check.sh", CHECK);
    assert_eq!(scene.run(&["config", "set", "gate.protected", "guarded-*"]).code, 0);
    scene.sandbox.git("", &["commit", "--quiet", "--all", "--message", "Guard"]);
    let mut tasks = String::from("{\"tasks\":[");
    for id in 1..=WAVES * IN_A_WAVE {
        let after = if id > IN_A_WAVE { format!("{}", id - IN_A_WAVE) } else { String::new() };
        let comma = if id > 1 { "," } else { "" };
        tasks.push_str(&format!(
            "{comma}{{\"id\":{id},\"title\":\"Task {id}\",\"description\":\"\",\"status\":\"pending\",\
             \"priority\":\"medium\",\"dependencies\":[{after}]}}"
        ));
    }
    tasks.push_str("]}");
    scene.outside("tasks.json", &tasks);
    let file = scene.sandbox.root().join("tasks.json").display().to_string();
    let imported = scene.run(&["task", "import", &file]);
    assert_eq!(imported.code, 0, "{imported:?}");
    scene
}

/// Each task is done and committed once, in its order; attempts are counted right; nothing is left behind.
fn all_tasks_are_done_once(scene: &Scene, commit: &str) {
    let (run, iterations) = newest(scene);
    assert_eq!(run.status, RunStatus::Completed, "{:?}", run.message);
    let tasks: Vec<Task> = scene.with_project(async |project| project.tasks().list().await.unwrap());
    let mut settled: BTreeMap<(u32, Outcome), u32> = BTreeMap::new();
    for iteration in &iterations {
        assert_eq!(iteration.phase, Phase::Settled, "{iteration:?}");
        nobody_marked(&iteration.id.to_string());
        let key = (iteration.task.unwrap().0, iteration.outcome.unwrap());
        *settled.entry(key).or_default() += 1;
    }
    for task in &tasks {
        let times = |outcome| settled.get(&(task.id.0, outcome)).copied().unwrap_or_default();
        assert_eq!(task.status, TaskStatus::Done, "{task:?}");
        assert_eq!(times(Outcome::Succeeded), 1, "task {}", task.id);
        assert_eq!(times(Outcome::Failed), u32::from(task.id.0 % 3 == 0), "task {}", task.id);
        assert_eq!((task.attempts, task.failures), (1 + times(Outcome::Failed), times(Outcome::Failed)));
    }
    assert_eq!(tasks.len(), (WAVES * IN_A_WAVE) as usize);
    committed_once(scene, commit, &iterations);
    remembered_once(scene, &iterations);
    assert_eq!(scene.git_line(&["status", "--porcelain"]), "", "something is left uncommitted");
    assert_eq!(scene.ask(&["gate", "list", "--json"])["open"].as_array().map(Vec::len), Some(0));
    state_is_sound(scene);
}

/// What fixed the first failure was made into a solution once, and credited once for each further one.
fn remembered_once(scene: &Scene, iterations: &[Iteration]) {
    let failed = iterations.iter().filter(|iteration| iteration.outcome == Some(Outcome::Failed)).count();
    let failures =
        scene.ask(&["failure", "list", "--pattern", "assertion_failed", "--limit", "100", "--json"]);
    let failures = failures.as_array().unwrap();
    assert_eq!(failures.len(), failed, "{failures:?}");
    assert!(failures.iter().all(|failure| failure["solution"] == 1), "{failures:?}");
    let solutions = scene.ask(&["solution", "list", "--json"]);
    let solution = &solutions[0];
    assert_eq!(solutions.as_array().map(Vec::len), Some(1), "{solutions}");
    let history = solution["history"].as_array().unwrap();
    let of = |reason: &str| history.iter().filter(|change| change["reason"] == reason).count();
    assert_eq!((of("made"), of("helped"), history.len()), (1, failed - 1, failed), "{solution}");
    let judged: BTreeSet<&str> = history.iter().filter_map(|change| change["iteration"].as_str()).collect();
    assert_eq!(judged.len(), history.len(), "no iteration is judged twice: {solution}");
    assert_eq!(solution["helped"], failed - 1);
}

fn committed_once(scene: &Scene, commit: &str, iterations: &[Iteration]) {
    let subjects = scene.sandbox.git("", &["log", "--reverse", "--format=%s"]);
    let made: Vec<&str> = subjects.lines().skip_while(|line| *line != "Guard").skip(1).collect();
    let expected: Vec<String> = match commit {
        "wave" => (1..=WAVES).map(|wave| format!("feat(tasks): complete wave {wave}")).collect(),
        _ => (1..=WAVES * IN_A_WAVE).map(|id| format!("Task {id}")).collect(),
    };
    assert_eq!(made, expected);
    let files = scene.sandbox.git("", &["ls-files", "work", "guarded-*"]);
    let guarded = (1..=WAVES * IN_A_WAVE).filter(|id| id % 7 == 0).count();
    assert_eq!(files.lines().count(), (WAVES * IN_A_WAVE) as usize + guarded, "{files}");
    let kept = iterations.iter().filter(|iteration| iteration.outcome == Some(Outcome::Failed));
    for iteration in kept {
        let reference = format!("refs/loopwright/attempts/{}", iteration.id);
        let task = iteration.task.unwrap().0;
        let text = scene.git_line(&["show", &format!("{reference}:work/broken-{task}.txt")]);
        assert_eq!(text, "broken", "what failed is kept");
    }
}
