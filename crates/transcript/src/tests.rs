//! Entries of files of all sorts: grown, exchanged, garbled, very long.

mod tools;

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::classify::Format;
use super::entry::{self, Size};
use super::filter::Choice;
use super::index::Index;
use super::model::{Entry, EntryKind, OutputFilter};
use super::search;

struct OutputFile {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl OutputFile {
    fn new(bytes: impl AsRef<[u8]>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, bytes).unwrap();
        Self { _folder: folder, path }
    }

    fn add(&self, bytes: &[u8]) {
        OpenOptions::new().append(true).open(&self.path).unwrap().write_all(bytes).unwrap();
    }

    fn index(&self, format: Format) -> Index {
        let mut index = Index::new(format);
        index.refresh(&self.path).unwrap();
        index
    }
}

fn all(index: &mut Index, path: &Path, size: Size) -> Vec<Entry> {
    let Some(file) = index.refresh(path).unwrap() else { return Vec::new() };
    entry::read(index, file, 0..index.total(), size).unwrap()
}

fn of(format: Format, text: impl AsRef<[u8]>, size: Size) -> Vec<Entry> {
    let place = OutputFile::new(text);
    all(&mut Index::new(format), &place.path, size)
}

fn line(value: serde_json::Value) -> String {
    format!("{value}\n")
}

fn call(id: Option<&str>, name: &str, input: &str) -> String {
    line(serde_json::json!({ "type": "tool_call", "id": id, "name": name, "input": input }))
}

fn result(id: Option<&str>, output: &str, failed: bool, denied: bool) -> String {
    line(
        serde_json::json!({ "type": "tool_result", "id": id, "output": output, "failed": failed, "denied": denied }),
    )
}

fn message(text: &str, continues: bool) -> String {
    line(serde_json::json!({ "type": "message", "text": text, "continues": continues }))
}

#[test]
fn every_sort_of_line_has_its_kind_and_words() {
    let text = [
        line(serde_json::json!({ "type": "session", "id": "s1", "model": "tea-1" })),
        message("I boil ", false),
        message("water.", true),
        line(serde_json::json!({ "type": "aside", "text": "hm" })),
        result(None, "\u{1b}[31mno\u{1b}[0m", true, false),
        result(None, "not allowed", true, true),
        line(serde_json::json!({ "type": "tool_result", "id": "c1", "tool": "Read", "output": "late", "failed": false, "denied": false })),
        call(None, "Bash", "{\"command\":\"ls -l\",\"timeout\":5}"),
        line(serde_json::json!({ "type": "error", "problem": { "kind": "overload", "message": "busy", "status": 529 }, "fatal": true })),
        line(serde_json::json!({ "type": "check_started", "name": "tests" })),
        line(serde_json::json!({ "type": "check_ended", "name": "tests", "status": "timed_out", "elapsed_ms": 1500, "detail": "a.rs:3: bad" })),
        "\n".to_owned(),
        line(serde_json::json!({ "type": "skipped", "bytes": 12345 })),
        "{\"type\":\"message\",\"text\":\n".to_owned(),
        line(serde_json::json!({ "type": "tea" })),
        "{\"type\":\"message\",\"text\":\"half".to_owned(),
    ]
    .concat();
    let shown: Vec<_> = of(Format::Transcript, &text, Size::Short)
        .into_iter()
        .map(|entry| (entry.kind, entry.name.unwrap_or_default(), entry.text, entry.failed, entry.cut))
        .collect();
    let expected = [
        (EntryKind::Note, "session", "tea-1, s1", false, false),
        (EntryKind::Message, "", "I boil water.", false, false),
        (EntryKind::Aside, "", "hm", false, false),
        (EntryKind::ToolResult, "", "no", true, false),
        (EntryKind::Error, "denied", "not allowed", true, false),
        (EntryKind::ToolResult, "Read", "late", false, false),
        (EntryKind::ToolCall, "Bash", "ls -l", false, true),
        (EntryKind::Error, "overload", "busy, status 529", true, false),
        (EntryKind::Check, "tests", "started", false, false),
        (EntryKind::Check, "tests", "timed out in 1.5s: a.rs:3: bad", true, false),
        (EntryKind::Note, "left out", "12,345 bytes are left out here", false, false),
        (EntryKind::Note, "", "{\"type\":\"message\",\"text\":", false, false),
        (EntryKind::Note, "", "{\"type\":\"tea\"}", false, false),
    ]
    .map(|(kind, name, text, failed, cut)| (kind, name.to_owned(), text.to_owned(), failed, cut));
    assert_eq!(shown, expected);
}

