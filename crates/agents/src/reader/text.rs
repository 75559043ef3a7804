//! Reads plain text: all of it is the agent's own, but for the prompt's echo.

use loopwright_domain::AgentEvent;
use loopwright_domain::promise::without_echo;

use super::decode;
use crate::harness::{Reader, Reading, Stream};
use crate::tail::{OWN_TEXT_LIMIT, Tail};

/// Nothing in plain text says where a message ends. For whoever watches, one ends at a blank line, or after this many.
const BLOCK: u32 = 20;

#[derive(Debug)]
pub(crate) struct Text {
    prompt: String,
    kept: Tail,
    /// How many lines the message under way has.
    block: u32,
    after_blank: bool,
    skipped: u64,
}

impl Text {
    pub(crate) fn new(prompt: &str) -> Self {
        let kept = Tail::new(OWN_TEXT_LIMIT);
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
        let rest = kept[echoed_end(&kept, &prompt)..].join("\n");
        without_echo(&rest, &self.prompt)
    }
}

/// How many lines at the beginning are the end of the prompt. One pass over both (Knuth, Morris and Pratt), as prompts
/// can be long and repeat themselves.
fn echoed_end(kept: &[&str], prompt: &[&str]) -> usize {
    let mut borders = vec![0; kept.len().min(prompt.len())];
    let longer = |borders: &[usize], mut length: usize, line: &str| {
        while length > 0 && (length == borders.len() || kept[length] != line) {
            length = borders[length - 1];
        }
        length + usize::from(kept.get(length) == Some(&line))
    };
    for index in 1..borders.len() {
        borders[index] = longer(&borders, borders[index - 1], kept[index]);
    }
    prompt.iter().fold(0, |length, line| longer(&borders, length, line))
}

impl Reader for Text {
    fn line(&mut self, stream: Stream, line: &[u8]) -> Vec<AgentEvent> {
        if stream == Stream::Stderr {
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

    fn oversize(&mut self, stream: Stream, bytes: u64) -> Vec<AgentEvent> {
        if stream == Stream::Stdout {
            self.skipped += 1;
            self.kept.push("…\n");
        }
        vec![AgentEvent::Skipped { bytes }]
    }

    fn finish(&mut self, _exit_code: Option<i32>) -> Reading {
        Reading {
            own_text: self.own_text(),
            cut: self.kept.is_cut(),
            unknown: self.skipped,
            ..Reading::default()
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
