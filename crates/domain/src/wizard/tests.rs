//! The wizard's rules: what a person wrote stays, phases go out of date and come back, tasks keep their order.

use std::collections::BTreeMap;

use super::edit;
use super::form::{Field, FieldOrigin, FieldValue, Form, Item};
use super::launch::{PastIteration, forecast};
use super::mode::{PlanFacts, recommend};
use super::trial::{TrialFacts, judge};
use super::*;
use crate::run::ReviewMode;
use crate::task::TaskSize;

fn text(text: &str) -> FieldValue {
    FieldValue::Text(text.to_owned())
}

fn wizard() -> Wizard {
    Wizard::new(WizardId("w".into()), "/tea", WizardScope::Project, "2026-01-02T03:04:05Z")
}

fn set(wizard: &mut Wizard, phase: WizardPhase, path: &str, value: FieldValue) {
    wizard.edit(&WizardEdit::SetField { phase, path: path.into(), value }).unwrap();
}

fn accept(wizard: &mut Wizard, phase: WizardPhase) {
    wizard.edit(&WizardEdit::Accept { phase }).unwrap();
}

fn add(wizard: &mut Wizard, phase: WizardPhase, list: &str, values: &[(&str, FieldValue)]) -> String {
    let values = values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    wizard.edit(&WizardEdit::AddItem { phase, list: list.into(), values }).unwrap();
    wizard.form(phase).items(list).last().unwrap().id.clone()
}

/// A wizard whose first three phases are accepted.
pub(super) fn begun() -> Wizard {
    let mut wizard = wizard();
    set(&mut wizard, WizardPhase::Vision, "project_name", text("Quiet Kettle"));
    accept(&mut wizard, WizardPhase::Vision);
    add(&mut wizard, WizardPhase::Functionality, "features", &[("name", text("Menu"))]);
    accept(&mut wizard, WizardPhase::Functionality);
    set(&mut wizard, WizardPhase::Technical, "hosting", text("a server"));
    accept(&mut wizard, WizardPhase::Technical);
    wizard
}

fn states(wizard: &Wizard) -> Vec<PhaseState> {
    wizard.phases.values().map(|record| record.state).collect()
}

fn answer(fields: &[(&str, FieldValue)], lists: &[(&str, &[&str])]) -> Form {
    let field = |value: &FieldValue| Field::of(value.clone(), FieldOrigin::Assumed);
    let item = |name: &&str| {
        let mut item = Item { id: String::new(), fields: BTreeMap::new() };
        item.put("text", text(name), FieldOrigin::Assumed);
        item.put("name", text(name), FieldOrigin::Assumed);
        item
    };
    Form {
        fields: fields.iter().map(|(name, value)| ((*name).to_owned(), field(value))).collect(),
        lists: lists
            .iter()
            .map(|(name, items)| ((*name).to_owned(), items.iter().map(item).collect()))
            .collect(),
    }
}

#[test]
fn every_shape_is_sound_and_every_target_exists() {
    for phase in WizardPhase::ALL {
        let shape = FormShape::of(*phase);
        assert_eq!(shape.phase, *phase);
        let mut names: Vec<&str> = shape.names().collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), shape.names().count(), "{phase}");
        assert!(shape.lists.iter().all(|list| !list.fields.is_empty()));
        assert_eq!(WizardPhase::find(&phase.number().to_string()), Some(*phase));
        assert_eq!(WizardPhase::find(phase.label()), Some(*phase));
    }
    for target in finding::TARGETS {
        let (phase, name) = finding::target(target).unwrap();
        assert!(FormShape::of(phase).names().any(|known| known == name), "{target}");
    }
    assert!(finding::target("vision.nothing").is_err());
}

#[test]
fn a_wizard_survives_json() {
    let wizard = begun();
    let json = serde_json::to_string(&wizard).unwrap();
    assert!(json.contains("\"phases\":[{\"phase\":\"vision\""));
    assert_eq!(serde_json::from_str::<Wizard>(&json).unwrap(), wizard);
}

#[test]
fn a_phase_waits_for_those_before_it_and_names_what_is_missing() {
    let mut wizard = wizard();
    let refusal =
        |wizard: &mut Wizard, phase| wizard.edit(&WizardEdit::Accept { phase }).unwrap_err().message;
    assert!(refusal(&mut wizard, WizardPhase::Functionality).contains("Vision comes before"));
    assert!(refusal(&mut wizard, WizardPhase::Vision).contains("it has no name"));
    assert!(wizard.begin_work(WizardPhase::Technical).is_err());
    assert!(wizard.begin_work(WizardPhase::Launch).is_err());
    let before = wizard.clone();
    let bad = WizardEdit::SetField { phase: WizardPhase::Vision, path: "nothing".into(), value: text("x") };
    assert!(wizard.edit(&bad).is_err());
    assert_eq!(wizard, before, "nothing has changed");
}

