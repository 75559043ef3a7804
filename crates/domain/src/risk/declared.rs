//! Tests by name: where each of them is declared.

use super::view::{Seen, View};
use crate::code::Language;

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
    let named = |at: usize| {
        let code = view.code(at);
        match view.language {
            Language::Rust => marked(view, at, is_rust_mark).then(|| word_after(code, "fn ")).flatten(),
            Language::Java => marked(view, at, is_java_mark).then(|| name_before_bracket(code)).flatten(),
            Language::Python => python_test(view, at),
            Language::Go => go_test(code),
            Language::Script => quoted_test(code).or_else(|| table_test(code)),
            Language::Shell => shell_test(code),
            Language::CSharp | Language::Other => other_test(view, at),
        }
    };
    let declared = |(at, line): (usize, &Seen<'_>)| {
        Some(Declared { name: named(at)?, line: line.number, at, touched: line.touched })
    };
    view.lines.iter().enumerate().filter_map(declared).collect()
}

/// Whether what git says that lines are in is a test.
pub(crate) fn is_test_section(section: &str, language: Language) -> bool {
    let section = section.trim();
    match language {
        Language::Python => word_after(section, "def ").is_some_and(|name| name.starts_with("test")),
        Language::Go => go_test(section).is_some(),
        Language::Script => quoted_test(section).is_some(),
        Language::Shell => shell_test(section).is_some(),
        Language::Rust | Language::Java | Language::CSharp | Language::Other => false,
    }
}

/// Whether a line or the attributes directly above it say that a test follows.
fn marked(view: &View<'_>, at: usize, is_mark: fn(&str) -> bool) -> bool {
    let code = view.code(at);
    if is_attribute(code) && !is_mark(code) {
        return false;
    }
    // An attribute may go over several lines.
    let goes_on =
        |code: &str| code.ends_with(',') || code.starts_with([')', '"', ']', '(']) || code.starts_with("})");
    let above = view.lines.get(..at).unwrap_or_default().iter().rev();
    is_mark(code)
        || above
            .take_while(|line| is_attribute(line.code) || goes_on(line.code))
            .any(|line| is_mark(line.code))
}

/// Whether a line says something about what follows it, and is not part of it.
pub(crate) fn is_attribute(code: &str) -> bool {
    code.starts_with("#[") || code.starts_with('@') || code.starts_with('[') || code.is_empty()
}

fn is_rust_mark(code: &str) -> bool {
    code.starts_with("#[")
        && !code.starts_with("#[cfg")
        && ["test", "quickcheck"].iter().any(|mark| code.contains(mark))
}

fn is_java_mark(code: &str) -> bool {
    ["@Test", "@ParameterizedTest", "@RepeatedTest", "@Property", "@TestFactory"]
        .iter()
        .any(|mark| code.starts_with(mark))
}

/// C#, PHP and Swift.
fn is_other_mark(code: &str) -> bool {
    ["[Fact", "[Theory", "[Test", "[DataTestMethod", "#[Test", "@Test"]
        .iter()
        .any(|mark| code.starts_with(mark))
}

/// A function inside of another one is not found by those who run tests.
fn python_test(view: &View<'_>, at: usize) -> Option<String> {
    let code = view.code(at);
    let name = word_after(code, "def ").filter(|name| name.starts_with("test") && !code.starts_with('@'))?;
    let is_function = |code: &str| code.starts_with("def ") || code.starts_with("async def ");
    (!view.around(at).any(|(_, line)| is_function(line.code))).then_some(name)
}

fn shell_test(code: &str) -> Option<String> {
    if let Some(rest) = code.strip_prefix("@test ") {
        return quoted(rest);
    }
    let name: String =
        code.trim_start_matches("function ").chars().take_while(|letter| is_name(*letter)).collect();
    let is_function = code.starts_with("function ") || code.contains("()");
    (is_function && name.to_ascii_lowercase().starts_with("test")).then_some(name)
}

fn other_test(view: &View<'_>, at: usize) -> Option<String> {
    let code = view.code(at);
    let in_brackets = ["TEST(", "TEST_F(", "TEST_P(", "TYPED_TEST(", "BOOST_AUTO_TEST_CASE("];
    if let Some(rest) = in_brackets.iter().find_map(|mark| code.strip_prefix(mark)) {
        return rest.split_once(')').map(|(name, _)| name.to_owned());
    }
    if let Some(rest) =
        ["TEST_CASE(", "SCENARIO(", "test(", "it("].iter().find_map(|mark| code.strip_prefix(mark))
    {
        return quoted(rest);
    }
    if let Some(rest) = ["Scenario:", "Scenario Outline:"].iter().find_map(|mark| code.strip_prefix(mark)) {
        return Some(rest.trim().to_owned());
    }
    let by_name = ["def ", "function ", "func ", "void "].iter().find_map(|mark| word_after(code, mark));
    if let Some(name) = by_name.filter(|name| name.starts_with("test")) {
        return Some(name);
    }
    if marked(view, at, is_other_mark) {
        return name_before_bracket(code);
    }
    quoted_test(code)
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn word_after(code: &str, mark: &str) -> Option<String> {
    let (before, rest) = code.split_once(mark)?;
    let name: String = rest.chars().take_while(|letter| is_name(*letter)).collect();
    (!before.ends_with(is_name) && !name.is_empty()).then_some(name)
}

fn name_before_bracket(code: &str) -> Option<String> {
    // Kotlin has names with blanks.
    if let Some((_, rest)) = code.split_once("fun `") {
        return rest.split_once('`').map(|(name, _)| name.to_owned());
    }
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

/// A test for each row of a table that begins on this line; its name comes after the table.
fn table_test(code: &str) -> Option<String> {
    let is_table = ["test.each", "it.each", "test.for", "it.for"].iter().any(|mark| code.starts_with(mark));
    is_table.then(|| code.to_owned())
}

/// The first words in quotes.
fn quoted(code: &str) -> Option<String> {
    let (_, rest) = code.split_at_checked(code.find(['"', '\'', '`'])?)?;
    let mark = rest.chars().next()?;
    let (name, _) = rest.get(1..)?.split_once(mark)?;
    Some(name.to_owned())
}
