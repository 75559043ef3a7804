//! Makes text from files, agents and other programs safe to show.
//!
//! This is the only definition of which characters are unsafe. A character is unsafe when a terminal obeys it (control
//! characters and the escape sequences they begin), when it changes the direction of the text around it (bidirectional
//! overrides, embeddings, isolates and marks), or when it has no visible form (zero-width and format characters).
//!
//! | function | unsafe characters are | newline and tab | use |
//! |---|---|---|---|
//! | [`strip`] | removed, escape sequences whole | kept | output of programs |
//! | [`escape_line`] | written as `\u{202e}` | written as `\n`, `\t` | names, messages, anything on one line |
//! | [`escape_lines`] | written as `\u{202e}` | kept | text of several lines |
//! | [`escape_code`] | written as `␛` or `<U+202E>` | newline escaped, tab kept | one line of source code |
//!
//! All of them are idempotent, and their output holds no unsafe character besides the newlines and tabs they keep.

use std::borrow::Cow;
use std::fmt::Write;
use std::iter::Peekable;
use std::str::Chars;

const ESCAPE: char = '\u{1b}';
const BELL: char = '\u{7}';
const ZERO_WIDTH_NON_JOINER: char = '\u{200c}';
const ZERO_WIDTH_JOINER: char = '\u{200d}';

/// Whether a character must not be shown as it is. Newline and tab are control characters and count as unsafe.
///
/// Joiners are safe: several scripts and many emoji need them.
#[must_use]
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Whether a character is unsafe in code, a command or a path: joiners too, because with them two different names look
/// the same.
#[must_use]
pub fn is_unsafe_in_code(c: char) -> bool {
    is_unsafe(c) || matches!(c, ZERO_WIDTH_NON_JOINER | ZERO_WIDTH_JOINER)
}

/// Whether a character is shown unchanged in text of several lines.
fn is_safe_in_lines(c: char) -> bool {
    matches!(c, '\n' | '\t') || !is_unsafe(c)
}

/// Removes unsafe characters, and escape sequences with their parameters: colours, cursor movements, titles, links,
/// clipboard and device strings. Newlines and tabs stay; a carriage return inside a line becomes a space.
///
/// A sequence that is not terminated ends with its line.
#[must_use]
pub fn strip(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_safe_in_lines) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            ESCAPE => skip_escape(&mut rest),
            '\u{9b}' => skip_control_sequence(&mut rest),
            '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}' => skip_control_string(&mut rest),
            '\r' if rest.peek().is_some_and(|next| *next != '\n') => safe.push(' '),
            _ if is_safe_in_lines(c) => safe.push(c),
            _ => {}
        }
    }
    Cow::Owned(safe)
}

/// Skips what follows an ESC: a control sequence, a control string, or a sequence of a few characters.
fn skip_escape(rest: &mut Peekable<Chars<'_>>) {
    match rest.next_if(|c| *c != '\n') {
        Some('[') => skip_control_sequence(rest),
        Some(']' | 'P' | 'X' | '^' | '_') => skip_control_string(rest),
        Some(' '..='/') => {
            while rest.next_if(|c| matches!(c, ' '..='/')).is_some() {}
            let _final_byte = rest.next_if(|c| matches!(c, '0'..='~'));
        }
        _ => {}
    }
}

/// Skips the parameters and the final byte of a control sequence (CSI).
fn skip_control_sequence(rest: &mut Peekable<Chars<'_>>) {
    while rest.next_if(|c| matches!(c, ' '..='?')).is_some() {}
    let _final_byte = rest.next_if(|c| matches!(c, '@'..='~'));
}

/// Skips a control string (OSC, DCS, SOS, PM, APC) to its terminator or to the end of the line, whichever comes first.
fn skip_control_string(rest: &mut Peekable<Chars<'_>>) {
    while let Some(c) = rest.next_if(|c| *c != '\n') {
        match c {
            BELL | '\u{9c}' => return,
            ESCAPE if rest.next_if_eq(&'\\').is_some() => return,
            _ => {}
        }
    }
}

/// Writes every unsafe character as an escape of Rust's string literals. The result is one line.
#[must_use]
pub fn escape_line(text: &str) -> Cow<'_, str> {
    replace_where(text, is_unsafe, |c, safe| safe.extend(c.escape_default()))
}

/// Like [`escape_line`], but newlines and tabs stay. `\r\n` becomes `\n`.
#[must_use]
pub fn escape_lines(text: &str) -> Cow<'_, str> {
    fn escape(text: &str) -> Cow<'_, str> {
        replace_where(text, |c| !is_safe_in_lines(c), |c, safe| safe.extend(c.escape_default()))
    }
    if text.contains("\r\n") {
        return Cow::Owned(escape(&text.replace("\r\n", "\n")).into_owned());
    }
    escape(text)
}

/// Makes every unsafe character of a line of source code visible, in a notation that source code itself does not use:
/// control pictures such as `␛`, and `<U+202E>`. Tabs stay.
#[must_use]
pub fn escape_code(line: &str) -> Cow<'_, str> {
    replace_where(
        line,
        |c| c != '\t' && is_unsafe_in_code(c),
        |c, safe| match c {
            '\u{7f}' => safe.push('␡'),
            '\0'..='\u{1f}' => safe.extend(char::from_u32(0x2400 + u32::from(c))),
            c => {
                let _infallible = write!(safe, "<U+{:04X}>", u32::from(c));
            }
        },
    )
}

/// Replaces the characters for which `matches` holds by what `write` appends for them.
fn replace_where(
    text: &str,
    matches: impl Fn(char) -> bool,
    write: impl Fn(char, &mut String),
) -> Cow<'_, str> {
    if !text.chars().any(&matches) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if matches(c) {
            write(c, &mut safe);
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
#[path = "sanitize_tests.rs"]
mod tests;
