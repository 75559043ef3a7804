use loopwright_domain::{Ending, EventSeq, Iteration, Limits, Origin, Progress, RunId, RunKind};
use loopwright_engine::run::{Holder, RunSummary};
use proptest::prelude::{any, prop_assert, proptest};

use super::*;
use crate::background::{ProjectView, TrayProject, TrayView};

fn run_id(time: u64) -> RunId {
    RunId::from_parts(time, [0; 10])
}

fn state(id: RunId, status: RunStatus, reason: Option<ExitReason>) -> RunState {
    let live = matches!(status, RunStatus::Running | RunStatus::Waiting);
    RunState {
        run: RunSummary {
            id,
            kind: RunKind::Loop,
            title: "Steep the tea".into(),
            procedure: None,
            harness: "claude".into(),
            status,
            waiting: None,
            reason,
            code: None,
            message: None,
            baseline: None,
            holds: Vec::new(),
            limits: Limits::default(),
            progress: Progress::default(),
            goal: true,
            origin: Origin::Cli,
            started_at: "2026-01-01T00:00:00Z".into(),
            last_iteration_at: None,
            ended_at: None,
        },
        options: None,
        live: live.then(|| Holder { pid: 7, since: "2026-01-01T00:00:00Z".into(), what: "loop".into() }),
        current: None,
        last: None,
        asked: None,
        ending: (status != RunStatus::Running).then(|| Ending {
            headline: "A headline".into(),
            explanation: "An explanation.".into(),
            steps: Vec::new(),
        }),
        seq: EventSeq(1),
    }
}

fn waiting(id: RunId, reason: WaitReason) -> RunState {
    let mut state = state(id, RunStatus::Waiting, None);
    state.run.waiting = Some(reason);
    state
}

/// What a run that worked until now tells.
fn told(now: &RunState) -> Option<Notification> {
    let before = state(now.run.id, RunStatus::Running, None);
    notice("Tea", Before::Run(&before), now, false, true)
}

#[test]
fn endings_and_failures_and_needs_are_told_and_what_a_person_did_is_not() {
    let id = run_id(1);
    let tells =
        |reason: ExitReason| told(&state(id, reason.status(true), Some(reason))).map(|notice| notice.urgency);
    for reason in [
        ExitReason::Promise,
        ExitReason::ChecksPass,
        ExitReason::MaxIterations,
        ExitReason::Time,
        ExitReason::Money,
        ExitReason::FailureThreshold,
        ExitReason::NoProgress,
        ExitReason::WorkspaceDamaged,
        ExitReason::Error,
    ] {
        assert_eq!(tells(reason), Some(Urgency::Normal), "{reason:?}");
    }
    for reason in [ExitReason::Blocked, ExitReason::NeedsPerson] {
        assert_eq!(tells(reason), Some(Urgency::Critical), "{reason:?}");
    }
    for reason in [ExitReason::Cancelled, ExitReason::Interrupted] {
        assert_eq!(tells(reason), None, "{reason:?}");
    }
    assert_eq!(told(&state(id, RunStatus::Paused, None)), None);
    assert_eq!(told(&state(id, RunStatus::Running, None)), None);
    // Its process is gone and left no reason.
    assert!(told(&state(id, RunStatus::Interrupted, None)).is_some());
    assert!(told(&waiting(id, WaitReason::Approval)).is_some());
    assert!(told(&waiting(id, WaitReason::Disk)).is_some());
    assert_eq!(told(&waiting(id, WaitReason::Limit)), None);
}

#[test]
fn a_notice_names_project_and_run_and_says_what_happened() {
    let ended = state(run_id(1), RunStatus::Completed, Some(ExitReason::Promise));
    let notice = told(&ended).unwrap();
    assert_eq!(
        (notice.title.as_str(), notice.body.as_str()),
        ("Tea: A headline", "Steep the tea\nAn explanation.")
    );
}

#[test]
fn each_turn_is_told_once() {
    let ended = state(run_id(1), RunStatus::Completed, Some(ExitReason::Promise));
    let mut later = ended.clone();
    later.seq = EventSeq(9);
    assert_eq!(notice("Tea", Before::Run(&ended), &later, false, true), None);
    // One that was resumed may end again.
    let failed = state(ended.run.id, RunStatus::Interrupted, Some(ExitReason::Error));
    assert!(notice("Tea", Before::Run(&failed), &ended, false, true).is_some());
}

