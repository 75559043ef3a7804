//! The forms in which a known value turns up: as it is, in JSON, in an address, in base64.

use std::collections::BTreeSet;

/// Shorter values are words that stand everywhere; hiding them would hide the text.
pub(crate) const SHORTEST: usize = 6;
/// A line of a value with several lines is looked for by itself when it is at least this long.
const SHORTEST_LINE: usize = 16;
const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
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
    let mut forms = vec![
        part.to_vec(),
        escaped_for_json(part),
        escaped_for_address(part, b"0123456789ABCDEF"),
        escaped_for_address(part, b"0123456789abcdef"),
    ];
    for digits in [STANDARD, FOR_ADDRESSES] {
        forms.extend((0..3).map(|offset| base64_inside(part, offset, digits)));
    }
    forms
}

fn escaped_for_json(value: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(value.len());
    for byte in value {
        match byte {
            b'"' | b'\\' => escaped.extend([b'\\', *byte]),
            b'\n' => escaped.extend(b"\\n"),
            b'\r' => escaped.extend(b"\\r"),
            b'\t' => escaped.extend(b"\\t"),
            _ => escaped.push(*byte),
        }
    }
    escaped
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
