//! Procedures: a way of working in four phases (observe, orient, decide, act), again and again.
//!
//! Sixteen are built in. A file `.loopwright/procedures/<name>.toml` adds one, or replaces phases of a built-in one.
//! [`find`] gives a procedure with all its texts, [`render`] makes the prompt of it. Nothing here runs anything.

mod builtin;
mod file;
mod new;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use loopwright_config::schema::nearest;
use loopwright_config::{PROJECT_DIR, text_file};
use loopwright_domain::{ErrorCode, Fault, NextAction};
use serde::{Serialize, Serializer};

pub use self::builtin::fragment_names;
pub use self::new::create;

/// Where a project keeps its procedures, below [`PROJECT_DIR`].
const FOLDER: &str = "procedures";
/// A procedure's file, or one of its fragments, that is larger is none.
const FILE_LIMIT: u64 = 256 * 1024;

/// A procedure with all its texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Procedure {
    /// Its name on the command line.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// What it does, in a line.
    pub summary: String,
    /// When to use it and what it leaves behind; may be empty.
    pub description: String,
    /// The four phases in their order. One without fragments is left out of the prompt.
    pub phases: [Phase; 4],
    /// How many iterations it runs; none leaves that to the settings.
    pub max_iterations: Option<u32>,
    /// The promise that ends it; none lets it use its iterations.
    pub promise: Option<String>,
    /// The agent it wants.
    pub harness: Option<String>,
    /// How long one agent may work.
    #[serde(rename = "timeout_seconds", serialize_with = "in_seconds")]
    #[cfg_attr(feature = "specta", specta(type = Option<u64>))]
    pub timeout: Option<Duration>,
}

fn in_seconds<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    time.map(|time| time.as_secs_f64()).serialize(serializer)
}

/// One of the four phases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename = "ProcedurePhase")]
pub struct Phase {
    /// Which.
    pub name: PhaseName,
    /// Who wrote what it says.
    pub origin: Origin,
    /// Its texts, in order.
    pub fragments: Vec<Fragment>,
}

/// The phases, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum PhaseName {
    /// Look at what is there.
    Observe,
    /// Understand what it means.
    Orient,
    /// Choose what to do.
    Decide,
    /// Do it.
    Act,
}

impl PhaseName {
    /// All four, in their order.
    pub const ALL: [Self; 4] = [Self::Observe, Self::Orient, Self::Decide, Self::Act];

    /// The key in a procedure's file.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Observe => "observe",
            Self::Orient => "orient",
            Self::Decide => "decide",
            Self::Act => "act",
        }
    }

    /// As a heading says it.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Observe => "Observe",
            Self::Orient => "Orient",
            Self::Decide => "Decide",
            Self::Act => "Act",
        }
    }
}

/// Who wrote a procedure or a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename = "ProcedureOrigin")]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Loopwright.
    Builtin,
    /// The project.
    Project,
}

/// One text of a phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Fragment {
    /// Where it is from.
    pub source: FragmentSource,
    /// What it says, parameters filled in.
    pub text: String,
}

/// Where a text is from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FragmentSource {
    /// A text of Loopwright's.
    Builtin {
        /// Its name.
        name: String,
    },
    /// A file of the project.
    File {
        /// Its path from the project folder.
        path: String,
    },
    /// The procedure's own file.
    Inline,
}

impl fmt::Display for FragmentSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Builtin { name } => f.write_str(name),
            Self::File { path } => f.write_str(path),
            Self::Inline => f.write_str("text"),
        }
    }
}

/// A procedure in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename = "ProcedureSummary")]
pub struct Summary {
    /// Its name on the command line.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// What it does, in a line.
    pub summary: String,
    /// Who wrote it.
    pub origin: Origin,
    /// The phases of a built-in procedure that the project has replaced.
    pub replaced: Vec<PhaseName>,
    /// What is wrong with the project's file; then the procedure cannot be used.
    pub problem: Option<Fault>,
}

/// Every procedure: those built in, then the project's own by name. `root` is the project folder; none where there is
/// no project.
#[must_use]
pub fn procedures(root: Option<&Path>) -> Vec<Summary> {
    let builtin = builtin::names();
    let own = root.map(own_names).unwrap_or_default();
    let names = builtin.iter().chain(own.iter().filter(|name| !builtin.contains(name)));
    names.map(|name| summary(root, name)).collect()
}

