//! The names of git's objects.

use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// As many digits of a commit's name as are shown.
pub(crate) const SHORT: usize = 7;
/// How much of a file is read at once.
const CHUNK: usize = 128 * 1024;

/// The name of a commit, tree or blob: 40 hexadecimal digits, 64 in repositories of the newer format.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(try_from = "String", into = "String")]
pub struct Oid(String);

impl Oid {
    /// Reads a name. None when it is not one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let valid = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        valid.then(|| Self(text.to_ascii_lowercase()))
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As many digits as are shown.
    pub(crate) fn short(&self) -> &str {
        self.0.get(..SHORT).unwrap_or(&self.0)
    }

    /// The name that stands for "nothing" in this format.
    pub(crate) fn zeros(format: ObjectFormat) -> String {
        "0".repeat(format.digits())
    }

    /// Reads what git prints where it may also say "nothing".
    pub(crate) fn parse_or_zeros(bytes: &[u8]) -> Option<Option<Self>> {
        let oid = Self::parse(std::str::from_utf8(bytes).ok()?)?;
        Some((!oid.0.bytes().all(|digit| digit == b'0')).then_some(oid))
    }

    /// Reads a line that git printed.
    pub(crate) fn from_line(printed: &[u8]) -> Option<Self> {
        Self::parse(std::str::from_utf8(printed).ok()?.trim_end())
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text is not the name of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the name of a git object")]
pub struct NotAnOid;

impl FromStr for Oid {
    type Err = NotAnOid;

    fn from_str(text: &str) -> Result<Self, NotAnOid> {
        Self::parse(text).ok_or(NotAnOid)
    }
}

impl TryFrom<String> for Oid {
    type Error = NotAnOid;

    fn try_from(text: String) -> Result<Self, NotAnOid> {
        text.parse()
    }
}

impl From<Oid> for String {
    fn from(oid: Oid) -> Self {
        oid.0
    }
}

/// How a repository names its objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ObjectFormat {
    #[default]
    Sha1,
    Sha256,
}

impl ObjectFormat {
    /// How many bytes a name has.
    pub(crate) const fn bytes(self) -> usize {
        self.digits() / 2
    }

    const fn digits(self) -> usize {
        match self {
            Self::Sha1 => 40,
            Self::Sha256 => 64,
        }
    }

    /// The tree with nothing in it, which git knows without storing it.
    pub(crate) fn empty_tree(self) -> Oid {
        Oid(match self {
            Self::Sha1 => "4b825dc642cb6eb9a060e54bf8d69288fbee4904".to_owned(),
            Self::Sha256 => "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321".to_owned(),
        })
    }

    /// The name of a blob with these bytes.
    pub(crate) fn blob(self, content: &[u8]) -> Oid {
        // Reading from memory does not fail, and the length is the content's own.
        self.blob_of(content, content.len() as u64).ok().flatten().unwrap_or_else(|| Oid(Oid::zeros(self)))
    }

    /// The name of a blob with what is read, which has to be of this length: none when it is not.
    pub(crate) fn blob_of(self, content: impl Read, length: u64) -> io::Result<Option<Oid>> {
        match self {
            Self::Sha1 => digest::<sha1::Sha1>(content, length),
            Self::Sha256 => digest::<sha2::Sha256>(content, length),
        }
    }
}

fn digest<D: sha1::Digest>(mut content: impl Read, length: u64) -> io::Result<Option<Oid>> {
    let mut hash = D::new();
    hash.update(format!("blob {length}\0"));
    let mut chunk = vec![0; CHUNK.min(usize::try_from(length).unwrap_or(CHUNK).max(1))];
    let mut read = 0;
    loop {
        let count = content.read(&mut chunk)?;
        match chunk.get(..count) {
            Some([]) => break,
            Some(bytes) => {
                read += count as u64;
                hash.update(bytes);
            }
            None => return Err(io::ErrorKind::InvalidData.into()),
        }
    }
    let digits = || hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((read == length).then(|| Oid(digits())))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn blobs_are_named_as_git_names_them() {
        assert_eq!(ObjectFormat::Sha1.blob(b"").as_str(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(ObjectFormat::Sha1.blob(b"hello\n").as_str(), "ce013625030ba8dba906f756967f9e9ca394464a");
        assert_eq!(
            ObjectFormat::Sha256.blob(b"").as_str(),
            "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"
        );
    }

    #[test]
    fn nothing_is_told_apart_from_a_name() {
        let name = ObjectFormat::Sha1.blob(b"x");
        assert_eq!(Oid::parse_or_zeros(name.as_str().as_bytes()), Some(Some(name)));
        assert_eq!(Oid::parse_or_zeros(Oid::zeros(ObjectFormat::Sha256).as_bytes()), Some(None));
        assert_eq!(Oid::parse_or_zeros(b"0000"), None);
    }

    proptest! {
        #[test]
        fn only_whole_names_are_names(text in "[0-9a-fg]{38,42}") {
            prop_assert_eq!(Oid::parse(&text).is_some(), text.len() == 40 && !text.contains('g'));
        }
    }
}
