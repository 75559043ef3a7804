//! Replaces what differs between two runs of the same test: paths, ids, times.

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
        // The end of a sentence is no part of its last word.
        let word = rest[start..end].trim_end_matches(['.', ':']);
        result.push_str(replacement(word));
        result.push_str(&rest[start + word.len()..end]);
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
        36 if is_id(word) => "[ID]",
        8 if is_clock(word) => "HH:MM:SS",
        4.. if is_elapsed(word) => "[SECONDS]",
        _ => word,
    }
}

/// The id of a run or an iteration: a UUID.
fn is_id(word: &str) -> bool {
    let lengths = word.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && word.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit())
}

fn is_clock(word: &str) -> bool {
    word.split(':').count() == 3 && word.split(':').all(|part| part.len() == 2 && is_number(part))
}

/// Seconds with one decimal, as they are shown: `45.2s`.
fn is_elapsed(word: &str) -> bool {
    let parts = word.strip_suffix('s').and_then(|number| number.split_once('.'));
    parts.is_some_and(|(whole, tenth)| is_number(whole) && is_number(tenth) && tenth.len() == 1)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
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
        assert_eq!(
            normalise("Done. Commit 3f2c1ab.", Path::new("/t"), Path::new("/t")),
            "Done. Commit [COMMIT].\n"
        );
        let digest = "a".repeat(64);
        assert_eq!(normalise(&digest, Path::new("/t"), Path::new("/t")), "[DIGEST]\n");
    }

    #[test]
    fn clocks_ids_and_seconds_are_replaced_and_numbers_stay() {
        let text = "[10:00:45] Iteration 1/3 completed in 45.2s, 4.20 for 10s\n\
                    run 0199a1b2-0000-7000-8000-00000000000a";
        let expected = "[HH:MM:SS] Iteration 1/3 completed in [SECONDS], 4.20 for 10s\nrun [ID]\n";
        assert_eq!(normalise(text, Path::new("/t"), Path::new("/t")), expected);
    }
}
