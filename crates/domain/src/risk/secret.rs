//! Passwords and keys that come with a change. What was found is never told, only where.

use super::change::ChangedFile;
use super::flag;
use super::language::is_test_file;
use crate::gate::{RiskFlag, RiskKind};

/// The shortest value that is taken for a secret by its name.
const SHORTEST: usize = 16;
/// A value with at least so many hundredths of a bit per letter looks as if nobody had thought of it.
const ENTROPY: f64 = 3.5;

/// Names of what should not be written down.
const NAMES: &[&str] = &[
    "password",
    "passwd",
    "secret",
    "token",
    "api_key",
    "apikey",
    "api-key",
    "access_key",
    "accesskey",
    "private_key",
    "privatekey",
    "credential",
    "auth_key",
];
/// Words of values that only show what one would look like, or where it comes from.
const PLACEHOLDERS: &[&str] = &[
    "example",
    "changeme",
    "change-me",
    "placeholder",
    "your",
    "xxx",
    "dummy",
    "sample",
    "test",
    "fake",
    "redacted",
    "${",
    "{{",
    "<",
    "env",
    "process.",
    "getenv",
    "secrets.",
    "vault",
    "...",
    "localhost",
];

/// Files and lines that hold secrets. `is_secret_file` knows them by their names, `has_secret` by what they look like.
pub(crate) fn secrets(
    files: &[ChangedFile],
    is_secret_file: &dyn Fn(&str) -> bool,
    has_secret: &dyn Fn(&str) -> bool,
) -> Vec<RiskFlag> {
    let mut flags = Vec::new();
    for file in files.iter().filter(|file| file.kind != super::FileKind::Deleted) {
        if is_secret_file(&file.path) {
            flags.push(flag(RiskKind::Secret, &file.path, None, "a file of this name usually holds secrets"));
            continue;
        }
        let is_test = is_test_file(&file.path);
        let found = file.added_lines().find(|line| {
            let text = line.text.as_str();
            begins_a_key(text)
                || (has_secret(text) && !is_placeholder(text))
                || (!is_test && !file.generated && assigns_a_secret(text))
        });
        if let Some(line) = found {
            let detail = "this line holds something that looks like a password or a key";
            flags.push(flag(RiskKind::Secret, &file.path, line.new, detail));
        }
    }
    flags
}

/// The first line of a private key; what follows proves nothing by itself.
fn begins_a_key(text: &str) -> bool {
    text.contains("-----BEGIN") && text.contains("PRIVATE KEY")
}

/// A value that says itself that it is none: the one of the documentation, or one letter again and again.
fn is_placeholder(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ["example", "xxxx", "placeholder", "redacted", "fake", "dummy", "0000000000", "1234567890"]
        .iter()
        .any(|word| lower.contains(word))
}

/// `api_key = "…"` with a value that looks random.
fn assigns_a_secret(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    if !NAMES.iter().any(|name| lower.contains(name)) {
        return false;
    }
    let Some(at) = text.find(['=', ':']) else { return false };
    let (name, value) = text.split_at(at);
    let name = name.to_ascii_lowercase();
    NAMES.iter().any(|word| name.contains(word)) && quoted_values(value).any(looks_random)
}

/// What stands in quotes.
fn quoted_values(text: &str) -> impl Iterator<Item = &str> {
    text.split(['"', '\'', '`']).skip(1).step_by(2)
}

fn looks_random(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    value.len() >= SHORTEST
        && !value.contains(char::is_whitespace)
        && value.contains(|letter: char| letter.is_ascii_digit())
        && value.contains(|letter: char| letter.is_alphabetic())
        && !PLACEHOLDERS.iter().any(|word| lower.contains(word))
        && entropy(value) >= ENTROPY
}

/// How surprising each letter of a text is, in bits.
fn entropy(text: &str) -> f64 {
    let mut counts = [0u32; 256];
    for byte in text.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let all = f64::from(u32::try_from(text.len()).unwrap_or(u32::MAX));
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| f64::from(*count) / all)
        .map(|part| -part * part.log2())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_look_random_under_a_telling_name_are_secrets() {
        for secret in [
            "api_key = \"q7Xp2mVb9Lr4Tz8Kw1Nd\"",
            "  password: 'hG5tY2kLp0qWz8rX3vB'",
            "const accessKey = `aB3dE5fG7hJ9kL1mN3pQ`;",
        ] {
            assert!(assigns_a_secret(secret), "{secret}");
        }
        for harmless in [
            "api_key = os.environ[\"SERVICE_API_KEY_2\"]",
            "password = \"changeme-please-1\"",
            "token = next_token(\"abc\")",
            "let secret_name = \"the secret of the house\";",
            "token_count = 1234567890123456",
            "// the password is checked in login_2.rs",
        ] {
            assert!(!assigns_a_secret(harmless), "{harmless}");
        }
    }
}
