//! What a person does in a wizard, as data: the same from the command line and from the app.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::edit::{self, ItemIds};
use super::form::FieldValue;
use super::path::FieldPath;
use super::phase::WizardPhase;
use super::shape::FormShape;
use super::state::{StartQuestion, Wizard, WizardAgent, WizardCaps, WizardStatus};
use super::tasks;
use crate::fault::{ErrorCode, Fault};

/// One thing that a person does. It happens whole or not at all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum WizardEdit {
    /// Says the idea anew.
    SetIdea {
        /// In the person's own words.
        idea: String,
    },
    /// Asks a question to be answered, or answers one.
    AnswerQuestion {
        /// The question.
        question: String,
        /// The answer; empty leaves it open.
        answer: String,
    },
    /// Takes a question away.
    RemoveQuestion {
        /// The question.
        question: String,
    },
    /// Takes a document away.
    RemoveDocument {
        /// Its name.
        name: String,
    },
    /// Chooses the template of the spec.
    SetTemplate {
        /// Its name.
        template: String,
    },
    /// Chooses the agent.
    SetAgent {
        /// The agent; none to fill in by hand.
        agent: Option<WizardAgent>,
    },
    /// Changes what the wizard's agents may use.
    SetCaps {
        /// In all.
        caps: WizardCaps,
    },
    /// Writes a field.
    SetField {
        /// The phase.
        phase: WizardPhase,
        /// The field: `project_name` or `features/i3/description`.
        path: String,
        /// What stands there from now on.
        value: FieldValue,
    },
    /// Locks or unlocks a field, an item or a list.
    Lock {
        /// The phase.
        phase: WizardPhase,
        /// The field, item or list.
        path: String,
        /// Whether it is locked.
        locked: bool,
    },
    /// Adds an item to a list.
    AddItem {
        /// The phase.
        phase: WizardPhase,
        /// The list.
        list: String,
        /// The values of its fields.
        values: BTreeMap<String, FieldValue>,
    },
    /// Removes an item.
    RemoveItem {
        /// The phase.
        phase: WizardPhase,
        /// The list.
        list: String,
        /// The item.
        item: String,
    },
    /// Moves an item inside of its list.
    MoveItem {
        /// The phase.
        phase: WizardPhase,
        /// The list.
        list: String,
        /// The item.
        item: String,
        /// The item it comes before; none for the end.
        before: Option<String>,
    },
    /// Moves an item to another list of the form, such as a feature to later.
    MoveToList {
        /// The phase.
        phase: WizardPhase,
        /// Its list.
        list: String,
        /// The item.
        item: String,
        /// The other list.
        to: String,
    },
    /// Turns an assumption into an open question of the wizard.
    AskAssumption {
        /// The phase.
        phase: WizardPhase,
        /// The field or item that was supposed.
        path: String,
        /// The question; none for the usual one.
        question: Option<String>,
    },
    /// Says that an assumption is right: it is the person's word from now on.
    ConfirmAssumption {
        /// The phase.
        phase: WizardPhase,
        /// The field or item.
        path: String,
    },
    /// Takes changes of a re-run.
    TakeChanges {
        /// The phase.
        phase: WizardPhase,
        /// Their numbers; none for all that replace nothing of the person's.
        numbers: Option<Vec<u32>>,
    },
    /// Leaves changes of a re-run.
    LeaveChanges {
        /// The phase.
        phase: WizardPhase,
        /// Their numbers; none for all.
        numbers: Option<Vec<u32>>,
    },
    /// Writes the prompt of a phase.
    SetPrompt {
        /// The phase.
        phase: WizardPhase,
        /// The prompt; none for the usual one.
        prompt: Option<String>,
    },
    /// Accepts a phase.
    Accept {
        /// The phase.
        phase: WizardPhase,
    },
    /// Goes to a phase; if it is accepted, it is open for changes again.
    GoBack {
        /// The phase.
        phase: WizardPhase,
    },
    /// Looks at a phase and changes nothing.
    LookAt {
        /// The phase.
        phase: WizardPhase,
    },
    /// Says that a phase that is out of date still fits.
    Keep {
        /// The phase.
        phase: WizardPhase,
    },
    /// Puts the resolution of a finding into the plan.
    MergeFinding {
        /// The item.
        item: String,
    },
    /// Dismisses a finding.
    DismissFinding {
        /// The item.
        item: String,
        /// Why.
        reason: String,
    },
    /// Splits a task.
    SplitTask {
        /// The item.
        item: String,
        /// The titles of its parts, in order.
        titles: Vec<String>,
    },
    /// Merges a task into another one.
    MergeTasks {
        /// The item that stays.
        into: String,
        /// The item that goes.
        item: String,
    },
    /// Puts a task at another place in its wave.
    ReorderTask {
        /// The item.
        item: String,
        /// The item it comes before; none for the end.
        before: Option<String>,
    },
    /// Makes a task wait for another one.
    Depend {
        /// The item.
        item: String,
        /// The item it waits for.
        on: String,
    },
    /// Makes a task wait for another one no longer.
    Undepend {
        /// The item.
        item: String,
        /// The item it waited for.
        on: String,
    },
}

