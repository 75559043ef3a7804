//! Work that is not committed.

use std::path::PathBuf;

use super::{Workspace, shown_path};
use crate::error::VcsError;
use crate::oid::Oid;
use crate::secrets::{is_own_state, is_secret};

/// What people write for Loopwright.
const OWN_FOLDER: &[u8] = b".loopwright/";

impl Workspace {
    /// The files that are not as they are in a tree, or, without one, not as they are committed.
    ///
    /// Loopwright's own new files do not count, nor do new files with secrets, which are never committed.
    ///
    /// # Errors
    /// Git fails; with a tree also as [`Workspace::snapshot`].
    pub async fn dirty(&self, against: Option<&Oid>) -> Result<Vec<PathBuf>, VcsError> {
        let mut memory = self.remembered().await?;
        let names = match against {
            Some(tree) => {
                let now = self.take(&mut memory).await?.tree;
                let differences = self.differences(&memory, tree, &now).await?;
                differences.into_iter().map(|change| (change.old.is_none(), change.name)).collect()
            }
            None => {
                let args = [
                    "--no-optional-locks",
                    "status",
                    "--porcelain",
                    "-z",
                    "--no-renames",
                    "--untracked-files=all",
                    // Looking into a submodule would start a git that obeys the submodule's own configuration.
                    "--ignore-submodules=dirty",
                ];
                parse_status(&self.git.run(self.inspecting(&memory, &args)).await?.stdout)
            }
        };
        let counts = |(new, name): &(bool, Vec<u8>)| {
            !is_own_state(name) && !(*new && (name.starts_with(OWN_FOLDER) || is_secret(name)))
        };
        Ok(names.into_iter().filter(counts).map(|(_, name)| shown_path(&name)).collect())
    }
}

/// Reads `XY path` records: whether git does not know the file, and its name.
fn parse_status(printed: &[u8]) -> Vec<(bool, Vec<u8>)> {
    let whole = printed.strip_suffix(b"\0").unwrap_or_default();
    let records = whole.split(|byte| *byte == 0).filter_map(|record| match record {
        [x, y, b' ', name @ ..] if !name.is_empty() => Some(([*x, *y] == *b"??", name.to_vec())),
        _ => None,
    });
    records.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_and_half_ones_are_not() {
        let names = parse_status(b" M a b\0?? n\nm\0A  x\0");
        let expected = [(false, &b"a b"[..]), (true, b"n\nm"), (false, b"x")];
        assert_eq!(names, expected.map(|(new, name)| (new, name.to_vec())));
        assert!(parse_status(b"").is_empty() && parse_status(b"?? cut").is_empty());
    }
}
