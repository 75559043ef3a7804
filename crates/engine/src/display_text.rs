//! Paths as they are shown: text, whatever bytes they are made of.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// How many files are named in a message before the rest is counted.
const NAMED: usize = 5;

/// A path with forward slashes, as [`shown_name`] has it.
pub(crate) fn shown_path(path: &Path) -> String {
    let parts = path.components().map(|part| shown_name(part.as_os_str().as_encoded_bytes()));
    parts.collect::<Vec<_>>().join("/")
}

/// Some paths in a message: the first ones, and how many more.
pub(crate) fn named_paths(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths.iter().take(NAMED).map(|path| shown_path(path)).collect();
    match paths.len().saturating_sub(NAMED) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

/// A name as git has it. What is no text in it is spelled out, so that two names are not shown as one.
pub(crate) fn shown_name(name: &[u8]) -> String {
    name.utf8_chunks().fold(String::new(), |mut shown, chunk| {
        shown.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(shown, "\\x{byte:02x}");
        }
        shown
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_forward_slashes() {
        assert_eq!(shown_path(Path::new("a b/ünï\n/-x")), "a b/ünï\n/-x");
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_no_text_stay_apart() {
        use std::os::unix::ffi::OsStrExt;
        let shown = |bytes: &[u8]| shown_path(Path::new(std::ffi::OsStr::from_bytes(bytes)));
        assert_eq!(shown(b"a/\xff\xfe.txt"), "a/\\xff\\xfe.txt");
        assert_eq!(shown(b"a/\xff\xfe.txt"), shown_name(b"a/\xff\xfe.txt"));
        assert_ne!(shown(b"\xff"), shown(b"\xfe"));
    }
}
