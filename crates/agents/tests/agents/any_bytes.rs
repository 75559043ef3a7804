//! Whatever is printed, parsed neither fails nor invents a promise.

use loopwright_agents::{AdapterOptions, Harness, OutputStream, adapter, adapters};
use loopwright_domain::{Claim, OutputFormat};
use loopwright_rehearsal::scenario::ShapeName;
use proptest::prelude::*;

use crate::support::{Act, PROMPT, claim, generic, print_acts, read, rehearsal, request};

fn harnesses() -> Vec<Box<dyn Harness>> {
    let formats = [OutputFormat::Text, OutputFormat::Json, OutputFormat::StreamJson];
    let mut harnesses: Vec<Box<dyn Harness>> = vec![Box::new(rehearsal())];
    harnesses.extend(formats.map(|format| -> Box<dyn Harness> { Box::new(generic(format)) }));
    harnesses.extend(adapters().iter().map(|adapter| adapter.harness(AdapterOptions::new("/bin/agent"))));
    harnesses
}

/// JSON of the words that event decoders know, put together at random.
fn json() -> impl Strategy<Value = serde_json::Value> {
    let words = prop::sample::select(vec![
        "type",
        "role",
        "message",
        "content",
        "text",
        "result",
        "error",
        "usage",
        "assistant",
        "user",
        "tool_use",
        "tool_result",
        "part",
        "data",
        "item",
        "item.completed",
        "delta",
        "id",
        "input_tokens",
        "is_error",
        "session.error",
        "status",
        "stats",
        "step_finish",
        "tool.execution_complete",
        "limit",
        "resets_at",
        "codes",
        "wait_ms",
    ]);
    let leaf = prop_oneof![
        words.clone().prop_map(|word| serde_json::json!(word)),
        any::<f64>().prop_map(|number| serde_json::json!(number)),
        any::<bool>().prop_map(|flag| serde_json::json!(flag)),
        Just(serde_json::Value::Null),
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        let key = words.clone().prop_map(str::to_owned);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
            prop::collection::hash_map(key, inner, 1..6)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_bytes_can_be_read(lines in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 0..8)) {
        for harness in harnesses() {
            let (_, parsed) = read(harness.as_ref(), PROMPT, &lines);
            prop_assert_eq!(claim(&parsed), Claim::None);
        }
    }

    #[test]
    fn any_json_can_be_read(values in prop::collection::vec(json(), 0..8)) {
        for harness in harnesses() {
            let lines = values.iter().map(ToString::to_string);
            let (_, parsed) = read(harness.as_ref(), PROMPT, lines);
            prop_assert_eq!(claim(&parsed), Claim::None);
            let mut parser = harness.output_parser(&request(PROMPT));
            for value in &values {
                parser.line(OutputStream::Stderr, format!("loopwright-refused {value}").as_bytes());
            }
            prop_assert_eq!(claim(&parser.finish(Some(0))), Claim::None);
        }
    }

    /// A real log with a part of it overwritten says no more than the whole one did.
    #[test]
    fn a_damaged_log_can_be_read(at in 0.0..1.0f64, noise in prop::collection::vec(any::<u8>(), 0..40)) {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/transcripts/codex/sandbox_log.stderr");
        let mut printed = std::fs::read(path).unwrap();
        let place = (printed.len() as f64 * at) as usize;
        let end = (place + noise.len()).min(printed.len());
        printed.splice(place..end, noise);
        let mut parser = adapter("codex").unwrap().harness(AdapterOptions::new("/bin/codex")).output_parser(&request(PROMPT));
        for line in printed.split(|byte| *byte == b'\n') {
            parser.line(OutputStream::Stderr, line);
        }
        let parsed = parser.finish(Some(0));
        prop_assert!(parsed.denied.len() <= 1 && parsed.turns.unwrap_or(0) <= 2, "{:?}", parsed);
        prop_assert_eq!(claim(&parsed), Claim::None);
    }

    /// Real output with a part of it overwritten and cut anywhere, on both streams, read by every CLI's parser.
    #[test]
    fn damaged_transcripts_can_be_read(
        which in 0..7usize,
        at in 0.0..1.0f64,
        noise in prop::collection::vec(any::<u8>(), 0..40),
        chunk in 1..4000usize,
        code in prop::option::of(0..260i32),
    ) {
        let cli = ["claude", "codex", "gemini", "copilot", "opencode", "qwen", "pi"][which];
        let path = format!("{}/tests/transcripts/{cli}/recommended.stdout", env!("CARGO_MANIFEST_DIR"));
        let mut printed = std::fs::read(path).unwrap();
        let place = (printed.len() as f64 * at) as usize;
        let end = (place + noise.len()).min(printed.len());
        printed.splice(place..end, noise);
        let own = adapter(cli).unwrap().harness(AdapterOptions::new("/bin/agent"));
        let other = adapters()[printed.len() % adapters().len()].harness(AdapterOptions::new("/bin/agent"));
        for harness in [own, other] {
            let mut parser = harness.output_parser(&request(PROMPT));
            for (number, part) in printed.chunks(chunk).enumerate() {
                let stream = if number % 5 == 4 { OutputStream::Stderr } else { OutputStream::Stdout };
                for line in part.split(|byte| *byte == b'\n') {
                    parser.line(stream, line);
                }
            }
            parser.report(&printed);
            let parsed = parser.finish(code);
            prop_assert!(parsed.own_text.len() <= printed.len() * 4 && parsed.denied.len() <= 100);
        }
    }

    /// An agent that is killed in the middle of a line: a tool's output is still a tool's output.
    #[test]
    fn output_cut_anywhere_claims_nothing_new(shape in 1..ShapeName::ALL.len(), cut in 0.0..1.0f64) {
        let shape = ShapeName::ALL[shape];
        let acts = [
            Act::Say("I begin.", 2),
            Act::Tool("<promise>COMPLETE</promise> in a tool"),
            Act::Say("I am not done with COMPLETE.", 3),
            Act::Use(5, 6, 7, 0.1),
            Act::End(0, None),
        ];
        let printed = print_acts(shape, &acts).join("\n").into_bytes();
        let end = (printed.len() as f64 * cut) as usize;
        let mut parser = rehearsal().output_parser(&request(PROMPT));
        for line in printed[..end].split(|byte| *byte == b'\n') {
            parser.line(OutputStream::Stdout, line);
        }
        let parsed = parser.finish(None);
        prop_assert_eq!(claim(&parsed), Claim::None);
    }

    /// However a message is cut into pieces, it is the same message.
    #[test]
    fn pieces_do_not_matter(text in "[a-zäß<>/ \n]{0,60}", parts in 1..9u32) {
        let text: &'static str = Box::leak(text.into_boxed_str());
        for shape in [ShapeName::Gemini, ShapeName::Copilot] {
            let whole = read(&rehearsal(), PROMPT, print_acts(shape, &[Act::Say(text, 1)])).1.own_text;
            let cut = read(&rehearsal(), PROMPT, print_acts(shape, &[Act::Say(text, parts)])).1.own_text;
            prop_assert_eq!(whole, cut);
        }
    }
}
