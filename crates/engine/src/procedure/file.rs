//! Reads a project's procedure. Every mistake is named with file, line and the nearest valid key.

use std::ops::Range;
use std::path::{Component, Path};
use std::time::Duration;

use loopwright_config::schema::nearest;
use loopwright_config::value::{bad_value, parse_time};
use loopwright_config::{Source, text_file};
use loopwright_domain::{ErrorCode, Fault, template};
use toml_edit::{Document, Item, TableLike};

use super::{FILE_LIMIT, Fragment, FragmentSource, Origin, PhaseName, Procedure, builtin, label};

/// What a procedure's file may hold besides its phases.
const KEYS: &[&str] = &["title", "summary", "description", "max_iterations", "promise", "harness", "timeout"];
/// What a fragment may hold: one of the first three, and parameters.
const FRAGMENT_KEYS: &[&str] = &["text", "file", "builtin", "params"];

/// Reads a file's text over what the procedure is without it. A phase that the file names is replaced as a whole; all
/// others stay.
pub(super) fn read(root: &Path, name: &str, text: &str, base: Option<Procedure>) -> Result<Procedure, Fault> {
    let label = label(name);
    let source = Source { label: &label, text };
    let document = Document::parse(text).map_err(|error| source.syntax(&error))?;
    let table = Table { source, table: document.as_table(), prefix: String::new() };
    let phases = PhaseName::ALL.map(PhaseName::key);
    table.only(&[KEYS, &phases].concat())?;
    let mut procedure = base.unwrap_or_else(|| Procedure::empty(name));
    table.settings(&mut procedure)?;
    for phase in &mut procedure.phases {
        if let Some(item) = table.table.get(phase.name.key()) {
            phase.fragments = table.fragments(root, phase.name.key(), item)?;
            phase.origin = Origin::Project;
        }
    }
    if procedure.phases.iter().all(|phase| phase.fragments.is_empty()) {
        let fault = Fault::new(ErrorCode::ConfigBadValue, format!("the procedure \"{name}\" says nothing"));
        let hint = "Give it at least one phase, like act = [{ text = \"…\" }].";
        return Err(source.place(fault.hint(hint), None));
    }
    Ok(procedure)
}

/// A table of the file.
struct Table<'a> {
    source: Source<'a>,
    table: &'a dyn TableLike,
    /// What stands before its keys in messages, like `observe[2].`.
    prefix: String,
}

