//! Gates: opened with the journal, decided once, closed with what they are about.

use loopwright_domain::{
    Event, Gate, GateDecision, GateId, GateKind, GateReason, GateStatus, Iteration, LineComment, Origin,
    Phase, RiskFlag, RiskKind, Run, RunStatus,
};
use loopwright_store::{ChangeSize, Decided, Entry, NewGate, Store};

use crate::runs::{add, empty};
use crate::samples::{new_run, planned};
use crate::support::NOW;

const SIZE: ChangeSize = ChangeSize { files: 1, added: 2, removed: 3 };

fn gate_of(iteration: &Iteration) -> Gate {
    Gate {
        id: GateId(0),
        kind: GateKind::Work,
        run: iteration.run,
        iteration: iteration.id,
        task: None,
        reasons: vec![GateReason::Mode, GateReason::Risk],
        flags: vec![RiskFlag {
            kind: RiskKind::Secret,
            path: Some("a".into()),
            line: Some(3),
            detail: "a key".into(),
        }],
        from: Some("1".repeat(40)),
        tree: Some("2".repeat(40)),
        summary: "did it".into(),
        status: GateStatus::Open,
        opened_at: NOW.into(),
        decision: None,
        decided_at: None,
        decided_by: None,
        comments: Vec::new(),
    }
}

async fn waiting() -> (tempfile::TempDir, Store, Run, Iteration, Gate) {
    let (folder, store) = empty().await;
    let run = new_run(1);
    let mut iteration = planned(&run, 0, 1);
    add(&store, &run, &[iteration.clone()]).await;
    iteration.phase = Phase::AwaitingApproval;
    let gate = gate_of(&iteration);
    let event = Event::IterationPhase { iteration: iteration.id, phase: iteration.phase };
    let entry = Entry { iteration: Some(&iteration), events: &[event], ..Entry::default() };
    let opened = store.open_gate(NOW, NewGate { gate: &gate, size: SIZE }, entry).await.unwrap();
    assert_eq!(
        opened.events.iter().map(|(_, event)| event.name()).collect::<Vec<_>>(),
        ["iteration.phase", "gate.opened"]
    );
    (folder, store, run, iteration.clone(), Gate { id: opened.id, ..gate })
}

async fn statuses(store: &Store) -> Vec<(u32, GateStatus)> {
    let events = store.recent_events(50).await.unwrap();
    let decided = events.into_iter().filter_map(|envelope| match envelope.event {
        Event::GateDecided { gate, status, .. } => Some((gate.0, status)),
        _ => None,
    });
    decided.collect()
}

#[tokio::test]
async fn a_gate_comes_with_its_iteration_and_is_found_again() {
    let (_folder, store, _, iteration, gate) = waiting().await;
    let stored = store.gate(gate.id).await.unwrap().unwrap();
    assert_eq!((stored.gate.clone(), stored.size), (gate.clone(), SIZE));
    assert_eq!(store.open_gates().await.unwrap(), [stored]);
    assert_eq!(store.gate_of_iteration(iteration.id).await.unwrap(), Some(gate.clone()));
    assert_eq!(store.iteration(iteration.id).await.unwrap().unwrap().phase, Phase::AwaitingApproval);
    let remark = LineComment {
        id: 0,
        path: "a".into(),
        line: Some(2),
        old_side: true,
        quoted: "let".into(),
        text: "why?".into(),
    };
    let number = store.comment_gate(gate.id, &remark).await.unwrap().unwrap();
    let found = store.gate(gate.id).await.unwrap().unwrap().gate;
    assert_eq!(found.comments, [LineComment { id: number, ..remark.clone() }]);
    assert!(!store.uncomment_gate(GateId(99), number).await.unwrap());
    assert!(store.uncomment_gate(gate.id, number).await.unwrap());
    assert_eq!(store.gate(GateId(99)).await.unwrap(), None);
}

