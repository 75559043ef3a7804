//! The headings of a Markdown text. What only looks like one, in code, comments or front matter, is none.

use std::ops::Range;

/// A heading and what stands under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heading<'a> {
    /// 1 to 6.
    pub(crate) level: u32,
    /// Its text, without marks around it; never empty.
    pub(crate) title: String,
    /// Where the heading begins in the whole text.
    pub(crate) start: usize,
    /// What stands between it and the next heading.
    pub(crate) body: &'a str,
}

/// A text as its headings cut it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outline<'a> {
    /// What stands before the first heading; front matter is left out.
    pub(crate) preamble: &'a str,
    /// The headings, in order.
    pub(crate) headings: Vec<Heading<'a>>,
}

/// Follows the blocks of a text that may hold anything: code between fences, comments and the like.
#[derive(Default)]
pub(crate) struct Blocks {
    inside: Option<Inside>,
}

enum Inside {
    /// A fence of this character and length.
    Fence(char, usize),
    /// HTML that goes on until a line with this.
    Html(&'static str),
}

impl Blocks {
    /// Whether a line belongs to such a block. Lines are given one after the other.
    pub(crate) fn hold(&mut self, line: &str) -> bool {
        let (held, over) = match &self.inside {
            Some(Inside::Fence(mark, length)) => (true, closes(line, *mark, *length)),
            Some(Inside::Html(end)) => (true, line.to_ascii_lowercase().contains(end)),
            None => {
                self.inside = fence(line).map(|(mark, length)| Inside::Fence(mark, length));
                self.inside = self.inside.take().or_else(|| html(line).map(Inside::Html));
                (self.inside.is_some(), false)
            }
        };
        if over {
            self.inside = None;
        }
        held
    }
}

/// HTML blocks that may hold anything, and what ends them.
const HTML_BLOCKS: &[(&str, &str)] = &[
    ("<!--", "-->"),
    ("<pre", "</pre>"),
    ("<script", "</script>"),
    ("<style", "</style>"),
    ("<textarea", "</textarea>"),
    ("<![cdata[", "]]>"),
    ("<?", "?>"),
];

/// A heading's place: its level, its title, and the lines it takes.
type FoundHeading = (u32, String, Range<usize>);

/// Finds the headings of a text: `# ATX #` ones and those underlined with `===` or `---`.
pub(crate) fn outline(text: &str) -> Outline<'_> {
    let begin = front_matter(text);
    let found = headings(text, begin);
    let ends = found.iter().skip(1).map(|(_, _, lines)| lines.start).chain([text.len()]);
    let headings = found.iter().zip(ends).map(|((level, title, lines), end)| Heading {
        level: *level,
        title: title.clone(),
        start: lines.start,
        body: text.get(lines.end..end).unwrap_or_default(),
    });
    let first = found.first().map_or(text.len(), |(_, _, lines)| lines.start);
    Outline { preamble: text.get(begin..first).unwrap_or_default(), headings: headings.collect() }
}

fn headings(text: &str, begin: usize) -> Vec<FoundHeading> {
    let mut found = Vec::new();
    let mut blocks = Blocks::default();
    // Where the paragraph began that an underline would make a heading of.
    let mut paragraph: Option<usize> = None;
    let mut in_block = false;
    let mut place = begin;
    for line in text.get(begin..).unwrap_or_default().split_inclusive('\n') {
        let lines = place..place + line.len();
        place = lines.end;
        let started = paragraph.take();
        if blocks.hold(line) {
            continue;
        }
        if line.trim().is_empty() {
            in_block = false;
        } else if let Some((level, title)) = atx(line) {
            in_block = false;
            if !title.is_empty() {
                found.push((level, title, lines));
            }
        } else if let (Some(start), Some(level)) = (started, underline(line)) {
            let title = text.get(start..lines.start).unwrap_or_default();
            let words: Vec<&str> = title.split_whitespace().collect();
            found.push((level, words.join(" "), start..lines.end));
        } else if begins_block(line) {
            in_block = true;
        } else if is_rule(line) {
            in_block = false;
        } else if started.is_some() || (!in_block && indentation(line) < 4) {
            paragraph = started.or(Some(lines.start));
        }
    }
    found
}

/// Where the text begins behind its front matter.
pub(super) fn front_matter(text: &str) -> usize {
    let text_start = text.strip_prefix('\u{feff}').unwrap_or(text);
    let skipped = text.len() - text_start.len();
    let mut lines = text_start.split_inclusive('\n');
    let Some(mark @ ("---" | "+++")) = lines.next().map(str::trim_end) else { return skipped };
    let ends = |line: &str| line.trim_end() == mark || (mark == "---" && line.trim_end() == "...");
    let mut place = skipped + text_start.find('\n').map_or(text_start.len(), |end| end + 1);
    for line in lines {
        place += line.len();
        if ends(line) {
            return place;
        }
    }
    skipped
}

fn indentation(line: &str) -> usize {
    let blank = line.chars().take_while(|c| matches!(c, ' ' | '\t'));
    blank.fold(0, |width, c| if c == '\t' { width / 4 * 4 + 4 } else { width + 1 })
}

/// The line behind its blanks; none when there are so many that it is code.
fn unindented(line: &str) -> Option<&str> {
    (indentation(line) < 4).then(|| line.trim())
}

fn run_of(line: &str, mark: char) -> usize {
    line.chars().take_while(|c| *c == mark).count()
}

fn fence(line: &str) -> Option<(char, usize)> {
    let line = unindented(line)?;
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = run_of(line, mark);
    let info = line.get(length..)?;
    (length >= 3 && !(mark == '`' && info.contains('`'))).then_some((mark, length))
}

