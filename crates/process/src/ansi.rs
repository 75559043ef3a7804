//! Text of unknown origin, made fit for a terminal.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;

const ESCAPE: char = '\u{1b}';
const BELL: char = '\u{7}';
/// The longest colour sequence that is passed on.
const COLOUR_LIMIT: usize = 64;
const RESET: &str = "\u{1b}[0m";

/// The text with its colours, and without everything else that a terminal would obey: cursor movements, titles,
/// links, the clipboard, device strings, and marks that change the direction of writing. Colours end with the text.
///
/// Whatever follows an unfinished sequence of those is dropped with it.
#[must_use]
pub fn for_terminal(text: &str) -> Cow<'_, str> {
    clean(text, true)
}

/// The text without everything that a terminal would obey, colours too: for whoever shows it in another way.
///
/// Whatever follows an unfinished sequence is dropped with it.
#[must_use]
pub fn without_controls(text: &str) -> Cow<'_, str> {
    clean(text, false)
}

fn clean(text: &str, colours: bool) -> Cow<'_, str> {
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    let mut coloured = false;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            ESCAPE => coloured |= escape(&mut rest, &mut clean, colours),
            '\u{9b}' => coloured |= control_sequence(&mut rest, &mut clean, colours),
            '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}' => skip_string(&mut rest),
            '\r' if rest.peek().is_some_and(|next| *next != '\n') => clean.push(' '),
            _ if is_plain(c) => clean.push(c),
            _ => {}
        }
    }
    if coloured {
        clean.push_str(RESET);
    }
    Cow::Owned(clean)
}

/// What can be shown as it is.
fn is_plain(c: char) -> bool {
    let turns_text = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    matches!(c, '\n' | '\t') || !c.is_control() && !turns_text
}

/// Reads what follows an escape. Tells whether it was a colour that is passed on.
fn escape(rest: &mut Peekable<Chars<'_>>, clean: &mut String, colours: bool) -> bool {
    match rest.next() {
        Some('[') => return control_sequence(rest, clean, colours),
        Some(']' | 'P' | 'X' | '^' | '_') => skip_string(rest),
        Some(' '..='/') => {
            while rest.next_if(|c| matches!(c, ' '..='/')).is_some() {}
            let _ = rest.next_if(|c| matches!(c, '0'..='~'));
        }
        _ => {}
    }
    false
}

/// Reads `parameters`, and the letter that says what they are for. Only colours are passed on, if any.
fn control_sequence(rest: &mut Peekable<Chars<'_>>, clean: &mut String, colours: bool) -> bool {
    let mut parameters = String::new();
    while let Some(c) = rest.next_if(|c| matches!(c, ' '..='?')) {
        if parameters.len() <= COLOUR_LIMIT {
            parameters.push(c);
        }
    }
    let Some(end) = rest.next_if(|c| matches!(c, '@'..='~')) else { return false };
    let numbers = parameters.chars().all(|c| c.is_ascii_digit() || matches!(c, ';' | ':'));
    let colour = colours && end == 'm' && numbers && parameters.len() <= COLOUR_LIMIT;
    if colour {
        clean.push_str("\u{1b}[");
        clean.push_str(&parameters);
        clean.push('m');
    }
    colour
}

/// Reads to the end of a string for the terminal: a bell, an escape and a backslash, or at the latest the end of the
/// line, so that one which was never ended does not hide what comes after.
fn skip_string(rest: &mut Peekable<Chars<'_>>) {
    while let Some(c) = rest.next_if(|c| *c != '\n') {
        match c {
            BELL | '\u{9c}' => return,
            ESCAPE if rest.next_if_eq(&'\\').is_some() => return,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn colours_stay_and_end_with_the_text() {
        assert_eq!(for_terminal("\u{1b}[1;31mred"), "\u{1b}[1;31mred\u{1b}[0m");
        assert_eq!(
            for_terminal("a \u{1b}[38:2::1:2:3mb\u{1b}[0m"),
            "a \u{1b}[38:2::1:2:3mb\u{1b}[0m\u{1b}[0m"
        );
        assert!(matches!(for_terminal("plain\ttext ünï\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn without_controls_there_are_no_colours_either() {
        assert_eq!(without_controls("a \u{1b}[1;31mred\u{1b}[0m\r\nb"), "a red\nb");
        assert!(matches!(without_controls("plain\ttext ünï\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn everything_else_a_terminal_would_obey_is_gone() {
        let cases = [
            ("\u{1b}[2J\u{1b}[1;1Hcleared", "cleared"),
            ("\u{1b}]0;title\u{7}text", "text"),
            ("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{1b}]52;c;ZXZpbA==\u{7}clip", "clip"),
            ("\u{1b}P1$r0m\u{1b}\\dcs", "dcs"),
            ("\u{9b}5Anine \u{9d}0;t\u{9c}one", "nine one"),
            ("\u{1b}(Bset \u{1b}c\u{1b}7reset", "set reset"),
            ("50%\r100%\r\n", "50% 100%\n"),
            ("nul\0 bell\u{7} back\u{8} del\u{7f}", "nul bell back del"),
            ("right\u{202e}to\u{2066}left", "righttoleft"),
            ("\u{1b}[?25l\u{1b}[>4;1m\u{1b}[31 q", ""),
            ("unfinished \u{1b}]0;never", "unfinished "),
            (
                "unfinished \u{1b}]0;never\nerror: seen \u{9d}x\nall the same",
                "unfinished \nerror: seen \nall the same",
            ),
            ("\u{1b}", ""),
        ];
        for (text, clean) in cases {
            assert_eq!(for_terminal(text), clean, "{text:?}");
        }
    }

    #[test]
    fn a_sequence_of_ten_megabytes_is_skipped() {
        let text =
            format!("\u{1b}]52;c;{}\u{7}after\u{1b}[{}mend", "A".repeat(10_000_000), "1;".repeat(1_000_000));
        assert_eq!(for_terminal(&text), "afterend");
    }

    proptest! {
        #[test]
        fn nothing_but_colours_remains_of_anything(text in "([\u{1b}\u{9b}\u{90}\u{9d}\\[\\]P;m0-9a-zA-Z\u{7}\r\n\\\\]|\\PC){0,60}") {
            let clean = for_terminal(&text).into_owned();
            for (index, _) in clean.match_indices(ESCAPE) {
                let colour = clean[index + 1..].strip_prefix('[').and_then(|rest| rest.split_once('m'));
                let numbers = colour.is_some_and(|(numbers, _)| numbers.chars().all(|c| !c.is_ascii_alphabetic()));
                prop_assert!(numbers, "{clean:?}");
            }
            prop_assert!(clean.chars().all(|c| is_plain(c) || c == ESCAPE), "{clean:?}");
            prop_assert_eq!(for_terminal(clean.trim_end_matches(RESET)), clean.clone());
            let bare = without_controls(&text).into_owned();
            prop_assert!(bare.chars().all(is_plain), "{bare:?}");
            prop_assert_eq!(without_controls(&clean), bare);
        }
    }
}
