//! Secrets are gone however they are written and wherever the stream is cut; ordinary text stays.
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use crate::split::{WAYS, pieces};
use crate::tokens::corpus;
use loopwright_process::{Redactor, Secrets};
use proptest::prelude::*;

fn streamed<'a>(pieces: impl IntoIterator<Item = &'a [u8]>, secrets: &Secrets) -> Vec<u8> {
    let mut clean = Vec::new();
    let mut redactor = Redactor::new(secrets.clone());
    for piece in pieces {
        redactor.push(piece, &mut |bytes| clean.extend_from_slice(bytes));
    }
    redactor.finish(&mut |bytes| clean.extend_from_slice(bytes));
    clean
}

/// The ways in which a token stands in real output.
const SETTINGS: &[(&str, &str)] = &[
    ("", ""),
    ("export TOKEN=", "\n"),
    ("{\"text\":\"line\\n", "\\nnext\"}"),
    ("\u{1b}[32m", "\u{1b}[0m"),
    ("see '", "', then"),
    ("(", ")"),
];

#[test]
fn a_token_of_every_service_is_hidden_in_every_setting() {
    let secrets = Secrets::built_in();
    for (text, secret) in (0..5).flat_map(corpus) {
        for (before, after) in SETTINGS {
            let clean = secrets.redact(&format!("{before}{text}{after}")).into_owned();
            assert!(!clean.contains(&secret), "{clean}");
            assert!(clean.contains("[redacted:"), "{clean}");
            assert!(clean.starts_with(before), "{clean}");
        }
    }
}

#[test]
fn what_stands_around_a_secret_stays() {
    let secrets = Secrets::with_values(["s3cret/value"]);
    let cases = [
        ("a s3cret/value b", "a [redacted:secret] b"),
        ("a s3cret%2Fvalue b", "a [redacted:secret] b"),
        ("a \"s3cret/value\"", "a \"[redacted:secret]\""),
        ("s3cret/valus3cret/value", "s3cret/valu[redacted:secret]"),
        ("s3cret/values3cret/value!", "[redacted:secret][redacted:secret]!"),
        ("https://host/x:y@z", "https://host/x:y@z"),
        ("https://{user}:{password}@host", "https://{user}:{password}@host"),
        ("Bearer of good news, and a bearer token", "Bearer of good news, and a bearer token"),
        ("-----BEGIN PUBLIC KEY-----\nabc", "-----BEGIN PUBLIC KEY-----\nabc"),
        ("write -----BEGIN PRIVATE KEY----- first", "write -----BEGIN PRIVATE KEY----- first"),
        ("the task-list and risk-register of disk-0", "the task-list and risk-register of disk-0"),
    ];
    for (text, clean) in cases {
        assert_eq!(secrets.redact(text), clean);
    }
}

#[test]
fn of_an_address_only_the_password_is_hidden() {
    let text = format!("https://me:{}@host/x", "pw123456");
    assert_eq!(Secrets::built_in().redact(&text), "https://me:[redacted:password]@host/x");
}

#[test]
fn a_key_that_was_cut_off_does_not_swallow_what_follows() {
    let body = "QUJD".repeat(16);
    let text = format!("-----BEGIN {}-----\n{body}\nerror: (stopped here)\n", "PRIVATE KEY");
    let clean = Secrets::built_in().redact(&text).into_owned();
    assert!(!clean.contains(&body) && clean.ends_with("(stopped here)\n"), "{clean}");
}

#[test]
fn a_value_of_several_lines_is_hidden_line_by_line() {
    let value = "first line of the secret\nsecond line of the secret";
    let clean = Secrets::with_values([value]).redact("> second line of the secret").into_owned();
    assert_eq!(clean, "> [redacted:secret]");
}

#[test]
fn short_values_are_not_secrets() {
    assert_eq!(Secrets::with_values(["yes", "12345", ""]).redact("yes 12345"), "yes 12345");
}

#[test]
fn a_value_held_back_is_passed_on_at_the_end() {
    let secrets = Secrets::with_values(["correct-horse"]);
    let mut clean = Vec::new();
    let mut redactor = Redactor::new(secrets);
    redactor.push(b"say correct-h", &mut |bytes| clean.extend_from_slice(bytes));
    assert_eq!(clean, b"say ");
    redactor.finish(&mut |bytes| clean.extend_from_slice(bytes));
    assert_eq!((clean.as_slice(), redactor.redactions()), (&b"say correct-h"[..], 0));
}

