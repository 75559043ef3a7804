//! Which lines of which files a patch adds.

use loopwright_vcs::{PatchLine, PatchPart, read_patch};

use crate::diff::ChangedFile;

/// The files of a patch that are still there, each with the numbers of its new lines. Paths are as in the patch; a
/// part that cannot be read is passed over.
#[must_use]
pub(crate) fn added_lines(patch: &[u8]) -> Vec<ChangedFile> {
    let mut files = Vec::new();
    // Whether the file being read is still there.
    let mut there = false;
    for part in read_patch(patch) {
        match part {
            PatchPart::File { new, .. } => {
                there = new.is_some();
                files.extend(new.map(|name| {
                    let path = String::from_utf8_lossy(&name).into_owned();
                    ChangedFile { path, added: Vec::new() }
                }));
            }
            PatchPart::Line(PatchLine { old: None, new: Some(number), .. }) if there => {
                if let Some(file) = files.last_mut() {
                    file.added.push(number);
                }
            }
            PatchPart::Hunk { .. } | PatchPart::Line(_) => {}
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn new_lines_are_numbered_file_by_file() {
        let patch = b"diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@ fn f()\n one\n-two\n+zwei\n+drei\n four\n\
            @@ -9 +10,0 @@\n-nine\ndiff --git a/gone b/gone\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-+++ b/trap\n\
            diff --git a/n b/n\n--- /dev/null\n+++ \"b/caf\\303\\251 \\\"x\\\".rs\"\n@@ -0,0 +1,2 @@\n++++ b/trap\n+last\n\\ No newline at end of file\n";
        let found = added_lines(patch);
        assert_eq!(
            found,
            [
                ChangedFile { path: "x".into(), added: vec![2, 3] },
                ChangedFile { path: "café \"x\".rs".into(), added: vec![1, 2] },
            ]
        );
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(
            patch in proptest::collection::vec(prop_oneof![
                any::<Vec<u8>>(),
                Just(b"\n@@ -1,2 +3,4294967295 @@\n+x\n".to_vec()),
                Just(b"\n+++ b/x\\\"\n".to_vec()),
                Just(b"\n+++ \"b/\\3\"\n".to_vec()),
            ], 0..12),
        ) {
            let _ = added_lines(&patch.concat());
        }
    }
}
