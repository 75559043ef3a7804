//! Replaces what differs between two runs of the same test: paths, commit ids, times.

use std::path::Path;

/// Makes output independent of place and time. Only whole, recognisable things are replaced, so that a wrong
/// value still shows.
#[must_use]
pub fn normalise(text: &str, temporary: &Path, resolved: &Path) -> String {
    let mut text = text.to_owned();
    for folder in [resolved, temporary] {
        text = text.replace(&folder.display().to_string(), "[SANDBOX]");
    }
    text.replace('\\', "/").lines().map(words).collect::<Vec<_>>().join("\n") + "\n"
}

/// Goes through a line word by word; what is between words stays.
fn words(line: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '.');
    let mut result = String::new();
    let mut rest = line;
    while let Some(start) = rest.find(is_word) {
        let end = rest[start..].find(|c| !is_word(c)).map_or(rest.len(), |length| start + length);
        result.push_str(&rest[..start]);
        result.push_str(replacement(&rest[start..end]));
        rest = &rest[end..];
    }
    result.push_str(rest);
    result.trim_end().to_owned()
}

fn replacement(word: &str) -> &str {
    let hex = |word: &str| word.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    let mixed = word.bytes().any(|b| b.is_ascii_digit());
    match word.len() {
        64 if hex(word) => "[DIGEST]",
        7 | 40 if hex(word) && mixed => "[COMMIT]",
        20..=35 if is_timestamp(word) => "[TIME]",
        _ => word,
    }
}

fn is_timestamp(word: &str) -> bool {
    word.ends_with('Z') && word.get(4..5) == Some("-") && word.get(10..11) == Some("T")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_commits_digests_and_times_are_replaced_and_the_rest_stays() {
        let text =
            "main at 3f2c1ab, in /tmp/x/work\n\"at\": \"2026-01-02T03:04:05.123Z\"\ndefaced 12 files\n";
        let expected = "main at [COMMIT], in [SANDBOX]/work\n\"at\": \"[TIME]\"\ndefaced 12 files\n";
        assert_eq!(normalise(text, Path::new("/tmp/x"), Path::new("/tmp/x")), expected);
        let digest = "a".repeat(64);
        assert_eq!(normalise(&digest, Path::new("/t"), Path::new("/t")), "[DIGEST]\n");
    }
}
