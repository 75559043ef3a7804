//! Tool calls and their answers: one entry, in whatever order they are told.

use super::super::calls::REACH;
use super::super::tail::{Mark, Tail};
use super::*;

fn usage() -> String {
    line(serde_json::json!({ "type": "usage", "usage": { "input": 7 } }))
}

/// The calls of a text: what was asked, what was answered, whether it failed and whether it was denied.
fn calls(text: &str) -> Vec<(String, Option<String>, bool, bool)> {
    let entries = of(Format::Transcript, text, Size::Short).into_iter();
    let calls = entries.filter(|entry| entry.kind == EntryKind::ToolCall);
    calls
        .map(|entry| {
            let denied = entry.answer.as_ref().is_some_and(|answer| answer.denied);
            (entry.text, entry.answer.map(|answer| answer.text), entry.failed, denied)
        })
        .collect()
}

#[test]
fn a_call_has_the_answer_with_its_id_wherever_that_stands() {
    let text = [
        call(Some("a"), "Bash", "one"),
        call(Some("b"), "Bash", "two"),
        usage(),
        call(Some("c"), "Bash", "three"),
        result(Some("b"), "2", true, false),
        message("I wait.", false),
        result(Some("a"), "1", false, false),
        result(Some("c"), "no", true, true),
        call(Some("d"), "Bash", "four"),
    ]
    .concat();
    let told = |asked: &str, answer: Option<&str>, failed, denied| {
        (asked.to_owned(), answer.map(str::to_owned), failed, denied)
    };
    let expected = [
        told("one", Some("1"), false, false),
        told("two", Some("2"), true, false),
        told("three", Some("no"), true, true),
        told("four", None, false, false),
    ];
    assert_eq!(calls(&text), expected);
    let place = OutputFile::new(&text);
    let index = place.index(Format::Transcript);
    let counts = index.counts();
    assert_eq!((counts.tool_call, counts.tool_result, counts.error, index.total()), (4, 0, 0, 6));
}

#[test]
fn without_ids_the_one_call_that_waits_is_answered() {
    let one = [call(None, "Bash", "one"), usage(), result(None, "1", false, false)].concat();
    let two =
        [call(None, "Bash", "two"), call(None, "Bash", "three"), result(None, "?", false, false)].concat();
    let answers: Vec<_> = calls(&[one.clone(), two, one].concat()).into_iter().map(|call| call.1).collect();
    assert_eq!(answers, [Some("1".to_owned()), None, None, Some("1".to_owned())]);
}

