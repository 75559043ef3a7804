//! What values look like that somebody wants to keep to themselves, and those that only show what one would look like.

use std::collections::BTreeMap;

use super::alphabet::Alphabet;

/// The shortest value that is taken for a secret in source, by its name.
const SHORTEST_IN_SOURCE: usize = 16;
/// A value with at least so many bits per letter looks as if nobody had thought of it.
const ENTROPY: f64 = 3.5;

/// Words of values that only show what one would look like, wherever they stand.
const PLACEHOLDERS: &[&str] = &["${", "{{", "...", "example", "changeme", "placeholder", "xxxx", "your"];
/// More such words of source, and words of where a value comes from.
const PLACEHOLDERS_IN_SOURCE: &[&str] = &[
    "change-me",
    "xxx",
    "dummy",
    "sample",
    "test",
    "fake",
    "redacted",
    "<",
    "env",
    "process.",
    "getenv",
    "secrets.",
    "vault",
    "localhost",
];
/// Words of a line whose token is the one of some documentation, or one letter again and again.
const EXAMPLES: &[&str] =
    &["example", "xxxx", "placeholder", "redacted", "fake", "dummy", "0000000000", "1234567890"];

/// Whether a value refers to another one, or shows that one would stand there.
#[must_use]
pub fn is_placeholder(value: &[u8]) -> bool {
    let lower = value.to_ascii_lowercase();
    let holds = |word: &&str| lower.windows(word.len()).any(|part| part == word.as_bytes());
    let refers = value.first().is_none_or(|first| b"$<{%*[".contains(first));
    refers || value.iter().all(|byte| Some(byte) == value.first()) || PLACEHOLDERS.iter().any(holds)
}

/// Whether a line with a token says itself that it is none.
#[must_use]
pub fn is_example(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    EXAMPLES.iter().any(|word| lower.contains(word))
}

/// Letters and digits, and no spaces.
#[must_use]
pub fn is_mixed(value: &[u8]) -> bool {
    value.iter().any(u8::is_ascii_digit)
        && value.iter().any(u8::is_ascii_alphabetic)
        && !value.iter().any(u8::is_ascii_whitespace)
}

/// Letters and digits in no order that a person would choose.
#[must_use]
pub fn is_random(value: &[u8]) -> bool {
    let changes = value.iter().zip(value.iter().skip(1)).filter(|(left, right)| {
        left.is_ascii_digit() && right.is_ascii_alphabetic()
            || left.is_ascii_alphabetic() && right.is_ascii_digit()
    });
    let cases = value.iter().any(u8::is_ascii_uppercase) && value.iter().any(u8::is_ascii_lowercase);
    is_mixed(value) && (changes.count() >= 3 || cases && value.len() >= 20)
}

/// `snake_case_2`: a name of something, with few digits.
#[must_use]
pub fn is_name(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    value.contains(&b'_') && Alphabet::WORD.run(value) == value.len() && digits * 4 < value.len()
}

/// `process.env.API_KEY`, `settings.password2`.
#[must_use]
pub fn is_path_of_names(value: &[u8]) -> bool {
    let is_word = |part: &[u8]| {
        Alphabet::WORD.run(part) == part.len() && part.first().is_some_and(|first| !first.is_ascii_digit())
    };
    value.contains(&b'.') && value.split(|byte| *byte == b'.').all(is_word)
}

/// Whether a value in quotes looks random among source, where most values have something to say.
#[must_use]
pub fn looks_random_in_source(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    value.len() >= SHORTEST_IN_SOURCE
        && !value.contains(char::is_whitespace)
        && value.contains(|letter: char| letter.is_ascii_digit())
        && value.contains(char::is_alphabetic)
        && !PLACEHOLDERS.iter().chain(PLACEHOLDERS_IN_SOURCE).any(|word| lower.contains(word))
        && entropy(value) >= ENTROPY
}

/// How surprising each letter of a text is, in bits.
fn entropy(text: &str) -> f64 {
    let mut counts = BTreeMap::<u8, u32>::new();
    for byte in text.bytes() {
        *counts.entry(byte).or_default() += 1;
    }
    let all = f64::from(u32::try_from(text.len()).unwrap_or(u32::MAX));
    counts.values().map(|count| f64::from(*count) / all).map(|part| -part * part.log2()).sum()
}