#[test]
fn each_decision_is_told_even_when_nothing_was_seen_between_two() {
    let asked = |number| {
        let mut state = waiting(run_id(1), WaitReason::Approval);
        let (id, run) = (IterationId::from_parts(number, [0; 10]), state.run.id);
        state.current = Some(Iteration::planned(id, run, 0, 1, "2026-01-01T00:00:00Z".into()));
        state
    };
    let (first, second) = (asked(1), asked(2));
    assert_eq!(notice("Tea", Before::Run(&first), &first.clone(), false, true), None);
    let told = notice("Tea", Before::Run(&first), &second, false, true);
    assert_eq!(told.map(|notice| notice.urgency), Some(Urgency::Critical));
}

#[test]
fn what_waits_for_a_decision_is_shown_where_it_is_decided() {
    let waits = waiting(run_id(1), WaitReason::Approval);
    assert_eq!(ProjectView::of(Some(&waits)), ProjectView::Review);
    assert_eq!(ProjectView::of(Some(&waiting(run_id(1), WaitReason::Limit))), ProjectView::Run);
    assert_eq!(ProjectView::of(None), ProjectView::Run);
    let tray = |state: &RunState, gates| TrayView {
        projects: vec![TrayProject::new("/tea".into(), "Tea", Some(state), gates)],
    };
    assert_eq!(tray(&waits, 0).tooltip(), "Tea: waiting for your approval");
    assert!(tray(&waits, 0).wants_attention());
    assert!(!tray(&state(run_id(1), RunStatus::Running, None), 0).wants_attention());
}

#[test]
fn the_tray_counts_gates() {
    let project = |state: &RunState, gates| TrayProject::new("/tea".into(), "Tea", Some(state), gates);
    let waits = waiting(run_id(1), WaitReason::Approval);
    assert_eq!(project(&waits, 1).heading(), "Tea: 1 gate waits for you");
    assert_eq!(project(&waits, 3).heading(), "Tea: 3 gates wait for you");
    let paused = project(&state(run_id(1), RunStatus::Paused, None), 1);
    assert_eq!(
        (paused.heading().as_str(), paused.needs_person),
        ("Tea: paused · 1 gate waits for you", true)
    );
    assert_eq!(paused.entries()[0].text, "Review (1)…");
    let running = project(&state(run_id(1), RunStatus::Running, None), 0);
    assert_eq!(running.entries()[0].text, "Open");
    let all = TrayView { projects: vec![paused, project(&waits, 2), running] };
    assert_eq!(all.gates(), 3);
    assert!(all.wants_attention());
}

#[test]
fn what_had_ended_before_the_first_look_is_not_told() {
    let (older, newer) = (run_id(1), run_id(2));
    let ended = |id| state(id, RunStatus::Completed, Some(ExitReason::Promise));
    assert_eq!(notice("Tea", Before::NotLooked, &ended(newer), false, true), None);
    // A run that came and went between two looks.
    assert!(notice("Tea", Before::NoRun, &ended(newer), false, true).is_some());
    assert!(notice("Tea", Before::Run(&ended(older)), &ended(newer), false, true).is_some());
    // The newest was deleted.
    assert_eq!(notice("Tea", Before::Run(&ended(newer)), &ended(older), false, true), None);
}

#[test]
fn nobody_is_told_who_looks_or_does_not_want_it() {
    let ended = state(run_id(1), RunStatus::Completed, Some(ExitReason::Promise));
    assert_eq!(notice("Tea", Before::NoRun, &ended, true, true), None);
    assert_eq!(notice("Tea", Before::NoRun, &ended, false, false), None);
}

proptest! {
    #[test]
    fn words_of_others_are_short_plain_text(project in any::<String>(), title in any::<String>(), why in ".{0,2000}") {
        let mut ended = state(run_id(1), RunStatus::Aborted, Some(ExitReason::Blocked));
        ended.run.title = title;
        ended.ending = Some(Ending { headline: why.clone(), explanation: why, steps: Vec::new() });
        let notice = notice(&project, Before::NoRun, &ended, false, true).unwrap();
        prop_assert!(notice.title.chars().count() <= LONGEST_TITLE && !notice.title.contains('\n'));
        prop_assert!(notice.body.chars().count() <= LONGEST_BODY);
        let text = format!("{}{}", notice.title, notice.body);
        prop_assert!(!text.contains("://"), "{text}");
        let odd = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
        prop_assert!(!text.chars().any(odd), "{text:?}");
    }
}
