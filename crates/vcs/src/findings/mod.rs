//! What in a folder would execute something if an ordinary git, agent or editor were let loose in it.
//!
//! Found by reading alone. It tells a person what they are about to trust; it protects nothing, and so it may be
//! incomplete: the inspect profile (`harden.rs`) does not rest on it.

mod agents;
mod attributes;
mod configuration;
mod tree;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::finding_kind::FindingKind;
use crate::hooks::hooks;
use crate::repository::Repository;

/// As many findings as are listed; one more then says how many were left out.
const MAX_FINDINGS: usize = 200;

/// One thing that would execute something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
// The name of the type for the UI, where a plan has findings too.
#[serde(rename = "TrustFinding")]
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
        crate::display_text::shown(name.as_os_str().as_encoded_bytes()).replace('\\', "/")
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
