//! Names of tasks and sections in the tasks of a plan: people and agents write titles, a form keeps items.

use super::form::{Field, FieldValue, Item};
use super::phase::WizardPhase;
use super::state::Wizard;
use super::tasks::{self, PlannedSection};
use crate::fault::{ErrorCode, Fault};
use crate::term::fold_word;

/// A name in a task that is neither a task's nor a section's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LostName {
    /// The task's item.
    pub(super) task: String,
    /// What stood there.
    pub(super) name: String,
}

/// Turns names of tasks and sections in `depends_on` and `sections` into items: ids stay, titles and numbers are looked
/// up, and what names nothing, or the task itself, is left out. Returns what was left out.
pub(super) fn resolve_names(tasks: &mut [Item], sections: &[PlannedSection]) -> Vec<LostName> {
    let known: Vec<(String, String)> =
        tasks.iter().map(|item| (item.id.clone(), fold_word(item.text("title")))).collect();
    let section_of = |text: &str| {
        let plain = text.trim().trim_start_matches('§').trim();
        let folded = fold_word(plain);
        let same = |one: &&PlannedSection| {
            let title = fold_word(&one.title);
            one.item == plain
                || one.number == plain
                || title == folded
                || format!("{} {title}", one.number) == folded
        };
        sections.iter().find(same).map(|one| one.item.clone())
    };
    let mut lost = Vec::new();
    for item in tasks {
        let own = item.id.clone();
        let task_of = |text: &str| {
            let folded = fold_word(text);
            let found = known.iter().find(|(id, title)| id == text || *title == folded);
            found.map(|(id, _)| id.clone()).filter(|id| *id != own)
        };
        for (name, find) in
            [("depends_on", &task_of as &dyn Fn(&str) -> Option<String>), ("sections", &section_of)]
        {
            let Some(Field { value: FieldValue::Texts(texts), .. }) = item.fields.get_mut(name) else {
                continue;
            };
            let mut found = Vec::new();
            for text in texts.iter() {
                match find(text) {
                    Some(id) if !found.contains(&id) => found.push(id),
                    Some(_) => {}
                    None => lost.push(LostName { task: own.clone(), name: text.clone() }),
                }
            }
            *texts = found;
        }
    }
    lost
}

impl Wizard {
    /// Makes items of the names in the tasks of a phase, drops those of items that are gone, and returns what was dropped.
    pub(super) fn resolve_names(&mut self, phase: WizardPhase) -> Vec<LostName> {
        let own = tasks::sections(self.form(phase));
        let sections = if own.is_empty() { tasks::sections(self.form(WizardPhase::Generate)) } else { own };
        let items = self.record_mut(phase).form.lists.get_mut(tasks::TASKS);
        items.map(|items| resolve_names(items, &sections)).unwrap_or_default()
    }

    /// Makes items of the names that a person wrote in a task.
    pub(super) fn resolve_task(&mut self, phase: WizardPhase, task: &str) -> Result<(), Fault> {
        match self.resolve_names(phase).iter().find(|lost| lost.task == task) {
            None => Ok(()),
            Some(lost) => {
                Err(Fault::new(ErrorCode::UsageInvalid, format!("nothing is called \"{}\"", lost.name))
                    .hint("Name tasks by their titles, and sections by their numbers or headings."))
            }
        }
    }
}
