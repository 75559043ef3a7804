//! The first line of a commit message.

use loopwright_domain::sanitize::is_unsafe;

/// As many characters as a subject has at most.
const LONGEST: usize = 72;

/// One line of at most 72 characters: the first line that says something, without unsafe characters, cut at a word
/// where it is too long.
#[must_use]
pub fn subject(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let clean: String =
        line.chars().map(|c| if c.is_control() { ' ' } else { c }).filter(|c| !is_unsafe(*c)).collect();
    let words = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= LONGEST {
        return words;
    }
    let kept: String = words.chars().take(LONGEST - 1).collect();
    let cut = match kept.rsplit_once(' ') {
        // A cut that would lose more than a third is made inside the word.
        Some((words, _)) if words.chars().count() > LONGEST * 2 / 3 => words,
        _ => kept.as_str(),
    };
    format!("{}…", cut.trim_end())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_first_line_that_says_something_is_taken() {
        assert_eq!(subject("\n  add tea\t\u{1b}ket\u{202e}tle \nmore"), "add tea kettle");
        assert_eq!(subject(""), "");
        let long = subject(&"word ".repeat(40));
        assert!(long.ends_with("word…") && long.chars().count() <= LONGEST, "{long}");
        assert_eq!(subject(&"ä".repeat(100)).chars().count(), LONGEST);
    }

    proptest! {
        #[test]
        fn any_text_gives_one_short_line(text in "(?s).{0,200}") {
            let line = subject(&text);
            prop_assert!(line.chars().count() <= LONGEST);
            prop_assert!(!line.chars().any(is_unsafe));
            prop_assert_eq!(subject(&line), line);
        }
    }
}
