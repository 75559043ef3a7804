//! The lines of an agent's text, as a reader of Markdown sees them: its own words, code, quotations.

use std::borrow::Cow;

use crate::sanitize;

/// From this many columns on an indented line is code.
const CODE_INDENT: usize = 4;
/// How many columns a tab stands for.
const TAB: usize = 4;

/// What a line is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The agent's own words.
    Words,
    /// Nothing.
    Blank,
    /// Code: inside a fence, the fence itself, or indented; a comment or code in HTML.
    Code,
    /// Behind a fence, or the beginning of such HTML, that is never closed. A reader of Markdown sees code.
    OpenCode,
    /// A quotation.
    Quotation,
}

/// One line of an agent's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OwnLine<'a> {
    /// The line as a terminal would show it, without colours.
    pub(super) text: Cow<'a, str>,
    pub(super) part: Part,
}

/// Takes a text apart.
pub(super) fn own_lines(text: &str) -> Vec<OwnLine<'_>> {
    let mut lines: Vec<OwnLine<'_>> = Vec::new();
    let mut block: Option<(CodeBlock, usize)> = None;
    for line in text.lines() {
        let text = as_shown(line);
        let part = match (&block, CodeBlock::opened_by(&text)) {
            (Some((open, _)), _) => {
                if open.is_closed_by(&text) {
                    block = None;
                }
                Part::Code
            }
            _ if text.trim().is_empty() => Part::Blank,
            (None, Some(opened)) => {
                block = Some((opened, lines.len()));
                Part::Code
            }
            _ if text.trim_start().starts_with('>') => Part::Quotation,
            _ if indent(&text) >= CODE_INDENT => Part::Code,
            _ => Part::Words,
        };
        lines.push(OwnLine { text, part });
    }
    if let Some((_, first)) = block {
        lines.iter_mut().skip(first).for_each(|line| line.part = Part::OpenCode);
    }
    lines
}

/// HTML in which nothing is said, by how it begins and ends.
const HTML: &[(&str, &str)] =
    &[("<!--", "-->"), ("<pre", "</pre>"), ("<code", "</code>"), ("<samp", "</samp>")];

/// Several lines of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CodeBlock {
    /// A fence: its mark and how often that is repeated.
    Fence { mark: char, length: usize },
    /// HTML, by how it ends.
    Html(&'static str),
}

impl CodeBlock {
    fn opened_by(line: &str) -> Option<Self> {
        let start = line.trim_start();
        let html = if start.starts_with('<') { start.to_ascii_lowercase() } else { String::new() };
        if let Some((begin, end)) = HTML.iter().find(|(begin, _)| html.starts_with(begin)) {
            let is_whole = html.get(begin.len()..).is_some_and(|rest| rest.contains(end));
            return (!is_whole).then_some(Self::Html(end));
        }
        let mark = start.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let behind = start.trim_start_matches(mark);
        let length = start.len() - behind.len();
        // Backticks behind backticks are code within a line.
        (length >= 3 && !(mark == '`' && behind.contains('`'))).then_some(Self::Fence { mark, length })
    }

    fn is_closed_by(self, line: &str) -> bool {
        let line = line.trim();
        match self {
            Self::Fence { mark, length } => line.len() >= length && line.chars().all(|c| c == mark),
            Self::Html(end) => line.to_ascii_lowercase().contains(end),
        }
    }
}

fn indent(line: &str) -> usize {
    let blanks = line.chars().take_while(|c| matches!(c, ' ' | '\t'));
    blanks.map(|c| if c == '\t' { TAB } else { 1 }).sum()
}

/// A line as a terminal shows it: without colours and other escapes, and of what carriage returns overwrote the last.
pub(super) fn as_shown(line: &str) -> Cow<'_, str> {
    let line = line.trim_end();
    let line = line.rsplit('\r').next().unwrap_or(line);
    match sanitize::strip(line) {
        Cow::Borrowed(line) => Cow::Borrowed(line),
        Cow::Owned(line) => Cow::Owned(line.trim_end().to_owned()),
    }
}
