//! Which format a file is.

use loopwright_domain::{ErrorCode, Fault};
use serde::{Deserialize, Serialize};

use super::{checklist, scg, tasks_json};

/// The formats that tasks can be read from and written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Our own JSON: holds all there is about a task.
    Loopwright,
    /// SCUD's JSON for one tag, with numbers for ids.
    ScudLoop,
    /// SCUD's older JSON: tags with their tasks, texts for ids.
    ScudMap,
    /// A SCUD graph.
    Scg,
    /// claude-task-master's `tasks.json`, with tags or without.
    TaskMaster,
    /// Check boxes in Markdown.
    Checklist,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Loopwright, Self::ScudLoop, Self::ScudMap, Self::Scg, Self::TaskMaster, Self::Checklist];

    /// Its name on the command line and in the history.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loopwright => "loopwright",
            Self::ScudLoop => "scud",
            Self::ScudMap => "scud-map",
            Self::Scg => "scg",
            Self::TaskMaster => "task-master",
            Self::Checklist => "markdown",
        }
    }

    /// The format of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Finds the format by what a file holds and what it is called.
    ///
    /// # Errors
    /// It is none of them.
    pub fn of(file: &str, text: &str) -> Result<Self, Fault> {
        let name = file.replace('\\', "/");
        let first = text.trim_start_matches('\u{feff}').trim_start();
        if first.starts_with(scg::HEADER) || name.ends_with(".scg") {
            return Ok(Self::Scg);
        }
        if first.starts_with(['{', '[']) || name.ends_with(".json") {
            // What is no JSON at all is read as SCUD or task-master would be, so that the fault names its line.
            let fallback = if name.contains(".scud/") { Self::ScudLoop } else { Self::TaskMaster };
            return match tasks_json::detect(text, &name) {
                Some(format) => Ok(format),
                None if serde_json::from_str::<serde::de::IgnoredAny>(text).is_err() => Ok(fallback),
                None => Err(unknown(file)),
            };
        }
        let listed = text.lines().any(|line| checklist::mark(line).is_some());
        if listed { Ok(Self::Checklist) } else { Err(unknown(file)) }
    }

    /// Finds the format for a file that is to be written, by its name.
    #[must_use]
    pub fn for_name(file: &str) -> Option<Self> {
        let name = file.replace('\\', "/");
        let ends = |end: &str| name.ends_with(end);
        match () {
            () if ends(".scg") => Some(Self::Scg),
            () if ends(".md") || ends(".markdown") => Some(Self::Checklist),
            () if ends(".json") && name.contains(".scud/") => Some(Self::ScudLoop),
            () if ends("tasks.json") && name.contains(".taskmaster/") => Some(Self::TaskMaster),
            () if ends(".json") => Some(Self::Loopwright),
            () => None,
        }
    }
}

fn unknown(file: &str) -> Fault {
    Fault::new(ErrorCode::ImportInvalid, "no tasks were found in it: it is none of the known formats")
        .at(file, None)
        .hint(
            "Known are SCUD JSON and .scg files, claude-task-master's tasks.json, Markdown with \"- [ ]\" lines, and \
             Loopwright's own JSON.",
        )
}
