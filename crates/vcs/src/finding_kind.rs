//! The sorts of things in a folder that would execute something.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! finding_kinds {
    ($( $(#[$doc:meta])* $name:ident = $text:literal, )+) => {
        /// What sort of thing was found.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "specta", derive(specta::Type))]
        pub enum FindingKind {
            $( $(#[$doc])* #[serde(rename = $text)] $name, )+
        }

        impl FindingKind {
            /// The name for people and in JSON.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text),+ }
            }
        }
    };
}

finding_kinds! {
    /// A program that git runs by itself at certain moments.
    Hook = "git hook",
    /// A program that git asks which files changed; a mere `git status` runs it.
    Fsmonitor = "fsmonitor",
    /// A program that file contents pass through.
    Filter = "git filter",
    /// A program that makes files readable for a diff.
    Textconv = "text conversion",
    /// A program that shows differences.
    ExternalDiff = "external diff",
    /// A program that merges files.
    MergeDriver = "merge driver",
    /// A program that connects to other machines.
    SshCommand = "ssh command",
    /// A program that is asked for passwords.
    CredentialHelper = "credential helper",
    /// A program that shows long output.
    Pager = "pager",
    /// A program that edits messages.
    Editor = "editor",
    /// A program that signs or checks signatures.
    Signing = "signing program",
    /// A git command of the repository's own that runs a shell.
    Alias = "alias",
    /// Another command in git's configuration.
    GitCommand = "git command",
    /// A configuration file that includes another one.
    Include = "included config",
    /// Files that are handed to a filter, diff or merge program.
    Attributes = "attributes",
    /// A submodule that is updated by a command.
    Submodule = "submodule",
    /// A remote that is reached through a program.
    Remote = "remote",
    /// A repository inside the folder, with a configuration of its own.
    NestedRepository = "nested repository",
    /// A file called like a program that everybody uses.
    Shim = "program in folder",
    /// Commands or servers that an agent starts.
    AgentConfig = "agent config",
    /// Commands that a shell runs when it enters the folder.
    ShellEnvironment = "shell environment",
    /// Commands that an editor runs.
    EditorTask = "editor task",
    /// Something that could not be looked at.
    Unreadable = "unreadable",
    /// There is more than is listed.
    More = "more",
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
