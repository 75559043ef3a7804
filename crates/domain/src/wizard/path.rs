//! Paths of fields: `project_name`, `features`, `features/i3`, `features/i3/description`.

use std::fmt;

use super::shape::{FieldShape, FormShape, ListShape};
use crate::fault::{ErrorCode, Fault};

/// A place in a form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FieldPath {
    /// A field of the form.
    Field {
        /// Its name.
        field: String,
    },
    /// A whole list.
    List {
        /// Its name.
        list: String,
    },
    /// An item of a list.
    Item {
        /// The list.
        list: String,
        /// The item's id.
        item: String,
    },
    /// A field of an item.
    ItemField {
        /// The list.
        list: String,
        /// The item's id.
        item: String,
        /// The field's name.
        field: String,
    },
}

impl FieldPath {
    /// Reads a path in a form of this shape.
    ///
    /// # Errors
    /// The form has no such place.
    pub fn parse(shape: &FormShape, text: &str) -> Result<Self, Fault> {
        let unknown = || {
            let names: Vec<&str> = shape.names().collect();
            Fault::new(ErrorCode::UsageInvalid, format!("{} has no \"{text}\"", shape.phase.label()))
                .hint(format!("It has: {}.", names.join(", ")))
        };
        let mut parts = text.split('/');
        let name = parts.next().unwrap_or_default();
        if shape.field(name).is_some() {
            return match parts.next() {
                None => Ok(Self::Field { field: name.to_owned() }),
                Some(_) => Err(unknown()),
            };
        }
        let list = shape.list(name).ok_or_else(unknown)?;
        let list_name = list.name.to_owned();
        match (parts.next(), parts.next(), parts.next()) {
            (None, ..) => Ok(Self::List { list: list_name }),
            (Some(item), None, _) => Ok(Self::Item { list: list_name, item: item.to_owned() }),
            (Some(item), Some(field), None) if list.field(field).is_some() => {
                Ok(Self::ItemField { list: list_name, item: item.to_owned(), field: field.to_owned() })
            }
            _ => Err(unknown()),
        }
    }

    /// The shape of the field it names; none for a list or an item.
    #[must_use]
    pub fn field_shape<'s>(&self, shape: &'s FormShape) -> Option<&'s FieldShape> {
        match self {
            Self::Field { field } => shape.field(field),
            Self::ItemField { list, field, .. } => shape.list(list)?.field(field),
            Self::List { .. } | Self::Item { .. } => None,
        }
    }

    /// The shape of the list it is in.
    #[must_use]
    pub fn list_shape<'s>(&self, shape: &'s FormShape) -> Option<&'s ListShape> {
        match self {
            Self::Field { .. } => None,
            Self::List { list } | Self::Item { list, .. } | Self::ItemField { list, .. } => shape.list(list),
        }
    }

    /// Whether another path is this one or lies in it.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        let (one, two) = (self.to_string(), other.to_string());
        two == one || two.strip_prefix(&one).is_some_and(|rest| rest.starts_with('/'))
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field { field } => f.write_str(field),
            Self::List { list } => f.write_str(list),
            Self::Item { list, item } => write!(f, "{list}/{item}"),
            Self::ItemField { list, item, field } => write!(f, "{list}/{item}/{field}"),
        }
    }
}
