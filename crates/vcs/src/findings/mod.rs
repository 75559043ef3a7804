//! What in a folder would execute something if an ordinary git, agent or editor were let loose in it.
//!
//! Found by reading alone. It tells a person what they are about to trust; it protects nothing, and so it may be
//! incomplete: the inspect profile (`harden.rs`) does not rest on it.

mod agents;
mod attributes;
mod configuration;
mod tree;

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::discover::Repository;
use crate::hooks::hooks;

/// As many findings as are listed; one more then says how many were left out.
const MAX_FINDINGS: usize = 200;

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

/// One thing that would execute something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Finding {
    /// What sort of thing it is.
    pub kind: FindingKind,
    /// Where it is and what it would do, in one line that is safe to show.
    pub detail: String,
}

/// Looks through a folder and its repository. Reads files only and starts no process.
///
/// Attributes and nested repositories are looked for near the top of the tree, not in all of it.
#[must_use]
pub fn findings(folder: &Path, repository: Option<&Repository>) -> Vec<Finding> {
    let root = repository.map_or(folder, |repository| &repository.work_tree);
    let mut report = Report { root: root.to_owned(), list: Vec::new(), more: 0 };
    if let Some(repository) = repository {
        configuration::look(&Config::of(repository), &mut report);
        look_at_hooks(repository, &mut report);
        attributes::look(&repository.common_dir.join("info/attributes"), &mut report);
    }
    tree::look(&mut report);
    agents::look(folder, &mut report);
    if root != folder {
        agents::look(root, &mut report);
    }
    report.finish()
}

fn look_at_hooks(repository: &Repository, report: &mut Report) {
    match hooks(repository) {
        Ok(hooks) => {
            for hook in hooks {
                report.add(FindingKind::Hook, format!("git runs {} by itself", report.name(&hook.path)));
            }
        }
        Err(error) => report.add(FindingKind::Unreadable, error.to_string()),
    }
}

/// The findings so far.
struct Report {
    root: PathBuf,
    list: Vec<Finding>,
    more: usize,
}

impl Report {
    /// Adds a finding unless it is there already; beyond the limit they are only counted.
    fn add(&mut self, kind: FindingKind, detail: String) {
        let finding = Finding { kind, detail };
        if self.list.contains(&finding) {
            return;
        }
        if self.list.len() < MAX_FINDINGS {
            self.list.push(finding);
        } else {
            self.more += 1;
        }
    }

    /// A file as people name it: from the folder if it is inside.
    fn name(&self, path: &Path) -> String {
        let name = path.strip_prefix(&self.root).unwrap_or(path);
        crate::text::shown(name.as_os_str().as_encoded_bytes()).replace('\\', "/")
    }

    fn finish(mut self) -> Vec<Finding> {
        if self.more > 0 {
            let detail = format!("and {} more like these", self.more);
            self.list.push(Finding { kind: FindingKind::More, detail });
        }
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_ends_with_the_number_of_those_left_out() {
        let mut report = Report { root: PathBuf::from("/p"), list: Vec::new(), more: 0 };
        for number in 0..500 {
            report.add(FindingKind::Filter, format!("filter {number}"));
            report.add(FindingKind::Filter, format!("filter {number}"));
        }
        let list = report.finish();
        assert_eq!(list.len(), MAX_FINDINGS + 1);
        assert_eq!(list.last().unwrap().detail, "and 600 more like these");
    }

    #[test]
    fn kinds_read_the_same_in_json() {
        let finding = Finding { kind: FindingKind::AgentConfig, detail: "x".into() };
        let json = serde_json::to_string(&finding).unwrap();
        assert_eq!(json, r#"{"kind":"agent config","detail":"x"}"#);
        assert_eq!(serde_json::from_str::<Finding>(&json).unwrap(), finding);
        assert_eq!(finding.kind.to_string(), "agent config");
    }
}