impl Table<'_> {
    fn span(&self, key: &str) -> Option<Range<usize>> {
        self.table.key(key).and_then(toml_edit::Key::span).or_else(|| self.table.get(key)?.span())
    }

    fn bad(&self, key: &str, reason: &str) -> Fault {
        self.source.place(bad_value(&format!("{}{key}", self.prefix), reason), self.span(key))
    }

    fn only(&self, valid: &[&str]) -> Result<(), Fault> {
        let Some((key, _)) = self.table.iter().find(|(key, _)| !valid.contains(key)) else { return Ok(()) };
        let fault = Fault::new(ErrorCode::ConfigUnknownKey, format!("unknown key \"{}{key}\"", self.prefix));
        let hint = match nearest(key, valid.iter().copied()) {
            Some(near) => format!("Did you mean \"{near}\"?"),
            None => format!("There are: {}.", valid.join(", ")),
        };
        Err(self.source.place(fault.hint(hint), self.span(key)))
    }

    fn get<T>(&self, key: &str, what: &str, read: impl Fn(&Item) -> Option<T>) -> Result<Option<T>, Fault> {
        let Some(item) = self.table.get(key) else { return Ok(None) };
        read(item).map(Some).ok_or_else(|| self.bad(key, what))
    }

    fn text(&self, key: &str) -> Result<Option<String>, Fault> {
        self.get(key, "must be text in quotes", |item| item.as_str().map(str::to_owned))
    }

    fn settings(&self, procedure: &mut Procedure) -> Result<(), Fault> {
        procedure.title = self.text("title")?.unwrap_or_else(|| std::mem::take(&mut procedure.title));
        procedure.summary = self.text("summary")?.unwrap_or_else(|| std::mem::take(&mut procedure.summary));
        procedure.description =
            self.text("description")?.unwrap_or_else(|| std::mem::take(&mut procedure.description));
        let count = |item: &Item| u32::try_from(item.as_integer()?).ok();
        let iterations = self.get("max_iterations", "must be a whole number; 0 is without end", count)?;
        procedure.max_iterations = iterations.or(procedure.max_iterations);
        let set = |value: String| Some(value).filter(|value| !value.trim().is_empty());
        if let Some(promise) = self.text("promise")? {
            procedure.promise = set(promise);
        }
        if let Some(harness) = self.text("harness")? {
            procedure.harness = set(harness);
        }
        let time = |item: &Item| -> Option<Duration> { parse_time(item.as_str()?) };
        let timeout = self.get("timeout", "must be a time, like \"30m\" or \"2h\"", time)?;
        procedure.timeout = timeout.or(procedure.timeout);
        Ok(())
    }

    /// A phase: a list of fragments, inline or as `[[phase]]`.
    fn fragments(&self, root: &Path, phase: &str, item: &Item) -> Result<Vec<Fragment>, Fault> {
        let wrong = || self.bad(phase, "must be a list, like [{ text = \"…\" }, { file = \"docs/how.md\" }]");
        let tables: Option<Vec<&dyn TableLike>> = match (item.as_array(), item.as_array_of_tables()) {
            (Some(list), _) => list
                .iter()
                .map(|value| value.as_inline_table().map(|table| table as &dyn TableLike))
                .collect(),
            (_, Some(tables)) => Some(tables.iter().map(|table| table as &dyn TableLike).collect()),
            _ => None,
        };
        let fragment = |(index, table)| {
            let prefix = format!("{phase}[{}].", index + 1);
            let place = self.span(phase);
            Table { source: self.source, table, prefix }.fragment(root, place)
        };
        tables.ok_or_else(wrong)?.into_iter().enumerate().map(fragment).collect()
    }

    fn fragment(&self, root: &Path, place: Option<Range<usize>>) -> Result<Fragment, Fault> {
        self.only(FRAGMENT_KEYS)?;
        let params = self.params()?;
        let (source, text) = match (self.text("text")?, self.text("file")?, self.text("builtin")?) {
            (Some(text), None, None) => (FragmentSource::Inline, text),
            (None, Some(path), None) => {
                let text = self.file(root, &path)?;
                (FragmentSource::File { path }, text)
            }
            (None, None, Some(name)) => {
                let text = self.builtin(&name)?;
                (FragmentSource::Builtin { name }, text)
            }
            _ => {
                let key = self.prefix.trim_end_matches('.');
                let fault = bad_value(key, "must have exactly one of text, file and builtin");
                return Err(self.source.place(fault, place));
            }
        };
        // The texts that are built in can have places to fill; others have them only when parameters are given.
        let filled = matches!(source, FragmentSource::Builtin { .. }) || params.is_some();
        if !filled {
            return Ok(Fragment { source, text });
        }
        let params = params.unwrap_or_default();
        let values: Vec<(&str, &str)> =
            params.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let text = template::fill(&text, &values).map_err(|error| {
            let key = if self.table.contains_key("params") { "params" } else { "builtin" };
            self.bad(key, &format!("does not fit the text: {error}"))
                .hint("Name it in params = { name = \"value\" }; write {{ and }} for braces.")
        })?;
        Ok(Fragment { source, text })
    }

    fn params(&self) -> Result<Option<Vec<(String, String)>>, Fault> {
        let read = |item: &Item| {
            let table = item.as_table_like()?;
            table.iter().map(|(name, item)| Some((name.to_owned(), item.as_str()?.to_owned()))).collect()
        };
        self.get("params", "must be a table of texts, like { name = \"value\" }", read)
    }

    fn builtin(&self, name: &str) -> Result<String, Fault> {
        builtin::fragment(name).map(str::to_owned).ok_or_else(|| {
            let fault = self.bad("builtin", &format!("names \"{name}\", which is not built in"));
            match nearest(name, builtin::fragment_names()) {
                Some(near) => fault.hint(format!("Did you mean \"{near}\"?")),
                None => fault.hint("docs/procedures.md lists the texts that are built in."),
            }
        })
    }

    /// A file of the project. Neither its path nor a link may lead out of the folder.
    fn file(&self, root: &Path, path: &str) -> Result<String, Fault> {
        let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if path.trim().is_empty() || !Path::new(path).components().all(inside) {
            return Err(self.bad("file", "must be a path inside the project"));
        }
        let full = root.join(path);
        if text_file::leads_out(root, &full) {
            return Err(self.bad("file", &format!("names {path}, which leads out of the project")));
        }
        let unreadable = |fault: Fault| self.bad("file", &format!("names {path}: {}", fault.message));
        text_file::read(&full, FILE_LIMIT).map_err(unreadable)?.ok_or_else(|| {
            self.bad("file", &format!("names {path}, which does not exist"))
                .hint("Make that file, or correct the path; it counts from the project folder.")
        })
    }
}
