//! Something larger that git is in the middle of.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::limited_read::read;

/// Enough for the first line of any list of steps.
const STEPS_LIMIT: u64 = 1024 * 1024;

/// An operation that was begun and neither finished nor given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// `git merge`
    Merge,
    /// `git rebase`
    Rebase,
    /// `git am`
    ApplyPatches,
    /// `git cherry-pick`
    CherryPick,
    /// `git revert`
    Revert,
    /// `git bisect`
    Bisect,
}

impl Operation {
    /// The name for people and in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Merge => "merge",
            Self::Rebase => "rebase",
            Self::ApplyPatches => "apply-patches",
            Self::CherryPick => "cherry-pick",
            Self::Revert => "revert",
            Self::Bisect => "bisect",
        }
    }

    /// The one under way, by the marks that git leaves in its folder. A rebase makes cherry-picks of its own and a
    /// bisect can hold any other, so the order counts.
    pub(crate) fn under_way(git_dir: &Path) -> Option<Self> {
        let marks = [
            ("rebase-apply/applying", Self::ApplyPatches),
            ("rebase-apply", Self::Rebase),
            ("rebase-merge", Self::Rebase),
            ("MERGE_HEAD", Self::Merge),
            ("CHERRY_PICK_HEAD", Self::CherryPick),
            ("REVERT_HEAD", Self::Revert),
        ];
        let marked = marks.into_iter().find(|(mark, _)| git_dir.join(mark).exists());
        marked
            .map(|(_, operation)| operation)
            .or_else(|| Self::between_steps(git_dir))
            .or_else(|| git_dir.join("BISECT_LOG").exists().then_some(Self::Bisect))
    }

    /// A series of picks or reverts leaves no other mark while it stands between two commits.
    fn between_steps(git_dir: &Path) -> Option<Self> {
        let steps = read(&git_dir.join("sequencer/todo"), STEPS_LIMIT).ok()?;
        match steps.split(u8::is_ascii_whitespace).next()? {
            b"pick" | b"p" => Some(Self::CherryPick),
            b"revert" => Some(Self::Revert),
            _ => None,
        }
    }
}

/// The name for people.
impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::tempdir;

    use super::*;

    #[test]
    fn each_mark_is_recognised() {
        let cases = [
            ("MERGE_HEAD", "", Operation::Merge),
            ("CHERRY_PICK_HEAD", "", Operation::CherryPick),
            ("REVERT_HEAD", "", Operation::Revert),
            ("BISECT_LOG", "", Operation::Bisect),
            ("rebase-merge/done", "", Operation::Rebase),
            ("rebase-apply/next", "", Operation::Rebase),
            ("rebase-apply/applying", "", Operation::ApplyPatches),
            ("sequencer/todo", "pick 1234 subject\n", Operation::CherryPick),
            ("sequencer/todo", "revert 1234 subject\n", Operation::Revert),
        ];
        for (mark, content, operation) in cases {
            let dir = tempdir().unwrap();
            assert_eq!(Operation::under_way(dir.path()), None);
            let path = dir.path().join(mark);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
            assert_eq!(Operation::under_way(dir.path()), Some(operation), "{mark}");
        }
    }

    #[test]
    fn names_agree_with_json() {
        use Operation::{ApplyPatches, Bisect, CherryPick, Merge, Rebase, Revert};
        for operation in [Merge, Rebase, ApplyPatches, CherryPick, Revert, Bisect] {
            assert_eq!(serde_json::to_string(&operation).unwrap(), format!("\"{}\"", operation.as_str()));
        }
    }
}
