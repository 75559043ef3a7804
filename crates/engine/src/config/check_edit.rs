//! Adds a check to a configuration file, or takes one out, and changes nothing else.

use loopwright_domain::{ErrorCode, Fault};
use toml_edit::{ArrayOfTables, Item, Table, value};

use super::edit::parse;
use super::file;
use super::schema::{Scope, nearest};
use super::tables::CHECKS;
use super::value::bad_value;
use crate::check::Builtin;

/// A check to be added. What is left out has its usual value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewCheck {
    /// Its name.
    pub name: String,
    /// The command; empty for a built-in check.
    pub command: String,
    /// The built-in check, instead of a command.
    pub builtin: Option<Builtin>,
    /// Whether its failure does not fail an attempt.
    pub optional: bool,
    /// How long it may take, such as `90s`.
    pub timeout: Option<String>,
    /// The folder it runs in.
    pub dir: Option<String>,
    /// Its order number.
    pub order: Option<i64>,
    /// How its output is read.
    pub parser: Option<String>,
    /// The pattern of the parser `regex`.
    pub pattern: Option<String>,
    /// Where the parser `json` finds the issues.
    pub issues: Option<String>,
}

impl NewCheck {
    fn table(&self) -> Table {
        let mut table = Table::new();
        table.insert("name", value(&self.name));
        match self.builtin {
            Some(builtin) => table.insert("builtin", value(builtin.as_str())),
            None => table.insert("command", value(&self.command)),
        };
        let texts = [
            ("timeout", &self.timeout),
            ("dir", &self.dir),
            ("parser", &self.parser),
            ("pattern", &self.pattern),
            ("issues", &self.issues),
        ];
        for (key, text) in texts {
            if let Some(text) = text {
                table.insert(key, value(text));
            }
        }
        if let Some(order) = self.order {
            table.insert("order", value(order));
        }
        if self.optional {
            table.insert("required", value(false));
        }
        table
    }
}

/// The text of a file with one more check, at the end.
///
/// # Errors
/// The file cannot be read, there is a check of that name, or the new one is not right.
pub fn add(label: &str, text: &str, new: &NewCheck) -> Result<String, Fault> {
    let mut document = parse(label, text)?;
    let item = document.entry(CHECKS).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    let tables = tables(item)?;
    if tables.iter().any(|table| name_of(table) == Some(&new.name)) {
        return Err(Fault::new(
            ErrorCode::UsageInvalid,
            format!("there is a check called \"{}\" already", new.name),
        )
        .hint("Choose another name, or take it out first with \"loopwright check remove\"."));
    }
    tables.push(new.table());
    let changed = document.to_string();
    let before = file::read(label, text, Scope::Project).problems;
    let wrong = file::read(label, &changed, Scope::Project)
        .problems
        .into_iter()
        .find(|fault| !before.contains(fault));
    match wrong {
        Some(fault) => Err(Fault { location: None, ..fault }),
        None => Ok(changed),
    }
}

/// The text of a file without a check, and without the comment above it.
///
/// # Errors
/// The file cannot be read, or there is no check of that name.
pub fn remove(label: &str, text: &str, name: &str) -> Result<String, Fault> {
    let mut document = parse(label, text)?;
    let Some(item) = document.get_mut(CHECKS) else { return Err(unknown(name, [])) };
    let tables = tables(item)?;
    let Some(index) = tables.iter().position(|table| name_of(table) == Some(name)) else {
        return Err(unknown(name, tables.iter().filter_map(name_of)));
    };
    tables.remove(index);
    if tables.is_empty() {
        document.remove(CHECKS);
    }
    Ok(document.to_string())
}

/// The fault for a check that is not there, naming the nearest that is.
pub(crate) fn unknown<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Fault {
    let fault = Fault::new(ErrorCode::UsageInvalid, format!("there is no check called \"{name}\""));
    match nearest(name, names) {
        Some(near) => fault.hint(format!("Did you mean \"{near}\"?")),
        None => fault.hint("\"loopwright check list\" shows those there are."),
    }
}

fn tables(item: &mut Item) -> Result<&mut ArrayOfTables, Fault> {
    item.as_array_of_tables_mut()
        .ok_or_else(|| bad_value(CHECKS, "must be written as [[checks]], once for each check"))
}

fn name_of(table: &Table) -> Option<&str> {
    table.get("name").and_then(Item::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# Ours\nname = \"x\"   # short\n\n# Style first.\n[[checks]]\nname = \"lint\" # quick\ncommand = \"lint\"\n\n\
                        [[checks]]\nname = \"test\"\ncommand = \"test\"\n\n[gate]\nprotected = [\"a\"] # keep\n";

    fn command(name: &str, command: &str) -> NewCheck {
        NewCheck { name: name.into(), command: command.into(), ..NewCheck::default() }
    }

    #[test]
    fn adding_changes_nothing_else_and_removing_it_again_gives_the_same_file() {
        let new = NewCheck {
            optional: true,
            order: Some(3),
            timeout: Some("5m".into()),
            ..command("docs", "make docs")
        };
        let added = add("f", FILE, &new).unwrap();
        let table = "[[checks]]\nname = \"docs\"\ncommand = \"make docs\"\ntimeout = \"5m\"\norder = 3\nrequired = false\n";
        assert_eq!(added.replace(&format!("\n{table}"), ""), FILE, "{added}");
        assert_eq!(remove("f", &added, "docs").unwrap(), FILE);
        let without = remove("f", FILE, "lint").unwrap();
        assert_eq!(
            without,
            FILE.replace("\n# Style first.\n[[checks]]\nname = \"lint\" # quick\ncommand = \"lint\"\n", "")
        );
        let first = add(
            "f",
            "",
            &NewCheck { builtin: Some(Builtin::CleanTree), name: "clean".into(), ..NewCheck::default() },
        );
        assert_eq!(first.unwrap(), "[[checks]]\nname = \"clean\"\nbuiltin = \"clean-tree\"\n");
        assert_eq!(remove("f", "[[checks]]\nname = \"a\"\ncommand = \"a\"\n", "a").unwrap(), "");
    }

    #[test]
    fn mistakes_change_nothing_and_say_what_is_wrong() {
        let message = |new: &NewCheck| add("f", FILE, new).unwrap_err().message;
        assert_eq!(message(&command("lint", "x")), "there is a check called \"lint\" already");
        assert!(message(&command("x", "say 'hi")).contains("close every quote"));
        assert!(message(&command("", "x")).contains("name on one line"));
        assert!(
            message(&NewCheck { dir: Some("../up".into()), ..command("x", "x") })
                .contains("inside the project")
        );
        let wrong = remove("f", FILE, "tets").unwrap_err();
        assert_eq!(wrong.hint.as_deref(), Some("Did you mean \"test\"?"));
        assert!(remove("f", "", "a").is_err());
        assert_eq!(add("f", "[[[", &command("a", "a")).unwrap_err().code, ErrorCode::ConfigSyntax);
        assert_eq!(add("f", "checks = 3\n", &command("a", "a")).unwrap_err().code, ErrorCode::ConfigBadValue);
    }
}
