//! Reads plain text: all of it is the agent's own, but for the prompt's echo.

use loopwright_domain::promise::{without_echo, without_echoed_lines};
use loopwright_domain::{AgentEvent, OutputStream};

use super::decode;
use crate::harness::{OutputParser, ParsedOutput};
use crate::text_tail::{OWN_TEXT_LIMIT, TextTail};

/// Nothing in plain text says where a message ends. For whoever watches, one ends at a blank line, or after this many.
const BLOCK: u32 = 20;

#[derive(Debug)]
pub(crate) struct TextParser {
    prompt: String,
    kept: TextTail,
    /// How many lines the message under way has.
    block: u32,
    after_blank: bool,
    skipped: u64,
}

impl TextParser {
    pub(crate) fn new(prompt: &str) -> Self {
        let kept = TextTail::new(OWN_TEXT_LIMIT);
        Self { prompt: prompt.to_owned(), kept, block: 0, after_blank: false, skipped: 0 }
    }

    /// Without the echo of the prompt, also of its end alone when its beginning was dropped.
    fn own_text(&self) -> String {
        let text = self.kept.as_str();
        if !self.kept.is_cut() {
            return without_echo(text, &self.prompt);
        }
        let kept: Vec<&str> = text.lines().skip(1).collect();
        let prompt: Vec<&str> = self.prompt.lines().collect();
        let own: Vec<&str> = kept.iter().copied().skip(echoed_end(&kept, &prompt)).collect();
        without_echo(&own.join("\n"), &self.prompt)
    }
}

/// How many lines at the beginning are the end of the prompt. One pass over both (Knuth, Morris and Pratt), as prompts
/// can be long and repeat themselves.
fn echoed_end(kept: &[&str], prompt: &[&str]) -> usize {
    let mut borders: Vec<usize> = Vec::new();
    let longer = |borders: &[usize], mut length: usize, line: &str| {
        while length > 0 && (length == borders.len() || kept.get(length) != Some(&line)) {
            length = borders.get(length - 1).copied().unwrap_or(0);
        }
        length + usize::from(kept.get(length) == Some(&line))
    };
    for line in kept.iter().take(prompt.len()) {
        borders.push(borders.last().map_or(0, |border| longer(&borders, *border, line)));
    }
    prompt.iter().fold(0, |length, line| longer(&borders, length, line))
}

impl OutputParser for TextParser {
    fn line(&mut self, stream: OutputStream, line: &[u8]) -> Vec<AgentEvent> {
        if stream == OutputStream::Stderr {
            return Vec::new();
        }
        let mut text = decode(line).into_owned();
        text.push('\n');
        self.kept.push(&text);
        let continues = self.block > 0 && self.block < BLOCK && !self.after_blank;
        self.block = if continues { self.block + 1 } else { 1 };
        self.after_blank = text.trim().is_empty();
        vec![AgentEvent::Message { text, continues }]
    }

    fn oversize(&mut self, stream: OutputStream, bytes: u64) -> Vec<AgentEvent> {
        if stream == OutputStream::Stdout {
            self.skipped += 1;
            self.kept.push("…\n");
        }
        vec![AgentEvent::Skipped { bytes }]
    }

    fn finish(&mut self, _exit_code: Option<i32>) -> ParsedOutput {
        let own_text = self.own_text();
        ParsedOutput {
            last_message: Some(without_echoed_lines(&own_text, &self.prompt)),
            own_text,
            cut: self.kept.is_cut(),
            unknown: self.skipped,
            ..ParsedOutput::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn slowly(kept: &[&str], prompt: &[&str]) -> usize {
        let lengths = 0..=kept.len().min(prompt.len());
        lengths.rev().find(|length| prompt.ends_with(&kept[..*length])).unwrap_or(0)
    }

    proptest! {
        #[test]
        fn the_end_of_an_echo_is_found(kept in "[ab]{0,12}", prompt in "[ab]{0,12}") {
            let letters = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
            let (kept, prompt) = (letters(&kept), letters(&prompt));
            let kept: Vec<&str> = kept.iter().map(String::as_str).collect();
            let prompt: Vec<&str> = prompt.iter().map(String::as_str).collect();
            prop_assert_eq!(echoed_end(&kept, &prompt), slowly(&kept, &prompt));
        }
    }
}