#[test]
fn a_check_that_ended_says_how_it_stood_before_the_run() {
    let ended = |more: serde_json::Value| {
        let mut event = serde_json::json!({ "type": "check_ended", "name": "tests", "status": "failed", "elapsed_ms": 1 });
        if let Some(red) = more.as_bool() {
            event["red_before"] = red.into();
        }
        of(Format::Transcript, line(event), Size::Short).remove(0)
    };
    for (written, read) in [
        (serde_json::json!(true), Some(true)),
        (serde_json::json!(false), Some(false)),
        // As transcripts had it that nobody compared.
        (serde_json::json!(null), None),
    ] {
        let entry = ended(written);
        assert_eq!((entry.red_before, entry.failed, entry.text.as_str()), (read, true, "failed in 0.0s"));
    }
}

#[test]
fn a_tool_call_is_brief_in_a_list_and_whole_by_itself() {
    let cases = [
        (r#"{"command":["bash","-lc","cargo test"]}"#, "cargo test", false),
        (r#"{"pattern":"fn main","path":"src"}"#, "fn main in src", true),
        (r#"{"file_path":"a.rs","content":"x"}"#, "a.rs", true),
        (r#"{"query":"tea"}"#, "tea", false),
        (r#"{"temperature":80}"#, r#"{"temperature":80}"#, false),
        ("{}", "", false),
        ("ls -l", "ls -l", false),
        (r#"{"content":"cut in the midd"#, r#"{"content":"cut in the midd"#, false),
    ];
    for (input, text, cut) in cases {
        let brief = of(Format::Transcript, call(None, "T", input), Size::Short).remove(0);
        assert_eq!((brief.text.as_str(), brief.cut), (text, cut), "{input}");
    }
    let call = call(None, "T", r#"{"path":"a","x":[1]}"#);
    let whole = of(Format::Transcript, &call, Size::Whole).remove(0);
    assert_eq!(whole.text, "{\n  \"path\": \"a\",\n  \"x\": [\n    1\n  ]\n}");
}

#[test]
fn long_texts_are_cut_between_characters_and_whole_up_to_a_megabyte() {
    let long = "ä".repeat(5_000);
    for (format, text) in [(Format::Plain, format!("{long}\n")), (Format::Transcript, message(&long, false))]
    {
        let short = of(format, &text, Size::Short).remove(0);
        assert_eq!((short.text.chars().count(), short.cut), (4_000, true));
        let whole = of(format, &text, Size::Whole).remove(0);
        assert_eq!((whole.text.chars().count(), whole.cut), (5_000, false));
    }
    let huge = of(Format::Plain, "é".repeat(3 * 1024 * 1024), Size::Whole).remove(0);
    assert!(huge.cut && huge.text.len() <= 1024 * 1024 && huge.text.chars().all(|c| c == 'é'));
    let pieces: String = (0..2_000).map(|piece| message("four", piece > 0)).collect();
    let joined = of(Format::Transcript, &pieces, Size::Short);
    assert_eq!((joined.len(), joined[0].text.len(), joined[0].cut), (1, 4_000, true));
}

#[test]
fn plain_files_keep_empty_lines_and_know_what_was_left_out() {
    let text = "one\r\n\n\u{1b}[1mtwo\u{1b}[0m\n[loopwright: 12 bytes left out here]\n\u{ff}\nopen";
    let shown: Vec<_> =
        of(Format::Plain, text, Size::Short).into_iter().map(|entry| (entry.kind, entry.text)).collect();
    let expected = [
        (EntryKind::Line, "one"),
        (EntryKind::Line, ""),
        (EntryKind::Line, "two"),
        (EntryKind::Note, "[loopwright: 12 bytes left out here]"),
        (EntryKind::Line, "\u{ff}"),
        (EntryKind::Line, "open"),
    ];
    assert_eq!(shown, expected.map(|(kind, text)| (kind, text.to_owned())));
    assert_eq!(of(Format::Plain, [b'a', 0xff, b'b'], Size::Short)[0].text, "a\u{fffd}b");
}

#[test]
fn a_file_that_is_not_there_or_is_another_one_is_noticed() {
    let place = OutputFile::new("one\ntwo\nthree\n");
    let mut index = Index::new(Format::Plain);
    assert!(index.refresh(&place.path.with_extension("none")).unwrap().is_none() && !index.exists());
    assert_eq!(all(&mut index, &place.path, Size::Short).len(), 3);
    let generation = index.generation();
    fs::write(&place.path, "four\n").unwrap();
    assert_eq!(all(&mut index, &place.path, Size::Short)[0].text, "four", "shorter");
    fs::write(&place.path, "fife\nsix\n").unwrap();
    assert_eq!(all(&mut index, &place.path, Size::Short)[0].text, "fife", "longer, with other bytes");
    assert!(index.generation() > generation);
    fs::remove_file(&place.path).unwrap();
    assert!(index.refresh(&place.path).unwrap().is_none());
    assert_eq!((index.exists(), index.total(), index.length()), (false, 0, 0));
}

#[test]
fn texts_are_found_whatever_their_case_and_only_where_the_filter_lets_them_through() {
    let text = [
        message("The TEA is ", false),
        message("ready", true),
        call(Some("c1"), "Brew", "{\"a\":\"green tea\"}"),
        result(Some("c1"), "It steeps", false, false),
        result(None, "GRÜN\u{1b}[0mER Tee", false, false),
    ]
    .concat();
    let place = OutputFile::new(text);
    let index = place.index(Format::Transcript);
    let find = |kinds: &[EntryKind], text: &str| {
        let choice = Choice::new(&OutputFilter { kinds: kinds.to_vec() });
        search::find(&index, fs::File::open(&place.path).unwrap(), choice, text).unwrap().places
    };
    assert_eq!(find(&[], "tea"), [0, 1]);
    assert_eq!(find(&[], "IS READY"), [0], "across the pieces of a message");
    assert_eq!(find(&[], "brew"), [1]);
    assert_eq!(find(&[], "STEEPS"), [1], "in what the tool answered");
    assert_eq!(find(&[], "grüner"), [2]);
    assert_eq!(find(&[EntryKind::ToolCall, EntryKind::ToolResult], "grüner"), [1], "a place among those");
    assert!(find(&[EntryKind::Message], "green").is_empty() && find(&[], "").is_empty());
}

#[test]
fn of_very_many_places_the_first_ten_thousand_are_told() {
    let place = OutputFile::new("tea\n".repeat(10_001));
    let index = place.index(Format::Plain);
    let find = |text: &str| {
        let choice = Choice::new(&OutputFilter::default());
        search::find(&index, fs::File::open(&place.path).unwrap(), choice, text).unwrap()
    };
    assert_eq!((find("TEA").places.len(), find("tea").more), (10_000, true));
    assert!(!find("coffee").more);
}

#[test]
fn errors_are_found_forwards_and_backwards() {
    let lines = "ok\nerror: no tea\nfine\nterror and errors\nthread 'main' panicked at a.rs\n".repeat(5_000);
    let place = OutputFile::new(lines);
    let index = place.index(Format::Plain);
    let find = |index: &Index, kinds: &[EntryKind], from: Option<u32>, backwards: bool| {
        let choice = Choice::new(&OutputFilter { kinds: kinds.to_vec() });
        let file = fs::File::open(&place.path).unwrap();
        search::error(index, file, choice, from, backwards).unwrap()
    };
    let cases = [
        (None, false, Some(1)),
        (Some(1), false, Some(4)),
        (Some(4), false, Some(6)),
        (Some(24_999), false, None),
        (None, true, Some(24_999)),
        (Some(24_999), true, Some(24_996)),
        (Some(1), true, None),
        (Some(u32::MAX), false, None),
        (Some(u32::MAX), true, Some(24_999)),
    ];
    for (from, backwards, found) in cases {
        assert_eq!(find(&index, &[], from, backwards), found, "{from:?} {backwards}");
    }
    let calls = [call(Some("a"), "Bash", "error"), call(Some("b"), "Bash", "")].concat();
    let answers = [result(Some("b"), "", true, false), result(Some("a"), "", false, false)].concat();
    let alone = [result(None, "", false, false), result(None, "", true, false)].concat();
    fs::write(&place.path, [message("error", false), calls, answers, alone].concat()).unwrap();
    let index = place.index(Format::Transcript);
    assert_eq!(
        find(&index, &[], None, false),
        Some(2),
        "what speaks of errors is none, a call that failed is"
    );
    assert_eq!(find(&index, &[], Some(2), false), Some(4));
    assert_eq!(find(&index, &[EntryKind::ToolResult], None, false), Some(1));
    assert_eq!(find(&index, &[EntryKind::Message], None, true), None);
}

fn id() -> impl Strategy<Value = Option<&'static str>> {
    prop_oneof![Just(None), Just(Some("a")), Just(Some("b")), Just(Some("c"))]
}

fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        3 => ("[a-z\u{1b}]{0,6}", any::<bool>()).prop_map(|(text, more)| message(&text, more).into_bytes()),
        2 => id().prop_map(|id| call(id, "Bash", "x").into_bytes()),
        2 => (id(), any::<bool>(), any::<bool>()).prop_map(|(id, failed, denied)| {
            result(id, "x", failed, denied).into_bytes()
        }),
        1 => Just(b"\n".to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..20),
    ]
}

proptest! {
    /// However a file grows, the entries are those of the file read at once; and every page of every filter is a
    /// part of them.
    #[test]
    fn growth_and_paging_do_not_change_what_is_there(
        pieces in proptest::collection::vec(piece(), 0..120),
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..8),
        plain in any::<bool>(),
        kinds in proptest::sample::subsequence(EntryKind::ALL.to_vec(), 0..4),
        page in 1usize..90,
    ) {
        let format = if plain { Format::Plain } else { Format::Transcript };
        let bytes = pieces.concat();
        let whole = of(format, &bytes, Size::Short);
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.push(bytes.len());
        cuts.sort_unstable();

        let place = OutputFile::new("");
        let mut index = Index::new(format);
        let mut done = 0;
        for cut in cuts {
            place.add(&bytes[done..cut]);
            done = cut;
            index.refresh(&place.path).unwrap();
        }
        prop_assert_eq!(&all(&mut index, &place.path, Size::Short), &whole);
        prop_assert_eq!(index.generation(), 0);

        let choice = Choice::new(&OutputFilter { kinds: kinds.clone() });
        let chosen: Vec<Entry> =
            whole.iter().filter(|entry| kinds.is_empty() || kinds.contains(&entry.kind)).cloned().collect();
        prop_assert_eq!(choice.total(&index) as usize, chosen.len());
        let mut paged = Vec::new();
        while paged.len() < chosen.len() {
            let file = fs::File::open(&place.path).unwrap();
            let first = u32::try_from(paged.len()).unwrap();
            let wanted = choice.from(&index, first).take(page);
            let entries = entry::read(&index, file, wanted, Size::Short).unwrap();
            prop_assert!(!entries.is_empty());
            prop_assert_eq!(choice.place_of(&index, entries[0].n), first);
            paged.extend(entries);
        }
        prop_assert_eq!(paged, chosen);
    }
}

#[test]
fn an_entry_tells_when_it_was_written() {
    let texts = [
        r#"{"type":"message","text":"a","continues":false,"at":1700000000123}"#,
        r#"{"type":"message","text":"\"at\":5}","continues":false}"#,
        r#"{"type":"committed","commit":"ab12","at":7}"#,
        r#"{"type":"committed","commit":"ab12","at":}"#,
    ];
    let entries = of(Format::Transcript, texts.join("\n") + "\n", Size::Short);
    let times: Vec<Option<u64>> = entries.iter().map(|entry| entry.at).collect();
    assert_eq!(times, [Some(1_700_000_000_123), None, Some(7), None]);
    let plain = of(Format::Plain, "{\"at\":5}\n", Size::Short);
    assert_eq!(plain[0].at, None);
}
