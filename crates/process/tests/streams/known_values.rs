//! Values that are known to be secret are found in their usual disguises, also in pieces.
use crate::split::{WAYS, pieces};
use loopwright_process::{Redactor, Secrets};
use proptest::prelude::*;

const VALUE: &str = "Zk3/q9-vW\"x7+Tn&u2";

/// What cuts a value: line ends and terminal codes, as they are and as escapes.
const CUTS: &[&str] = &[
    "\n",
    "\r\n",
    "\n    ",
    "\\n",
    "\\r\\n",
    "\\\\n",
    "\\\n",
    "\u{1b}[31m",
    "\u{1b}[0m\u{1b}[1;38;2;255;100;0m",
    "\u{1b}[0m\n\u{1b}[31m",
    "\\u001b[31m",
    "\\u001B[0m\\n",
    "\\x1b[1m",
    "\\033[0;1m",
    "\\e[K",
];

fn streamed<'a>(pieces: impl IntoIterator<Item = &'a [u8]>, secrets: &Secrets) -> String {
    let mut clean = Vec::new();
    let mut redactor = Redactor::new(secrets.clone());
    for piece in pieces {
        redactor.push(piece, &mut |bytes| clean.extend_from_slice(bytes));
    }
    redactor.finish(&mut |bytes| clean.extend_from_slice(bytes));
    String::from_utf8_lossy(&clean).into_owned()
}

#[test]
fn a_known_value_is_hidden_in_hexadecimal_and_in_json() {
    let secrets = Secrets::with_values([VALUE]);
    let hex: String = VALUE.bytes().map(|byte| format!("{byte:02x}")).collect();
    let json = VALUE.replace('"', "\\\"");
    for text in [
        hex.clone(),
        hex.to_uppercase(),
        VALUE.bytes().map(|byte| format!("\\x{byte:02x}")).collect(),
        json.clone(),
        json.replace('/', "\\/"),
        json.replace('&', "\\u0026"),
        json.replace('\\', "\\\\").replace('"', "\\\""),
    ] {
        assert_eq!(secrets.redact(&format!("<{text}>")), "<[redacted:secret]>", "{text}");
    }
}

/// One cut at every place. A first part of up to three letters stays, the rest does not.
#[test]
fn a_known_value_is_hidden_when_it_is_cut_anywhere() {
    let secrets = Secrets::with_values([VALUE]);
    for cut in CUTS {
        for place in 1..VALUE.len() {
            let (head, tail) = VALUE.split_at(place);
            let clean = streamed([format!("a {head}{cut}{tail} b").as_bytes()], &secrets);
            let shown = if place < 4 { format!("a {head}{cut}") } else { "a ".to_owned() };
            assert!(clean.starts_with(&format!("{shown}[redacted:secret]")), "{cut:?} at {place}: {clean}");
            assert!(clean.ends_with(" b") && !clean.contains(tail), "{cut:?} at {place}: {clean}");
        }
    }
}

#[test]
fn what_is_cut_but_no_known_value_stays() {
    let secrets = Secrets::with_values([VALUE, "correct-horse"]);
    for text in [
        "Zk3/\nq9-vX",
        "correct\n-house",
        "corr\u{1b}[31mect\u{1b}[0m-house",
        "correct-\n\nhouses of \\n\n course",
        "correct\n\n\n                                                                 -horse",
        "c\no\nr\nr\ne",
        "\\\\\\\\\\\\correct-\\\\\\\\horse",
        "correct-\u{1b}",
        "correct-\\u00",
    ] {
        assert_eq!(streamed([text.as_bytes()], &secrets), text);
    }
}

/// Long runs of what looks like the beginning of a cut end nothing and cost no stack.
#[test]
fn runs_of_escapes_do_no_harm() {
    let secrets = Secrets::with_values(["correct-horse"]);
    for unit in ["\\", "\u{1b}", "\n", "\u{1b}[", "correct-\n", "\\u001b["] {
        let text = unit.repeat(20_000);
        assert_eq!(streamed([text.as_bytes()], &secrets), text);
    }
}

#[test]
fn lines_stay_lines() {
    let secrets = Secrets::with_values(["correct-horse-battery"]);
    let clean = streamed([b"one correct-\nhorse-battery two\n".as_slice()], &secrets);
    assert_eq!(clean, "one [redacted:secret]\n two\n");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Any number of cuts, and pieces that end anywhere: nothing but a short first part is left, and nothing depends on
    /// how the text arrived.
    #[test]
    fn a_value_in_pieces_is_hidden_however_the_stream_is_cut(
        cuts in proptest::collection::vec((1usize..VALUE.len(), 0usize..CUTS.len()), 0..6),
        before in "[ -~\n]{0,20}|correct-|Zk3/|Zk3/\n",
        after in "[ -~\n]{0,20}|\\\\|\n",
        seed: u64,
    ) {
        let secrets = Secrets::with_values([VALUE, "correct-horse"]);
        let mut text = before.clone();
        let mut longest = "";
        let mut from = 0;
        let mut sorted = cuts;
        sorted.sort_unstable();
        sorted.dedup_by_key(|(place, _)| *place);
        for (place, cut) in sorted.into_iter().chain([(VALUE.len(), 0)]) {
            let part = &VALUE[from..place];
            longest = if part.len() > longest.len() { part } else { longest };
            text.push_str(part);
            if place < VALUE.len() {
                text.push_str(CUTS[cut]);
            }
            from = place;
        }
        text.push_str(&after);
        let whole = streamed([text.as_bytes()], &secrets);
        // What stands around the value may hold the same letters.
        let around = before.matches(longest).count() + after.matches(longest).count();
        let shown = whole.matches(longest).count();
        prop_assert!(longest.len() < 4 || shown <= around, "{text:?} gave {whole:?}");
        for way in 0..WAYS {
            let cut = streamed(pieces(text.as_bytes(), seed.wrapping_add(way)), &secrets);
            prop_assert_eq!(&cut, &whole);
        }
    }

    #[test]
    fn text_of_cuts_and_parts_is_the_same_for_all_splits(
        parts in proptest::collection::vec("correct-|horse|Zk3|/q9-vW|c|Z|\n|\\\\|\u{1b}|\\[31m|\\\\n| |m|u001b", 0..30),
        seed: u64,
    ) {
        let secrets = Secrets::with_values([VALUE, "correct-horse", "mmcorrect"]);
        let text = parts.concat();
        let whole = streamed([text.as_bytes()], &secrets);
        for way in 0..WAYS {
            prop_assert_eq!(&streamed(pieces(text.as_bytes(), seed.wrapping_add(way)), &secrets), &whole);
        }
    }
}
