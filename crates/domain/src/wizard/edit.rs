//! What a person does to a form: write, lock, add, remove. Everything a person writes counts as edited.

use std::collections::BTreeMap;

use super::form::{Field, FieldOrigin, FieldValue, Form, Item, MOST_ITEMS, fitting};
use super::path::FieldPath;
use super::shape::{FormShape, ListShape};
use crate::fault::{ErrorCode, Fault};

/// Gives out the ids of items.
#[derive(Debug)]
pub struct ItemIds<'n>(pub &'n mut u32);

impl ItemIds<'_> {
    /// An id that was never given before.
    pub fn fresh(&mut self) -> String {
        *self.0 += 1;
        format!("i{}", self.0)
    }
}

/// Writes a value into a field, as a person.
///
/// # Errors
/// The form has no such field, or the value does not fit it.
pub fn set(shape: &FormShape, form: &mut Form, path: &FieldPath, value: FieldValue) -> Result<(), Fault> {
    let field_shape = path.field_shape(shape).ok_or_else(|| no_field(path))?;
    let value = fitting(field_shape, value)?;
    let (fields, name) = place(form, path).ok_or_else(|| missing(path))?;
    let locked = fields.get(name).is_some_and(|field| field.locked);
    fields.insert(name.to_owned(), Field { locked, ..Field::by_hand(value) });
    Ok(())
}

/// Locks or unlocks a field, an item with all its fields, or a whole list.
///
/// # Errors
/// The form has no such place.
pub fn lock(shape: &FormShape, form: &mut Form, path: &FieldPath, locked: bool) -> Result<(), Fault> {
    match path {
        FieldPath::Field { .. } | FieldPath::ItemField { .. } => {
            let field_shape = path.field_shape(shape).ok_or_else(|| no_field(path))?;
            let (fields, name) = place(form, path).ok_or_else(|| missing(path))?;
            let field = fields.entry(name.to_owned());
            field.or_insert_with(|| Field::by_hand(empty_value(field_shape.kind))).locked = locked;
            Ok(())
        }
        FieldPath::Item { list, item } => {
            let item = item_mut(form, list, item).ok_or_else(|| missing(path))?;
            item.fields.values_mut().for_each(|field| field.locked = locked);
            Ok(())
        }
        FieldPath::List { list } => {
            let items = form.lists.entry(list.clone()).or_default();
            items
                .iter_mut()
                .flat_map(|item| item.fields.values_mut())
                .for_each(|field| field.locked = locked);
            Ok(())
        }
    }
}

/// Adds an item to a list, as a person, and returns its id.
///
/// # Errors
/// A value does not fit, or the list is full.
pub fn add(
    list: &ListShape,
    form: &mut Form,
    values: BTreeMap<String, FieldValue>,
    ids: &mut ItemIds<'_>,
) -> Result<String, Fault> {
    let mut item = Item { id: String::new(), fields: BTreeMap::new() };
    for (name, value) in values {
        let shape = list.field(&name).ok_or_else(|| {
            Fault::new(ErrorCode::UsageInvalid, format!("an item of \"{}\" has no \"{name}\"", list.name))
        })?;
        item.fields.insert(name, Field::by_hand(fitting(shape, value)?));
    }
    let items = form.lists.entry(list.name.to_owned()).or_default();
    if items.len() >= MOST_ITEMS {
        return Err(Fault::new(
            ErrorCode::UsageInvalid,
            format!("\"{}\" has {MOST_ITEMS} items already", list.name),
        ));
    }
    item.id = ids.fresh();
    let id = item.id.clone();
    items.push(item);
    Ok(id)
}

/// Removes an item.
///
/// # Errors
/// There is no such item, or it is locked.
pub fn remove(form: &mut Form, list: &str, item: &str) -> Result<Item, Fault> {
    let path = FieldPath::Item { list: list.to_owned(), item: item.to_owned() };
    let items = form.lists.entry(list.to_owned()).or_default();
    let place = items.iter().position(|one| one.id == item).ok_or_else(|| missing(&path))?;
    if items.get(place).is_some_and(Item::is_locked) {
        return Err(Fault::new(ErrorCode::UsageInvalid, format!("{path} is locked")).hint("Unlock it first."));
    }
    Ok(items.remove(place))
}

/// Moves an item before another one of its list, or to the end.
///
/// # Errors
/// There is no such item.
pub fn move_item(form: &mut Form, list: &str, item: &str, before: Option<&str>) -> Result<(), Fault> {
    let path = |id: &str| FieldPath::Item { list: list.to_owned(), item: id.to_owned() };
    let items = form.lists.entry(list.to_owned()).or_default();
    if let Some(before) = before
        && !items.iter().any(|one| one.id == before)
    {
        return Err(missing(&path(before)));
    }
    if before == Some(item) {
        return Ok(());
    }
    let place = items.iter().position(|one| one.id == item).ok_or_else(|| missing(&path(item)))?;
    let moved = items.remove(place);
    let to = before.and_then(|before| items.iter().position(|one| one.id == before)).unwrap_or(items.len());
    items.insert(to, moved);
    Ok(())
}

/// Moves an item to the end of another list of the form. Fields that the other list does not have are dropped.
///
/// # Errors
/// There is no such item or list.
pub fn move_to_list(
    shape: &FormShape,
    form: &mut Form,
    from: &str,
    item: &str,
    to: &str,
) -> Result<(), Fault> {
    let target = shape.list(to).ok_or_else(|| {
        Fault::new(ErrorCode::UsageInvalid, format!("{} has no list \"{to}\"", shape.phase.label()))
    })?;
    let mut moved = remove(form, from, item)?;
    moved.fields.retain(|name, _| target.field(name).is_some());
    if let Some(key) = moved.fields.get_mut(target.key().name) {
        key.edited = true;
        key.origin = FieldOrigin::Words { quote: None };
    }
    form.lists.entry(to.to_owned()).or_default().push(moved);
    Ok(())
}

/// The item of a list with this id.
pub fn item_mut<'f>(form: &'f mut Form, list: &str, item: &str) -> Option<&'f mut Item> {
    form.lists.get_mut(list)?.iter_mut().find(|one| one.id == item)
}

/// An empty value of a kind.
#[must_use]
pub const fn empty_value(kind: super::FieldKind) -> FieldValue {
    use super::FieldKind;
    match kind {
        FieldKind::Line | FieldKind::Text | FieldKind::Choice => FieldValue::Text(String::new()),
        FieldKind::Texts => FieldValue::Texts(Vec::new()),
        FieldKind::Number => FieldValue::Number(0),
        FieldKind::Flag => FieldValue::Flag(false),
    }
}

/// The fields that a path's field is among, and its name.
fn place<'f, 'p>(
    form: &'f mut Form,
    path: &'p FieldPath,
) -> Option<(&'f mut BTreeMap<String, Field>, &'p str)> {
    match path {
        FieldPath::Field { field } => Some((&mut form.fields, field)),
        FieldPath::ItemField { list, item, field } => Some((&mut item_mut(form, list, item)?.fields, field)),
        FieldPath::List { .. } | FieldPath::Item { .. } => None,
    }
}

pub(super) fn missing(path: &FieldPath) -> Fault {
    Fault::new(ErrorCode::UsageInvalid, format!("there is no \"{path}\""))
        .hint("It may have been removed meanwhile; look again.")
}

fn no_field(path: &FieldPath) -> Fault {
    Fault::new(ErrorCode::UsageInvalid, format!("\"{path}\" is no field that can be written"))
}
