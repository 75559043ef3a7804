//! The rules of the task graph, as tables of examples and over any graph.

use std::collections::{BTreeSet, HashMap, HashSet};

use proptest::prelude::*;

use crate::{
    Dependencies, DependencyProblem, HeldTask, Task, TaskDraft, TaskFilter, TaskGraph, TaskId, TaskStatus,
};

fn task(id: u32, priority: u32, depends_on: &[u32]) -> Task {
    let depends_on = depends_on.iter().copied().map(TaskId).collect();
    let draft = TaskDraft { priority, depends_on, ..TaskDraft::titled(format!("task {id}")) };
    Task::new(TaskId(id), draft, "")
}

fn with(status: TaskStatus, task: Task) -> Task {
    Task { status, ..task }
}

fn tagged(tag: &str, mut task: Task) -> Task {
    task.draft.tag = Some(tag.into());
    task
}

fn numbers(ids: &[TaskId]) -> Vec<u32> {
    ids.iter().map(|id| id.0).collect()
}

fn waves(tasks: &[Task]) -> Vec<Vec<u32>> {
    TaskGraph::new(tasks).waves().iter().map(|wave| numbers(&wave.tasks)).collect()
}

fn held(tasks: &[Task], filter: &TaskFilter) -> Vec<(u32, Vec<u32>)> {
    TaskGraph::new(tasks).held(filter).iter().map(|HeldTask { task, by }| (task.0, numbers(by))).collect()
}

fn everything() -> TaskFilter {
    TaskFilter::default()
}

use TaskStatus::{AwaitingApproval, Blocked, Cancelled, Done, InProgress, Pending};

#[test]
fn a_diamond_makes_three_waves_sorted_by_priority_then_id() {
    let tasks = [task(1, 5, &[]), task(2, 5, &[1]), task(3, 1, &[1]), task(4, 5, &[2, 3]), task(5, 5, &[1])];
    assert_eq!(waves(&tasks), [vec![1], vec![3, 2, 5], vec![4]]);
}

#[test]
fn unknown_and_repeated_dependencies_hold_nothing_back() {
    let tasks = [task(1, 5, &[99]), task(2, 5, &[1, 1])];
    assert_eq!(waves(&tasks), [vec![1], vec![2]]);
    assert!(waves(&[]).is_empty());
}

#[test]
fn a_cancelled_task_is_in_no_wave_and_holds_what_waits_for_it() {
    let tasks = [with(Cancelled, task(1, 5, &[])), task(2, 5, &[1]), task(3, 5, &[2]), task(4, 5, &[])];
    assert_eq!(waves(&tasks), [vec![2, 4], vec![3]]);
    let graph = TaskGraph::new(&tasks);
    assert_eq!(graph.next(&everything()), Some(TaskId(4)));
    assert_eq!(held(&tasks, &everything()), [(2, vec![1]), (3, vec![1])]);
    assert_eq!(numbers(&graph.in_order().iter().map(|task| task.id).collect::<Vec<_>>()), [2, 4, 3, 1]);
    assert_eq!(graph.wave_of(TaskId(1)), None);
}

#[test]
fn a_cycle_is_named_and_what_only_waits_for_it_is_not() {
    let tasks = [task(1, 5, &[4]), task(2, 5, &[3]), task(3, 5, &[4]), task(4, 5, &[2]), task(5, 5, &[])];
    let graph = TaskGraph::new(&tasks);
    let cycle = graph.cycle().unwrap();
    assert_eq!(cycle.to_string(), "tasks depend on each other in a circle: #4 → #2 → #3 → #4");
    assert_eq!(graph.next(&everything()), Some(TaskId(5)));
    assert_eq!((graph.wave_of(TaskId(5)), graph.wave_of(TaskId(1))), (Some(1), None));
    assert_eq!(TaskGraph::new(&[task(1, 5, &[1])]).cycle().unwrap().tasks, [TaskId(1)]);
}

#[test]
fn a_summary_counts_by_status() {
    let tasks =
        [with(Done, task(1, 5, &[])), with(Cancelled, task(2, 5, &[])), with(Blocked, task(3, 5, &[]))];
    let summary = &TaskGraph::new(&tasks).summaries()[0];
    assert_eq!((summary.total, summary.done, summary.blocked), (2, 1, 1));
    assert!(!summary.is_finished());
}

