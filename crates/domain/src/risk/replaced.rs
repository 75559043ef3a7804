//! Tests that are about something else than before: what they ask for is made by the test itself.

use std::collections::BTreeSet;

use super::assertion::assertions;
use super::change::{ChangedFile, Line};
use super::declared::declared;
use super::flag;
use super::operands::equal_sides;
use super::tokens::{compact, words};
use super::view::{Seen, Side, View, test_lines};
use crate::gate::{RiskFlag, RiskKind};

/// Words of lines that put something in the place of something else.
const PATCHES: &[&str] = &[
    "setattr(",
    "setitem(",
    "patch(",
    "patch.object(",
    "patch.dict(",
    "spyOn(",
    ".mock(",
    ".doMock(",
    "mockReturnValue",
    "mockImplementation",
    "mockResolvedValue",
    "to receive(",
    "to_receive",
    ".stub(",
    ".stubs(",
    "mockStatic(",
    "thenReturn(",
    "sys.modules[",
    "create_autospec(",
];
/// What a line that declares something begins with.
const DECLARES: &[&str] =
    &["def ", "fn ", "func ", "function ", "fun ", "class ", "struct ", "object ", "mod ", "module "];
/// What makes of a variable something that can be called.
const CALLABLE: &[&str] = &["lambda", "=>", "function", "Mock(", "jest.fn", "vi.fn", "sinon.", "|"];
/// Names that tests ask with: a test that declares one itself asks nobody.
const ASKING: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "assertEqual",
    "assertEquals",
    "assertTrue",
    "assertFalse",
    "assertRaises",
    "assertThrows",
    "assertThat",
    "expect",
    "assert_equal",
    "assert_output",
    "assert_success",
];

/// Something that assertions call: its name, and what stands before it with a dot.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Called {
    receiver: Option<String>,
    name: String,
}

/// Tests whose subject was replaced, or whose expectation is computed by their subject.
pub(crate) fn replaced(files: &[ChangedFile]) -> Vec<RiskFlag> {
    let files = || files.iter().filter(|file| !file.generated);
    let gone: BTreeSet<String> =
        files().flat_map(ChangedFile::removed_lines).filter_map(|line| declares(line.text.trim())).collect();
    // Names that were imported, and are not any more.
    let is_import = |text: &str| {
        ["import ", "from ", "use "].iter().any(|word| text.starts_with(word)) || text.contains("require(")
    };
    let mut flags = Vec::new();
    for file in files() {
        let imports = |lines: &mut dyn Iterator<Item = &Line>| -> BTreeSet<String> {
            let lines = lines.map(|line| line.text.trim()).filter(|text| is_import(text));
            lines.flat_map(words).map(str::to_owned).collect()
        };
        let imported = imports(&mut file.removed_lines());
        let still = imports(&mut file.added_lines());
        let before: Vec<View<'_>> = test_lines(file).map(|part| View::new(part, Side::Old)).collect();
        let subjects: BTreeSet<Called> =
            before.iter().flat_map(assertions).flat_map(|assertion| called(&assertion.code)).collect();
        // What the tests declared before is theirs.
        let own: BTreeSet<String> =
            before.iter().flat_map(|view| &view.lines).filter_map(|line| declares(line.code)).collect();
        for part in test_lines(file) {
            let (old, new) = (View::new(part, Side::Old), View::new(part, Side::New));
            let mut tell = |line: &Seen<'_>, detail| {
                flags.push(flag(RiskKind::TestsWeakened, &file.path, Some(line.number), detail));
            };
            let tests = declared(&new);
            let in_new_test = |at: usize| {
                let test = new.around(at).find_map(|(place, _)| tests.iter().find(|test| test.at == place));
                test.is_some_and(|test| test.touched)
            };
            for (at, line) in new.lines.iter().enumerate().filter(|(_, line)| line.touched) {
                let name = declares(line.code).filter(|name| !gone.contains(name) && !own.contains(name));
                if let Some(name) = name.filter(|_| !in_new_test(at)) {
                    if (ASKING.contains(&name.as_str()) && !line.code.starts_with("mod "))
                        || (line.code.contains("macro_rules! assert"))
                    {
                        tell(line, "what tests ask with is declared by a test");
                    } else if (imported.contains(&name) && !still.contains(&name))
                        || subjects.iter().any(|subject| is_declared(subject, &name))
                    {
                        tell(line, "what a test is about is declared by the test itself");
                    }
                }
                if PATCHES.iter().any(|patch| line.code.contains(patch))
                    && is_patched(&subjects, line.code, &new)
                {
                    tell(line, "what a test is about is replaced in the test");
                }
                if is_equal_to_all(&new, line) {
                    tell(line, "something is declared to be equal to everything");
                }
            }
            for line in computed(&old, &new) {
                tell(&line, "what is expected is computed by what is tested");
            }
        }
    }
    flags
}

/// What an assertion calls.
fn called(code: &str) -> Vec<Called> {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut found = Vec::new();
    for (at, _) in code.match_indices('(') {
        let before = code.get(..at).unwrap_or_default();
        let name: String = before.rsplit(|letter| !is_name(letter)).next().unwrap_or_default().to_owned();
        let rest = before.get(..before.len() - name.len()).unwrap_or_default();
        let receiver = ["::", ".", "->"].iter().find_map(|mark| rest.strip_suffix(mark));
        let receiver =
            receiver.map(|rest| rest.rsplit(|letter| !is_name(letter)).next().unwrap_or_default().to_owned());
        let is_verb = ["assert", "expect", "Assert", "XCTAssert", "to", "is", "self", "t"]
            .contains(&name.as_str())
            || name.starts_with("assert")
            || name.starts_with("to") && name.chars().nth(2).is_some_and(char::is_uppercase);
        let is_builtin = [
            "len", "str", "int", "list", "sorted", "set", "dict", "repr", "type", "Some", "Ok", "Err", "vec",
            "format",
        ]
        .contains(&name.as_str());
        if !name.is_empty() && !is_verb && !is_builtin {
            found.push(Called { receiver, name });
        }
    }
    found
}

