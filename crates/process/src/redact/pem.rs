//! Private keys in their armour: `-----BEGIN … PRIVATE KEY-----`, base64, `-----END … PRIVATE KEY-----`.
//!
//! Line breaks may be real ones or, as in JSON, written as `\n`. A key whose end was cut off ends with the first
//! character that cannot belong to it, or after [`BODY_LIMIT`] bytes.

use loopwright_domain::secret::{Alphabet, PRIVATE_KEYS};

use super::rules::{Rest, Verdict};

/// The longest line with `BEGIN` in it.
const HEADER_LIMIT: usize = 64;
/// How much of a body proves that a key follows and not only talk about keys.
const PROOF: usize = 24;
/// More than the longest private key.
const BODY_LIMIT: usize = 64 * 1024;
const DASHES: &[u8] = b"-----";

/// How far a key's body has been followed.
#[derive(Clone, Copy)]
pub(crate) struct Pem {
    taken: usize,
    at_line_start: bool,
    /// Whether the line has a colon: `DEK-Info: AES-256-CBC,…`.
    in_header: bool,
    after_backslash: bool,
    /// Dashes in a row; the last line begins with five and ends with five.
    dashes: usize,
    /// Whether the last line has been reached.
    ending: bool,
    over: bool,
}

impl Pem {
    const START: Self = Self {
        taken: 0,
        at_line_start: true,
        in_header: false,
        after_backslash: false,
        dashes: 0,
        ending: false,
        over: false,
    };

    /// Judges a text that begins with `-----BEGIN `.
    pub(crate) fn judge(text: &[u8], last: bool) -> Verdict {
        let label = &text[DASHES.len()..];
        let allowed = |byte: &&u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || **byte == b' ';
        let named = label.iter().take(HEADER_LIMIT).take_while(allowed).count();
        let close = &label[named..];
        if named < HEADER_LIMIT && close.len() < DASHES.len() && DASHES.starts_with(close) {
            return Verdict::too_short(last);
        }
        let name = &label[..named];
        let private = PRIVATE_KEYS.iter().any(|label| name.ends_with(label.as_bytes()));
        if !private || !close.starts_with(DASHES) {
            return Verdict::No;
        }
        let header = DASHES.len() + named + DASHES.len();
        let mut body = Self::START;
        let proof = &text[header..text.len().min(header + PROOF)];
        let taken = body.take(proof);
        if taken < proof.len() {
            Verdict::No
        } else if taken < PROOF {
            Verdict::too_short(last)
        } else {
            Verdict::Secret { shown: 0, hidden: header + taken, rest: Rest::Pem(body) }
        }
    }

    /// How many of these bytes still belong to the key.
    pub(crate) fn take(&mut self, text: &[u8]) -> usize {
        text.iter().position(|byte| !self.step(*byte)).unwrap_or(text.len())
    }

    fn step(&mut self, byte: u8) -> bool {
        if self.over || self.taken == BODY_LIMIT || !self.belongs(byte) {
            return false;
        }
        self.taken += 1;
        let escaped_break = self.after_backslash && matches!(byte, b'n' | b'r');
        self.at_line_start = escaped_break
            || matches!(byte, b'\n' | b'\r')
            || self.at_line_start && matches!(byte, b' ' | b'\t' | b'\\');
        self.in_header = byte == b':' || self.in_header && !self.at_line_start;
        self.after_backslash = byte == b'\\';
        self.count_dashes(byte);
        true
    }

    fn belongs(&self, byte: u8) -> bool {
        match byte {
            b'\n' | b'\r' | b'\\' => !self.ending,
            b' ' | b'\t' => self.at_line_start || self.in_header || self.ending,
            b'-' => true,
            _ => Alphabet::BASE64.holds(byte) || matches!(byte, b':' | b','),
        }
    }

    fn count_dashes(&mut self, byte: u8) {
        self.dashes = if byte == b'-' { self.dashes + 1 } else { 0 };
        if self.dashes == DASHES.len() {
            self.over = self.ending;
            self.ending = true;
        }
    }
}