#[test]
fn what_is_next_follows_waves_statuses_and_filters() {
    let tag = |tag: &str| TaskFilter { tag: Some(tag.into()), ..everything() };
    let wave = |wave| TaskFilter { wave: Some(wave), ..everything() };
    let one = |task| TaskFilter { task: Some(TaskId(task)), ..everything() };
    let cases: Vec<(&str, Vec<Task>, TaskFilter, &[u32])> = vec![
        ("nothing", vec![], everything(), &[]),
        (
            "priority, then id",
            vec![task(1, 5, &[]), task(2, 1, &[]), task(3, 1, &[])],
            everything(),
            &[2, 3, 1],
        ),
        ("later waves wait", vec![task(1, 9, &[]), task(2, 1, &[1]), task(3, 9, &[])], everything(), &[1, 3]),
        (
            "a wave is finished before the next begins",
            vec![with(Done, task(1, 5, &[])), task(2, 1, &[1]), task(3, 9, &[])],
            everything(),
            &[3],
        ),
        (
            "work under way keeps the next wave waiting",
            vec![with(Done, task(1, 5, &[])), task(2, 1, &[1]), with(InProgress, task(3, 9, &[]))],
            everything(),
            &[],
        ),
        (
            "so does a gate",
            vec![with(Done, task(1, 5, &[])), task(2, 1, &[1]), with(AwaitingApproval, task(3, 9, &[]))],
            everything(),
            &[],
        ),
        (
            "a blocked task stops only what waits for it",
            vec![
                with(Blocked, task(1, 5, &[])),
                task(2, 5, &[1]),
                with(Done, task(3, 5, &[])),
                task(4, 5, &[3]),
            ],
            everything(),
            &[4],
        ),
        ("a tag", vec![task(1, 5, &[]), tagged("tea", task(2, 5, &[]))], tag("tea"), &[2]),
        ("tags are whole words", vec![tagged("tea", task(1, 5, &[]))], tag("te"), &[]),
        ("another tag in the way", vec![task(1, 5, &[]), tagged("tea", task(2, 5, &[1]))], tag("tea"), &[]),
        ("a wave", vec![with(Done, task(1, 5, &[])), task(2, 5, &[1]), task(3, 5, &[])], wave(2), &[2]),
        ("a wave too early", vec![task(1, 5, &[]), task(2, 5, &[1])], wave(2), &[]),
        ("one task", vec![task(1, 1, &[]), task(2, 5, &[])], one(2), &[2]),
        ("one task that is not there", vec![task(1, 1, &[])], one(7), &[]),
    ];
    for (name, tasks, filter, expected) in cases {
        let graph = TaskGraph::new(&tasks);
        assert_eq!(numbers(&graph.ready(&filter)), expected, "{name}");
        assert_eq!(graph.next(&filter).map(|id| id.0), expected.first().copied(), "{name}");
    }
}

#[test]
fn held_tasks_name_the_first_that_stands_in_their_way() {
    let chain = |first, second| {
        vec![with(first, task(1, 5, &[])), with(second, task(2, 5, &[1])), task(3, 5, &[2]), task(4, 5, &[3])]
    };
    assert_eq!(held(&chain(Blocked, Pending), &everything()), [(2, vec![1]), (3, vec![1]), (4, vec![1])]);
    assert_eq!(held(&chain(Blocked, Blocked), &everything()), [(3, vec![2]), (4, vec![2])]);
    assert_eq!(held(&chain(Blocked, Done), &everything()), []);
    assert_eq!(held(&chain(InProgress, Pending), &everything()), []);
    let both = [with(Cancelled, task(1, 5, &[])), with(Blocked, task(2, 5, &[])), task(3, 5, &[2, 1])];
    assert_eq!(held(&both, &everything()), [(3, vec![1, 2])]);
    let outside = [task(1, 5, &[]), tagged("tea", task(2, 5, &[1])), tagged("tea", task(3, 5, &[2]))];
    assert_eq!(
        held(&outside, &TaskFilter { tag: Some("tea".into()), ..everything() }),
        [(2, vec![1]), (3, vec![1])]
    );
}

