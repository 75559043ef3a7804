//! Content stamps: skip work whose inputs have not changed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Context, Outcome};

/// A running FNV-1a hash. It tells changed files from unchanged ones; it guards nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    pub(crate) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds bytes, framed by their length so that two inputs never run into each other.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Adds a file's content. A missing file counts as an empty one.
    pub(crate) fn add_file(&mut self, file: &Path) {
        self.add(&fs::read(file).unwrap_or_default());
    }

    /// Adds every file below `folder`, by relative path and content, leaving out folders named in `skip`.
    pub(crate) fn add_folder(&mut self, folder: &Path, skip: &[&str]) -> Outcome {
        for file in files_below(folder, skip)? {
            let relative = file.strip_prefix(folder).unwrap_or(&file);
            self.add(relative.to_string_lossy().as_bytes());
            self.add_file(&file);
        }
        Ok(())
    }

    pub(crate) fn text(self) -> String {
        format!("{:016x}", self.0)
    }
}

/// Every file below `folder` in a fixed order, leaving out folders named in `skip`. No folder, no files.
pub(crate) fn files_below(folder: &Path, skip: &[&str]) -> Outcome<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(current) = waiting.pop() {
        if !current.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&current).context(format!("cannot read {}", current.display()))? {
            let entry = entry.context(format!("cannot read {}", current.display()))?;
            let kind = entry.file_type().context(format!("cannot read {}", entry.path().display()))?;
            if kind.is_dir() && !skip.iter().any(|name| entry.file_name() == *name) {
                waiting.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Whether `stamp` holds exactly `expected`.
pub(crate) fn stamp_matches(stamp: &Path, expected: &str) -> bool {
    fs::read_to_string(stamp).is_ok_and(|found| found.trim() == expected)
}

/// Records `value` in `stamp`.
pub(crate) fn write_stamp(stamp: &Path, value: &str) -> Outcome {
    if let Some(folder) = stamp.parent() {
        fs::create_dir_all(folder).context(format!("cannot create {}", folder.display()))?;
    }
    fs::write(stamp, value).context(format!("cannot write {}", stamp.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    fn of(folder: &Path) -> String {
        let mut fingerprint = Fingerprint::new();
        fingerprint.add_folder(folder, &["skipped"]).unwrap();
        fingerprint.text()
    }

    #[test]
    fn changes_with_content_and_names_but_not_with_skipped_folders() {
        let scratch = Scratch::new("fingerprint").unwrap();
        let folder = scratch.path();
        fs::write(folder.join("a.txt"), "one").unwrap();
        let first = of(folder);
        fs::create_dir(folder.join("skipped")).unwrap();
        fs::write(folder.join("skipped/b.txt"), "two").unwrap();
        assert_eq!(of(folder), first);
        fs::write(folder.join("a.txt"), "two").unwrap();
        let second = of(folder);
        assert_ne!(second, first);
        fs::rename(folder.join("a.txt"), folder.join("b.txt")).unwrap();
        assert_ne!(of(folder), second);
    }

    #[test]
    fn neighbouring_inputs_do_not_run_into_each_other() {
        let of = |parts: [&str; 2]| {
            let mut fingerprint = Fingerprint::new();
            parts.iter().for_each(|part| fingerprint.add(part.as_bytes()));
            fingerprint.text()
        };
        assert_ne!(of(["ab", "c"]), of(["a", "bc"]));
    }

    #[test]
    fn stamp_matches_only_its_own_value() {
        let scratch = Scratch::new("stamp").unwrap();
        let stamp = scratch.path().join("deep/stamp");
        assert!(!stamp_matches(&stamp, "1"));
        write_stamp(&stamp, "1").unwrap();
        assert!(stamp_matches(&stamp, "1"));
        assert!(!stamp_matches(&stamp, "2"));
    }
}
