//! Reads plain text: all of it is the agent's own, but for the prompt's echo.

use loopwright_domain::AgentEvent;
use loopwright_domain::promise::without_echo;

use super::decode;
use crate::harness::{Reader, Reading, Stream};
use crate::tail::{OWN_TEXT_LIMIT, Tail};

#[derive(Debug)]
pub(crate) struct Text {
    prompt: String,
    kept: Tail,
    began: bool,
    skipped: u64,
}

impl Text {
    pub(crate) fn new(prompt: &str) -> Self {
        Self { prompt: prompt.to_owned(), kept: Tail::new(OWN_TEXT_LIMIT), began: false, skipped: 0 }
    }

    /// Without the echo of the prompt, also of its end alone when its beginning was dropped.
    fn own_text(&self) -> String {
        let text = self.kept.as_str();
        if !self.kept.is_cut() {
            return without_echo(text, &self.prompt);
        }
        let kept: Vec<&str> = text.lines().skip(1).collect();
        let prompt: Vec<&str> = self.prompt.lines().collect();
        let echoed = (0..prompt.len()).find(|start| kept.starts_with(&prompt[*start..]));
        let rest = kept[echoed.map_or(0, |start| prompt.len() - start)..].join("\n");
        without_echo(&rest, &self.prompt)
    }
}

impl Reader for Text {
    fn line(&mut self, stream: Stream, line: &[u8]) -> Vec<AgentEvent> {
        if stream == Stream::Stderr {
            return Vec::new();
        }
        let mut text = decode(line).into_owned();
        text.push('\n');
        self.kept.push(&text);
        let continues = std::mem::replace(&mut self.began, true);
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