#[test]
fn the_critical_path_is_the_heaviest_chain_of_unfinished_work() {
    let heavy = |complexity, mut task: Task| {
        task.draft.complexity = complexity;
        task
    };
    let tasks =
        [task(1, 5, &[]), task(2, 5, &[1]), task(3, 5, &[2]), heavy(8, task(4, 5, &[])), task(5, 5, &[4])];
    assert_eq!(numbers(&TaskGraph::new(&tasks).critical_path()), [4, 5]);
    let done = [
        tasks[0].clone(),
        tasks[1].clone(),
        tasks[2].clone(),
        with(Done, tasks[3].clone()),
        tasks[4].clone(),
    ];
    assert_eq!(numbers(&TaskGraph::new(&done).critical_path()), [1, 2, 3]);
    let equal = [task(1, 5, &[]), task(2, 5, &[]), task(3, 5, &[2, 1])];
    assert_eq!(numbers(&TaskGraph::new(&equal).critical_path()), [1, 3]);
    assert_eq!(TaskGraph::new(&[with(Done, task(1, 5, &[]))]).critical_path(), []);
}

#[test]
fn a_new_dependency_is_checked() {
    let tasks = [task(1, 5, &[]), task(2, 5, &[1]), with(Cancelled, task(3, 5, &[2]))];
    let graph = TaskGraph::new(&tasks);
    let check = |task: u32, on: &[u32]| {
        let on: Vec<TaskId> = on.iter().copied().map(TaskId).collect();
        graph.dependencies().check(TaskId(task), &on).map_err(|problem| problem.to_string())
    };
    assert_eq!(check(3, &[1, 2]), Ok(()));
    assert_eq!(check(2, &[2]), Err("task #2 cannot wait for itself".into()));
    assert_eq!(check(2, &[9]), Err("task #2 cannot wait for task #9, which does not exist".into()));
    let circle = "tasks depend on each other in a circle: #1 → #3 → #2 → #1";
    assert_eq!(check(1, &[3]), Err(circle.into()), "a cancelled task may be reopened");
    assert_eq!(numbers(&graph.dependencies().dependants(TaskId(1)).collect::<Vec<_>>()), [2]);
}

#[test]
fn ten_thousand_tasks_are_looked_at_at_once() {
    let tasks: Vec<Task> = (1..=10_000u32)
        .map(|id| {
            let on: Vec<u32> =
                (1..=5).map(|k| k * 7).filter(|step| id > *step).map(|step| id - step).collect();
            let status = if id % 100 == 50 { Blocked } else { Pending };
            with(status, task(id, id % 9, &on))
        })
        .collect();
    let graph = TaskGraph::new(&tasks);
    assert!(graph.next(&everything()).is_some());
    assert!(!graph.held(&everything()).is_empty() && !graph.critical_path().is_empty());
    assert!(graph.dependencies().check(TaskId(4), &[TaskId(10_000)]).is_err());
}

/// Any tasks whose dependencies point to smaller numbers, in any state.
fn some_tasks() -> impl Strategy<Value = Vec<Task>> {
    let edges = proptest::collection::vec((1u32..25, 1u32..25), 0..80);
    let states = proptest::collection::vec((0..TaskStatus::ALL.len(), 0u32..3, any::<bool>()), 24);
    (edges, states).prop_map(|(edges, states)| {
        let mut tasks: Vec<Task> = (1..)
            .zip(states)
            .map(|(id, (status, priority, tag))| {
                let task = with(TaskStatus::ALL[status], task(id, priority, &[]));
                if tag { tagged("tea", task) } else { task }
            })
            .collect();
        for (a, b) in edges.into_iter().filter(|(a, b)| a != b) {
            tasks[a.max(b) as usize - 1].draft.depends_on.push(TaskId(a.min(b)));
        }
        tasks
    })
}

