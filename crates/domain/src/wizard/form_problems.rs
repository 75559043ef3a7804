//! What is missing in the form of a phase, or does not fit together.

use super::form::{Form, FormProblem};
use super::phase::WizardPhase;
use super::shape::FormShape;
use super::{tasks, trial};

/// What is missing in a form, or does not fit together.
pub(super) fn form_problems(phase: WizardPhase, form: &Form) -> Vec<FormProblem> {
    let mut found = Vec::new();
    let mut note = |path: String, message: String| found.push(FormProblem { path, message });
    let shape = FormShape::of(phase);
    for list in shape.lists {
        for item in form.items(list.name) {
            if item.text(list.key().name).trim().is_empty() {
                let path = format!("{}/{}/{}", list.name, item.id, list.key().name);
                note(
                    path,
                    format!("an item of \"{}\" has no {}", list.label, list.key().label.to_lowercase()),
                );
            }
        }
    }
    match phase {
        WizardPhase::Vision if form.text("project_name").is_empty() => {
            note("project_name".into(), "it has no name".into());
        }
        WizardPhase::Functionality if form.items("features").is_empty() => {
            note("features".into(), "it has no feature".into());
        }
        WizardPhase::Generate if form.items("sections").is_empty() => {
            note("sections".into(), "it has no section".into());
        }
        WizardPhase::Generate => term_problems(form, &mut note),
        WizardPhase::TaskReview => {
            if form.items(tasks::TASKS).is_empty() {
                note("tasks".into(), "it has no task".into());
            }
            if let [first, ..] = tasks::layout(form).cycle.as_slice() {
                note(format!("tasks/{first}/depends_on"), "tasks wait for each other in a circle".into());
            }
            for (item, draft) in form.items(tasks::TASKS).iter().zip(tasks::drafts(form, &[])) {
                if let Err(problem) = draft.check() {
                    note(format!("tasks/{}", item.id), format!("\"{}\": {problem}", draft.title));
                }
            }
        }
        WizardPhase::BuildTest => {
            let checks = trial::planned(form);
            for (place, check) in checks.iter().enumerate() {
                let path = format!("checks/{}", check.item);
                if check.used && check.command.trim().is_empty() {
                    note(format!("{path}/command"), format!("the check \"{}\" has no command", check.name));
                }
                if checks.iter().take(place).any(|other| other.name == check.name) {
                    note(format!("{path}/name"), format!("there are two checks called \"{}\"", check.name));
                }
            }
        }
        _ => {}
    }
    found
}

fn term_problems(form: &Form, note: &mut impl FnMut(String, String)) {
    let terms = tasks::terms(form);
    for (item, (place, term)) in form.items("terms").iter().zip(terms.iter().enumerate()) {
        let before = terms.get(..place).unwrap_or_default();
        if let Err(problem) = term.clone().checked(before) {
            note(format!("terms/{}", item.id), format!("the term \"{}\": {problem}", term.name));
        }
    }
}
