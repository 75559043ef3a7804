//! The characters that tokens are made of.

/// A set of bytes.
#[derive(Clone, Copy)]
pub(crate) struct Alphabet {
    members: &'static [bool; 256],
}

impl Alphabet {
    /// `A`–`Z`, `a`–`z` and `0`–`9`.
    pub(crate) const ALNUM: Self = Self { members: &set(b"") };
    /// Letters, digits and the underscore: the characters of a word.
    pub(crate) const WORD: Self = Self { members: &set(b"_") };
    /// Letters, digits, `_` and `-`: base64 for addresses.
    pub(crate) const URL: Self = Self { members: &set(b"_-") };
    /// As [`Self::URL`], with the dot that joins a token's parts.
    pub(crate) const DOTTED: Self = Self { members: &set(b"_-.") };
    /// Ordinary base64.
    pub(crate) const BASE64: Self = Self { members: &set(b"+/=") };
    /// Whatever credentials in a header may be made of.
    pub(crate) const CREDENTIAL: Self = Self { members: &set(b"-._~+/=") };
    /// Hexadecimal digits.
    pub(crate) const HEX: Self = Self { members: &hex() };
    /// What an address may hold as user name or password.
    pub(crate) const USERINFO: Self = Self { members: &userinfo() };

    pub(crate) const fn holds(self, byte: u8) -> bool {
        self.members[byte as usize]
    }

    /// How many bytes at the beginning belong to the set.
    pub(crate) fn run(self, text: &[u8]) -> usize {
        text.iter().position(|byte| !self.holds(*byte)).unwrap_or(text.len())
    }
}

/// Letters, digits and these.
const fn set(more: &[u8]) -> [bool; 256] {
    let mut members = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        members[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    let mut index = 0;
    while index < more.len() {
        members[more[index] as usize] = true;
        index += 1;
    }
    members
}

const fn hex() -> [bool; 256] {
    let mut members = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        members[byte] = (byte as u8).is_ascii_hexdigit();
        byte += 1;
    }
    members
}

/// Everything visible but what ends the part, what quotes it, and what marks a template's gap.
const fn userinfo() -> [bool; 256] {
    let mut members = [false; 256];
    let mut byte = 0x21;
    while byte < 256 {
        members[byte] = byte != 0x7f;
        byte += 1;
    }
    let excluded = b"/:@?#\"'`<>{}\\|^,;";
    let mut index = 0;
    while index < excluded.len() {
        members[excluded[index] as usize] = false;
        index += 1;
    }
    members
}