#[test]
fn going_back_marks_later_phases_and_keeps_them() {
    use PhaseState::{Accepted, NeedsReview, Open, OutOfDate};
    let mut wizard = begun();
    let before = wizard.form(WizardPhase::Technical).clone();
    wizard.edit(&WizardEdit::GoBack { phase: WizardPhase::Vision }).unwrap();
    assert_eq!(states(&wizard)[..4], [NeedsReview, OutOfDate, OutOfDate, Open]);
    assert_eq!(wizard.form(WizardPhase::Technical), &before, "kept");
    accept(&mut wizard, WizardPhase::Vision);
    assert_eq!(states(&wizard)[..3], [Accepted, Accepted, Accepted], "nothing had changed");

    set(&mut wizard, WizardPhase::Vision, "project_name", text("Loud Kettle"));
    accept(&mut wizard, WizardPhase::Vision);
    assert_eq!(states(&wizard)[..3], [Accepted, OutOfDate, OutOfDate]);
    wizard.edit(&WizardEdit::Keep { phase: WizardPhase::Functionality }).unwrap();
    accept(&mut wizard, WizardPhase::Functionality);
    assert_eq!(states(&wizard)[..3], [Accepted, Accepted, OutOfDate]);
    set(&mut wizard, WizardPhase::Vision, "project_name", text("Quiet Kettle"));
    accept(&mut wizard, WizardPhase::Vision);
    assert_eq!(states(&wizard)[2], Accepted, "what it was built on is there again");
}

#[test]
fn the_first_answer_fills_in_and_later_ones_propose() {
    let mut wizard = wizard();
    let vision = WizardPhase::Vision;
    set(&mut wizard, vision, "project_name", text("Mine"));
    wizard.begin_work(vision).unwrap();
    let first = answer(
        &[("project_name", text("Theirs")), ("elevator_pitch", text("Tea"))],
        &[("target_users", &["Guests"])],
    );
    wizard.answered(vision, first, None, None, None);
    let record = wizard.record(vision);
    assert_eq!(record.form.text("project_name"), "Mine", "a person wrote it");
    assert_eq!(record.form.text("elevator_pitch"), "Tea");
    assert_eq!(record.proposal.changes.len(), 1, "to be taken or left");
    assert!(record.proposal.changes[0].replaces_edit);
    assert!(wizard.edit(&WizardEdit::Accept { phase: vision }).is_err(), "something is undecided");
    wizard.edit(&WizardEdit::TakeChanges { phase: vision, numbers: None }).unwrap();
    assert_eq!(wizard.form(vision).text("project_name"), "Mine", "only by its number");
    wizard.edit(&WizardEdit::TakeChanges { phase: vision, numbers: Some(vec![1]) }).unwrap();
    assert_eq!(wizard.form(vision).text("project_name"), "Theirs");

    let second = answer(&[("elevator_pitch", text("More tea"))], &[("target_users", &["guests", "Staff"])]);
    wizard.answered(vision, second, None, None, None);
    let kinds: Vec<_> =
        wizard.record(vision).proposal.changes.iter().map(|one| (one.kind, one.label.clone())).collect();
    assert_eq!(wizard.form(vision).text("elevator_pitch"), "Tea", "only proposed");
    assert!(kinds.contains(&(FormChangeKind::Added, "Staff".into())), "{kinds:?}");
    assert!(kinds.contains(&(FormChangeKind::Changed, "In one sentence".into())), "{kinds:?}");
    wizard.edit(&WizardEdit::LeaveChanges { phase: vision, numbers: None }).unwrap();
    assert_eq!(wizard.form(vision).items("target_users").len(), 1);
    accept(&mut wizard, vision);
}

#[test]
fn one_field_is_run_again_alone() {
    let mut wizard = wizard();
    let vision = WizardPhase::Vision;
    wizard.answered(
        vision,
        answer(&[("project_name", text("A")), ("elevator_pitch", text("B"))], &[]),
        None,
        None,
        None,
    );
    let path = FieldPath::parse(FormShape::of(vision), "elevator_pitch").unwrap();
    let again = answer(&[("project_name", text("X")), ("elevator_pitch", text("Y"))], &[]);
    wizard.answered(vision, again, Some(&path), None, None);
    let changes = &wizard.record(vision).proposal.changes;
    assert_eq!(changes.iter().map(|one| one.path.as_str()).collect::<Vec<_>>(), ["elevator_pitch"]);
}

