//! Python's placeholders: bodies that do nothing, and methods that only say so.

use loopwright_domain::code::ScannedLine;

/// What stands in a line in place of code, unless the function is meant to have no body.
pub(super) fn placeholder(lines: &[ScannedLine], index: usize) -> Option<String> {
    let code = lines.get(index)?.code.trim();
    if code.starts_with("raise NotImplementedError") {
        let function = (0..index).rev().find(|above| is_header(lines, *above, index));
        return (!function.is_some_and(|function| is_abstract(lines, function)))
            .then(|| "raise NotImplementedError in the code".to_owned());
    }
    let body =
        ["pass", "..."].into_iter().find(|body| code == *body || code.ends_with(&format!(": {body}")))?;
    let function = if code == body { function_of_body(lines, index)? } else { index };
    let starts = is_function(&lines.get(function)?.code);
    (starts && !is_abstract(lines, function)).then(|| format!("a function's body is only \"{body}\""))
}

fn is_function(code: &str) -> bool {
    let code = code.trim_start();
    code.starts_with("def ") || code.starts_with("async def ")
}

/// Whether a line begins the function that another line is in.
fn is_header(lines: &[ScannedLine], above: usize, index: usize) -> bool {
    match (lines.get(above), lines.get(index)) {
        (Some(above), Some(line)) => is_function(&above.code) && above.indent() < line.indent(),
        _ => false,
    }
}

/// The line a function begins on, when nothing but a docstring is between its header and this line.
fn function_of_body(lines: &[ScannedLine], index: usize) -> Option<usize> {
    let says_nothing = |line: &ScannedLine| line.code.trim().trim_matches('"').is_empty();
    let end = (0..index).rev().find(|above| lines.get(*above).is_some_and(|line| !says_nothing(line)))?;
    let header = lines.get(end).filter(|line| line.code.trim_end().ends_with(':'))?;
    if is_function(&header.code) {
        return Some(end);
    }
    // A header over several lines ends as far left as it begins.
    let closes = header.code.trim_start().starts_with(')');
    let begins = |above: &usize| {
        lines.get(*above).is_some_and(|line| is_function(&line.code) && line.indent() == header.indent())
    };
    closes.then(|| (0..end).rev().find(begins)).flatten()
}

/// Whether a function is declared without a body on purpose: abstract, an overload, or part of a protocol.
fn is_abstract(lines: &[ScannedLine], function: usize) -> bool {
    let Some(header) = lines.get(function) else { return false };
    let mut above = lines.get(..function).unwrap_or_default().iter().rev();
    let decorated = above
        .by_ref()
        .take_while(|line| line.code.trim_start().starts_with('@'))
        .any(|line| line.code.contains("abstract") || line.code.contains("overload"));
    let outer = lines.get(..function).unwrap_or_default().iter().rev().find(|line| {
        !line.code.trim().is_empty()
            && line.indent() < header.indent()
            && line.code.trim_start().starts_with("class ")
    });
    decorated || outer.is_some_and(|class| class.code.contains("Protocol") || class.code.contains("ABC"))
}
