//! Where in an agent's words the JSON may be.

use serde_json::{Deserializer, Value};

/// How many places are tried where something looks like JSON and is none.
const TRIES: usize = 200;

/// The parts of a text that may be the answer, the likeliest first: fenced blocks from the last to the first; without
/// any, the objects that stand in the text, again from the last.
pub(super) fn candidates(text: &str) -> Vec<&str> {
    let mut found = fenced(text);
    if found.is_empty() {
        found = bare(text);
    }
    found.reverse();
    found
}

/// The contents of code fences for JSON or for nothing in particular that hold an object or a list. A fence that is
/// never closed goes to the end.
fn fenced(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut open: Option<(usize, bool)> = None;
    let mut place = 0;
    for line in text.split_inclusive('\n') {
        let begin = place;
        place += line.len();
        let Some(info) = line.trim().strip_prefix("```") else { continue };
        open = match open {
            Some((start, wanted)) if info.trim_matches('`').is_empty() => {
                found.extend(wanted.then(|| &text[start..begin]));
                None
            }
            Some(_) => open,
            None => {
                let language = info.trim_matches('`').trim().to_ascii_lowercase();
                Some((place, language.is_empty() || language.starts_with("json")))
            }
        };
    }
    if let Some((start, true)) = open {
        found.push(&text[start..]);
    }
    found.retain(|block| block.trim_start().starts_with(['{', '[', '/']));
    found
}

/// The objects that stand in a text, behind them what only begins like one: the first such place and those at the
/// beginning of a line, to the end of the text. They may be mended. The outer of them comes first in the end, so that
/// nothing inside a broken answer is taken for the whole.
fn bare(text: &str) -> Vec<&str> {
    let mut whole = Vec::new();
    let mut broken = Vec::new();
    let mut place = 0;
    let mut tries = 0;
    while let Some(start) = text[place..].find('{').map(|more| place + more) {
        let mut values = Deserializer::from_str(&text[start..]).into_iter::<Value>();
        if matches!(values.next(), Some(Ok(_))) {
            place = start + values.byte_offset();
            whole.push(&text[start..place]);
            continue;
        }
        place = start + 1;
        if broken.is_empty() || text[..start].ends_with('\n') {
            broken.push(&text[start..]);
        }
        tries += 1;
        if tries == TRIES {
            break;
        }
    }
    broken.reverse();
    whole.into_iter().chain(broken).collect()
}
