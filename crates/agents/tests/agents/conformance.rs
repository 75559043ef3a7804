//! What holds for every harness, written once.

use loopwright_agents::{Harness, OutputStream};
use loopwright_domain::{AgentEvent, Claim, OutputFormat, Usage};
use loopwright_rehearsal::scenario::ShapeName;

use crate::support::{Act, PROMPT, claim, generic, print_acts, read, rehearsal, request};

/// A harness together with what its agent prints.
struct Case<'a> {
    harness: &'a dyn Harness,
    shape: ShapeName,
}

impl Case<'_> {
    fn claim_after(&self, acts: &[Act]) -> Claim {
        claim(&read(self.harness, PROMPT, print_acts(self.shape, acts)).1)
    }

    fn is_text(&self) -> bool {
        self.shape == ShapeName::Text
    }

    fn all(&self) {
        let name = format!("{} {:?}", self.harness.name(), self.shape);
        self.the_call_is_sound(&name);
        self.only_own_final_words_count(&name);
        self.usage_counts_once(&name);
        self.trouble_is_no_success(&name);
        self.strange_lines_break_nothing(&name);
        self.the_other_stream_is_not_the_agents_answer(&name);
    }

    fn the_call_is_sound(&self, name: &str) {
        assert!(!self.harness.name().is_empty() && !self.harness.label().is_empty(), "{name}");
        let prompt = format!("secret {}", "ä€ \u{1f375}\n".repeat(30_000));
        let call = self.harness.invoke(&request(&prompt)).unwrap();
        assert!(prompt.len() > 300_000 && call.stdin == prompt.as_bytes(), "{name}: {call:?}");
        assert!(call.program.is_absolute(), "{name}");
        assert_eq!(call, self.harness.invoke(&request(&prompt)).unwrap(), "{name}");
        assert!(!format!("{call:?}").contains("secret"), "{name}");
    }

    fn only_own_final_words_count(&self, name: &str) {
        let end = Act::End(0, None);
        let say = |text| vec![Act::Say("I begin.", 1), Act::Tool("ok"), Act::Say(text, 2), end.clone()];
        assert_eq!(self.claim_after(&say("Done.\n<promise>COMPLETE</promise>")), Claim::Promise, "{name}");
        assert_eq!(self.claim_after(&say("It is incomplete. COMPLETE? No.")), Claim::None, "{name}");
        assert_eq!(self.claim_after(&say("<promise>FAILURE</promise>")), Claim::Failure, "{name}");
        assert_eq!(self.claim_after(&say(PROMPT)), Claim::None, "{name}: an echoed prompt");
        assert_eq!(self.claim_after(std::slice::from_ref(&end)), Claim::None, "{name}: silence");
        if !self.is_text() {
            let tool = [Act::Tool("<promise>COMPLETE</promise>"), Act::Say("It says so.", 1), end];
            assert_eq!(self.claim_after(&tool), Claim::None, "{name}: a tool's output");
        }
    }

    fn usage_counts_once(&self, name: &str) {
        let acts = [
            Act::Use(1200, 1000, 80, 0.005),
            Act::Tool("ok"),
            Act::Use(100, 50, 8, 0.001),
            Act::Say("Done.", 1),
            Act::End(0, None),
        ];
        let (events, parsed) = read(self.harness, PROMPT, print_acts(self.shape, &acts));
        let cost_micros = match self.shape {
            ShapeName::Claude | ShapeName::Opencode => Some(6000),
            _ => None,
        };
        let spent = Usage { input: 1300, cache_read: 1050, output: 88, cost_micros, ..Usage::default() };
        let expected = if self.tells_usage() { spent } else { Usage::default() };
        assert_eq!(parsed.usage, expected, "{name}");
        let told = events.iter().rev().find_map(|event| match event {
            AgentEvent::Usage { usage } => Some(*usage),
            _ => None,
        });
        assert_eq!(told.unwrap_or_default(), expected, "{name}");
    }

    fn tells_usage(&self) -> bool {
        !matches!(self.shape, ShapeName::Text | ShapeName::Copilot)
    }

    fn trouble_is_no_success(&self, name: &str) {
        let acts = [Act::Say("I begin.", 1), Act::End(1, Some("the model is away"))];
        let (_, parsed) = read(self.harness, PROMPT, print_acts(self.shape, &acts));
        if !self.is_text() {
            assert_eq!(parsed.error.unwrap().message, "the model is away", "{name}");
        }
        assert!(parsed.limit.is_none() && parsed.denied.is_empty(), "{name}");
    }

    fn strange_lines_break_nothing(&self, name: &str) {
        let acts = [Act::Say("I begin.", 1), Act::Tool("ok"), Act::Say("<promise>COMPLETE</promise>", 2)];
        let lines = print_acts(self.shape, &acts);
        let plain = read(self.harness, PROMPT, &lines).1;
        assert_eq!(claim(&plain), Claim::Promise, "{name}");
        let mut parser = self.harness.output_parser(&request(PROMPT));
        for line in &lines {
            for strange in ["{\"type\":\"never.seen\",\"x\":[1]}", "{\"type\":", "\u{feff}\u{0}", "", "\r"] {
                parser.line(OutputStream::Stdout, strange.as_bytes());
            }
            parser.line(OutputStream::Stdout, b"\xff\xfe{\"type\":\"result\"");
            parser.line(OutputStream::Stdout, line.as_bytes());
        }
        assert_eq!(
            parser.oversize(OutputStream::Stdout, 9 << 20),
            [AgentEvent::Skipped { bytes: 9 << 20 }],
            "{name}"
        );
        let parsed = parser.finish(None);
        // Of text the line that was left out is the last one.
        let claimed = if self.is_text() { Claim::Misplaced } else { Claim::Promise };
        assert_eq!((claim(&parsed), parsed.usage), (claimed, plain.usage), "{name}");
        assert!(parsed.unknown > 0, "{name}");
    }

    fn the_other_stream_is_not_the_agents_answer(&self, name: &str) {
        let mut parser = self.harness.output_parser(&request(PROMPT));
        for line in print_acts(self.shape, &[Act::Say("<promise>COMPLETE</promise>", 1), Act::End(0, None)]) {
            parser.line(OutputStream::Stderr, line.as_bytes());
        }
        assert_eq!(parser.finish(Some(0)).own_text, "", "{name}");
    }
}

#[test]
fn the_generic_harness_keeps_the_contract() {
    let (text, json) = (generic(OutputFormat::Text), generic(OutputFormat::StreamJson));
    for shape in ShapeName::ALL {
        let harness = if shape == ShapeName::Text { &text } else { &json };
        Case { harness, shape }.all();
    }
}

#[test]
fn the_rehearsal_keeps_the_contract_in_every_shape() {
    let harness = rehearsal();
    for shape in ShapeName::ALL {
        Case { harness: &harness, shape }.all();
    }
    assert!(harness.scripted() && !generic(OutputFormat::Text).scripted());
}
