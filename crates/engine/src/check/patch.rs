//! Reading a patch as git prints it: which lines of which files are new.

use super::diff::ChangedFile;

/// The files of a patch that are still there, each with the numbers of its new lines. Paths are as in the patch; a
/// part that cannot be read is passed over.
#[must_use]
pub(super) fn added_lines(patch: &[u8]) -> Vec<ChangedFile> {
    let mut reader = Reader::default();
    for line in patch.split(|byte| *byte == b'\n') {
        reader.line(line);
    }
    reader.files
}

#[derive(Default)]
struct Reader {
    files: Vec<ChangedFile>,
    /// Whether the file being read is still there.
    there: bool,
    /// Old and new lines the hunk still has.
    old_left: u32,
    new_left: u32,
    /// The number of the next new line.
    next: u32,
}

impl Reader {
    fn line(&mut self, line: &[u8]) {
        if self.old_left > 0 || self.new_left > 0 {
            return self.content(line);
        }
        if line.starts_with(b"diff --git ") {
            self.there = false;
        } else if let Some(name) = line.strip_prefix(b"+++ ") {
            self.there = false;
            if let Some(path) = path(name) {
                self.there = true;
                self.files.push(ChangedFile { path, added: Vec::new() });
            }
        } else if let Some((old, next, new)) = hunk(line) {
            (self.old_left, self.next, self.new_left) = (old, next, new);
        }
    }

    fn content(&mut self, line: &[u8]) {
        match line.first() {
            Some(b'+') => {
                if let Some(file) = self.files.last_mut().filter(|_| self.there) {
                    file.added.push(self.next);
                }
                self.next = self.next.saturating_add(1);
                self.new_left = self.new_left.saturating_sub(1);
            }
            Some(b'-') => self.old_left = self.old_left.saturating_sub(1),
            // "\ No newline at end of file" is no line.
            Some(b'\\') => {}
            _ => {
                self.next = self.next.saturating_add(1);
                self.old_left = self.old_left.saturating_sub(1);
                self.new_left = self.new_left.saturating_sub(1);
            }
        }
    }
}

/// Reads `@@ -1,2 +3,4 @@`: how many old lines, the first new line, how many new lines.
fn hunk(line: &[u8]) -> Option<(u32, u32, u32)> {
    let text = std::str::from_utf8(line.strip_prefix(b"@@ -")?.split(|byte| *byte == b'@').next()?).ok()?;
    let (old, new) = text.trim_end().split_once(" +")?;
    let range = |range: &str| -> Option<(u32, u32)> {
        let (start, count) = range.split_once(',').unwrap_or((range, "1"));
        Some((start.parse().ok()?, count.parse().ok()?))
    };
    let ((_, old), (next, new)) = (range(old)?, range(new)?);
    Some((old, next, new))
}

/// Reads `b/path`, in quotes where it has unusual characters; none for `/dev/null`.
fn path(name: &[u8]) -> Option<String> {
    // Git ends a name with a tab when there is a space in it.
    let name = name.strip_suffix(b"\t").unwrap_or(name);
    let quoted = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\""));
    let name = quoted.map_or_else(|| name.to_vec(), unquote);
    Some(String::from_utf8_lossy(name.strip_prefix(b"b/")?).into_owned())
}

/// Takes the escapes of C out of a name: `\t`, `\"`, `\303`.
fn unquote(name: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    let mut rest = name.iter().copied();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            plain.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'n') => plain.push(b'\n'),
            Some(b't') => plain.push(b'\t'),
            Some(b'r') => plain.push(b'\r'),
            Some(first @ b'0'..=b'3') => {
                let digits = [first, rest.next().unwrap_or(b'0'), rest.next().unwrap_or(b'0')];
                let value =
                    digits.iter().fold(0u8, |value, digit| value.wrapping_mul(8).wrapping_add(digit & 7));
                plain.push(value);
            }
            Some(other) => plain.push(other),
            None => {}
        }
    }
    plain
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