#[test]
fn an_answer_is_cut_by_itself_and_its_lines_are_counted() {
    let long = "line\n".repeat(2_000);
    let text = [call(Some("a"), "Read", r#"{"path":"x"}"#), result(Some("a"), &long, false, false)].concat();
    let short = of(Format::Transcript, &text, Size::Short).remove(0);
    let answer = short.answer.unwrap();
    assert_eq!((answer.text.len(), answer.lines, answer.cut, answer.clipped), (4_000, 2_000, true, false));
    assert!(!short.cut, "of the input there is no more");
    let whole = of(Format::Transcript, &text, Size::Whole).remove(0);
    assert_eq!(whole.answer.map(|answer| (answer.text, answer.cut)), Some((long, false)));

    let kept = format!("{}…", "x".repeat(16 * 1024));
    let text = [call(Some("a"), "Read", ""), result(Some("a"), &kept, false, false)].concat();
    let answer = of(Format::Transcript, &text, Size::Whole).remove(0).answer.unwrap();
    assert!(answer.clipped && !answer.cut, "the transcript itself has only the beginning");
}

#[test]
fn an_answer_in_another_part_of_a_large_file_is_found() {
    let pause: String = (0..100).map(|_| message(&"tea ".repeat(2_000), false)).collect();
    let text =
        [call(Some("a"), "Task", "one"), pause.clone(), result(Some("a"), "done", false, false), pause];
    let place = OutputFile::new(text.concat());
    let mut index = Index::new(Format::Transcript);
    let entries = all(&mut index, &place.path, Size::Short);
    assert_eq!(entries.len(), 201);
    assert_eq!(entries[0].answer.as_ref().map(|answer| answer.text.as_str()), Some("done"));
    let later =
        entry::read(&index, fs::File::open(&place.path).unwrap(), [0, 100, 150], Size::Short).unwrap();
    assert_eq!(later, [0, 100, 150].map(|n| entries[n].clone()));
}

#[test]
fn an_answer_that_comes_very_late_is_an_entry_of_its_own() {
    for (between, alone) in [(REACH - 1, 0), (REACH, 1)] {
        let notes: String = (0..between).map(|_| usage()).collect();
        let text = [call(Some("a"), "Task", "one"), notes, result(Some("a"), "done", false, false)].concat();
        assert_eq!(OutputFile::new(&text).index(Format::Transcript).counts().tool_result, alone);
    }
}

/// Takes what is told of a file that grows.
#[derive(Default)]
struct Listener {
    mark: Mark,
    entries: Vec<Entry>,
}

impl Listener {
    fn look(&mut self, index: &mut Index, path: &Path) {
        let file = index.refresh(path).unwrap();
        let tail = Tail::read(index, file, self.mark).unwrap();
        assert_eq!(tail.first as usize + tail.entries.len(), tail.total as usize);
        self.entries.truncate(tail.first as usize);
        self.entries.extend(tail.entries);
        self.mark = tail.mark;
    }
}

#[test]
fn an_answer_is_told_with_its_call_and_all_that_came_since() {
    let place = OutputFile::new([call(Some("a"), "Bash", "one"), usage()].concat());
    let (mut index, mut listener) = (Index::new(Format::Transcript), Listener::default());
    listener.look(&mut index, &place.path);
    let answer = result(Some("a"), "1", false, false);
    let (half, rest) = answer.as_bytes().split_at(20);
    place.add(half);
    listener.look(&mut index, &place.path);
    assert_eq!(listener.entries[0].answer, None, "half a line is none yet");
    place.add(rest);
    listener.look(&mut index, &place.path);
    assert_eq!(listener.entries[0].answer.as_ref().map(|answer| answer.text.as_str()), Some("1"));
    assert_eq!(listener.entries, all(&mut index, &place.path, Size::Short));
}

proptest! {
    /// However a file grows, what was told of it is what is there.
    #[test]
    fn what_is_told_is_what_is_there(
        pieces in proptest::collection::vec(piece(), 0..60),
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..20),
    ) {
        let bytes = pieces.concat();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.push(bytes.len());
        cuts.sort_unstable();
        let place = OutputFile::new("");
        let (mut index, mut listener) = (Index::new(Format::Transcript), Listener::default());
        let mut done = 0;
        for cut in cuts {
            place.add(&bytes[done..cut]);
            done = cut;
            listener.look(&mut index, &place.path);
        }
        let whole = of(Format::Transcript, &bytes, Size::Short);
        prop_assert_eq!(&listener.entries, &whole);
    }

    /// Every answer is there once: with the call that has its id, or by itself.
    #[test]
    fn no_answer_is_lost_told_twice_or_given_to_another_call(
        told in proptest::collection::vec((0..4u8, id(), any::<bool>()), 0..80),
    ) {
        let text: String = told.iter().map(|(what, id, failed)| match what {
            0 => message("hm", *failed),
            1 => call(*id, "Bash", id.unwrap_or("none")),
            2 => result(*id, id.unwrap_or("none"), *failed, false),
            _ => usage(),
        }).collect();
        let entries = of(Format::Transcript, &text, Size::Short);
        let count = |kind: u8| told.iter().filter(|(what, ..)| *what == kind).count();
        let of_kind = |kind| entries.iter().filter(move |entry| entry.kind == kind);
        prop_assert_eq!(of_kind(EntryKind::ToolCall).count(), count(1));
        let answered: Vec<&Entry> = entries.iter().filter(|entry| entry.answer.is_some()).collect();
        prop_assert_eq!(answered.len() + of_kind(EntryKind::ToolResult).count(), count(2));
        for entry in answered {
            prop_assert_eq!(entry.answer.as_ref().map(|answer| &answer.text), Some(&entry.text));
        }
    }
}
