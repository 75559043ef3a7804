//! The completion promise: how an agent says in its own text that it is done, and what does not count as that.

use crate::iteration::Claim;
use crate::signal::word_of;

const OPEN: &str = "<promise>";
const CLOSE: &str = "</promise>";
/// The promise that says the opposite, and wins.
pub const FAILURE: &str = "FAILURE";
/// The last line by which an agent ends a loop, as dun has it.
pub const EXIT_SIGNAL: &str = "EXIT_SIGNAL: true";

/// What to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected<'a> {
    /// The promised word; none when no promise is asked for.
    pub promise: Option<&'a str>,
    /// Whether the word alone on a line counts as well.
    pub plain: bool,
}

/// The tag to give, as prompts spell it.
#[must_use]
pub fn tag(promise: &str) -> String {
    format!("{OPEN}{promise}{CLOSE}")
}

/// Finds what an agent claims in its own final text, and the line that says so.
///
/// A tag counts when it begins or ends its line, outside code and quotations: "I will print it when done" does not.
/// [`FAILURE`] wins over everything. [`EXIT_SIGNAL`] counts as the last line only.
#[must_use]
pub fn find_claim<'a>(text: &'a str, expected: Expected<'_>) -> (Claim, Option<&'a str>) {
    let mut done = None;
    for line in own_lines(text) {
        if says(line, FAILURE) {
            return (Claim::Failure, Some(line));
        }
        let promised = expected.promise.is_some_and(|promise| {
            says(line, promise) || (expected.plain && bare(line).eq_ignore_ascii_case(promise.trim()))
        });
        if promised {
            done = Some(line);
        }
    }
    if done.is_some() {
        return (Claim::Promise, done);
    }
    match text.lines().rfind(|line| !line.trim().is_empty()) {
        Some(line) if bare(line) == EXIT_SIGNAL => (Claim::Signal, Some(line)),
        _ => (Claim::None, None),
    }
}

/// Takes out of an agent's plain output what it only repeats of its prompt: the prompt as a whole, and each longer
/// line of it.
#[must_use]
pub fn without_echo(output: &str, prompt: &str) -> String {
    let prompt_lines: Vec<&str> = prompt.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let output_lines: Vec<&str> = output.lines().collect();
    let mut kept = Vec::new();
    let mut index = 0;
    while index < output_lines.len() {
        if let Some(length) = echo_length(&output_lines[index..], &prompt_lines) {
            index += length;
            continue;
        }
        let line = output_lines[index].trim();
        let says_something =
            (line.contains(OPEN) && !is_only_a_tag(line)) || (line.contains(':') && word_of(line).is_some());
        let repeats = says_something && prompt_lines.contains(&line);
        if !repeats {
            kept.push(output_lines[index]);
        }
        index += 1;
    }
    kept.join("\n")
}

/// How many lines at the beginning are the whole prompt again.
fn echo_length(output: &[&str], prompt: &[&str]) -> Option<usize> {
    let mut wanted = prompt.iter();
    let mut next = wanted.next()?;
    if output.first()?.trim() != *next || prompt.len() < 2 {
        return None;
    }
    for (index, line) in output.iter().enumerate() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if line != *next {
            return None;
        }
        match wanted.next() {
            Some(line) => next = line,
            None => return Some(index + 1),
        }
    }
    None
}

fn is_only_a_tag(line: &str) -> bool {
    let line = bare(line);
    line.starts_with(OPEN) && line.ends_with(CLOSE)
}

/// The lines that are the agent's own words: not in a code block, not a quotation.
pub(crate) fn own_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut fence = None;
    text.lines().filter(move |line| {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => {
                fence = Some(mark);
                false
            }
            (Some(open), Some(mark)) if open == mark => {
                fence = None;
                false
            }
            (Some(_), _) => false,
            (None, None) => !start.starts_with('>'),
        }
    })
}

/// Whether a line says a promise: the tag stands at its beginning or its end.
fn says(line: &str, promise: &str) -> bool {
    let line = bare(line);
    let is_it = |inner: &str| inner.trim() == promise.trim();
    let at_start = line.strip_prefix(OPEN).and_then(|rest| rest.split_once(CLOSE));
    let at_end = line.strip_suffix(CLOSE).and_then(|rest| rest.rsplit_once(OPEN));
    at_start.is_some_and(|(inner, _)| is_it(inner)) || at_end.is_some_and(|(_, inner)| is_it(inner))
}

