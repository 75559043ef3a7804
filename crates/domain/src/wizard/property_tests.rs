//! What holds whatever an agent answers and whatever a person does.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::edit::ItemIds;
use super::form::{Field, FieldOrigin, FieldValue, Form, Item};
use super::tests::{begun, with_tasks};
use super::*;

fn any_form() -> impl Strategy<Value = Form> {
    let name = prop_oneof!["[abc]", "[ABC] ", Just(String::new())];
    let protection = (any::<bool>(), any::<bool>());
    let field = ("[xyz]{0,2}", protection).prop_map(|(value, (edited, locked))| Field {
        value: FieldValue::Text(value),
        origin: FieldOrigin::Assumed,
        edited,
        locked,
    });
    let item = (name, field.clone(), field.clone()).prop_map(|(name, one, two)| {
        let key = Field { value: FieldValue::Text(name), ..one.clone() };
        BTreeMap::from([("name".to_owned(), key), ("description".to_owned(), two)])
    });
    proptest::collection::vec(item, 0..4).prop_map(|items| {
        let items = (1..).zip(items).map(|(n, fields)| Item { id: format!("i{n}"), fields }).collect();
        Form { fields: BTreeMap::new(), lists: BTreeMap::from([("features".to_owned(), items)]) }
    })
}

/// The protected fields of a form, with where they are.
fn protected(form: &Form, only_locked: bool) -> Vec<(String, FieldValue)> {
    let mut found = Vec::new();
    for item in form.items("features") {
        for (name, field) in &item.fields {
            if field.locked || (!only_locked && field.edited) {
                found.push((format!("{}/{name}", item.id), field.value.clone()));
            }
        }
    }
    found
}

fn value_at(form: &Form, path: &str) -> Option<FieldValue> {
    let (item, name) = path.split_once('/').unwrap();
    form.item("features", item).and_then(|item| item.fields.get(name)).map(|field| field.value.clone())
}

proptest! {
    /// Whatever an agent answers: what a person wrote or locked is the same until the person takes that very change.
    #[test]
    fn a_locked_or_edited_field_never_changes_without_consent(form in any_form(), told in any_form()) {
        let mut wizard = begun();
        let phase = WizardPhase::Functionality;
        wizard.record_mut(phase).form = form.clone();
        wizard.last_item = 10;
        let mut answer = told;
        for item in answer.lists.values_mut().flatten() {
            for field in item.fields.values_mut() {
                (field.edited, field.locked) = (false, false);
            }
        }
        wizard.answered(phase, answer, None, None, None);
        for (path, value) in protected(&form, false) {
            prop_assert_eq!(value_at(wizard.form(phase), &path), Some(value), "{}", path);
        }
        wizard.edit(&WizardEdit::TakeChanges { phase, numbers: None }).unwrap();
        for (path, value) in protected(&form, false) {
            prop_assert_eq!(value_at(wizard.form(phase), &path), Some(value), "{}", path);
        }
        // Even with every change taken by its number, what is locked stays.
        let all: Vec<u32> = wizard.record(phase).proposal.changes.iter().map(|change| change.id).collect();
        wizard.edit(&WizardEdit::TakeChanges { phase, numbers: Some(all) }).unwrap();
        for (path, value) in protected(&form, true) {
            prop_assert_eq!(value_at(wizard.form(phase), &path), Some(value), "{}", path);
        }
    }

    /// Taking every change of an answer, with nothing protected, gives what the answer says.
    #[test]
    fn taking_everything_gives_the_answer(form in any_form(), told in any_form()) {
        let free = |mut form: Form| {
            for field in form.lists.values_mut().flatten().flat_map(|item| item.fields.values_mut()) {
                (field.edited, field.locked) = (false, false);
            }
            form
        };
        let (mut form, mut answer) = (free(form), free(told));
        answer.lists.values_mut().flatten().for_each(|item| item.id.clear());
        let shape = FormShape::of(WizardPhase::Functionality);
        let mut last = 10;
        merge::identify(shape, &form, &mut answer, &mut ItemIds(&mut last));
        let changes = merge::propose(shape, &form, &answer, None, &mut ItemIds(&mut last));
        prop_assert!(merge::take_unprotected(&mut form, changes).is_empty());
        let names = |form: &Form| {
            let mut names: Vec<String> = form
                .items("features")
                .iter()
                .map(|item| item.text("name").trim().to_lowercase())
                .filter(|name| !name.is_empty())
                .collect();
            names.sort();
            names
        };
        prop_assert_eq!(names(&form), names(&answer));
    }

    #[test]
    fn no_path_is_too_strange(text in "[a-z_/0-9]{0,30}") {
        for phase in WizardPhase::ALL {
            if let Ok(path) = FieldPath::parse(FormShape::of(*phase), &text) {
                prop_assert_eq!(path.to_string(), text.clone());
            }
        }
    }

    #[test]
    fn splitting_and_merging_never_makes_a_circle(moves in proptest::collection::vec((0..6usize, 0..6usize, 0..3u8), 0..30)) {
        let (mut wizard, _) = with_tasks(4);
        for (one, two, what) in moves {
            let ids: Vec<String> = wizard.form(WizardPhase::TaskReview).items("tasks").iter().map(|item| item.id.clone()).collect();
            let (Some(one), Some(two)) = (ids.get(one).cloned(), ids.get(two).cloned()) else { continue };
            let _ = wizard.edit(&match what {
                0 => WizardEdit::Depend { item: one, on: two },
                1 => WizardEdit::SplitTask { item: one, titles: vec!["a".into(), "b".into()] },
                _ => WizardEdit::MergeTasks { into: one, item: two },
            });
            prop_assert!(tasks::layout(wizard.form(WizardPhase::TaskReview)).cycle.is_empty());
        }
    }
}
