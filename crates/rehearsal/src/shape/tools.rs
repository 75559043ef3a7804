//! Tool calls, and the names the agent CLIs give their tools.

use serde_json::{Value, json};

use super::stamp::Stamp;

/// What a tool was used for.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A whole file was written.
    Write {
        /// The file, relative to the working folder.
        path: String,
        /// Its content.
        content: String,
        /// Whether the file is new.
        created: bool,
    },
    /// A part of a file was replaced.
    Edit {
        /// The file, relative to the working folder.
        path: String,
        /// What was there; empty when text was added at the end.
        find: String,
        /// What is there now.
        replace: String,
    },
    /// A file or folder was deleted.
    Delete {
        /// The file or folder, relative to the working folder.
        path: String,
    },
    /// A program was run.
    Run {
        /// The program and its arguments.
        argv: Vec<String>,
    },
    /// Any other tool, by the harness's own name for it.
    Other {
        /// Its name.
        name: String,
        /// Its arguments.
        input: Value,
    },
}

/// A tool call and how it went.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// What it was for.
    pub action: Action,
    /// What it printed.
    pub output: String,
    /// Whether it failed.
    pub failed: bool,
    /// The exit code, when a program ran.
    pub exit_code: Option<i32>,
}

/// How one CLI names its tools and their arguments.
pub(super) struct ToolNames {
    pub(super) write: &'static str,
    pub(super) edit: &'static str,
    pub(super) run: &'static str,
    pub(super) path: &'static str,
    pub(super) content: &'static str,
    pub(super) old: &'static str,
    pub(super) new: &'static str,
}

impl ToolNames {
    /// The tool's name and its arguments for an action. None of the CLIs has a tool that deletes: they run `rm`.
    pub(super) fn describe(&self, action: &Action, stamp: &Stamp) -> (String, Value) {
        match action {
            Action::Write { path, content, .. } => {
                let input = json!({ self.path: stamp.full(path), self.content: content });
                (self.write.to_owned(), input)
            }
            Action::Edit { path, find, replace } => {
                let input = json!({ self.path: stamp.full(path), self.old: find, self.new: replace });
                (self.edit.to_owned(), input)
            }
            Action::Delete { .. } | Action::Run { .. } => {
                let input = json!({ "command": command_line(action), "description": "scripted command" });
                (self.run.to_owned(), input)
            }
            Action::Other { name, input } => (name.clone(), input.clone()),
        }
    }
}

/// The command an action stands for, quoted as a person would type it.
pub(super) fn command_line(action: &Action) -> String {
    match action {
        Action::Run { argv } => shell_words::join(argv),
        Action::Delete { path } => shell_words::join(["rm", "-r", path]),
        Action::Write { path, .. } => format!("write {path}"),
        Action::Edit { path, .. } => format!("edit {path}"),
        Action::Other { name, .. } => name.clone(),
    }
}
