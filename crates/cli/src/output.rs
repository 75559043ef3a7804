//! Words on the terminal: styles, the JSON document, and how a fault is told.

use std::fmt::{Arguments, Display};
use std::io::{ErrorKind, Stdout, Write};
use std::process::ExitCode;
use std::sync::{Mutex, OnceLock, PoisonError};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use loopwright_domain::{ErrorCode, Fault, sanitize};
use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use crate::next_step;

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

pub(crate) use {complain, say};

/// What a shell reports for a program that a closed pipe ended.
const PIPE_CLOSED: i32 = 141;

/// Writes a line to standard output. A reader that has gone away ends the program quietly; output that cannot be
/// written ends it with a word about it.
pub(crate) fn line(text: Arguments<'_>) {
    if let Some(text) = undiverted(text) {
        written(writeln!(stdout(), "{text}"));
    }
}

/// Takes the lines that would be written to the terminal.
pub(crate) type LineSink = Box<dyn Fn(String) + Send>;

/// Where lines go while something is drawn on the terminal.
static DIVERTED: Mutex<Option<LineSink>> = Mutex::new(None);

/// Hands all lines to somebody who draws on the terminal, or no longer does.
pub(crate) fn divert_lines(sink: Option<LineSink>) {
    *DIVERTED.lock().unwrap_or_else(PoisonError::into_inner) = sink;
}

/// A line that nobody else writes.
fn undiverted(text: Arguments<'_>) -> Option<String> {
    match &*DIVERTED.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(sink) => {
            sink(text.to_string());
            None
        }
        None => Some(text.to_string()),
    }
}

/// Writes bytes to standard output as they are, whatever they are.
pub(crate) fn bytes(bytes: &[u8]) {
    let mut stdout = std::io::stdout().lock();
    written(stdout.write_all(bytes).and_then(|()| stdout.flush()));
}

fn written(result: std::io::Result<()>) {
    let Err(error) = result else { return };
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
    if let Some(text) = undiverted(text) {
        let _unheard = writeln!(anstream::stderr(), "{text}");
    }
}

/// Text in a style; the stream drops the style where there is no terminal or NO_COLOR is set.
pub(crate) fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// A count with its word.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Text from a folder, a file or an agent on one line of a terminal, with unsafe characters escaped.
pub(crate) fn plain(text: &str) -> String {
    sanitize::escape_line(text).into_owned()
}

/// Text of several lines for a terminal, with unsafe characters escaped.
pub(crate) fn plain_text(text: &str) -> String {
    sanitize::escape_lines(text).into_owned()
}

/// How many columns of a terminal a text takes: wide characters take two, combining ones none.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// A text with spaces behind it up to a number of columns.
pub(crate) fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// A time of the state, which is UTC, as the clock on the wall shows it.
pub(crate) fn local_time(at: &str) -> String {
    let local = |at: Timestamp| at.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string();
    at.parse().map_or_else(|_| at.to_owned(), local)
}

/// Prints one JSON document.
pub(crate) fn json(value: &impl Serialize) -> Result<ExitCode, Fault> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Fault::caused(ErrorCode::Internal, "cannot write JSON", &error))?;
    say!("{text}");
    Ok(ExitCode::SUCCESS)
}

/// Prints a value as one line of JSON. A reader that has gone away is no reason to stop.
pub(crate) fn json_line(value: &impl Serialize) {
    if let Ok(text) = serde_json::to_string(value) {
        let _unheard = writeln!(stdout(), "{text}");
    }
}

/// What `--json` prints when a command fails.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(crate) struct ErrorDocument {
    /// What went wrong, and what to do about it.
    error: Fault,
}

/// What `--json` prints where there is nothing to tell but that it was done.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(crate) struct Sent {
    /// Always true.
    pub(crate) sent: bool,
}

/// What a file that cannot be read is: one that is not there was named wrongly.
pub(crate) fn unread(error: &std::io::Error) -> ErrorCode {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::IsADirectory => ErrorCode::UsageInvalid,
        _ => ErrorCode::IoFailed,
    }
}

/// Tells a fault and gives its exit code.
pub(crate) fn fail(fault: &Fault, as_json: bool) -> ExitCode {
    let error = Fault { hint: next_step::advice_about(fault), ..fault.clone() };
    if as_json && json(&ErrorDocument { error }).is_ok() {
        return ExitCode::from(fault.kind.exit_code());
    }
    tell(fault);
    ExitCode::from(fault.kind.exit_code())
}

/// Writes a fault to standard error: where, what, why, and what to do next.
pub(crate) fn tell(fault: &Fault) {
    let place = match &fault.location {
        Some(place) if place.line.is_some() => {
            format!("{}:{}: ", place.file, place.line.unwrap_or_default())
        }
        Some(place) => format!("{}: ", place.file),
        None => String::new(),
    };
    complain!("{} {}{}", styled(BAD, "Error:"), plain(&place), plain(&fault.message));
    for cause in fault.causes() {
        complain!("  Caused by: {}", plain(cause));
    }
    if let Some(advice) = next_step::advice_about(fault) {
        complain!("  {}", plain(&advice));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_agree_with_their_word() {
        assert_eq!(count(1, "check", "checks"), "1 check");
        assert_eq!(count(0, "check", "checks"), "0 checks");
    }

    #[test]
    fn columns_line_up_behind_wide_and_combined_characters() {
        for text in ["tea", "茶", "e\u{301}té"] {
            assert_eq!(columns(&padded(text, 6)), 6, "{text}");
        }
        assert_eq!((columns("茶"), padded("long", 2).as_str()), (2, "long"));
    }
}