impl Wizard {
    /// Does what a person asks for.
    ///
    /// # Errors
    /// It cannot be done; then nothing has changed.
    pub fn edit(&mut self, edit: &WizardEdit) -> Result<(), Fault> {
        if self.status != WizardStatus::Open {
            return Err(Fault::new(ErrorCode::UsageInvalid, "its plan is in the project already")
                .hint("Change the project's tasks and spec, or begin a new wizard."));
        }
        let mut changed = self.clone();
        changed.carry_out(edit)?;
        *self = changed;
        Ok(())
    }

    fn carry_out(&mut self, edit: &WizardEdit) -> Result<(), Fault> {
        match edit {
            WizardEdit::SetIdea { idea } => self.input.idea = idea.trim().to_owned(),
            WizardEdit::AnswerQuestion { question, answer } => self.answer(question, answer),
            WizardEdit::RemoveQuestion { question } => {
                self.input.questions.retain(|one| one.question != *question);
            }
            WizardEdit::RemoveDocument { name } => self.input.documents.retain(|one| one.name != *name),
            WizardEdit::SetTemplate { template } => self.template.clone_from(template),
            WizardEdit::SetAgent { agent } => self.agent.clone_from(agent),
            WizardEdit::SetCaps { caps } => self.caps = *caps,
            WizardEdit::SetPrompt { phase, prompt } => self.record_mut(*phase).prompt.clone_from(prompt),
            WizardEdit::SetField { phase, path, value } => {
                let shape = FormShape::of(*phase);
                let path = FieldPath::parse(shape, path)?;
                edit::set(shape, &mut self.record_mut(*phase).form, &path, value.clone())?;
                if let FieldPath::ItemField { list, item, .. } = &path
                    && list == tasks::TASKS
                {
                    self.resolve_task(*phase, item)?;
                }
                self.changed(*phase);
            }
            WizardEdit::Lock { phase, path, locked } => {
                let shape = FormShape::of(*phase);
                let path = FieldPath::parse(shape, path)?;
                let record = self.record_mut(*phase);
                edit::lock(shape, &mut record.form, &path, *locked)?;
                // What is locked is not asked about.
                if *locked {
                    let touches = |change: &super::FormChange| {
                        FieldPath::parse(shape, &change.path).is_ok_and(|place| path.covers(&place))
                    };
                    record.proposal.changes.retain(|change| !touches(change));
                }
            }
            WizardEdit::AddItem { phase, list, values } => {
                let shape = FormShape::of(*phase);
                let list = shape.list(list).ok_or_else(|| no_list(shape, list))?;
                let mut last = self.last_item;
                let form = &mut self.record_mut(*phase).form;
                let item = edit::add(list, form, values.clone(), &mut ItemIds(&mut last))?;
                self.last_item = last;
                if list.name == tasks::TASKS {
                    self.resolve_task(*phase, &item)?;
                }
                self.changed(*phase);
            }
            WizardEdit::RemoveItem { phase, list, item } => {
                edit::remove(&mut self.record_mut(*phase).form, list, item)?;
                self.changed(*phase);
            }
            WizardEdit::MoveItem { phase, list, item, before } => {
                edit::move_item(&mut self.record_mut(*phase).form, list, item, before.as_deref())?;
                self.changed(*phase);
            }
            WizardEdit::MoveToList { phase, list, item, to } => {
                let shape = FormShape::of(*phase);
                edit::move_to_list(shape, &mut self.record_mut(*phase).form, list, item, to)?;
                self.changed(*phase);
            }
            WizardEdit::AskAssumption { phase, path, question } => {
                let found = self.record(*phase).form.assumptions(FormShape::of(*phase));
                let assumed =
                    found.into_iter().find(|one| one.path == *path).ok_or_else(|| no_assumption(path))?;
                let usual = || format!("{}: is \"{}\" right?", assumed.label, assumed.value);
                let question = question.clone().unwrap_or_else(usual);
                self.answer(&question, "");
            }
            WizardEdit::ConfirmAssumption { phase, path } => self.confirm(*phase, path)?,
            WizardEdit::TakeChanges { phase, numbers } => {
                self.decide_changes(*phase, numbers.as_deref(), true);
            }
            WizardEdit::LeaveChanges { phase, numbers } => {
                self.decide_changes(*phase, numbers.as_deref(), false);
            }
            WizardEdit::Accept { phase } => self.accept(*phase)?,
            WizardEdit::GoBack { phase } => self.go_back(*phase),
            WizardEdit::LookAt { phase } => self.current = *phase,
            WizardEdit::Keep { phase } => self.keep(*phase),
            WizardEdit::MergeFinding { item } => self.merge_finding(item)?,
            WizardEdit::DismissFinding { item, reason } => self.dismiss_finding(item, reason)?,
            WizardEdit::SplitTask { .. }
            | WizardEdit::MergeTasks { .. }
            | WizardEdit::ReorderTask { .. }
            | WizardEdit::Depend { .. }
            | WizardEdit::Undepend { .. } => self.edit_tasks(edit)?,
        }
        Ok(())
    }

