//! The marks of Markdown around a line of an agent's text.

/// A line without the emphasis or backticks around the whole of it.
pub(crate) fn without_emphasis(line: &str) -> &str {
    let mut line = line.trim();
    for mark in ['*', '_', '`', '*', '_', '`', '*', '_'] {
        while let Some(inner) = line.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark)) {
            line = inner.trim();
        }
    }
    line
}

/// A line without the marks that people and markdown put around words.
pub(crate) fn bare(line: &str) -> &str {
    line.trim().trim_matches(['*', '_', '#', '-', '.', '!', ' ', '\t']).trim()
}