#[tokio::test]
async fn of_all_decisions_one_counts_and_the_others_learn_whose() {
    let (_folder, store, _, _, gate) = waiting().await;
    let reject = GateDecision::Reject { reason: "no".into() };
    let decisions = [&GateDecision::Approve, &reject, &GateDecision::Approve];
    let mut won = 0;
    for (at, decision) in decisions.into_iter().enumerate() {
        let origin = if at == 1 { Origin::App } else { Origin::Cli };
        match store.decide_gate(NOW, gate.id, decision, None, origin).await.unwrap().unwrap() {
            Decided::Now(_) => won += 1,
            Decided::Before(gate) => {
                assert_eq!((gate.status, gate.decided_by), (GateStatus::Approved, Some(Origin::Cli)));
            }
        }
    }
    assert_eq!(won, 1);
    assert_eq!(statuses(&store).await, [(gate.id.0, GateStatus::Approved)]);
    assert_eq!(store.decided_gates(10).await.unwrap().len(), 1);
    assert!(store.open_gates().await.unwrap().is_empty());
    assert_eq!(store.decide_gate(NOW, GateId(99), &reject, None, Origin::Cli).await.unwrap(), None);
    let remark = LineComment {
        id: 0,
        path: "a".into(),
        line: None,
        old_side: false,
        quoted: String::new(),
        text: "x".into(),
    };
    assert_eq!(store.comment_gate(gate.id, &remark).await.unwrap(), None, "it is too late for remarks");
    assert!(!store.ask_for_edits(gate.id, Some(Origin::App)).await.unwrap());
}

#[tokio::test]
async fn a_changed_tree_gets_a_gate_of_its_own_with_the_remarks() {
    let (_folder, store, _, mut iteration, gate) = waiting().await;
    let remark = LineComment {
        id: 0,
        path: "a".into(),
        line: None,
        old_side: false,
        quoted: String::new(),
        text: "x".into(),
    };
    store.comment_gate(gate.id, &remark).await.unwrap();
    assert!(store.ask_for_edits(gate.id, Some(Origin::App)).await.unwrap());
    iteration.tree_after = Some("3".repeat(40));
    let next = Gate { tree: iteration.tree_after.clone(), ..gate.clone() };
    let entry = Entry { iteration: Some(&iteration), ..Entry::default() };
    let new = NewGate { gate: &next, size: SIZE };
    let opened = store.replace_gate(NOW, gate.id, new, entry).await.unwrap().unwrap();
    let old = store.gate(gate.id).await.unwrap().unwrap().gate;
    assert_eq!((old.status, old.decision, old.comments.len()), (GateStatus::Replaced, None, 0));
    let found = store.gate_of_iteration(iteration.id).await.unwrap().unwrap();
    assert_eq!((found.id, found.comments.len(), found.tree), (opened.id, 1, next.tree.clone()));
    assert_eq!(store.replace_gate(NOW, gate.id, new, Entry::default()).await.unwrap(), None);
}

#[tokio::test]
async fn what_is_over_waits_for_nobody() {
    let (_folder, store, run, mut iteration, gate) = waiting().await;
    iteration.phase = Phase::Settled;
    store.journal(NOW, Entry { iteration: Some(&iteration), ..Entry::default() }).await.unwrap();
    assert_eq!(statuses(&store).await, [(gate.id.0, GateStatus::Replaced)]);
    let review = Gate { kind: GateKind::Review, ..gate_of(&iteration) };
    let opened = store.open_gate(NOW, NewGate { gate: &review, size: SIZE }, Entry::default()).await.unwrap();
    assert_eq!(store.open_gates().await.unwrap().len(), 1);
    assert_eq!(store.review_before(run.id, GateId(99)).await.unwrap().unwrap().id, opened.id);
    let over = Run { status: RunStatus::Cancelled, ended_at: Some(NOW.into()), ..run };
    store.journal(NOW, Entry { run: Some(&over), ..Entry::default() }).await.unwrap();
    assert!(store.open_gates().await.unwrap().is_empty());
    assert_eq!(statuses(&store).await.len(), 2);
}
