//! Tests that end before they ask for anything, or ask only under a condition.

use std::collections::{BTreeMap, BTreeSet};

use super::assertion::{assertions, head};
use super::change::ChangedFile;
use super::declared::{Declared, declared, is_test_section};
use super::flag;
use super::tokens::compact;
use super::view::{Seen, Side, TestLines, View, test_lines};
use crate::code::Language;
use crate::gate::{RiskFlag, RiskKind};

/// Calls that end the whole program, and say that all went well.
const EXITS: &[&str] = &[
    "os._exit(0",
    "sys.exit(0",
    "sys.exit()",
    "process.exit(0",
    "process.exit()",
    "process.exitCode = 0",
    "os.Exit(0",
    "process::exit(0",
    "System.exit(0",
    "Environment.Exit(0",
    "exitProcess(0",
    "pytest.exit(",
    "runtime.Goexit(",
];

/// What a file had before, to tell what is new about a line.
struct Before {
    /// The lines that went, without regard to layout, and how often.
    lines: BTreeMap<String, usize>,
    /// Whether a test went from it.
    lost_tests: bool,
}

/// Tests that no longer get to what they ask for.
pub(crate) fn cut_short(files: &[ChangedFile]) -> Vec<RiskFlag> {
    let files = || files.iter().filter(|file| !file.generated);
    let old_tests = |part: TestLines<'_>| declared(&View::new(part, Side::Old));
    let gone: BTreeSet<String> = files()
        .flat_map(test_lines)
        .flat_map(old_tests)
        .filter(|test| test.touched)
        .map(|test| test.name)
        .collect();
    let mut flags = Vec::new();
    for file in files() {
        let mut lines = BTreeMap::new();
        for line in file.removed_lines() {
            *lines.entry(compact(&line.text)).or_default() += 1;
        }
        let lost_tests = test_lines(file).flat_map(old_tests).any(|test| test.touched);
        let mut before = Before { lines, lost_tests };
        for part in test_lines(file) {
            let (old, new) = (View::new(part, Side::Old), View::new(part, Side::New));
            let tests = declared(&new);
            let is_new = |test: &Declared| test.touched && !before.lost_tests && !gone.contains(&test.name);
            let known: Vec<bool> = tests.iter().map(|test| !is_new(test)).collect();
            let found = ends_early(&new, &tests, &known, &mut before)
                .into_iter()
                .chain(guarded(&old, &new, &tests, &known, &before))
                .chain(in_comment(part));
            flags.extend(
                found.map(|(line, detail)| flag(RiskKind::TestsWeakened, &file.path, Some(line), detail)),
            );
        }
    }
    flags
}

/// The test that a line is in: how far it is indented. None in a helper, in a new test, and where nobody can tell.
fn known_test(view: &View<'_>, tests: &[Declared], known: &[bool], at: usize) -> Option<usize> {
    for (place, line) in view.around(at) {
        if let Some((_, is_known)) = tests.iter().zip(known).find(|(test, _)| test.at == place) {
            return is_known.then_some(line.indent);
        }
        if is_function(line.code) {
            return None;
        }
    }
    let is_inside = view.lines.get(at).is_some_and(|line| line.indent > 0);
    (is_inside && is_test_section(view.section, view.language)).then_some(0)
}

/// Whether a line begins a function that is no test.
fn is_function(code: &str) -> bool {
    if code.contains("t.Run(") {
        return false;
    }
    let blocks = [
        "if", "else", "elif", "for", "while", "switch", "match", "try", "catch", "with", "do", "loop",
        "unless", "case", "when", "} ", "describe", "context", "mod ", "class ", "impl ", "select", "using",
        "subtest",
    ];
    let is_block = blocks.iter().any(|word| code.starts_with(word));
    ["fn ", "def ", "func ", "func(", "function ", "function(", "=> {"].iter().any(|word| code.contains(word))
        || (code.ends_with('{') && code.contains('(') && !is_block)
}

/// Returns and exits that came, with something after them that is no longer reached.
fn ends_early(
    view: &View<'_>,
    tests: &[Declared],
    known: &[bool],
    before: &mut Before,
) -> Vec<(u32, &'static str)> {
    let mut found = Vec::new();
    for (at, line) in view.lines.iter().enumerate().filter(|(_, line)| line.touched) {
        let exits = EXITS.iter().any(|exit| line.code.contains(exit));
        if !exits && !leaves(line.code, view.language) {
            continue;
        }
        if let Some(count @ 1..) = before.lines.get_mut(&compact(line.code)) {
            *count -= 1;
            continue;
        }
        if ends_script(view, at) {
            found.push((line.number, "a test ends before it has asked for everything"));
            continue;
        }
        let Some(indent) = known_test(view, tests, known, at).or(exits.then_some(0)) else { continue };
        let asks_before = view.around(at).next().is_some_and(|(opener, outer)| {
            let block = view.lines.get(opener + 1..at).unwrap_or_default();
            let is_test = tests.iter().any(|test| test.at == opener);
            !is_test
                && is_condition(outer.code)
                && block.iter().any(|line| head(line.code, view.language).is_some())
        });
        if !asks_before && (exits || goes_on(view, at, indent)) {
            found.push((line.number, "a test ends before it has asked for everything"));
        }
    }
    found
}

/// Whether a line ends a whole script of a shell, with something after it that asks.
fn ends_script(view: &View<'_>, at: usize) -> bool {
    let is_end = |line: &Seen<'_>| line.indent == 0 && line.code == "exit 0";
    let after = view.lines.get(at + 1..).unwrap_or_default();
    view.language == Language::Shell
        && view.lines.get(at).is_some_and(is_end)
        && after.iter().any(|line| head(line.code, view.language).is_some())
}

