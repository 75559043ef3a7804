//! The forms in which a known value turns up: as it is, in JSON, in an address, in base64, in hexadecimal.

use std::collections::BTreeSet;

/// Shorter values are words that stand everywhere; hiding them would hide the text.
pub(crate) const SHORTEST: usize = 6;
/// A line of a value with several lines is looked for by itself when it is at least this long.
const SHORTEST_LINE: usize = 16;
const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const LOWER: &[u8; 16] = b"0123456789abcdef";
const UPPER: &[u8; 16] = b"0123456789ABCDEF";
const FOR_ADDRESSES: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Every form of a value that is worth looking for; none for a value that is too short.
pub(crate) fn forms(value: &[u8]) -> BTreeSet<Vec<u8>> {
    let value = value.trim_ascii();
    let lines = value.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let long_lines = lines.filter(|line| line.len() >= SHORTEST_LINE && line.len() < value.len());
    let mut forms = BTreeSet::new();
    for part in long_lines.chain([value]) {
        forms.extend(forms_of_part(part));
    }
    forms.retain(|form| form.len() >= SHORTEST);
    forms
}

fn forms_of_part(part: &[u8]) -> Vec<Vec<u8>> {
    if part.len() < SHORTEST {
        return Vec::new();
    }
    let mut forms = vec![part.to_vec(), hexadecimal(part, "\\x", LOWER)];
    for digits in [LOWER, UPPER] {
        forms.extend([escaped_for_address(part, digits), hexadecimal(part, "", digits)]);
    }
    for style in Json::ALL {
        let escaped = style.escape(part);
        // What a tool printed as JSON stands in the JSON of an agent's event.
        forms.extend([Json::Plain.escape(&escaped), escaped]);
    }
    for digits in [STANDARD, FOR_ADDRESSES] {
        forms.extend((0..3).map(|offset| base64_inside(part, offset, digits)));
    }
    forms
}

/// What writers of JSON escape.
#[derive(Clone, Copy)]
enum Json {
    /// Only what must be.
    Plain,
    /// Slashes too.
    Slashes,
    /// What could end a script in a page, too.
    Html,
    /// Everything beyond ASCII, too.
    Ascii,
}

impl Json {
    const ALL: [Self; 4] = [Self::Plain, Self::Slashes, Self::Html, Self::Ascii];

    fn escape(self, value: &[u8]) -> Vec<u8> {
        let mut escaped = Vec::with_capacity(value.len());
        for chunk in value.utf8_chunks() {
            for letter in chunk.valid().chars() {
                self.escape_letter(letter, &mut escaped);
            }
            escaped.extend(chunk.invalid());
        }
        escaped
    }

    fn escape_letter(self, letter: char, escaped: &mut Vec<u8>) {
        let in_units = match self {
            Self::Plain | Self::Slashes => letter < ' ',
            Self::Html => letter < ' ' || matches!(letter, '<' | '>' | '&' | '\''),
            Self::Ascii => letter < ' ' || !letter.is_ascii(),
        };
        match letter {
            '"' | '\\' => escaped.extend([b'\\', letter as u8]),
            '/' if matches!(self, Self::Slashes) => escaped.extend(b"\\/"),
            '\n' => escaped.extend(b"\\n"),
            '\r' => escaped.extend(b"\\r"),
            '\t' => escaped.extend(b"\\t"),
            _ if in_units => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    escaped.extend(format!("\\u{unit:04x}").as_bytes());
                }
            }
            _ => escaped.extend(letter.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

/// Two digits for each byte, each pair after `before`.
fn hexadecimal(value: &[u8], before: &str, digits: &[u8; 16]) -> Vec<u8> {
    let mut text = Vec::with_capacity(value.len() * (2 + before.len()));
    for byte in value {
        text.extend(before.as_bytes());
        text.extend([digits[usize::from(byte >> 4)], digits[usize::from(byte & 15)]]);
    }
    text
}

fn escaped_for_address(value: &[u8], digits: &[u8; 16]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(value.len());
    for byte in value {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(byte) {
            escaped.push(*byte);
        } else {
            escaped.extend([b'%', digits[usize::from(byte >> 4)], digits[usize::from(byte & 15)]]);
        }
    }
    escaped
}

/// The base64 digits that a value has wherever it stands in what is encoded: those that depend on no neighbour.
/// `offset` is its position modulo 3.
fn base64_inside(value: &[u8], offset: usize, digits: &[u8; 64]) -> Vec<u8> {
    let first = (offset * 8).div_ceil(6);
    let last = (offset + value.len()) * 8 / 6;
    let bit = |index: usize| {
        let byte = (index / 8).checked_sub(offset).and_then(|position| value.get(position));
        byte.is_some_and(|byte| byte >> (7 - index % 8) & 1 == 1)
    };
    (first..last)
        .map(|digit| (0..6).fold(0, |number, place| number << 1 | usize::from(bit(digit * 6 + place))))
        .map(|number| digits[number])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(value: &str, form: &str) -> bool {
        forms(value.as_bytes()).contains(form.as_bytes())
    }

    #[test]
    fn a_value_is_known_in_its_usual_disguises() {
        assert!(has("pass/w?rd\"1", "pass/w?rd\"1"));
        assert!(has("pass/w?rd\"1", "pass/w?rd\\\"1"));
        assert!(has("pass/w?rd\"1", "pass%2Fw%3Frd%221"));
        assert!(has("pass/w?rd\"1", "pass%2fw%3frd%221"));
    }

    #[test]
    fn a_value_is_known_in_hexadecimal_and_in_every_kind_of_json() {
        let value = "p<a>&s\"s/w\u{f6}rd\u{1f511}";
        assert!(has("secret", "736563726574") && has("se|cret", "73657C63726574"));
        assert!(has("secret", "\\x73\\x65\\x63\\x72\\x65\\x74"));
        assert!(has(value, "p<a>&s\\\"s/w\u{f6}rd\u{1f511}"), "only what must be");
        assert!(has(value, "p<a>&s\\\"s\\/w\u{f6}rd\u{1f511}"), "slashes");
        assert!(has(value, "p\\u003ca\\u003e\\u0026s\\\"s/w\u{f6}rd\u{1f511}"), "for pages");
        assert!(has(value, "p<a>&s\\\"s/w\\u00f6rd\\ud83d\\udd11"), "ASCII");
        assert!(has(value, "p<a>&s\\\\\\\"s/w\u{f6}rd\u{1f511}"), "JSON in JSON");
    }

    /// `printf 'secret' | base64`, `printf 'user:secret' | base64` and `printf 'x:secret!' | base64`.
    #[test]
    fn base64_is_found_at_every_offset() {
        assert!(has("secret", "c2VjcmV0"));
        let inside = |encoded: &str| forms(b"secret").iter().any(|form| encoded.contains(str(form)));
        for encoded in ["dXNlcjpzZWNyZXQ=", "eDpzZWNyZXQh", "c2VjcmV0"] {
            assert!(inside(encoded), "{encoded}");
        }
    }

    fn str(bytes: &[u8]) -> &str {
        std::str::from_utf8(bytes).unwrap()
    }

    #[test]
    fn short_values_are_left_alone_and_space_around_does_not_count() {
        assert!(forms(b"12345").is_empty() && forms(b"  12345 \n").is_empty() && forms(b"").is_empty());
        assert!(has(" hunter2\n", "hunter2"));
    }

    #[test]
    fn the_lines_of_a_long_value_are_known_one_by_one() {
        let value = "first line of many\nshort\nthe last line of all";
        assert!(
            has(value, "first line of many") && has(value, "the last line of all") && !has(value, "short")
        );
    }
}
