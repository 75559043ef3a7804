//! Reading a patch as git prints it, line by line. Nothing is copied but the names.

/// A part of a patch, in the order of the patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatchPart<'a> {
    /// A file whose lines follow. One that is no text, or changed its name or mode only, has none and is not told.
    File {
        /// Its name before; none when it is new.
        old: Option<Vec<u8>>,
        /// Its name now; none when it is gone.
        new: Option<Vec<u8>>,
    },
    /// Lines that changed, with those around them.
    Hunk {
        /// The first line on the older side, counted from 1; 0 when there is none.
        old_start: u32,
        /// The first line on the newer side.
        new_start: u32,
        /// What git says they are in: a function, a heading.
        section: &'a [u8],
    },
    /// One line.
    Line(PatchLine<'a>),
}

/// A line of a hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatchLine<'a> {
    /// Its number on the older side, counted from 1; none when it is new.
    pub old: Option<u32>,
    /// Its number on the newer side; none when it is gone.
    pub new: Option<u32>,
    /// Its bytes, without the line break.
    pub text: &'a [u8],
    /// Whether the file ends here without a line break.
    pub no_line_break: bool,
}

/// Reads a patch. A part that cannot be read is passed over, and so is a last line that was cut off.
#[must_use]
pub fn read_patch(patch: &[u8]) -> PatchParts<'_> {
    PatchParts { rest: patch, old_name: None, hunk: Hunk::default() }
}

/// The parts of a patch.
#[derive(Clone, Debug)]
pub struct PatchParts<'a> {
    rest: &'a [u8],
    old_name: Option<Vec<u8>>,
    hunk: Hunk,
}

/// What is left of the hunk being read.
#[derive(Clone, Copy, Debug, Default)]
struct Hunk {
    old_left: u32,
    new_left: u32,
    /// The numbers of the next lines.
    old: u32,
    new: u32,
}

impl<'a> Iterator for PatchParts<'a> {
    type Item = PatchPart<'a>;

    fn next(&mut self) -> Option<PatchPart<'a>> {
        loop {
            let line = self.take_line()?;
            let part = if self.hunk.old_left > 0 || self.hunk.new_left > 0 {
                self.content(line)
            } else {
                self.header(line)
            };
            if part.is_some() {
                return part;
            }
        }
    }
}

impl<'a> PatchParts<'a> {
    fn take_line(&mut self) -> Option<&'a [u8]> {
        let end = self.rest.iter().position(|byte| *byte == b'\n')?;
        let (line, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest.get(1..)?;
        Some(line)
    }

    fn header(&mut self, line: &'a [u8]) -> Option<PatchPart<'a>> {
        if line.starts_with(b"diff --git ") {
            self.old_name = None;
        } else if let Some(name) = line.strip_prefix(b"--- ") {
            self.old_name = side_name(name, b"a/");
        } else if let Some(name) = line.strip_prefix(b"+++ ") {
            return Some(PatchPart::File { old: self.old_name.take(), new: side_name(name, b"b/") });
        } else if let Some((hunk, section)) = hunk_header(line) {
            self.hunk = hunk;
            return Some(PatchPart::Hunk { old_start: hunk.old, new_start: hunk.new, section });
        }
        None
    }

    fn content(&mut self, line: &'a [u8]) -> Option<PatchPart<'a>> {
        let (on_old, on_new, text) = match line.split_first() {
            Some((b'+', text)) => (false, true, text),
            Some((b'-', text)) => (true, false, text),
            Some((b' ', text)) => (true, true, text),
            // Some tools strip the blank of an empty line.
            None => (true, true, line),
            Some(_) => return None,
        };
        let old = on_old.then(|| step(&mut self.hunk.old, &mut self.hunk.old_left));
        let new = on_new.then(|| step(&mut self.hunk.new, &mut self.hunk.new_left));
        let no_line_break = self.rest.starts_with(b"\\ ");
        if no_line_break {
            self.take_line();
        }
        Some(PatchPart::Line(PatchLine { old, new, text, no_line_break }))
    }
}

/// The number of a line, and one line less to come.
fn step(next: &mut u32, left: &mut u32) -> u32 {
    let number = *next;
    *next = next.saturating_add(1);
    *left = left.saturating_sub(1);
    number
}

/// Reads `@@ -1,2 +3,4 @@ section`.
fn hunk_header(line: &[u8]) -> Option<(Hunk, &[u8])> {
    let rest = line.strip_prefix(b"@@ -")?;
    let end = rest.windows(3).position(|window| window == b" @@")?;
    let (old, new) = std::str::from_utf8(rest.get(..end)?).ok()?.split_once(" +")?;
    let range = |range: &str| -> Option<(u32, u32)> {
        let (start, count) = range.split_once(',').unwrap_or((range, "1"));
        Some((start.parse().ok()?, count.parse().ok()?))
    };
    let ((old, old_left), (new, new_left)) = (range(old)?, range(new)?);
    let section = rest.get(end + 3..).unwrap_or_default();
    Some((Hunk { old_left, new_left, old, new }, section.strip_prefix(b" ").unwrap_or(section)))
}

/// Reads `a/name`, in quotes where it has unusual characters; none for `/dev/null`.
fn side_name(name: &[u8], prefix: &[u8]) -> Option<Vec<u8>> {
    // Git ends a name with a tab when there is a space in it.
    let name = name.strip_suffix(b"\t").unwrap_or(name);
    let quoted = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\""));
    let name = quoted.map_or_else(|| name.to_vec(), unquote);
    Some(name.strip_prefix(prefix)?.to_vec())
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
            Some(b'a') => plain.push(7),
            Some(b'b') => plain.push(8),
            Some(b't') => plain.push(b'\t'),
            Some(b'n') => plain.push(b'\n'),
            Some(b'v') => plain.push(11),
            Some(b'f') => plain.push(12),
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
#[path = "patch_tests.rs"]
mod tests;