#[test]
fn a_finding_is_merged_on_demand_or_dismissed_with_a_reason() {
    let mut wizard = begun();
    let values = [
        ("title", text("No currency")),
        ("resolution", text("Prices are in euros.")),
        ("severity", text("high")),
    ];
    let item = add(&mut wizard, WizardPhase::Gaps, "findings", &values);
    assert_eq!(
        wizard.form(WizardPhase::Technical).items("constraints").len(),
        0,
        "nothing is merged unasked"
    );
    wizard.edit(&WizardEdit::MergeFinding { item: item.clone() }).unwrap();
    assert_eq!(
        wizard.form(WizardPhase::Technical).items("constraints")[0].text("text"),
        "Prices are in euros."
    );
    assert_eq!(wizard.record(WizardPhase::Technical).state, PhaseState::Accepted);
    assert_eq!(finding::findings(wizard.form(WizardPhase::Gaps))[0].status, FindingStatus::Merged);
    accept(&mut wizard, WizardPhase::Gaps);
    let other = add(&mut wizard, WizardPhase::Gaps, "findings", &[("title", text("Colour"))]);
    let dismiss = |reason: &str| WizardEdit::DismissFinding { item: other.clone(), reason: reason.into() };
    assert!(wizard.edit(&dismiss(" ")).is_err());
    wizard.edit(&dismiss("A matter of taste")).unwrap();
    assert!(wizard.edit(&WizardEdit::MergeFinding { item: other.clone() }).is_err(), "it proposes nothing");
}

pub(super) fn with_tasks(count: usize) -> (Wizard, Vec<String>) {
    let mut wizard = begun();
    let phase = WizardPhase::TaskReview;
    let ids = (0..count)
        .map(|n| add(&mut wizard, phase, "tasks", &[("title", text(&format!("Task {n}")))]))
        .collect();
    (wizard, ids)
}

#[test]
fn tasks_are_split_merged_reordered_and_made_to_wait() {
    let (mut wizard, ids) = with_tasks(3);
    let depend = |item: &str, on: &str| WizardEdit::Depend { item: item.into(), on: on.into() };
    wizard.edit(&depend(&ids[1], &ids[0])).unwrap();
    wizard.edit(&depend(&ids[2], &ids[1])).unwrap();
    assert_eq!(wizard.edit(&depend(&ids[0], &ids[2])).unwrap_err().code, crate::ErrorCode::TaskCycle);
    let titles = vec!["One".to_owned(), "Other".to_owned()];
    wizard.edit(&WizardEdit::SplitTask { item: ids[1].clone(), titles }).unwrap();
    let layout = tasks::layout(wizard.form(WizardPhase::TaskReview));
    assert_eq!(layout.waves.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2, 1], "both parts come between");
    assert_eq!((layout.widest, layout.critical_path.len()), (2, 3));
    let part = layout.waves[1][1].clone();
    wizard
        .edit(&WizardEdit::ReorderTask { item: part.clone(), before: Some(layout.waves[1][0].clone()) })
        .unwrap();
    assert_eq!(tasks::layout(wizard.form(WizardPhase::TaskReview)).waves[1][0], part);
    let outside = WizardEdit::ReorderTask { item: part.clone(), before: Some(ids[0].clone()) };
    assert!(wizard.edit(&outside).is_err(), "another wave");
    wizard.edit(&WizardEdit::MergeTasks { into: ids[1].clone(), item: part.clone() }).unwrap();
    assert_eq!(wizard.form(WizardPhase::TaskReview).items("tasks").len(), 3);
    let circle = WizardEdit::MergeTasks { into: ids[2].clone(), item: ids[0].clone() };
    assert_eq!(wizard.edit(&circle).unwrap_err().code, crate::ErrorCode::TaskCycle);
    wizard.edit(&WizardEdit::Undepend { item: ids[2].clone(), on: ids[1].clone() }).unwrap();
    wizard
        .edit(&WizardEdit::Lock {
            phase: WizardPhase::TaskReview,
            path: format!("tasks/{}", ids[2]),
            locked: true,
        })
        .unwrap();
    let split = WizardEdit::SplitTask { item: ids[2].clone(), titles: vec!["a".into(), "b".into()] };
    assert!(wizard.edit(&split).is_err(), "locked");
}