/// Made once: it takes a moment without optimisation.
static VALUES: LazyLock<Secrets> = LazyLock::new(|| {
    let binary = b"\xff\xfe\x00\x01\x02\x03".as_slice();
    Secrets::with_values([b"s3cret/value", b"s3cret/other value with\na line break in it".as_slice(), binary])
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// 400 examples, 25 ways of cutting each. No known value survives, and nothing depends on the cuts.
    #[test]
    fn the_result_is_the_same_for_all_splits(
        chosen in proptest::collection::vec(0usize..1000, 1..5),
        fillers in proptest::collection::vec("[ -~\n]{0,30}|sk-|eyJ|://a:b|s3cret|-----BEGIN ", 5),
        seed: u64,
    ) {
        let corpus = corpus(seed);
        let secrets = &*VALUES;
        let mut text = String::new();
        for (choice, filler) in chosen.iter().zip(&fillers) {
            let (token, _) = &corpus[choice % corpus.len()];
            text.push_str(&format!("{filler} {token} s3cret/value"));
        }
        let whole = streamed([text.as_bytes()], secrets);
        prop_assert!(!String::from_utf8_lossy(&whole).contains("s3cret/value"));
        for way in 0..WAYS {
            let cut = streamed(pieces(text.as_bytes(), seed.wrapping_add(way)), secrets);
            prop_assert_eq!(String::from_utf8_lossy(&cut), String::from_utf8_lossy(&whole));
        }
    }

    #[test]
    fn any_bytes_are_redacted_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..300), seed: u64) {
        prop_assert_eq!(streamed(pieces(&bytes, seed), &VALUES), streamed([&bytes[..]], &VALUES));
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// A configured value is found plain, percent-encoded, and in base64 at any offset.
    #[test]
    fn every_configured_value_is_found_in_all_its_forms(value in "[!-~]{8,40}", before in "[a-z]{0,4}") {
        let secrets = Secrets::with_values([&value]);
        let plain = format!("x {value} y");
        prop_assert!(!secrets.redact(&plain).contains(&value));
        let percent: String = value.chars().map(percent_encoded).collect();
        prop_assert!(!secrets.redact(&percent).contains(&percent));
        let encoded = base64(format!("{before}{value}").as_bytes());
        prop_assert!(secrets.redact(&encoded).contains("[redacted:"), "{encoded}");
    }
}

fn percent_encoded(c: char) -> String {
    if c.is_ascii_alphanumeric() || "-._~".contains(c) {
        c.to_string()
    } else {
        format!("%{:02X}", u32::from(c))
    }
}

/// The textbook encoder.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    bytes
        .chunks(3)
        .map(|group| {
            let number =
                (0..3).fold(0u32, |number, index| number << 8 | u32::from(*group.get(index).unwrap_or(&0)));
            let digit = |place: u32| char::from(DIGITS[(number >> (18 - 6 * place) & 63) as usize]);
            let digits: String = (0..=group.len() as u32).map(digit).collect();
            format!("{digits:=<4}")
        })
        .collect()
}

/// Every source of this repository: less than one false alarm per megabyte.
#[test]
fn ordinary_code_is_left_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts = Vec::new();
    for folder in ["crates", "src-tauri/src", "ui/src", "xtask/src", "docs", "migrations"] {
        collect(&root.join(folder), &mut texts);
    }
    let bytes: usize = texts.iter().map(|(_, text)| text.len()).sum();
    assert!(bytes > 500_000, "only {bytes} bytes of source were found");
    let secrets = Secrets::built_in();
    let mut alarms = Vec::new();
    for (name, text) in &texts {
        let changed = |line: &&str| secrets.redact(line) != **line;
        alarms.extend(text.lines().filter(changed).map(|line| format!("{name}: {line}")));
    }
    assert!(alarms.len() <= bytes / 1_000_000, "{bytes} bytes, {} alarms: {alarms:#?}", alarms.len());
}

fn collect(folder: &Path, texts: &mut Vec<(String, String)>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            if !path.ends_with("node_modules") && !path.ends_with("target") {
                collect(&path, texts);
            }
        } else if let Ok(text) = fs::read_to_string(&path) {
            texts.push((path.display().to_string(), text));
        }
    }
}
