//! Text by which the same thing is known again: without numbers, times and the folders of paths.

/// Words without what differs from one run to the next.
pub(crate) fn normalised(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(word_normalised).collect();
    words.join(" ")
}

fn word_normalised(word: &str) -> String {
    let name = match word.rfind(['/', '\\']) {
        Some(place) => word.get(place + 1..).unwrap_or(word),
        None => word,
    };
    let mut normal = String::with_capacity(name.len());
    let mut rest = name;
    let goes_on = |c: char| c.is_alphanumeric() || c == '_';
    while let Some(first) = rest.chars().next() {
        if !goes_on(first) {
            normal.push(first);
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
            continue;
        }
        let end = rest.find(|c: char| !goes_on(c)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        // `0.12s`, `1,024` and `12:03:04` are one number each.
        if is_number(piece) {
            let before = normal.trim_end_matches(['.', ',', ':']);
            let (same, length) = (before.ends_with('#'), before.len());
            if same {
                normal.truncate(length);
            } else {
                normal.push('#');
            }
        } else {
            normal.push_str(piece);
        }
        rest = after;
    }
    normal
}

/// Whether a piece of a word is a number, with or without a unit, an address or the name of an object. A name that only
/// has digits in it, as `test_2`, is none.
fn is_number(piece: &str) -> bool {
    const UNITS: &[&str] = &[
        "", "ns", "us", "µs", "ms", "s", "sec", "secs", "second", "seconds", "m", "min", "mins", "minutes",
        "h", "z", "b", "kb", "kib", "mb", "mib", "gb", "gib",
    ];
    let lower = piece.to_lowercase();
    if lower.strip_prefix("0x").is_some_and(|digits| digits.chars().all(|c| c.is_ascii_hexdigit())) {
        return true;
    }
    let digit = |c: char| c.is_ascii_digit();
    if lower.len() >= 7 && lower.chars().all(|c| c.is_ascii_hexdigit()) && lower.contains(digit) {
        return true;
    }
    let unit = lower.trim_start_matches(digit);
    let timed = unit.strip_prefix('t').is_some_and(|time| !time.is_empty() && time.chars().all(digit));
    lower.starts_with(digit) && (UNITS.contains(&unit) || timed)
}
