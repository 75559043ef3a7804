//! Where a repository stands, by reading files only: quick, and without git.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::limited_read::read;
use crate::oid::Oid;
use crate::operation::Operation;
use crate::repository::Repository;

const HEAD_LIMIT: u64 = 64 * 1024;
const PACKED_LIMIT: u64 = 64 * 1024 * 1024;

/// Where HEAD points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The branch; none when detached.
    pub branch: Option<String>,
    /// The commit, short; none before the first one.
    pub commit: Option<String>,
    /// A merge, rebase or the like that is under way.
    pub operation: Option<Operation>,
}

/// Reads where HEAD points. None when HEAD is damaged, or kept in a form that only git can read (reftable).
#[must_use]
pub fn head(repository: &Repository) -> Option<Head> {
    let Position { branch, commit } = position(repository)?;
    let commit = commit.map(|oid| oid.short().to_owned());
    Some(Head { branch, commit, operation: Operation::under_way(&repository.git_dir) })
}

/// The branch and the commit that HEAD stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Position {
    /// The branch; none when detached.
    pub branch: Option<String>,
    /// The commit; none before the first one.
    pub commit: Option<Oid>,
}

/// Reads the same in full.
pub(crate) fn position(repository: &Repository) -> Option<Position> {
    let content = read(&repository.git_dir.join("HEAD"), HEAD_LIMIT).ok()?;
    let content = String::from_utf8_lossy(&content);
    let content = content.trim_end();
    let Some(reference) = content.strip_prefix("ref:").map(str::trim_start) else {
        return Some(Position { branch: None, commit: Some(Oid::parse(content)?) });
    };
    if !is_plain(reference) || reference == "refs/heads/.invalid" {
        return None;
    }
    let branch = reference.strip_prefix("refs/heads/").unwrap_or(reference);
    Some(Position { branch: Some(branch.to_owned()), commit: resolve(&repository.common_dir, reference) })
}

/// Whether a reference stays inside git's folder.
fn is_plain(reference: &str) -> bool {
    reference.starts_with("refs/") && !reference.split('/').any(|part| part.is_empty() || part == "..")
}

/// The object that a reference names, when it is there and kept in files.
pub(crate) fn resolve(common_dir: &Path, reference: &str) -> Option<Oid> {
    if let Ok(loose) = read(&common_dir.join(reference), HEAD_LIMIT) {
        return Oid::from_line(&loose);
    }
    let packed = read(&common_dir.join("packed-refs"), PACKED_LIMIT).ok()?;
    packed
        .split(|byte| *byte == b'\n')
        .find_map(|line| Oid::from_line(line.strip_suffix(reference.as_bytes())?.strip_suffix(b" ")?))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;
    use tempfile::tempdir;

    use super::*;

    const OID: &str = "0123456789abcdef0123456789abcdef01234567";

    fn head_of(files: &[(&str, &[u8])]) -> Option<(Option<String>, Option<String>)> {
        let dir = tempdir().unwrap();
        for (name, content) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let path = dir.path().to_owned();
        let repository = Repository {
            project: path.clone(),
            work_tree: path.clone(),
            git_dir: path.clone(),
            common_dir: path,
        };
        head(&repository).map(|head| (head.branch, head.commit))
    }

    #[test]
    fn loose_packed_unborn_and_detached_heads_are_read() {
        let some = |text: &str| Some(text.to_owned());
        let packed =
            format!("# pack-refs with: peeled\n{OID} refs/heads/x/main\n{OID} refs/heads/main\n^{OID}\n");
        assert_eq!(
            head_of(&[
                ("HEAD", b"ref: refs/heads/main\n"),
                ("refs/heads/main", format!("{OID}\n").as_bytes())
            ]),
            Some((some("main"), some("0123456")))
        );
        assert_eq!(
            head_of(&[("HEAD", b"ref: refs/heads/main\n"), ("packed-refs", packed.as_bytes())]),
            Some((some("main"), some("0123456")))
        );
        assert_eq!(head_of(&[("HEAD", b"ref: refs/heads/a/b\n")]), Some((some("a/b"), None)));
        assert_eq!(head_of(&[("HEAD", OID.as_bytes())]), Some((None, some("0123456"))));
    }

    #[test]
    fn damaged_and_foreign_heads_are_none() {
        for content in
            ["", "garbage", "ref: ../../etc/passwd", "ref: refs/../../x", "ref: refs/heads/.invalid\n"]
        {
            assert_eq!(head_of(&[("HEAD", content.as_bytes())]), None, "{content:?}");
        }
        assert_eq!(head_of(&[]), None);
    }

    proptest! {
        #[test]
        fn any_head_is_read_without_harm(content in proptest::collection::vec(any::<u8>(), 0..100)) {
            let _ = head_of(&[("HEAD", &content), ("packed-refs", &content)]);
        }
    }
}
