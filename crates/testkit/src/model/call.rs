//! What the model has its tools do.

use serde::Deserialize;
use serde_json::Value;

/// A tool call, in words that hold for every CLI: the tool's name and the names of its arguments are those that the
/// CLI itself offered. Paths are relative to the agent's folder.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Call {
    /// Writes a file.
    Write {
        /// Where.
        path: String,
        /// What.
        content: String,
    },
    /// Replaces a text in a file.
    Edit {
        /// Where.
        path: String,
        /// What is there.
        old: String,
        /// What is to be there.
        new: String,
    },
    /// Reads a file.
    Read {
        /// Where.
        path: String,
    },
    /// Runs a command.
    Bash {
        /// The command line.
        command: String,
    },
    /// Any other tool, with the arguments as they are. A tool of an MCP server is found by its own name, whatever
    /// the CLI puts before it.
    Tool {
        /// The tool's name.
        name: String,
        /// Its arguments.
        input: Value,
    },
}

impl Call {
    /// Writes a file.
    #[must_use]
    pub fn write(path: impl Into<String>, content: impl Into<String>) -> Self {
        Self::Write { path: path.into(), content: content.into() }
    }

    /// Replaces a text in a file.
    #[must_use]
    pub fn edit(path: impl Into<String>, old: impl Into<String>, new: impl Into<String>) -> Self {
        Self::Edit { path: path.into(), old: old.into(), new: new.into() }
    }

    /// Reads a file.
    #[must_use]
    pub fn read(path: impl Into<String>) -> Self {
        Self::Read { path: path.into() }
    }

    /// Runs a command.
    #[must_use]
    pub fn bash(command: impl Into<String>) -> Self {
        Self::Bash { command: command.into() }
    }

    /// Calls any tool.
    #[must_use]
    pub fn tool(name: impl Into<String>, input: Value) -> Self {
        Self::Tool { name: name.into(), input }
    }
}