    fn edit_tasks(&mut self, edit: &WizardEdit) -> Result<(), Fault> {
        let mut last = self.last_item;
        let form = &mut self.record_mut(WizardPhase::TaskReview).form;
        match edit {
            WizardEdit::SplitTask { item, titles } => {
                tasks::split(form, item, titles, &mut ItemIds(&mut last))?;
            }
            WizardEdit::MergeTasks { into, item } => tasks::merge(form, into, item)?,
            WizardEdit::ReorderTask { item, before } => tasks::reorder(form, item, before.as_deref())?,
            WizardEdit::Depend { item, on } => tasks::depend(form, item, on)?,
            WizardEdit::Undepend { item, on } => tasks::undepend(form, item, on)?,
            _ => {}
        }
        self.last_item = last;
        self.changed(WizardPhase::TaskReview);
        Ok(())
    }

    fn answer(&mut self, question: &str, answer: &str) {
        let (question, answer) = (question.trim().to_owned(), answer.trim().to_owned());
        match self.input.questions.iter_mut().find(|one| one.question == question) {
            Some(known) => known.answer = answer,
            None if question.is_empty() => {}
            None => self.input.questions.push(StartQuestion { question, answer }),
        }
    }

    fn confirm(&mut self, phase: WizardPhase, path: &str) -> Result<(), Fault> {
        let known = FieldPath::parse(FormShape::of(phase), path)?;
        let own = super::FieldOrigin::Words { quote: None };
        let form = &mut self.record_mut(phase).form;
        let fields: Vec<&mut super::Field> = match &known {
            FieldPath::Field { field } => form.fields.get_mut(field).into_iter().collect(),
            FieldPath::Item { list, item } => edit::item_mut(form, list, item)
                .into_iter()
                .flat_map(|item| item.fields.values_mut())
                .collect(),
            FieldPath::ItemField { list, item, field } => edit::item_mut(form, list, item)
                .and_then(|item| item.fields.get_mut(field))
                .into_iter()
                .collect(),
            FieldPath::List { list } => {
                let items = form.lists.get_mut(list);
                items.into_iter().flatten().flat_map(|item| item.fields.values_mut()).collect()
            }
        };
        if fields.is_empty() {
            return Err(no_assumption(path));
        }
        for field in fields {
            field.origin = own.clone();
            field.edited = true;
        }
        Ok(())
    }
}

fn no_list(shape: &FormShape, list: &str) -> Fault {
    let names: Vec<&str> = shape.lists.iter().map(|list| list.name).collect();
    Fault::new(ErrorCode::UsageInvalid, format!("{} has no list \"{list}\"", shape.phase.label()))
        .hint(format!("It has: {}.", names.join(", ")))
}

fn no_assumption(path: &str) -> Fault {
    Fault::new(ErrorCode::UsageInvalid, format!("nothing is supposed at \"{path}\""))
}
