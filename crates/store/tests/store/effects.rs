//! Events that are more than history: what they say is done in the same write.

use loopwright_domain::{
    Diagnosis, Event, FailureCategory, Fix, GateStatus, Iteration, LearningCategory, MemoryOrigin, Origin,
    Outcome, Phase, SolutionDraft, SolutionTrust, TaskDraft, TaskId, TaskStatus, TrustReason,
};
use loopwright_store::{Entry, NewSolution, SolutionAction, Store};

use crate::samples::{new_run, planned};
use crate::support::NOW;

const TASK: TaskId = TaskId(1);

/// A store with a task and an iteration that works on it.
async fn begun() -> (tempfile::TempDir, Store, Iteration) {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = Store::open(&folder.path().join("state.db"), NOW).await.unwrap();
    store.add_tasks(NOW, &[TaskDraft::titled("Brew").into()]).await.unwrap();
    let run = new_run(1);
    let iteration = Iteration { task: Some(TASK), ..planned(&run, 0, 1) };
    let events = [moved(TaskStatus::Pending, TaskStatus::InProgress, &iteration)];
    let entry = Entry { run: Some(&run), iteration: Some(&iteration), events: &events, ..Entry::default() };
    assert_eq!(store.journal(NOW, entry).await.unwrap().len(), 1);
    (folder, store, iteration)
}

fn moved(from: TaskStatus, to: TaskStatus, iteration: &Iteration) -> Event {
    let reason = Some("failed".to_owned());
    Event::TaskStatusChanged { task: TASK, from, to, reason, iteration: Some(iteration.id), origin: None }
}

#[tokio::test]
async fn a_task_moves_with_its_event_and_a_blocked_one_keeps_why() {
    let (_folder, store, iteration) = begun().await;
    assert_eq!(store.tasks().await.unwrap()[0].status, TaskStatus::InProgress);
    let failed = Iteration { phase: Phase::Settled, outcome: Some(Outcome::Failed), ..iteration };
    let events = [moved(TaskStatus::InProgress, TaskStatus::Blocked, &failed)];
    let entry = Entry { iteration: Some(&failed), events: &events, ..Entry::default() };
    store.journal(NOW, entry).await.unwrap();
    let task = store.tasks().await.unwrap().remove(0);
    let blocked = task.blocked.unwrap();
    assert_eq!((task.status, blocked.reason.as_str(), blocked.attempts), (TaskStatus::Blocked, "failed", 1));
    let failures = store.failures_of(TASK, failed.run).await.unwrap();
    assert_eq!((failures.in_run, failures.in_all), (1, 1));
    assert_eq!(store.attempts_at(TASK, 10).await.unwrap(), [failed]);
}

#[tokio::test]
async fn a_person_who_was_quicker_is_not_overruled() {
    let (_folder, store, iteration) = begun().await;
    let events = [moved(TaskStatus::AwaitingApproval, TaskStatus::Done, &iteration)];
    let before = store.last_seq().await.unwrap();
    let written = store.journal(NOW, Entry { events: &events, ..Entry::default() }).await.unwrap();
    assert_eq!((written, store.last_seq().await.unwrap()), (Vec::new(), before));
    assert_eq!(store.tasks().await.unwrap()[0].status, TaskStatus::InProgress);
    let gate = loopwright_domain::GateId(9);
    let none = [Event::GateDecided { gate, status: GateStatus::Replaced, reason: None, origin: None }];
    let written = store.journal(NOW, Entry { events: &none, ..Entry::default() }).await.unwrap();
    assert_eq!(written, [], "there is no such gate");
}

#[tokio::test]
async fn learnings_get_numbers_and_waves_are_recorded_once() {
    let (_folder, store, iteration) = begun().await;
    let learned = |text: &str| Event::LearningRecorded {
        learning: 0,
        category: LearningCategory::Build,
        title: String::new(),
        when: String::new(),
        text: text.to_owned(),
        pattern: None,
        by: MemoryOrigin::Agent,
        task: Some(TASK),
        iteration: Some(iteration.id),
    };
    let commit = Some("ab".to_owned());
    let wave = Event::WaveFinished { run: iteration.run, wave: 1, commit, tasks: vec![TASK] };
    let events = [learned("one"), learned("two"), wave.clone(), wave];
    let written = store.journal(NOW, Entry { events: &events, ..Entry::default() }).await.unwrap();
    assert!(matches!(written[1].1, Event::LearningRecorded { learning: 2, .. }), "{written:?}");
    let learnings = store.learnings(10).await.unwrap();
    assert_eq!(learnings.iter().map(|it| it.text.as_str()).collect::<Vec<_>>(), ["two", "one"]);
    assert_eq!(learnings[0].iteration, Some(iteration.id));
    let waves = store.wave_commits(10).await.unwrap();
    assert_eq!(waves.len(), 1);
    assert_eq!((waves[0].commit.as_str(), waves[0].tasks.as_slice()), ("ab", &[TASK][..]));
}