#[test]
fn a_person_names_tasks_by_their_titles_and_what_is_gone_is_waited_for_no_longer() {
    let (mut wizard, ids) = with_tasks(3);
    let phase = WizardPhase::TaskReview;
    let after = |wizard: &mut Wizard, names: &[&str]| {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let path = format!("tasks/{}/depends_on", ids[2]);
        wizard.edit(&WizardEdit::SetField { phase, path, value: FieldValue::Texts(names) })
    };
    after(&mut wizard, &["task 0", &ids[1]]).unwrap();
    assert_eq!(wizard.form(phase).item("tasks", &ids[2]).unwrap().texts("depends_on"), &ids[..2]);
    let refused = after(&mut wizard, &["Task 0", "Task 9"]).unwrap_err();
    assert!(refused.message.contains("Task 9"), "{refused:?}");
    assert_eq!(
        wizard.form(phase).item("tasks", &ids[2]).unwrap().texts("depends_on"),
        &ids[..2],
        "as it was"
    );
    let remove = WizardEdit::RemoveItem { phase, list: "tasks".into(), item: ids[0].clone() };
    wizard.edit(&remove).unwrap();
    assert_eq!(wizard.form(phase).item("tasks", &ids[2]).unwrap().texts("depends_on"), &ids[1..2]);
    let unknown = BTreeMap::from([
        ("title".to_owned(), text("Late")),
        ("sections".to_owned(), FieldValue::Texts(vec!["9.9".into()])),
    ]);
    let add = WizardEdit::AddItem { phase, list: "tasks".into(), values: unknown };
    assert!(wizard.edit(&add).is_err(), "there is no such section");
}

#[test]
fn only_a_person_decides_about_a_finding() {
    let mut wizard = begun();
    let phase = WizardPhase::Gaps;
    let finding = |status: &str| {
        let mut item = Item { id: String::new(), fields: BTreeMap::new() };
        for (name, value) in [("title", "No currency"), ("status", status), ("reason", "Trust me")] {
            item.put(name, text(value), FieldOrigin::Assumed);
        }
        Form { fields: BTreeMap::new(), lists: BTreeMap::from([("findings".to_owned(), vec![item])]) }
    };
    wizard.answered(phase, finding("merged"), None, None, None);
    let found = finding::findings(wizard.form(phase));
    assert_eq!((found[0].status, found[0].reason.as_str()), (FindingStatus::Open, ""));
    let item = found[0].item.clone();
    wizard.edit(&WizardEdit::DismissFinding { item, reason: "Later".into() }).unwrap();
    wizard.answered(phase, finding("open"), None, None, None);
    assert!(wizard.record(phase).proposal.changes.is_empty(), "a re-run does not reopen it");
    assert_eq!(finding::findings(wizard.form(phase))[0].status, FindingStatus::Dismissed);
}

#[test]
fn what_is_locked_is_asked_about_no_longer() {
    let mut wizard = wizard();
    let vision = WizardPhase::Vision;
    set(&mut wizard, vision, "project_name", text("Mine"));
    wizard.answered(vision, answer(&[("project_name", text("Theirs"))], &[]), None, None, None);
    assert_eq!(wizard.record(vision).proposal.changes.len(), 1);
    wizard.edit(&WizardEdit::Lock { phase: vision, path: "project_name".into(), locked: true }).unwrap();
    assert!(wizard.record(vision).proposal.changes.is_empty());
    accept(&mut wizard, vision);
}

#[test]
fn names_of_tasks_and_sections_become_items_and_unknown_ones_are_left_out() {
    let (wizard, ids) = with_tasks(2);
    let mut items = wizard.form(WizardPhase::TaskReview).items("tasks").to_vec();
    items[1].put(
        "depends_on",
        FieldValue::Texts(vec!["task 0".into(), "Task 1".into(), "gone".into()]),
        FieldOrigin::Assumed,
    );
    items[1].put(
        "sections",
        FieldValue::Texts(vec!["§2.1".into(), "Menu".into(), "9".into()]),
        FieldOrigin::Assumed,
    );
    let section = |item: &str, number: &str, title: &str| PlannedSection {
        item: item.into(),
        number: number.into(),
        title: title.into(),
        level: 1,
        content: String::new(),
    };
    let lost = names::resolve_names(&mut items, &[section("s1", "2", "Menu"), section("s2", "2.1", "Teas")]);
    assert_eq!(items[1].texts("depends_on"), [ids[0].clone()]);
    assert_eq!(items[1].texts("sections"), ["s2", "s1"]);
    let names: Vec<&str> = lost.iter().map(|lost| lost.name.as_str()).collect();
    assert_eq!(names, ["Task 1", "gone", "9"]);
    assert!(lost.iter().all(|lost| lost.task == ids[1]));
}

