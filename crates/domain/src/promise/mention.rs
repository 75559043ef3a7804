//! Sentences that talk about a claim and end in the line that would be one.

use super::lines::{OwnLine, Part};

/// How many lines of a paragraph are looked at.
const MOST_LINES: usize = 8;

/// How a line stands behind the words before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// For itself.
    Alone,
    /// As the end of a sentence that runs over several lines.
    Wrapped,
    /// As the end of a sentence about when it will be said, or why not; or of a quotation.
    Talk,
}

/// Words by which a sentence says that something is not so, or not yet.
const CONDITIONS: &[&str] = &[
    "when", "once", "if", "until", "unless", "will", "would", "shall", "not", "never", "cannot", "t", "ll",
    "without", "instead", "nor", "later", "planned", "plan",
];
/// Words for saying something.
const SAYING: &[&str] = &[
    "print", "prints", "printed", "printing", "say", "says", "said", "saying", "output", "outputs", "emit",
    "emits", "write", "writes", "reply", "respond", "answer", "give", "gives", "report", "claim", "declare",
    "promise", "tag", "line", "lines", "word", "words", "end", "ends", "finish", "conclude", "send",
    "return", "add", "see", "signal", "text", "use", "message",
];
/// Words that no sentence ends with.
const OPEN_ENDS: &[&str] = &[
    "print",
    "prints",
    "printing",
    "say",
    "says",
    "saying",
    "output",
    "outputs",
    "emit",
    "emits",
    "write",
    "writes",
    "with",
    "the",
    "a",
    "an",
    "of",
    "to",
    "by",
    "and",
    "or",
    "until",
    "unless",
    "then",
    "as",
    "that",
    "be",
    "is",
    "this",
    "following",
    "read",
    "reads",
];

/// How the line at `index` stands behind the paragraph before it.
pub(super) fn standing(lines: &[OwnLine<'_>], index: usize) -> Standing {
    let before = lines.get(..index).unwrap_or_default();
    let quoted = before.last().is_some_and(|line| line.part == Part::Quotation);
    let sentence = open_sentence(before);
    let lower = sentence.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let Some(last) = words.last() else { return Standing::Alone };
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let leads_on = sentence.ends_with([':', ',', '(', '“', '–', '—']);
    let ends_open = OPEN_ENDS.contains(last);
    let about_saying = SAYING.contains(last) || ends_open || (leads_on && has(SAYING));
    let at_once = has(&["now"]) && !has(&["not", "t", "never", "cannot", "when", "once", "if", "until"]);
    let wrapped = (leads_on || ends_open) && !sentence.ends_with(':');
    let goes_on_with_quotation = quoted && (leads_on || ends_open);
    if (about_saying && has(CONDITIONS) && !at_once) || goes_on_with_quotation {
        return Standing::Talk;
    }
    if wrapped { Standing::Wrapped } else { Standing::Alone }
}

/// The sentence that the paragraph before a line leaves open; empty when it ends its last one. An item of a list is a
/// paragraph of its own.
fn open_sentence(before: &[OwnLine<'_>]) -> String {
    let mut paragraph = Vec::new();
    let lines = before.iter().rev().skip_while(|line| line.part == Part::Blank);
    for line in lines.take_while(|line| matches!(line.part, Part::Words | Part::Quotation)).take(MOST_LINES) {
        let text = line.text.trim_start_matches([' ', '\t', '>']).trim_end();
        paragraph.push(text);
        if is_item(text) {
            break;
        }
    }
    paragraph.reverse();
    let text = paragraph.join(" ");
    let text = text.trim_end_matches([')', ']', '"', '\'', '”', '’', '*', '_', '`', ' ']);
    if text.ends_with(['.', '!', '?', '…', '|']) {
        return String::new();
    }
    let mut rests = text.match_indices(['.', '!', '?']).filter_map(|(at, end)| text.get(at + end.len()..));
    let last = rests.rfind(|rest| rest.starts_with(char::is_whitespace));
    last.unwrap_or(text).trim().to_owned()
}

/// Whether a line begins an item of a list, or is a heading.
fn is_item(line: &str) -> bool {
    let behind = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = behind.len() < line.len() && behind.starts_with([')', '.']);
    numbered || ["- ", "* ", "+ ", "• ", "#"].iter().any(|mark| line.starts_with(mark))
}