fn failed_with(iteration: &Iteration, pattern: &str) -> Event {
    let (cause, excerpt) = ("no price for tea".to_owned(), "panicked\nno price for tea".to_owned());
    let place = Some(("src/till.rs".to_owned(), Some(3)));
    Event::FailureRecorded {
        failure: 0,
        run: iteration.run,
        iteration: iteration.id,
        task: iteration.task,
        check: Some("test".to_owned()),
        diagnosis: Box::new(Diagnosis::new(pattern, FailureCategory::Runtime, cause, place, excerpt)),
    }
}

#[tokio::test]
async fn a_failure_is_kept_once_and_resolved_by_the_attempt_that_passes() {
    let (_folder, store, iteration) = begun().await;
    let failed = Iteration { phase: Phase::Settled, outcome: Some(Outcome::Failed), ..iteration.clone() };
    let events = [failed_with(&failed, "panic")];
    let entry = Entry { iteration: Some(&failed), events: &events, ..Entry::default() };
    let written = store.journal(NOW, entry).await.unwrap();
    assert!(matches!(written[0].1, Event::FailureRecorded { failure: 1, .. }));
    let again = store.journal(NOW, Entry { events: &events, ..Entry::default() }).await.unwrap();
    assert_eq!(again, [], "an iteration fails once, however often that is written");

    let kept = store.failures(None, None, 10).await.unwrap();
    assert_eq!(kept.len(), 1);
    assert_eq!(
        (kept[0].diagnosis.pattern.as_str(), kept[0].task, kept[0].resolved_by),
        ("panic", Some(TASK), None)
    );
    assert_eq!(store.failures(Some("panic"), Some(TASK), 10).await.unwrap(), kept);
    assert_eq!(store.failures(Some("network"), None, 10).await.unwrap(), []);
    assert_eq!(store.failures(None, Some(TaskId(9)), 10).await.unwrap(), []);
    assert_eq!(store.failure(1).await.unwrap().as_ref(), kept.first());
    assert_eq!(store.failure(2).await.unwrap(), None);

    let run = new_run(1);
    let passed = Iteration {
        task: Some(TASK),
        phase: Phase::Settled,
        outcome: Some(Outcome::Succeeded),
        ..planned(&run, 1, 1)
    };
    let settled = [Event::IterationSettled {
        run: passed.run,
        iteration: passed.id,
        number: 1,
        outcome: Outcome::Succeeded,
        code: None,
        message: None,
        elapsed_ms: 1,
        commit: None,
    }];
    let entry = Entry { iteration: Some(&passed), events: &settled, ..Entry::default() };
    store.journal(NOW, entry).await.unwrap();
    let resolved = store.failures(None, None, 10).await.unwrap();
    assert_eq!(resolved[0].resolved_by, Some(passed.id));
    let counts = store.pattern_counts().await.unwrap();
    assert_eq!((counts[0].pattern.as_str(), counts[0].failures, counts[0].resolved), ("panic", 1, 1));
    let facts = store.metric_facts().await.unwrap();
    assert_eq!(
        facts.attempts.iter().map(|it| (it.iteration, it.passed)).collect::<Vec<_>>(),
        [(failed.id, false), (passed.id, true)]
    );
    assert_eq!(facts.attempts[0].date, NOW[..10]);
    assert_eq!(facts.failures.iter().map(|it| it.resolved_by).collect::<Vec<_>>(), [Some(passed.id)]);
    assert_eq!((facts.runs.len(), facts.tasks[0].id), (1, TASK));
    assert_eq!(facts.task_changes.iter().map(|it| it.to).collect::<Vec<_>>(), [TaskStatus::InProgress]);
    assert!(facts.attempts[0].at > 0 && facts.attempts[0].at == facts.failures[0].at);
    assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
}

fn settled(iteration: &Iteration) -> Event {
    Event::IterationSettled {
        run: iteration.run,
        iteration: iteration.id,
        number: iteration.number,
        outcome: iteration.outcome.unwrap(),
        code: None,
        message: None,
        elapsed_ms: 1,
        commit: None,
    }
}

fn fixed(iteration: &Iteration, text: &str) -> Event {
    let fix = Fix {
        pattern: "panic".into(),
        category: FailureCategory::Runtime,
        cause: "no price for tea".into(),
        title: text.into(),
        text: text.into(),
        files: vec!["src/till.rs".into()],
    };
    let (fix, task) = (Box::new(fix), iteration.task);
    Event::SolutionRecorded { solution: 0, fix, task, iteration: iteration.id }
}