/// The name of the function, the type or the callable value that a line declares.
fn declares(code: &str) -> Option<String> {
    let code = [
        "pub ",
        "async ",
        "export ",
        "static ",
        "private ",
        "public ",
        "protected ",
        "final ",
        "data ",
        "open ",
    ]
    .iter()
    .fold(code.trim(), |code, word| code.strip_prefix(word).unwrap_or(code));
    if let Some(rest) = code.strip_prefix("macro_rules! ") {
        return Some(name_of(rest));
    }
    if let Some(rest) = DECLARES.iter().find_map(|word| code.strip_prefix(word)) {
        return Some(name_of(rest)).filter(|name| !name.is_empty());
    }
    let (left, right) = code.split_once('=').filter(|(_, right)| !right.starts_with('='))?;
    let name =
        left.trim().trim_start_matches("const ").trim_start_matches("let ").trim_start_matches("var ").trim();
    let name = name.trim_end_matches([':', ' ']);
    let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    (is_name && CALLABLE.iter().any(|mark| right.contains(mark))).then(|| name.to_owned())
}

fn name_of(text: &str) -> String {
    text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
}

fn is_declared(subject: &Called, name: &str) -> bool {
    match &subject.receiver {
        Some(receiver) => receiver == name && receiver.starts_with(char::is_uppercase),
        None => subject.name == name,
    }
}

/// Whether a line replaces something that assertions call.
fn is_patched(subjects: &BTreeSet<Called>, code: &str, view: &View<'_>) -> bool {
    let named: BTreeSet<&str> = words(code).collect();
    // `jest.mock("./shop")`: all that is imported from there.
    let module =
        code.split(['"', '\'', '`']).nth(1).filter(|_| code.contains("ock(") && !code.contains("patch("));
    let imports =
        view.lines.iter().filter(|line| line.code.contains("import") || line.code.contains("require("));
    let imported: BTreeSet<&str> = module
        .into_iter()
        .flat_map(|module| {
            imports.clone().filter(move |line| line.code.split(['"', '\'', '`']).any(|text| text == module))
        })
        .flat_map(|line| words(line.code))
        .collect();
    subjects.iter().any(|subject| {
        let name = subject.name.as_str();
        match &subject.receiver {
            Some(receiver) => {
                (named.contains(name) && named.contains(receiver.as_str()) && !receiver.is_empty())
                    || imported.contains(receiver.as_str())
            }
            None => named.contains(name) || imported.contains(name),
        }
    })
}

/// `def __eq__(self, other): return True`.
fn is_equal_to_all(view: &View<'_>, line: &Seen<'_>) -> bool {
    let declares = ["def __eq__(", "def ==(", "bool Equals(", "boolean equals("]
        .iter()
        .any(|mark| line.code.contains(mark));
    let at = view.lines.iter().position(|other| other.number == line.number).unwrap_or_default();
    let body = view.lines.get(at..).unwrap_or_default().iter().take(3);
    declares && body.into_iter().any(|line| line.code.to_ascii_lowercase().contains("return true"))
}

/// `expected = total(items)` before `assert total(items) == expected`, where it was a value.
fn computed<'v>(old: &View<'v>, new: &View<'v>) -> Vec<Seen<'v>> {
    let assigned = |code: &str| {
        let (left, right) = code.split_once('=').filter(|(_, right)| !right.starts_with('='))?;
        let name = left.trim().trim_end_matches(':').split_whitespace().last()?.to_owned();
        Some((name, compact(right)))
    };
    let before: BTreeSet<String> =
        old.touched().filter_map(|line| assigned(line.code)).map(|(name, _)| name).collect();
    let sides: Vec<(String, String)> =
        assertions(new).iter().filter_map(|assertion| equal_sides(&assertion.code, new.language)).collect();
    let is_there: BTreeSet<String> = assertions(old).into_iter().map(|assertion| assertion.shape).collect();
    let edited =
        assertions(new).iter().any(|assertion| assertion.touched && !is_there.contains(&assertion.shape))
            && assertions(old).iter().any(|assertion| assertion.touched);
    let lines = new.touched().filter(|line| {
        let Some((name, value)) = assigned(line.code) else { return false };
        (before.contains(&name) || edited)
            && value.contains('(')
            && sides
                .iter()
                .any(|(left, right)| (*left == name && *right == value) || (*right == name && *left == value))
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_called_and_declared_is_read() {
        let names = |code: &str| called(code).into_iter().map(|one| one.name).collect::<Vec<_>>();
        assert_eq!(names("assert total(items) == 3"), ["total"]);
        assert_eq!(names("expect(shop.total([1])).toBe(3)"), ["total"]);
        assert_eq!(names("assert len(items) == 3"), [""; 0]);
        for (code, name) in [
            ("def total(items):", Some("total")),
            ("total = lambda items: 3", Some("total")),
            ("const total = () => 3;", Some("total")),
            ("fn total(a: u32) -> u32 {", Some("total")),
            ("class Shop {", Some("Shop")),
            ("total = compute(items)", None),
            ("assert total == 3", None),
        ] {
            assert_eq!(declares(code).as_deref(), name, "{code}");
        }
    }
}
