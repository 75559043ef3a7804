//! Folders with more new files than anybody wants in a checkpoint.

use std::collections::{BTreeMap, BTreeSet};

/// The folders that hold more than `limit` of these files, each with what is below it. A folder inside such a folder
/// is taken by itself first: `packages/app/node_modules` goes, and the rest of `packages` stays.
pub(super) fn overfull<'a>(files: impl Iterator<Item = &'a [u8]>, limit: usize) -> BTreeSet<Vec<u8>> {
    let mut counts: BTreeMap<&[u8], usize> = BTreeMap::new();
    for file in files {
        *counts.entry(parent(file)).or_default() += 1;
    }
    let mut overfull = BTreeSet::new();
    // The deepest first, so that each passes on what is left of it to the folder above.
    let mut by_depth: BTreeMap<usize, BTreeMap<&[u8], usize>> = BTreeMap::new();
    for (folder, count) in counts {
        by_depth.entry(depth(folder)).or_default().insert(folder, count);
    }
    while let Some((depth, folders)) = by_depth.pop_last() {
        for (folder, count) in folders {
            if folder.is_empty() {
                continue;
            }
            if count > limit {
                overfull.insert(folder.to_vec());
            } else {
                *by_depth.entry(depth - 1).or_default().entry(parent(folder)).or_default() += count;
            }
        }
    }
    overfull
}

/// Whether a file lies below one of these folders, and below which.
pub(super) fn folder_of<'a>(folders: &'a BTreeSet<Vec<u8>>, file: &[u8]) -> Option<&'a Vec<u8>> {
    let mut folder = parent(file);
    while !folder.is_empty() {
        if let Some(found) = folders.get(folder) {
            return Some(found);
        }
        folder = parent(folder);
    }
    None
}

/// The folder of a path, empty at the top.
pub(super) fn parent(path: &[u8]) -> &[u8] {
    path.rsplitn(2, |byte| *byte == b'/').nth(1).unwrap_or_default()
}

fn depth(folder: &[u8]) -> usize {
    if folder.is_empty() { 0 } else { 1 + folder.iter().filter(|byte| **byte == b'/').count() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(files: &[String], limit: usize) -> Vec<String> {
        let found = overfull(files.iter().map(String::as_bytes), limit);
        found.into_iter().map(|folder| String::from_utf8(folder).unwrap()).collect()
    }

    #[test]
    fn the_smallest_folder_that_is_too_full_goes() {
        let mut files: Vec<String> =
            (0..9).map(|n| format!("packages/app/node_modules/m{}/f{n}", n / 3)).collect();
        files.push("packages/app/new.rs".into());
        files.push("top".into());
        assert_eq!(names(&files, 5), ["packages/app/node_modules"]);
        assert_eq!(names(&files, 2), ["m0", "m1", "m2"].map(|m| format!("packages/app/node_modules/{m}")));
        assert!(names(&files, 10).is_empty());
        let top: Vec<String> = (0..9).map(|n| format!("f{n}")).collect();
        assert!(names(&top, 5).is_empty());
    }

    proptest! {
        /// What is left in any folder, without what was taken out, is within the limit.
        #[test]
        fn no_folder_keeps_too_much(files in proptest::collection::btree_set("[ab]/[ab]/[a-d]{1,2}|[ab]/[a-d]{1,2}x|[a-d]{1,2}y", 0..40), limit in 1usize..10) {
            let taken = overfull(files.iter().map(String::as_bytes), limit);
            let mut left: BTreeMap<&[u8], usize> = BTreeMap::new();
            for file in files.iter().filter(|file| folder_of(&taken, file.as_bytes()).is_none()) {
                let mut folder = parent(file.as_bytes());
                while !folder.is_empty() {
                    *left.entry(folder).or_default() += 1;
                    folder = parent(folder);
                }
            }
            prop_assert!(left.values().all(|count| *count <= limit));
        }
    }
}