#[test]
fn a_check_that_has_nothing_to_work_on_is_no_check_that_cannot_run() {
    use CheckTrialOutcome::{CannotRun, Failed, NothingBuilt, Passed, TimedOut};
    let facts = |exit_code, output, has_code| TrialFacts {
        program_found: true,
        program_inside: false,
        in_time: true,
        exit_code,
        output,
        has_code,
    };
    let cases = [
        (facts(Some(0), "ok", true), Passed),
        (facts(Some(1), "3 problems", true), Failed),
        (facts(Some(1), "3 problems", false), NothingBuilt),
        (facts(Some(101), "error: could not find `Cargo.toml` in /tea", true), NothingBuilt),
        (facts(Some(1), "npm error Missing script: \"test\"", true), NothingBuilt),
        (facts(Some(5), "no tests ran in 0.01s", true), NothingBuilt),
        (facts(Some(127), "sh: mvn: not found", true), CannotRun),
        (facts(Some(126), "", false), CannotRun),
        (TrialFacts { program_found: false, ..facts(None, "", true) }, CannotRun),
        (TrialFacts { program_found: false, program_inside: true, ..facts(None, "", true) }, NothingBuilt),
        (TrialFacts { in_time: false, ..facts(None, "", true) }, TimedOut),
    ];
    for (facts, outcome) in cases {
        assert_eq!(judge(&facts).0, outcome, "{facts:?}");
    }
}

#[test]
fn the_mode_follows_from_the_plan() {
    let plan = |tasks, integrations, required_checks| PlanFacts {
        tasks,
        integrations,
        required_checks,
        ..PlanFacts::default()
    };
    assert_eq!(recommend(&plan(3, 0, 1)).0, ReviewMode::Autonomous);
    assert_eq!(recommend(&plan(3, 0, 0)).0, ReviewMode::Each, "nothing else looks at the work");
    assert_eq!(recommend(&plan(3, 1, 1)).0, ReviewMode::Every(5));
    assert_eq!(recommend(&plan(20, 0, 1)).0, ReviewMode::Every(5));
    assert!(recommend(&plan(20, 2, 1)).1.iter().all(|reason| reason.ends_with('.')));
}

#[test]
fn a_forecast_is_made_from_history_where_there_is_enough() {
    let sizes = [TaskSize::S, TaskSize::L];
    let rough = forecast(&sizes, &[]);
    assert_eq!((rough.basis, rough.iterations), (ForecastBasis::Sizes, Range { low: 2, high: 4 }));
    let past = vec![PastIteration { tokens: 100, cost_micros: Some(10), time_ms: 5 }; 5];
    let known = forecast(&sizes, &past);
    assert_eq!((known.basis, known.samples), (ForecastBasis::History, 5));
    assert_eq!(
        (known.tokens, known.cost_micros),
        (Range { low: 200, high: 400 }, Some(Range { low: 20, high: 40 }))
    );
    let unpriced = vec![PastIteration { tokens: 1, cost_micros: None, time_ms: 1 }; 9];
    assert_eq!(forecast(&sizes, &unpriced).cost_micros, None);
}

#[test]
fn removing_a_locked_item_is_refused_and_moving_keeps_what_fits() {
    let mut wizard = wizard();
    let phase = WizardPhase::Functionality;
    let item =
        add(&mut wizard, phase, "features", &[("name", text("Vouchers")), ("priority", text("could"))]);
    wizard.edit(&WizardEdit::Lock { phase, path: format!("features/{item}"), locked: true }).unwrap();
    let remove = WizardEdit::RemoveItem { phase, list: "features".into(), item: item.clone() };
    assert!(wizard.edit(&remove).is_err());
    wizard.edit(&WizardEdit::Lock { phase, path: format!("features/{item}"), locked: false }).unwrap();
    let to_later =
        WizardEdit::MoveToList { phase, list: "features".into(), item: item.clone(), to: "later".into() };
    wizard.edit(&to_later).unwrap();
    let moved = wizard.form(phase).item("later", &item).unwrap();
    assert_eq!((moved.text("name"), moved.fields.contains_key("priority")), ("Vouchers", false));
    let shape = FormShape::of(phase);
    let choice = FieldPath::parse(shape, &format!("later/{item}/name")).unwrap();
    assert!(edit::set(shape, &mut wizard.record_mut(phase).form, &choice, FieldValue::Flag(true)).is_err());
}
