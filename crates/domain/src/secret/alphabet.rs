//! The characters that tokens are made of.

#![expect(
    clippy::indexing_slicing,
    reason = "a table has a place for each byte, and the lists are walked while constants are computed"
)]

/// A set of bytes.
#[derive(Clone, Copy, Debug)]
pub struct Alphabet {
    members: &'static [bool; 256],
}

impl Alphabet {
    /// `A`–`Z`, `a`–`z` and `0`–`9`.
    pub const ALNUM: Self = Self { members: &set(b"") };
    /// Letters, digits and the underscore: the characters of a word.
    pub const WORD: Self = Self { members: &set(b"_") };
    /// Letters, digits, `_` and `-`: base64 for addresses.
    pub const URL: Self = Self { members: &set(b"_-") };
    /// As [`Self::URL`], with the dot that joins a token's parts.
    pub const DOTTED: Self = Self { members: &set(b"_-.") };
    /// Ordinary base64.
    pub const BASE64: Self = Self { members: &set(b"+/=") };
    /// Whatever credentials in a header may be made of.
    pub const CREDENTIAL: Self = Self { members: &set(b"-._~+/=") };
    /// Hexadecimal digits.
    pub const HEX: Self = Self { members: &hex() };
    /// What a value without quotes is made of: everything visible but what quotes, ends or groups.
    pub const BARE: Self = Self { members: &visible_but(b"\"'`<>{}[]()\\|,;&") };
    /// What an address may hold as user name or password: not what ends the part, quotes it, or marks a template's gap.
    pub const USERINFO: Self = Self { members: &visible_but(b"/:@?#\"'`<>{}\\|^,;") };

    /// Whether a byte belongs to the set.
    #[must_use]
    pub const fn holds(self, byte: u8) -> bool {
        self.members[byte as usize]
    }

    /// How many bytes at the beginning belong to the set.
    #[must_use]
    pub fn run(self, text: &[u8]) -> usize {
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

/// Everything visible but these.
const fn visible_but(excluded: &[u8]) -> [bool; 256] {
    let mut members = [false; 256];
    let mut byte = 0x21;
    while byte < 256 {
        members[byte] = byte != 0x7f;
        byte += 1;
    }
    let mut index = 0;
    while index < excluded.len() {
        members[excluded[index] as usize] = false;
        index += 1;
    }
    members
}
