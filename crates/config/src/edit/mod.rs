//! Changes one key of a configuration file and nothing else: comments, order and spacing stay.

pub mod check_edit;
mod check_text;
pub mod pattern_edit;

use loopwright_domain::{ErrorCode, Fault};
use toml_edit::{DocumentMut, Item, Table, TableLike, TomlError, Value as TomlValue};

/// Sets or removes a dotted key in a file's text and gives the new text.
///
/// # Errors
/// The text is not TOML, or a part of the key is there but is no table.
pub fn change(label: &str, text: &str, key: &[&str], value: Option<TomlValue>) -> Result<String, Fault> {
    let mut document = parse(label, text)?;
    let Some((last, sections)) = key.split_last() else {
        return Err(Fault::new(ErrorCode::UsageInvalid, "no key was given"));
    };
    match value {
        Some(value) => set(label, document.as_table_mut(), sections, last, value)?,
        None => remove(document.as_table_mut(), sections, last),
    }
    Ok(document.to_string())
}

fn parse(label: &str, text: &str) -> Result<DocumentMut, Fault> {
    text.parse().map_err(|error| unreadable(label, text, &error))
}

/// The fault for a file that is to be changed and is not TOML.
pub(super) fn unreadable(label: &str, text: &str, error: &TomlError) -> Fault {
    Fault::new(ErrorCode::ConfigSyntax, format!("{label} cannot be read: {}", error.message()))
        .hint("Fix the file by hand first; nothing was changed.")
        .at(label, error.span().map(|span| crate::file::line_of(text, span.start)))
}

fn set(
    label: &str,
    mut table: &mut dyn TableLike,
    sections: &[&str],
    last: &str,
    mut value: TomlValue,
) -> Result<(), Fault> {
    for section in sections {
        let item = table.entry(section).or_insert_with(|| {
            let mut new = Table::new();
            new.set_implicit(true);
            Item::Table(new)
        });
        table = item.as_table_like_mut().ok_or_else(|| {
            Fault::new(ErrorCode::ConfigBadValue, format!("\"{section}\" is not a table in {label}"))
                .hint("Fix the file by hand; nothing was changed.")
        })?;
    }
    if let Some(Item::Value(old)) = table.get(last) {
        // Keeps the comment behind the old value.
        *value.decor_mut() = old.decor().clone();
    }
    match table.get_mut(last) {
        Some(item) => *item = Item::Value(value),
        None => {
            table.insert(last, Item::Value(value));
        }
    }
    Ok(())
}

fn remove(mut table: &mut dyn TableLike, sections: &[&str], last: &str) {
    for section in sections {
        match table.get_mut(section).and_then(Item::as_table_like_mut) {
            Some(next) => table = next,
            None => return,
        }
    }
    table.remove(last);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set_text(text: &str, key: &[&str], value: &str) -> String {
        change("config.toml", text, key, Some(value.into())).unwrap()
    }

    #[test]
    fn comments_order_and_spacing_survive_a_set() {
        let before = "# The house rules\nname = \"old\"   # keep short\n\n[gate]  # ask first\n# prices\nprotected = [\"a\"]\n";
        let after = set_text(before, &["name"], "new");
        assert_eq!(after, before.replace("\"old\"", "\"new\""));
        let added = set_text(before, &["mode"], "review_each");
        assert_eq!(added.replace("mode = \"review_each\"\n", ""), before);
        let nested = set_text(before, &["ui", "theme"], "dark");
        assert!(nested.starts_with(before), "{nested}");
        assert!(nested.ends_with("[ui]\ntheme = \"dark\"\n"), "{nested}");
    }

    #[test]
    fn a_new_file_begins_with_the_key() {
        assert_eq!(set_text("", &["ui", "theme"], "dark"), "[ui]\ntheme = \"dark\"\n");
        assert_eq!(set_text("", &["harness", "mine", "command"], "x"), "[harness.mine]\ncommand = \"x\"\n");
    }

    #[test]
    fn removing_takes_only_the_key_and_is_harmless_when_it_is_not_there() {
        let before = "name = \"x\"\n[gate]\nprotected = []\n";
        assert_eq!(change("f", before, &["name"], None).unwrap(), "[gate]\nprotected = []\n");
        assert_eq!(change("f", before, &["ui", "theme"], None).unwrap(), before);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_left_alone() {
        let fault = change("f", "name = ", &["name"], None).unwrap_err();
        assert_eq!(fault.code, ErrorCode::ConfigSyntax);
        let fault = change("f", "gate = 3\n", &["gate", "protected"], Some("x".into())).unwrap_err();
        assert_eq!(fault.code, ErrorCode::ConfigBadValue);
    }
}
