use super::*;

fn one_of_each() -> Vec<Event> {
    vec![
        Event::ProjectCreated { name: "tea".into(), origin: Origin::Cli, sample: true },
        Event::ProjectTrusted { digest: "ab".into(), origin: Origin::App },
        Event::ConfigChanged { key: "ui.theme".into(), value: None, origin: Origin::App },
        Event::StoreRecovered { moved_to: "state.db.damaged-1".into(), reason: "not a database".into() },
        Event::TaskAdded { task: TaskId(1), title: "Brew".into() },
    ]
    .into_iter()
    .chain(of_tasks())
    .chain(of_a_run())
    .collect()
}

fn of_tasks() -> Vec<Event> {
    let run = RunId::from_parts(1, [0; 10]);
    let iteration = IterationId::from_parts(2, [0; 10]);
    let task = TaskId(1);
    vec![
        Event::TaskEdited { task, fields: vec!["title".into()], origin: Origin::App },
        Event::TaskStatusChanged {
            task,
            from: TaskStatus::InProgress,
            to: TaskStatus::Blocked,
            reason: Some("failed 3 times".into()),
            iteration: Some(iteration),
            origin: None,
        },
        Event::TaskRemoved { task, title: "Brew".into(), origin: Origin::Cli },
        Event::TasksImported { format: "scud".into(), added: 3, updated: 1, origin: Origin::Cli },
        Event::WaveFinished { run, wave: 1, commit: Some("ab".into()), tasks: vec![task] },
        Event::GateOpened {
            gate: GateId(1),
            run,
            iteration,
            task: Some(task),
            reasons: vec![GateReason::Risk],
        },
        Event::GateDecided {
            gate: GateId(1),
            status: GateStatus::Rejected,
            reason: Some("too much".into()),
            origin: Some(Origin::App),
        },
        Event::LearningRecorded {
            learning: 1,
            category: LearningCategory::Build,
            title: "make".into(),
            when: "always".into(),
            text: "use make".into(),
            pattern: Some("make_error".into()),
            by: crate::MemoryOrigin::Agent,
            task: Some(task),
            iteration: Some(iteration),
        },
        Event::LearningChanged { learning: 1, what: "edited".into(), origin: Origin::App },
        Event::MemoryIncluded { iteration, solutions: vec![1], learnings: vec![2, 3] },
        Event::SolutionRecorded {
            solution: 1,
            fix: Box::new(crate::Fix {
                pattern: "network".into(),
                category: crate::failure::FailureCategory::Environment,
                cause: "connection refused".into(),
                title: "start it first".into(),
                text: "start the server before the tests".into(),
                files: vec!["src/till.rs".into()],
            }),
            task: Some(task),
            iteration,
        },
        Event::SolutionChanged {
            solution: 1,
            title: "start it first".into(),
            reason: crate::TrustReason::Helped,
            before: Some(crate::SolutionTrust::START),
            after: crate::SolutionTrust::START.credited(),
            iteration: Some(iteration),
            origin: None,
        },
        Event::FailureRecorded {
            failure: 1,
            run,
            iteration,
            task: Some(task),
            check: Some("test".into()),
            diagnosis: Box::new(Diagnosis::new(
                "network",
                crate::failure::FailureCategory::Environment,
                "connection refused".into(),
                Some(("src/till.rs".into(), Some(3))),
                "connection refused".into(),
            )),
        },
        Event::SpecChanged { what: "imported SPEC.md".into(), sections: 8, origin: Origin::Cli },
    ]
}

fn of_a_run() -> Vec<Event> {
    let run = RunId::from_parts(1, [0; 10]);
    let iteration = IterationId::from_parts(2, [0; 10]);
    let origin = Origin::Cli;
    vec![
        Event::RunStarted {
            run,
            kind: RunKind::Loop,
            title: "build".into(),
            harness: "rehearsal".into(),
            max_iterations: 3,
            origin,
        },
        Event::RunBaseline {
            run,
            checks: vec![BaselineCheck {
                name: "tests".into(),
                required: true,
                status: CheckStatus::Failed,
                fingerprint: Some("ab".into()),
                summary: Some("2 failed".into()),
                cached: false,
            }],
        },
        Event::RunResumed { run, iteration: 1, origin },
        Event::RunStatusChanged {
            run,
            status: RunStatus::Completed,
            reason: Some(ExitReason::Promise),
            code: None,
            message: "done".into(),
        },
        Event::RunWarning { run, iteration: None, message: "large".into() },
        Event::IterationStarted { run, iteration, number: 0, task: Some(TaskId(1)), attempt: 1 },
        Event::IterationPhase { iteration, phase: Phase::Checking },
        Event::AgentEnded {
            iteration,
            end: EndCause::Exited,
            exit_code: Some(0),
            elapsed_ms: 5,
            strays: vec!["sleep (12)".into()],
        },
        Event::CheckEnded {
            iteration,
            name: "tests".into(),
            status: CheckStatus::Passed,
            red_before: Some(true),
            issues: 0,
            elapsed_ms: 5,
        },
        Event::IterationSettled {
            run,
            iteration,
            number: 0,
            outcome: Outcome::Succeeded,
            code: None,
            message: None,
            elapsed_ms: 9,
            commit: None,
        },
        Event::FilesCommitted {
            iteration: Some(iteration),
            commit: "ab".into(),
            files: vec!["a".into()],
            more: 0,
        },
        Event::FilesPutBack {
            iteration,
            removed: vec!["a".into()],
            restored: Vec::new(),
            more: 0,
            kept: "refs/loopwright/attempts/1".into(),
        },
        Event::TreeRestored { to: "iteration 1".into(), safety: "ab".into(), origin },
        Event::ControlRequested { run, control: ControlKind::Pause, origin },
    ]
}

#[test]
fn the_tag_is_the_dotted_name_and_events_round_trip() {
    for event in one_of_each() {
        let json = serde_json::to_value(&event).unwrap();
        assert_eq!(json["type"], event.name());
        assert!(event.name().contains('.'));
        assert_eq!(serde_json::from_value::<Event>(json).unwrap(), event);
    }
}

#[test]
fn an_envelope_reads_as_documented() {
    let envelope = EventEnvelope {
        v: EVENT_VERSION,
        seq: EventSeq(12),
        at: "2026-01-02T03:04:05Z".into(),
        event: Event::TaskAdded { task: TaskId(1), title: "Brew".into() },
    };
    assert_eq!(
        serde_json::to_string(&envelope).unwrap(),
        r#"{"v":1,"seq":12,"at":"2026-01-02T03:04:05Z","event":{"type":"task.added","task":1,"title":"Brew"}}"#
    );
}