fn summary(root: Option<&Path>, name: &str) -> Summary {
    let built_in = builtin::find(name);
    let origin = if built_in.is_some() { Origin::Builtin } else { Origin::Project };
    match load(root, name, built_in.clone()) {
        Ok(found) => {
            let procedure = found.unwrap_or_else(|| Procedure::empty(name));
            let own = procedure.phases.iter().filter(|phase| phase.origin == Origin::Project);
            let replaced = own.filter(|_| built_in.is_some()).map(|phase| phase.name).collect();
            Summary {
                name: procedure.name,
                title: procedure.title,
                summary: procedure.summary,
                origin,
                replaced,
                problem: None,
            }
        }
        Err(problem) => {
            let procedure = built_in.unwrap_or_else(|| Procedure::empty(name));
            Summary {
                name: procedure.name,
                title: procedure.title,
                summary: procedure.summary,
                origin,
                replaced: Vec::new(),
                problem: Some(problem),
            }
        }
    }
}

/// The procedure with this name: the project's, over the one built in, if any.
///
/// # Errors
/// There is none, or the project's file for it has a mistake.
pub fn find(root: &Path, name: &str) -> Result<Procedure, Fault> {
    find_in(Some(root), name)
}

/// As [`find`], also where there is no project.
///
/// # Errors
/// As there.
pub fn find_in(root: Option<&Path>, name: &str) -> Result<Procedure, Fault> {
    load(root, name, builtin::find(name))?.ok_or_else(|| unknown(root, name))
}

fn load(root: Option<&Path>, name: &str, base: Option<Procedure>) -> Result<Option<Procedure>, Fault> {
    let Some(root) = root.filter(|_| is_name(name)) else { return Ok(base) };
    let path = path_of(root, name);
    match text_file::read(&path, FILE_LIMIT)? {
        None => Ok(base),
        Some(text) => file::read(root, name, &text, base).map(Some),
    }
}

fn unknown(root: Option<&Path>, name: &str) -> Fault {
    let mut names = builtin::names();
    names.extend(root.map(own_names).unwrap_or_default());
    let message = format!("there is no procedure called \"{name}\"");
    let fault = Fault::new(ErrorCode::ProcedureNotFound, message);
    match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => {
            fault.hint(format!("Did you mean \"{near}\"?")).next(NextAction::ListProcedures, "See them all")
        }
        None => fault
            .next(NextAction::ListProcedures, "See those there are")
            .next(NextAction::NewProcedure, "Make one"),
    }
}

/// The prompt of a procedure: what it is for, then each phase under its heading.
#[must_use]
pub fn render(procedure: &Procedure) -> String {
    let mut blocks = vec![format!("# {}", procedure.title)];
    blocks.extend([&procedure.summary, &procedure.description].map(|text| text.trim().to_owned()));
    for (index, phase) in procedure.phases.iter().enumerate() {
        if !phase.fragments.is_empty() {
            blocks.push(format!("## {}. {}", index + 1, phase.name.title()));
            blocks.extend(phase.fragments.iter().map(|fragment| fragment.text.trim().to_owned()));
        }
    }
    blocks.retain(|block| !block.is_empty());
    blocks.join("\n\n") + "\n"
}

impl Procedure {
    /// One that says nothing yet.
    fn empty(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            title: name.to_owned(),
            summary: String::new(),
            description: String::new(),
            phases: PhaseName::ALL.map(|name| Phase { name, origin: Origin::Project, fragments: Vec::new() }),
            max_iterations: None,
            promise: None,
            harness: None,
            timeout: None,
        }
    }
}

/// Whether a word can be a procedure's name: also on the command line, and as a file's name everywhere.
fn is_name(word: &str) -> bool {
    let letters = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    word.len() <= 64
        && word.bytes().next().is_some_and(letters)
        && word.bytes().all(|byte| letters(byte) || matches!(byte, b'-' | b'_'))
}

/// The names of the project's files, sorted.
fn own_names(root: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(root.join(PROJECT_DIR).join(FOLDER)).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".toml")?.to_owned()))
        .filter(|name| is_name(name))
        .collect()
}

fn path_of(root: &Path, name: &str) -> PathBuf {
    root.join(PROJECT_DIR).join(FOLDER).join(format!("{name}.toml"))
}

/// How a project's file is named in messages.
fn label(name: &str) -> String {
    format!("{PROJECT_DIR}/{FOLDER}/{name}.toml")
}