/// A line without the marks that people and markdown put around words.
pub(crate) fn bare(line: &str) -> &str {
    line.trim().trim_matches(['*', '_', '#', '-', '.', '!', ' ', '\t']).trim()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn claim(text: &str) -> Claim {
        find_claim(text, Expected { promise: Some("COMPLETE"), plain: false }).0
    }

    #[test]
    fn a_tag_of_its_own_is_a_promise() {
        for text in [
            "<promise>COMPLETE</promise>",
            "All tests pass. <promise>COMPLETE</promise>",
            "  **<promise> COMPLETE </promise>**  ",
            "work\n<promise>COMPLETE</promise> All eleven tests pass.\nbye",
            "- <promise>COMPLETE</promise>.",
        ] {
            assert_eq!(claim(text), Claim::Promise, "{text}");
        }
    }

    #[test]
    fn talk_about_the_promise_is_none() {
        for text in [
            "",
            "The work is incomplete.",
            "COMPLETE",
            "I will output <promise>COMPLETE</promise> when everything works.",
            "<promise>INCOMPLETE</promise>",
            "<promise>complete</promise>",
            "> <promise>COMPLETE</promise>",
            "```\n<promise>COMPLETE</promise>\n```\nThat is what I would print.",
            "`<promise>COMPLETE</promise>`",
            "<promise>COMPLETE",
        ] {
            assert_eq!(claim(text), Claim::None, "{text}");
        }
    }

    #[test]
    fn failure_wins_wherever_it_stands() {
        assert_eq!(
            claim("<promise>COMPLETE</promise>\n<promise>FAILURE</promise> disk is full"),
            Claim::Failure
        );
        assert_eq!(claim("<promise>FAILURE</promise>\n<promise>COMPLETE</promise>"), Claim::Failure);
    }

    #[test]
    fn the_plain_word_counts_only_when_asked_for_and_only_as_a_line() {
        let plain = |text| find_claim(text, Expected { promise: Some("COMPLETE"), plain: true }).0;
        assert_eq!(plain("done\nComplete."), Claim::Promise);
        assert_eq!(plain("not COMPLETE yet"), Claim::None);
        assert_eq!(plain("incomplete"), Claim::None);
    }

    #[test]
    fn the_exit_signal_is_the_last_line() {
        assert_eq!(claim("done\nEXIT_SIGNAL: true\n\n"), Claim::Signal);
        assert_eq!(claim("EXIT_SIGNAL: true\nbut there is more to do"), Claim::None);
        assert_eq!(claim("print EXIT_SIGNAL: true"), Claim::None);
    }

    #[test]
    fn an_echoed_prompt_says_nothing() {
        let prompt =
            "Build it.\n\n- Output <promise>COMPLETE</promise>\nwhen done.\n<promise>COMPLETE</promise>\n";
        assert_eq!(claim(&without_echo(prompt, prompt)), Claim::None);
        let quoted = format!("user:\n{prompt}\nassistant:\nI began.");
        assert_eq!(claim(&without_echo(&quoted, prompt)), Claim::None);
        let line = "- Output <promise>COMPLETE</promise>\nworking";
        assert_eq!(claim(&without_echo(line, prompt)), Claim::None);
        let done = format!("{prompt}\nI did it.\n<promise>COMPLETE</promise>\n");
        assert_eq!(claim(&without_echo(&done, prompt)), Claim::Promise);
    }

    proptest! {
        #[test]
        fn any_text_is_searched_without_harm(text in ".{0,200}", prompt in ".{0,80}") {
            let rest = without_echo(&text, &prompt);
            let _ = find_claim(&rest, Expected { promise: Some(&prompt), plain: true });
        }

        #[test]
        fn words_around_a_tag_inside_a_line_never_make_it_count(before in "[a-z]{1,9}", after in "[a-z]{1,9}") {
            let text = format!("{before} <promise>COMPLETE</promise> {after}");
            prop_assert_eq!(claim(&text), Claim::None);
        }
    }
}
