//! Git's configuration format, read the way git reads it.
//!
//! Only what is needed to *report* on a configuration rests on this reader. What is switched off before git runs is
//! decided by git's own listing (see `harden.rs`), so a disagreement could hide a finding but not run a program.

use crate::system;

/// One setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// `section.name` or `section.subsection.name`; section and name in lower case.
    pub(crate) key: Vec<u8>,
    /// The value; none for a bare name, which means true.
    pub(crate) value: Option<Vec<u8>>,
    /// The line it ends on, counted from 1.
    pub(crate) line: u32,
}

/// A key's section, subsection and name.
pub(crate) type KeyParts<'a> = (&'a [u8], Option<&'a [u8]>, &'a [u8]);

/// Splits a key at its outer dots; a subsection may hold dots of its own.
pub(crate) fn split_key(key: &[u8]) -> Option<KeyParts<'_>> {
    let first = key.iter().position(|byte| *byte == b'.')?;
    let last = key.iter().rposition(|byte| *byte == b'.')?;
    let subsection = key.get(first + 1..last);
    Some((key.get(..first)?, subsection, key.get(last + 1..)?))
}

impl Entry {
    /// Whether this sets `section.name`, with no subsection between.
    pub(crate) fn is(&self, key: &str) -> bool {
        self.key == key.as_bytes()
    }

    /// Whether the value means yes.
    pub(crate) fn is_true(&self) -> bool {
        match &self.value {
            None => true,
            Some(value) => {
                let yes = [&b"true"[..], b"yes", b"on"].iter().any(|word| value.eq_ignore_ascii_case(word));
                yes || std::str::from_utf8(value)
                    .is_ok_and(|text| text.parse().is_ok_and(|number: i64| number != 0))
            }
        }
    }

    /// The value as a path, as it stands.
    pub(crate) fn path(&self) -> Option<std::path::PathBuf> {
        system::text_from_git(self.value.clone()?).map(Into::into)
    }
}

/// A file's settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parsed {
    /// In the file's order.
    pub(crate) entries: Vec<Entry>,
    /// The line that git would refuse, and with it the whole file.
    pub(crate) damaged_at: Option<u32>,
}

/// Reads a configuration file. Never fails: what stands before a damaged line is still there.
pub(crate) fn parse(text: &[u8]) -> Parsed {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut reader = ConfigReader { rest: text, line: 1, ended: false };
    let mut parsed = Parsed::default();
    if reader.entries(&mut parsed.entries).is_none() {
        parsed.damaged_at = Some(reader.line);
    }
    parsed
}

struct ConfigReader<'a> {
    rest: &'a [u8],
    line: u32,
    ended: bool,
}

impl ConfigReader<'_> {
    /// The next byte; the end of a line in either spelling, and once more at the end of the text, is a line feed.
    fn next(&mut self) -> u8 {
        let (byte, length) = match self.rest {
            [] => {
                self.ended = true;
                (b'\n', 0)
            }
            [b'\r', b'\n', ..] => (b'\n', 2),
            [byte, ..] => (*byte, 1),
        };
        self.rest = self.rest.get(length..).unwrap_or_default();
        if byte == b'\n' && length > 0 {
            self.line += 1;
        }
        byte
    }

    /// Reads all settings. None at the first thing that git does not accept.
    fn entries(&mut self, entries: &mut Vec<Entry>) -> Option<()> {
        let mut section = Vec::new();
        let mut comment = false;
        loop {
            match self.next() {
                b'\n' if self.ended => return Some(()),
                b'\n' => comment = false,
                _ if comment => {}
                byte if is_space(byte) => {}
                b'#' | b';' => comment = true,
                b'[' => section = self.section()?,
                byte if byte.is_ascii_alphabetic() => entries.push(self.entry(&section, byte)?),
                _ => return None,
            }
        }
    }

    /// Reads `name]` or `name "subsection"]` into `name.` or `name.subsection.`
    fn section(&mut self) -> Option<Vec<u8>> {
        let mut section = Vec::new();
        loop {
            match self.next() {
                _ if self.ended => return None,
                b']' if section.is_empty() => return None,
                b']' => break,
                byte if is_space(byte) => {
                    self.subsection(byte, &mut section)?;
                    break;
                }
                byte if is_key(byte) || byte == b'.' => section.push(byte.to_ascii_lowercase()),
                _ => return None,
            }
        }
        section.push(b'.');
        Some(section)
    }

    fn subsection(&mut self, space: u8, section: &mut Vec<u8>) -> Option<()> {
        let mut byte = space;
        while is_space(byte) {
            if byte == b'\n' {
                return None;
            }
            byte = self.next();
        }
        if byte != b'"' {
            return None;
        }
        section.push(b'.');
        loop {
            match self.next() {
                b'\n' => return None,
                b'"' => break,
                b'\\' => match self.next() {
                    b'\n' => return None,
                    escaped => section.push(escaped),
                },
                byte => section.push(byte),
            }
        }
        (self.next() == b']').then_some(())
    }

    fn entry(&mut self, section: &[u8], first: u8) -> Option<Entry> {
        let mut key = section.to_vec();
        let mut byte = first;
        while is_key(byte) && !self.ended {
            key.push(byte.to_ascii_lowercase());
            byte = self.next();
        }
        while matches!(byte, b' ' | b'\t') {
            byte = self.next();
        }
        let value = match byte {
            b'\n' => None,
            b'=' => Some(self.value()?),
            _ => return None,
        };
        let line = if self.ended { self.line } else { self.line - 1 };
        Some(Entry { key, value, line })
    }

    fn value(&mut self) -> Option<Vec<u8>> {
        let mut value = Vec::new();
        // Everything up to here stays, whatever spaces follow.
        let mut solid = 0;
        let (mut quoted, mut comment) = (false, false);
        loop {
            match self.next() {
                b'\n' if quoted => return None,
                b'\n' => {
                    value.truncate(solid);
                    return Some(value);
                }
                _ if comment => continue,
                byte if is_space(byte) && !quoted => {
                    if !value.is_empty() {
                        value.push(byte);
                    }
                    continue;
                }
                b';' | b'#' if !quoted => {
                    comment = true;
                    continue;
                }
                b'\\' => match self.escape()? {
                    None => {}
                    Some(byte) => value.push(byte),
                },
                b'"' => quoted = !quoted,
                byte => value.push(byte),
            }
            solid = value.len();
        }
    }

    /// What follows a backslash; nothing when a line is continued.
    fn escape(&mut self) -> Option<Option<u8>> {
        match self.next() {
            b'\n' => Some(None),
            b't' => Some(Some(b'\t')),
            b'b' => Some(Some(8)),
            b'n' => Some(Some(b'\n')),
            byte @ (b'\\' | b'"') => Some(Some(byte)),
            _ => None,
        }
    }
}

const fn is_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Whether a value means no.
pub(crate) fn is_no(value: &str) -> bool {
    ["false", "no", "off", "0", ""].iter().any(|word| value.eq_ignore_ascii_case(word))
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
