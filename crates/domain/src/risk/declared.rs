//! Tests by name: where each of them is declared.

use super::language::Language;
use super::view::View;

/// A test as it is on one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) name: String,
    /// The line of its name.
    pub(crate) line: u32,
    /// The place of that line in its view.
    pub(crate) at: usize,
    /// Whether that line is only on this side.
    pub(crate) touched: bool,
}

/// The tests of a view, in order.
pub(crate) fn declared(view: &View<'_>) -> Vec<Declared> {
    let named = |at: usize| match view.language {
        Language::Rust => {
            marked(view, at, is_rust_mark).then(|| word_after(view.lines[at].code, "fn ")).flatten()
        }
        Language::Java => {
            marked(view, at, is_java_mark).then(|| name_before_bracket(view.lines[at].code)).flatten()
        }
        Language::Python => {
            let code = view.lines[at].code;
            word_after(code, "def ").filter(|name| name.starts_with("test") && !code.starts_with('@'))
        }
        Language::Go => go_test(view.lines[at].code),
        Language::Script | Language::Other => quoted_test(view.lines[at].code),
    };
    (0..view.lines.len())
        .filter_map(|at| {
            let line = view.lines[at];
            Some(Declared { name: named(at)?, line: line.number, at, touched: line.touched })
        })
        .collect()
}

/// Whether a line or the attributes directly above it say that a test follows.
fn marked(view: &View<'_>, at: usize, is_mark: fn(&str) -> bool) -> bool {
    let code = view.lines[at].code;
    let is_attribute = |code: &str| code.starts_with("#[") || code.starts_with('@') || code.is_empty();
    if is_attribute(code) && !is_mark(code) {
        return false;
    }
    let above = view.lines[..at].iter().rev().take_while(|line| is_attribute(line.code));
    is_mark(code) || above.into_iter().any(|line| is_mark(line.code))
}

fn is_rust_mark(code: &str) -> bool {
    code.starts_with("#[")
        && ["#[test]", "::test]", "::test(", "#[rstest", "#[test_case", "#[quickcheck", "wasm_bindgen_test"]
            .iter()
            .any(|mark| code.contains(mark))
}

fn is_java_mark(code: &str) -> bool {
    ["@Test", "@ParameterizedTest", "@RepeatedTest", "@Property", "@TestFactory"]
        .iter()
        .any(|mark| code.starts_with(mark))
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn word_after(code: &str, mark: &str) -> Option<String> {
    let start = code.find(mark).filter(|at| !code[..*at].ends_with(is_name))?;
    let name: String = code[start + mark.len()..].chars().take_while(|letter| is_name(*letter)).collect();
    (!name.is_empty()).then_some(name)
}

fn name_before_bracket(code: &str) -> Option<String> {
    // An annotation in front of the name may have brackets of its own.
    let declaration =
        code.rsplit_once(") ").map_or(code, |(_, rest)| if rest.contains('(') { rest } else { code });
    let (before, _) = declaration.split_once('(')?;
    let name = before.rsplit(|letter| !is_name(letter)).next()?;
    (!name.is_empty() && !before.starts_with('@')).then(|| name.to_owned())
}

fn go_test(code: &str) -> Option<String> {
    if let Some(rest) = code.strip_prefix("func ") {
        let is_test = ["Test", "Benchmark", "Fuzz", "Example"].iter().any(|word| rest.starts_with(word));
        return is_test.then(|| rest.chars().take_while(|letter| is_name(*letter)).collect());
    }
    quoted(code.split_once("t.Run(")?.1)
}

fn quoted_test(code: &str) -> Option<String> {
    let start = ["it", "test", "specify", "Deno.test", "xit", "fit", "xtest"].iter().find_map(|word| {
        let rest = code.strip_prefix(word)?;
        rest.starts_with(['(', '.', ' ']).then_some(rest)
    })?;
    quoted(start)
}

/// The first words in quotes.
fn quoted(code: &str) -> Option<String> {
    let start = code.find(['"', '\'', '`'])?;
    let mark = code[start..].chars().next()?;
    let (name, _) = code[start + 1..].split_once(mark)?;
    Some(name.to_owned())
}