proptest! {
    /// Every task but the cancelled is in one wave, right after the last one it waits for.
    #[test]
    fn each_task_comes_once_and_after_its_dependencies(tasks in some_tasks()) {
        let graph = TaskGraph::new(&tasks);
        prop_assert!(graph.cycle().is_none());
        let wave_of: HashMap<TaskId, u32> = graph
            .waves().iter().flat_map(|wave| wave.tasks.iter().map(|id| (*id, wave.number))).collect();
        for task in &tasks {
            let latest = task.draft.depends_on.iter().filter_map(|id| wave_of.get(id)).max().unwrap_or(&0);
            let expected = (task.status != Cancelled).then_some(latest + 1);
            prop_assert_eq!(wave_of.get(&task.id).copied(), expected);
            prop_assert_eq!(graph.wave_of(task.id), expected);
        }
        prop_assert_eq!(graph.in_order().iter().map(|task| task.id).collect::<HashSet<_>>().len(), tasks.len());
    }

    /// Whatever can start has all it waits for; whoever is held has somebody in its way; and of what is left and not
    /// under way everything is one or the other, or waits for what is.
    #[test]
    fn ready_and_held_are_apart_and_nothing_is_forgotten(tasks in some_tasks(), only_tea in any::<bool>()) {
        let filter = TaskFilter { tag: only_tea.then(|| "tea".into()), ..everything() };
        let graph = TaskGraph::new(&tasks);
        let status = |id: TaskId| tasks[id.0 as usize - 1].status;
        let ready = graph.ready(&filter);
        let held = graph.held(&filter);
        for id in &ready {
            prop_assert!(status(*id) == Pending && graph.selects(&filter, *id));
            prop_assert!(tasks[id.0 as usize - 1].draft.depends_on.iter().all(|on| status(*on) == Done));
            prop_assert_eq!(graph.wave_of(*id), graph.wave_of(ready[0]));
        }
        let stopped: BTreeSet<TaskId> = held.iter().map(|held| held.task).collect();
        prop_assert!(ready.iter().all(|id| !stopped.contains(id)));
        for HeldTask { task, by } in &held {
            prop_assert!(status(*task) == Pending && !by.is_empty());
            for id in by {
                prop_assert!(matches!(status(*id), Blocked | Cancelled) || !graph.selects(&filter, *id));
            }
        }
        let left = graph.unfinished(&filter);
        let going_on = left.iter().any(|id| matches!(status(*id), InProgress | AwaitingApproval));
        if ready.is_empty() && !going_on {
            prop_assert!(left.iter().all(|id| status(*id) == Blocked || stopped.contains(id)));
        }
    }

    /// Finishing what is next, again and again, finishes everything that nothing stands in the way of, wave by wave.
    #[test]
    fn taking_the_next_task_comes_to_an_end(tasks in some_tasks()) {
        let mut tasks: Vec<Task> = tasks
            .into_iter()
            .map(|task| if matches!(task.status, InProgress | AwaitingApproval) { with(Pending, task) } else { task })
            .collect();
        let (mut wave, mut taken) = (0, 0);
        while let Some(next) = TaskGraph::new(&tasks).next(&everything()) {
            let number = TaskGraph::new(&tasks).wave_of(next).unwrap();
            prop_assert!(number >= wave, "a wave is over before the next begins");
            (wave, taken) = (number, taken + 1);
            prop_assert!(taken <= tasks.len());
            tasks[next.0 as usize - 1].status = Done;
        }
        let stopped = TaskGraph::new(&tasks).held(&everything());
        let pending = tasks.iter().filter(|task| task.status == Pending).count();
        prop_assert_eq!(stopped.len(), pending);
    }

    /// Any graph at all: a circle is named exactly when there is one, and it is really there.
    #[test]
    fn a_reported_cycle_is_a_cycle(edges in proptest::collection::vec((1u32..12, 1u32..12), 0..40)) {
        let mut tasks: Vec<Task> = (1..12).map(|id| task(id, 5, &[])).collect();
        for (from, to) in edges {
            let on = [tasks[from as usize - 1].draft.depends_on.as_slice(), &[TaskId(to)]].concat();
            let dependencies = Dependencies::new(tasks.iter().map(|t| (t.id, t.draft.depends_on.as_slice())));
            prop_assert!(dependencies.cycle().is_none());
            let checked = dependencies.check(TaskId(from), &on);
            tasks[from as usize - 1].draft.depends_on = on;
            let whole = TaskGraph::new(&tasks).cycle().cloned();
            prop_assert_eq!(checked.is_err(), whole.is_some());
            let Err(problem) = checked else { continue };
            let mut circles = vec![whole.unwrap()];
            match problem {
                DependencyProblem::Cycle(cycle) => circles.push(cycle),
                other => prop_assert_eq!(other, DependencyProblem::Itself(TaskId(to))),
            }
            for circle in circles {
                for (index, id) in circle.tasks.iter().enumerate() {
                    let next = circle.tasks[(index + 1) % circle.tasks.len()];
                    prop_assert!(tasks[id.0 as usize - 1].draft.depends_on.contains(&next), "{}", circle);
                }
            }
            tasks[from as usize - 1].draft.depends_on.pop();
        }
    }
}
