//! What an answer would change in a form, and taking it or leaving it.
//!
//! Locked fields are never changed and never asked about. What a person wrote is proposed to be changed and stays until
//! the person takes that very change.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::edit::{ItemIds, item_mut};
use super::form::{Field, FieldOrigin, FieldValue, Form, Item, item_name};
use super::path::FieldPath;
use super::shape::{FormShape, ListShape};
use crate::term::fold_word;
use crate::word::words;

words! {
    /// What a change does.
    FormChangeKind {
        /// An item, or the value of a field that was empty.
        Added = "added",
        /// Another value.
        Changed = "changed",
        /// An item that the answer does not have any more.
        Removed = "removed",
    }
}

/// One change that an answer would make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct FormChange {
    /// Its number in the proposal.
    pub id: u32,
    /// The field or item, as a path.
    pub path: String,
    /// What people call the place: the field's label, or the item's name and the field's label.
    pub label: String,
    /// What it does.
    pub kind: FormChangeKind,
    /// What stands there now, when it is a field.
    pub before: Option<FieldValue>,
    /// What would stand there, when it is a field.
    pub after: Option<FieldValue>,
    /// Where the new value came from.
    pub origin: FieldOrigin,
    /// The item that would be added or removed.
    pub item: Option<Item>,
    /// Whether it would replace or remove what a person wrote. Such a change is taken by its number only.
    pub replaces_edit: bool,
}

/// What a re-run would change. The form stays as it is until each change is taken or left.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Proposal {
    /// What was asked for, when it was asked for in words.
    pub request: Option<String>,
    /// The changes that nobody has decided about.
    pub changes: Vec<FormChange>,
}

/// Lists what an answer would change, at or below a path or in the whole form.
///
/// Items are known again by their ids, else by their names without regard to case and blanks.
#[must_use]
pub fn propose(
    shape: &FormShape,
    form: &Form,
    answer: &Form,
    only: Option<&FieldPath>,
    ids: &mut ItemIds<'_>,
) -> Vec<FormChange> {
    let mut changes = Changes { found: Vec::new(), only };
    for field in shape.fields {
        let path = FieldPath::Field { field: field.name.to_owned() };
        changes.compare(
            path,
            field.label.to_owned(),
            form.fields.get(field.name),
            answer.fields.get(field.name),
        );
    }
    for list in shape.lists {
        if answer.lists.contains_key(list.name) {
            compare_list(&mut changes, list, form.items(list.name), answer.items(list.name), ids);
        }
    }
    changes.found
}

struct Changes<'a> {
    found: Vec<FormChange>,
    only: Option<&'a FieldPath>,
}

impl Changes<'_> {
    fn push(&mut self, path: &FieldPath, mut change: FormChange) {
        if self.only.is_some_and(|only| !only.covers(path)) {
            return;
        }
        change.id = u32::try_from(self.found.len()).unwrap_or(u32::MAX).saturating_add(1);
        self.found.push(change);
    }

    fn compare(&mut self, path: FieldPath, label: String, now: Option<&Field>, answer: Option<&Field>) {
        let Some(answer) = answer else { return };
        let same = now.is_some_and(|now| now.value == answer.value);
        let both_empty = answer.value.is_empty() && now.is_none_or(|now| now.value.is_empty());
        if same || both_empty || now.is_some_and(|now| now.locked) {
            return;
        }
        let before = now.map(|now| now.value.clone()).filter(|value| !value.is_empty());
        let change = FormChange {
            id: 0,
            path: path.to_string(),
            label,
            kind: if before.is_some() { FormChangeKind::Changed } else { FormChangeKind::Added },
            before,
            after: Some(answer.value.clone()),
            origin: answer.origin.clone(),
            item: None,
            replaces_edit: now.is_some_and(|now| now.edited),
        };
        self.push(&path, change);
    }

    fn whole(&mut self, list: &ListShape, item: Item, kind: FormChangeKind, replaces_edit: bool) {
        let path = FieldPath::Item { list: list.name.to_owned(), item: item.id.clone() };
        let origin = item.fields.get(list.key().name).map(|field| field.origin.clone()).unwrap_or_default();
        let label = item_name(list, &item).to_owned();
        let item = Some(item);
        let change = FormChange {
            id: 0,
            path: path.to_string(),
            label,
            kind,
            before: None,
            after: None,
            origin,
            item,
            replaces_edit,
        };
        self.push(&path, change);
    }
}