/// Whether a line leaves the function it is in, with nothing to say.
fn leaves(code: &str, language: Language) -> bool {
    let code = code.trim_end_matches([';', '}', ' ']);
    let at_end = |word: &str| {
        code.strip_suffix(word)
            .is_some_and(|before| !before.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_'))
    };
    if language == Language::Shell {
        return ["return 0", "exit 0", "return"].iter().any(|word| at_end(word));
    }
    let nothing = [
        "return",
        "return Ok(())",
        "return nil",
        "return None",
        "return null",
        "return undefined",
        "return true",
        "return True",
    ];
    nothing.iter().any(|word| at_end(word))
        || code.starts_with("return if ")
        || code.starts_with("return unless ")
}

/// Whether a test has something to do after a line.
fn goes_on(view: &View<'_>, at: usize, indent: usize) -> bool {
    let after = view.lines.get(at + 1..).unwrap_or_default().iter().filter(|line| !line.code.is_empty());
    after.take_while(|line| line.indent > indent).any(|line| {
        !matches!(line.code, "end" | "fi" | "done" | "esac")
            && !line.code.chars().all(|letter| "});,".contains(letter))
    })
}

fn is_condition(code: &str) -> bool {
    let empty_loop = ["in []", "in ()", "range(0)", "of []"].iter().any(|mark| code.contains(mark));
    ["if ", "if(", "while ", "while(", "unless ", "elif ", "} else if "]
        .iter()
        .any(|word| code.starts_with(word))
        || (code.starts_with("for ") && empty_loop)
}

/// Whether a condition never holds.
fn is_never(code: &str) -> bool {
    let shape = compact(code);
    [
        "ifFalse:",
        "if0:",
        "if(false)",
        "if(0)",
        "iffalse{",
        "whileFalse:",
        "while(false)",
        "whilefalse{",
        "unlesstrue",
        "iffalse",
        "#iffalse",
        "#if0",
    ]
    .iter()
    .any(|mark| shape == *mark || (mark.ends_with([')', '{', ':']) && shape.starts_with(mark)))
}

/// Assertions that were there before and now count only under a condition, or in a function that nobody calls.
fn guarded(
    old: &View<'_>,
    new: &View<'_>,
    tests: &[Declared],
    known: &[bool],
    before: &Before,
) -> Vec<(u32, &'static str)> {
    let never = new.touched().filter(|line| is_never(line.code));
    let mut found: Vec<(u32, &'static str)> =
        never.map(|line| (line.number, "a part of a test is never reached")).collect();
    let removed: BTreeSet<String> =
        assertions(old).into_iter().filter(|assertion| assertion.touched).map(|one| one.shape).collect();
    for assertion in assertions(new) {
        let was_there = !assertion.touched || removed.contains(&assertion.shape);
        if !was_there || known_test(new, tests, known, assertion.at).is_none() {
            continue;
        }
        let outer =
            new.around(assertion.at).take_while(|(place, _)| !tests.iter().any(|test| test.at == *place));
        let came = |line: &Seen<'_>| line.touched && !before.lines.contains_key(&compact(line.code));
        let guard = outer.filter(|(_, line)| came(line)).find(|(place, line)| {
            let is_own = compact(line.code.trim_end_matches('{')) == assertion.shape;
            !is_own && ((is_condition(line.code) && !has_else(new, *place)) || is_uncalled(new, line.code))
        });
        found.extend(guard.map(|(_, line)| (line.number, "an assertion counts only under a condition now")));
    }
    found
}

fn has_else(view: &View<'_>, at: usize) -> bool {
    let Some(opener) = view.lines.get(at) else { return false };
    let after = view.lines.get(at + 1..).unwrap_or_default().iter();
    after
        .filter(|line| !line.code.is_empty())
        .take_while(|line| line.indent >= opener.indent)
        .filter(|line| line.indent == opener.indent)
        .any(|line| ["else", "} else", "elif"].iter().any(|word| line.code.starts_with(word)))
}

/// Whether a line begins a function of Python that no other line names.
fn is_uncalled(view: &View<'_>, code: &str) -> bool {
    let Some(name) = code.strip_prefix("def ").and_then(|rest| rest.split('(').next()) else { return false };
    let call = format!("{name}(");
    view.language == Language::Python
        && view.lines.iter().filter(|line| line.code.contains(&call)).count() < 2
}

/// Assertions that stand there as before, within a comment or a text that came.
fn in_comment(part: TestLines<'_>) -> Vec<(u32, &'static str)> {
    let mut found = Vec::new();
    let mut opened: Option<(&str, u32)> = None;
    for line in part.lines.iter().filter(|line| line.new.is_some()) {
        let text = line.text.trim();
        if let Some((end, number)) = opened {
            if text.contains(end) {
                opened = None;
            } else if line.old.is_some() && head(part.language.code_of_line(text), part.language).is_some() {
                found.push((number, "an assertion was commented out"));
                opened = None;
            }
            continue;
        }
        let ends = match part.language {
            Language::Python if text == "\"\"\"" => Some("\"\"\""),
            Language::Python if text == "'''" => Some("'''"),
            Language::Python | Language::Shell => None,
            _ if text.starts_with("/*") && !text.contains("*/") => Some("*/"),
            _ if text == "=begin" => Some("=end"),
            _ => None,
        };
        opened = ends.zip(line.new.filter(|_| line.old.is_none()));
    }
    found
}
