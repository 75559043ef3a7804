//! Words on the terminal: styles, the JSON document, and how a fault is told.

use std::fmt::{Arguments, Display};
use std::io::{ErrorKind, Stdout, Write};
use std::process::ExitCode;
use std::sync::OnceLock;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use loopwright_domain::{ErrorCode, Fault};
use serde::Serialize;

pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const QUIET: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const CARE: Style = AnsiColor::Yellow.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();

/// Writes a line to standard output.
macro_rules! say {
    ($($text:tt)*) => { $crate::output::line(format_args!($($text)*)) };
}

/// Writes a line to standard error.
macro_rules! complain {
    ($($text:tt)*) => { $crate::output::error_line(format_args!($($text)*)) };
}

pub(crate) use say;

/// What a shell reports for a program that a closed pipe ended.
const PIPE_CLOSED: i32 = 141;

/// Writes a line to standard output. A reader that has gone away ends the program quietly; output that cannot be
/// written ends it with a word about it.
pub(crate) fn line(text: Arguments<'_>) {
    let Err(error) = writeln!(stdout(), "{text}") else { return };
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(PIPE_CLOSED);
    }
    complain!("{} cannot write the output: {error}", styled(BAD, "Error:"));
    std::process::exit(i32::from(ErrorCode::IoFailed.kind().exit_code()));
}

/// Standard output, with styles where they are wanted. Whether they are is asked once: it takes a look at the terminal.
pub(crate) fn stdout() -> AutoStream<Stdout> {
    static STYLES: OnceLock<ColorChoice> = OnceLock::new();
    let stdout = std::io::stdout();
    let styles = STYLES.get_or_init(|| AutoStream::choice(&stdout));
    AutoStream::new(stdout, *styles)
}

/// Writes a line to standard error. There is nobody left to tell when that fails.
pub(crate) fn error_line(text: Arguments<'_>) {
    let _unheard = writeln!(anstream::stderr(), "{text}");
}

/// Text in a style; the stream drops the style where there is no terminal or NO_COLOR is set.
pub(crate) fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// A count with its word.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Text from a folder or a file, made safe for a terminal: control characters are shown, not obeyed.
pub(crate) fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Text of several lines, made safe for a terminal: line ends and tabs stay.
pub(crate) fn plain_text(text: &str) -> String {
    text.replace("\r\n", "\n")
        .split_inclusive(['\n', '\t'])
        .map(|part| match part.char_indices().next_back() {
            Some((end, c @ ('\n' | '\t'))) => format!("{}{c}", plain(&part[..end])),
            _ => plain(part),
        })
        .collect()
}

/// Prints one JSON document.
pub(crate) fn json(value: &impl Serialize) -> Result<ExitCode, Fault> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Fault::new(ErrorCode::Internal, format!("cannot write JSON: {error}")))?;
    say!("{text}");
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct Failure<'a> {
    error: &'a Fault,
}

/// Tells a fault and gives its exit code.
pub(crate) fn fail(fault: &Fault, as_json: bool) -> ExitCode {
    if as_json && json(&Failure { error: fault }).is_ok() {
        return ExitCode::from(fault.kind.exit_code());
    }
    tell(fault);
    ExitCode::from(fault.kind.exit_code())
}

/// Writes a fault to standard error: where, what, and what to do next.
pub(crate) fn tell(fault: &Fault) {
    let place = match &fault.location {
        Some(place) if place.line.is_some() => {
            format!("{}:{}: ", place.file, place.line.unwrap_or_default())
        }
        Some(place) => format!("{}: ", place.file),
        None => String::new(),
    };
    complain!("{} {}{}", styled(BAD, "Error:"), plain(&place), plain(&fault.message));
    if let Some(hint) = &fault.hint {
        complain!("  {}", plain(hint));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_letters_of_all_scripts_stay() {
        assert_eq!(plain("a\u{1b}[31mb\r\n"), "a\\u{1b}[31mb\\r\\n");
        assert_eq!(plain("tee ☕ 茶"), "tee ☕ 茶");
    }

    #[test]
    fn lines_stay_lines_and_nothing_else_moves_the_cursor() {
        assert_eq!(plain_text("a\tb\r\n\u{1b}[2Jc\n\nd"), "a\tb\n\\u{1b}[2Jc\n\nd");
        assert_eq!(plain_text(""), "");
    }

    #[test]
    fn counts_agree_with_their_word() {
        assert_eq!(count(1, "check", "checks"), "1 check");
        assert_eq!(count(0, "check", "checks"), "0 checks");
    }
}