fn compare_list(
    changes: &mut Changes<'_>,
    list: &ListShape,
    now: &[Item],
    answer: &[Item],
    ids: &mut ItemIds<'_>,
) {
    let mut met: BTreeSet<&str> = BTreeSet::new();
    for told in answer {
        let known = known_again(list, now, told).filter(|item| !met.contains(item.id.as_str()));
        match known {
            Some(item) => {
                met.insert(&item.id);
                for field in list.fields {
                    let path = FieldPath::ItemField {
                        list: list.name.to_owned(),
                        item: item.id.clone(),
                        field: field.name.to_owned(),
                    };
                    let label = format!("{}: {}", item_name(list, item), field.label);
                    changes.compare(path, label, item.fields.get(field.name), told.fields.get(field.name));
                }
            }
            None if item_name(list, told).trim().is_empty() => {}
            None => {
                let id = if told.id.is_empty() { ids.fresh() } else { told.id.clone() };
                let item = Item { id, fields: told.fields.clone() };
                changes.whole(list, item, FormChangeKind::Added, false);
            }
        }
    }
    for item in now.iter().filter(|item| !met.contains(item.id.as_str()) && !item.is_locked()) {
        changes.whole(list, item.clone(), FormChangeKind::Removed, item.is_protected());
    }
}

fn known_again<'i>(list: &ListShape, now: &'i [Item], told: &Item) -> Option<&'i Item> {
    let name = fold_word(item_name(list, told));
    let by_id = now.iter().find(|item| !told.id.is_empty() && item.id == told.id);
    by_id.or_else(|| now.iter().find(|item| fold_word(item_name(list, item)) == name))
}

/// Gives every item of an answer its id: that of the item it is, else a fresh one. What an agent calls an id and is none
/// is not believed.
pub fn identify(shape: &FormShape, form: &Form, answer: &mut Form, ids: &mut ItemIds<'_>) {
    for list in shape.lists {
        let now = form.items(list.name);
        let mut met: BTreeSet<String> = BTreeSet::new();
        for item in answer.lists.get_mut(list.name).into_iter().flatten() {
            let known = known_again(list, now, item).filter(|known| !met.contains(&known.id));
            item.id = known.map_or_else(|| ids.fresh(), |known| known.id.clone());
            met.insert(item.id.clone());
        }
    }
}

/// Makes one change. A locked field or item stays, whatever the change says.
pub fn take(form: &mut Form, change: &FormChange) {
    let mut parts = change.path.split('/');
    let place = (parts.next(), parts.next(), parts.next());
    let field = change.after.clone().map(|value| Field::of(value, change.origin.clone()));
    match (place, field, &change.item) {
        ((Some(name), None, _), Some(field), _) => put(&mut form.fields, name, field),
        ((Some(list), Some(item), Some(name)), Some(field), _) => {
            if let Some(item) = item_mut(form, list, item) {
                put(&mut item.fields, name, field);
            }
        }
        ((Some(list), Some(id), None), None, Some(item)) => {
            let items = form.lists.entry(list.to_owned()).or_default();
            match change.kind {
                FormChangeKind::Removed => items.retain(|one| one.id != id || one.is_locked()),
                FormChangeKind::Added | FormChangeKind::Changed => {
                    if !items.iter().any(|one| one.id == id) {
                        items.push(item.clone());
                    }
                }
            }
        }
        _ => {}
    }
}

fn put(fields: &mut std::collections::BTreeMap<String, Field>, name: &str, field: Field) {
    if !fields.get(name).is_some_and(|now| now.locked) {
        fields.insert(name.to_owned(), field);
    }
}

/// Takes every change that touches nothing a person wrote or locked, and returns the others.
pub fn take_unprotected(form: &mut Form, changes: Vec<FormChange>) -> Vec<FormChange> {
    let (asked, free): (Vec<FormChange>, Vec<FormChange>) =
        changes.into_iter().partition(|change| change.replaces_edit);
    free.iter().for_each(|change| take(form, change));
    asked
}