fn judged(iteration: &Iteration, reason: TrustReason) -> Event {
    // What whoever asks saw of the trust does not matter: it is the one in the write that counts.
    let (before, after) = (None, SolutionTrust::of_hundredths(99));
    Event::SolutionChanged {
        solution: 1,
        title: String::new(),
        reason,
        before,
        after,
        iteration: Some(iteration.id),
        origin: None,
    }
}

#[tokio::test]
async fn a_solution_is_made_and_judged_once_for_an_iteration() {
    let (_folder, store, first) = begun().await;
    let run = new_run(1);
    let attempt = |number: u32, outcome: Outcome| Iteration {
        task: Some(TASK),
        phase: Phase::Settled,
        outcome: Some(outcome),
        ..planned(&run, number, 1)
    };
    let failed = Iteration { phase: Phase::Settled, outcome: Some(Outcome::Failed), ..first };
    let events = [failed_with(&failed, "panic")];
    store
        .journal(NOW, Entry { iteration: Some(&failed), events: &events, ..Entry::default() })
        .await
        .unwrap();
    let passed = attempt(1, Outcome::Succeeded);
    let events = [settled(&passed), fixed(&passed, "give tea a price")];
    let entry = Entry { iteration: Some(&passed), events: &events, ..Entry::default() };
    assert_eq!(store.journal(NOW, entry).await.unwrap().len(), 2);
    // A process that writes the same again, as after a crash, changes nothing.
    let again = Entry { events: &events[1..], ..Entry::default() };
    assert_eq!(store.journal(NOW, again).await.unwrap(), []);
    assert_eq!(store.failures(None, None, 1).await.unwrap()[0].solution, Some(1));

    let better = attempt(2, Outcome::Succeeded);
    let events = [
        Event::MemoryIncluded { iteration: better.id, solutions: vec![1], learnings: vec![] },
        settled(&better),
        judged(&better, TrustReason::Helped),
        judged(&better, TrustReason::Helped),
        judged(&better, TrustReason::FailedAgain),
    ];
    for _ in 0..2 {
        store
            .journal(NOW, Entry { iteration: Some(&better), events: &events[..1], ..Entry::default() })
            .await
            .ok();
        store.journal(NOW, Entry { events: &events[1..], ..Entry::default() }).await.unwrap();
    }
    let solution = store.solution(1).await.unwrap().unwrap();
    assert_eq!(
        (solution.trust.hundredths(), solution.included, solution.helped, solution.failed),
        (45, 1, 1, 0)
    );
    assert_eq!(store.solution_history(1).await.unwrap().len(), 2);

    // Nearly the same is found again, not made again.
    let other = attempt(3, Outcome::Succeeded);
    let events = [settled(&other), fixed(&other, "Give the tea a price.")];
    store.journal(NOW, Entry { iteration: Some(&other), events: &events, ..Entry::default() }).await.unwrap();
    assert_eq!(store.solutions().await.unwrap().len(), 1);
    assert_eq!(store.solution_history(1).await.unwrap()[0].reason, TrustReason::FoundAgain);
    assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn trust_decays_once_for_each_period_without_use() {
    let (_folder, store, _) = begun().await;
    let draft = SolutionDraft {
        pattern: "panic".into(),
        title: "price".into(),
        text: "give tea a price".into(),
        files: vec![],
    };
    let new = NewSolution {
        draft: &draft,
        category: FailureCategory::Runtime,
        cause: "",
        origin: MemoryOrigin::Person,
        provenance: None,
    };
    store.add_solutions("2026-01-01T00:00:00Z", &[new], Origin::Cli).await.unwrap();
    let trust = async || store.solution(1).await.unwrap().unwrap().trust.hundredths();
    for (at, expected) in [
        ("2026-01-30T00:00:00Z", 30),
        ("2026-02-01T00:00:00Z", 25),
        ("2026-02-02T00:00:00Z", 25),
        ("2026-04-05T00:00:00Z", 15),
        ("2026-04-05T00:00:00Z", 15),
    ] {
        store.decay_solutions(at).await.unwrap();
        assert_eq!(trust().await, expected, "{at}");
    }
    store.change_solution("2026-04-06T00:00:00Z", 1, SolutionAction::Refresh, "", Origin::Cli).await.unwrap();
    store.decay_solutions("2026-05-05T00:00:00Z").await.unwrap();
    assert_eq!(trust().await, 15, "somebody said that it still holds");
}