fn closes(line: &str, mark: char, length: usize) -> bool {
    let Some(line) = unindented(line) else { return false };
    let found = run_of(line, mark);
    found >= length && found == line.chars().count()
}

/// What ends the HTML block that this line begins and does not end itself.
fn html(line: &str) -> Option<&'static str> {
    let line = unindented(line)?.to_ascii_lowercase();
    let (start, end) = HTML_BLOCKS.iter().find(|(start, _)| {
        line.strip_prefix(start).is_some_and(|rest| {
            !start.ends_with(|c: char| c.is_ascii_alphabetic())
                || rest.is_empty()
                || rest.starts_with(['>', ' '])
        })
    })?;
    let rest = line.get(start.len()..).unwrap_or_default();
    (!rest.contains(end)).then_some(*end)
}

fn atx(line: &str) -> Option<(u32, String)> {
    let line = unindented(line)?;
    let level = run_of(line, '#');
    let rest = line.get(level..)?;
    if !(1..=6).contains(&level) || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let rest = rest.trim();
    let open = rest.trim_end_matches('#');
    let title = if open.is_empty() || open.ends_with([' ', '\t']) { open.trim_end() } else { rest };
    Some((u32::try_from(level).unwrap_or(6), title.to_owned()))
}

fn underline(line: &str) -> Option<u32> {
    let line = unindented(line)?;
    match line.chars().next() {
        Some('=') if line.chars().all(|c| c == '=') => Some(1),
        Some('-') if line.chars().all(|c| c == '-') => Some(2),
        _ => None,
    }
}

/// Whether a line is drawn across the page, as `***` is.
fn is_rule(line: &str) -> bool {
    let mut marks = line.chars().filter(|c| !c.is_whitespace());
    let first = marks.next().filter(|c| matches!(c, '-' | '*' | '_'));
    let rest: Vec<char> = marks.collect();
    first.is_some_and(|first| rest.len() >= 2 && rest.iter().all(|c| *c == first))
}

/// Whether a line begins a list or a quote: what follows it without a blank line belongs to that.
fn begins_block(line: &str) -> bool {
    let line = line.trim();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind = match line.chars().next() {
        Some('>') => return true,
        Some('-' | '*' | '+') => line.get(1..),
        Some(c) if c.is_ascii_digit() => number.strip_prefix(['.', ')']),
        _ => None,
    };
    behind.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn titles(text: &str) -> Vec<(u32, String)> {
        outline(text).headings.into_iter().map(|heading| (heading.level, heading.title)).collect()
    }

    #[test]
    fn headings_are_told_from_what_looks_like_them() {
        let cases: &[(&str, &[(u32, &str)])] = &[
            ("# Tea\ntext\n## Pot ##\n", &[(1, "Tea"), (2, "Pot")]),
            ("   ### Deep\n    # code\n\t# code\n", &[(3, "Deep")]),
            ("#tag\n####### seven\n#\n## ##\n", &[]),
            ("# C#\n# F # sharp\n", &[(1, "C#"), (1, "F # sharp")]),
            ("Tea\n===\nPot\nand cup\n---\n", &[(1, "Tea"), (2, "Pot and cup")]),
            ("text\n\n---\n- item\n---\n> quote\n---\n", &[]),
            ("- item\nlazy\n---\n1. one\n===\n", &[]),
            ("---\n ---\n***\n===\n* * *\n---\n", &[]),
            ("```\n# no\n~~~\n# no\n```\n# yes\n", &[(1, "yes")]),
            ("````md\n```\n# no\n```\n# no\n````\n# yes\n", &[(1, "yes")]),
            ("~~~ text ` tick\n# no\n~~~~\n# yes\n", &[(1, "yes")]),
            ("``` a`b\n# yes\n", &[(1, "yes")]),
            ("```\n# never closed\n", &[]),
            ("<!-- \n# no\n-->\n# yes\n<!-- x -->\n# too\n", &[(1, "yes"), (1, "too")]),
            ("<pre>\n# no\n</pre>\n# yes\n<present>\n# too\n", &[(1, "yes"), (1, "too")]),
            ("---\ntitle: x\n# no\n---\n# yes\n", &[(1, "yes")]),
            ("+++\na = 1\n+++\n# yes\n", &[(1, "yes")]),
            ("---\n# yes\n", &[(1, "yes")]),
            ("\u{feff}# Tea\r\ntext\r\nPot\r\n---\r\n", &[(1, "Tea"), (2, "text Pot")]),
        ];
        for (text, expected) in cases {
            let expected: Vec<_> =
                expected.iter().map(|(level, title)| (*level, (*title).to_owned())).collect();
            assert_eq!(titles(text), expected, "{text:?}");
        }
    }

    #[test]
    fn bodies_end_where_the_next_heading_begins() {
        let outline = outline("before\n\n# A\none\n\n## B\ntwo");
        assert_eq!(outline.preamble, "before\n\n");
        let bodies: Vec<&str> = outline.headings.iter().map(|heading| heading.body).collect();
        assert_eq!(bodies, ["one\n\n", "two"]);
    }

    proptest! {
        #[test]
        fn any_text_is_cut_without_loss(text in "([#=\\-`~<!>a ./\r\n\t€]|---\n|```\n|<!--){0,40}") {
            let outline = outline(&text);
            let place = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
            let mut last = match outline.preamble {
                "" => outline.headings.first().map_or(text.len(), |heading| heading.start),
                preamble => place(preamble) + preamble.len(),
            };
            for heading in &outline.headings {
                prop_assert_eq!(heading.start, last);
                prop_assert!((1..=6).contains(&heading.level) && !heading.title.trim().is_empty());
                prop_assert!(place(heading.body) > heading.start || heading.body.is_empty());
                last = place(heading.body) + heading.body.len();
            }
            prop_assert_eq!(last, text.len());
        }
    }
}
