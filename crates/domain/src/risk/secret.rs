//! Passwords and keys that come with a change. What was found is never told, only where.

use super::change::ChangedFile;
use super::flag;
use super::test_files::is_test_file;
use crate::gate::{RiskFlag, RiskKind};
use crate::secret::{begins_private_key, has_name, is_example, looks_random_in_source};

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
            begins_private_key(text)
                || (has_secret(text) && !is_example(text))
                || (!is_test && !file.generated && assigns_a_secret(text))
        });
        if let Some(line) = found {
            let detail = "this line holds something that looks like a password or a key";
            flags.push(flag(RiskKind::Secret, &file.path, line.new, detail));
        }
    }
    flags
}

/// `api_key = "…"` with a value that looks random.
fn assigns_a_secret(text: &str) -> bool {
    let Some(at) = text.find(['=', ':']) else { return false };
    let (name, value) = text.split_at(at);
    has_name(&name.to_ascii_lowercase()) && quoted_values(value).any(looks_random_in_source)
}

/// What stands in quotes.
fn quoted_values(text: &str) -> impl Iterator<Item = &str> {
    text.split(['"', '\'', '`']).skip(1).step_by(2)
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
            // Names that are hidden in output.
            "passphrase = \"q7Xp2mVb9Lr4Tz8Kw1Nd\"",
            "'X-Auth-Key': 'hG5tY2kLp0qWz8rX3vB'",
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
