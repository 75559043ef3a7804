//! Assertions: where they are, and how much each of them asks for.

use super::language::Language;
use super::view::{Seen, View};
use super::words::{compact, words};

/// How many lines an assertion may go over.
const LONGEST: usize = 40;

/// How much an assertion asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// It always holds.
    Nothing,
    /// Something is there, or is true, or fails somehow.
    Weak,
    /// A part, a pattern, a range.
    Partial,
    /// One value.
    Exact,
}

/// An assertion as it is on one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Assertion {
    /// The line it begins on.
    pub(crate) line: u32,
    /// Its code, on one line.
    pub(crate) code: String,
    /// Its code without regard to layout.
    pub(crate) shape: String,
    /// Whether a line of it is only on this side.
    pub(crate) touched: bool,
    /// How much it asks for; none when its name says nothing.
    pub(crate) strength: Option<Strength>,
}

/// The assertions of a view, in order.
pub(crate) fn assertions(view: &View<'_>) -> Vec<Assertion> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(line) = view.lines.get(at) {
        let Some(start) = head(line.code, view.language) else {
            at += 1;
            continue;
        };
        let length = span(&view.lines[at..], start, view.language);
        let lines = &view.lines[at..at + length];
        let condition = condition_before(view, at);
        let mut code = lines.iter().map(|line| line.code).collect::<Vec<_>>().join(" ");
        let mut touched = lines.iter().any(|line| line.touched);
        if let Some(before) = condition {
            code = before.code.trim_start_matches("} else ").trim_end_matches('{').trim().to_owned();
            touched |= before.touched;
        }
        let strength = strength(&code, view.language);
        found.push(Assertion { line: line.number, shape: compact(&code), touched, strength, code });
        at += length;
    }
    found
}

/// Where in a line an assertion begins.
pub(crate) fn head(code: &str, language: Language) -> Option<usize> {
    if ["import ", "use ", "from ", "package ", "fn ", "def ", "func ", "function "]
        .iter()
        .any(|word| code.starts_with(word))
    {
        return None;
    }
    let at_word = |mark: &str| {
        code.match_indices(mark).map(|(at, _)| at).find(|at| {
            !code[..*at].ends_with(|before: char| before.is_alphanumeric() || before == '_')
                && !["fn ", "def ", "function ", "void "].iter().any(|word| code[..*at].ends_with(word))
        })
    };
    match language {
        Language::Rust => at_word("assert")
            .or_else(|| at_word("prop_assert"))
            .filter(|at| name_is_followed_by(&code[*at..], &["!", "("]))
            .or_else(|| code.find("#[should_panic")),
        Language::Python => at_word("assert")
            .filter(|at| code[*at..].starts_with("assert ") || name_is_followed_by(&code[*at..], &["("]))
            .or_else(|| at_word("pytest.raises("))
            .or_else(|| at_word("pytest.fail("))
            .or_else(|| at_word("self.fail(")),
        Language::Script => at_word("expect")
            .or_else(|| at_word("assert"))
            .filter(|at| name_is_followed_by(&code[*at..], &["(", "."]))
            .or_else(|| code.find(".should.")),
        Language::Go => [
            "t.Error(",
            "t.Errorf(",
            "t.Fatal(",
            "t.Fatalf(",
            "t.Fail(",
            "t.FailNow(",
            "assert.",
            "require.",
            "Expect(",
        ]
        .iter()
        .find_map(|mark| at_word(mark)),
        Language::Java => at_word("assert")
            .filter(|at| name_is_followed_by(&code[*at..], &["("]))
            .or_else(|| ["verify(", "fail(", "expectThrows("].iter().find_map(|mark| at_word(mark)))
            .or_else(|| code.find(".andExpect(")),
        Language::Other => at_word("assert")
            .or_else(|| at_word("expect"))
            .filter(|at| name_is_followed_by(&code[*at..], &["(", " ", "."])),
    }
}

fn name_is_followed_by(code: &str, marks: &[&str]) -> bool {
    let rest = code.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
    marks.iter().any(|mark| rest.starts_with(mark))
}

/// How many lines the assertion that begins in the first of them goes over: until its brackets are closed.
fn span(lines: &[Seen<'_>], start: usize, language: Language) -> usize {
    let mut depth = 0i32;
    for (index, line) in lines.iter().enumerate().take(LONGEST) {
        let code = if index == 0 { line.code.get(start..).unwrap_or_default() } else { line.code };
        depth += depth_change(code);
        let goes_on = lines.get(index + 1).is_some_and(|next| next.code.starts_with('.'))
            || (language == Language::Python && code.ends_with('\\'));
        if depth <= 0 && !goes_on {
            return index + 1;
        }
    }
    lines.len().clamp(1, LONGEST)
}

fn depth_change(code: &str) -> i32 {
    code.chars().fold(0, |depth, letter| match letter {
        '(' | '[' | '{' => depth + 1,
        ')' | ']' | '}' => depth - 1,
        _ => depth,
    })
}

/// In Go the condition before a call that fails the test is the assertion.
fn condition_before<'v>(view: &'v View<'_>, at: usize) -> Option<&'v Seen<'v>> {
    let calls = |code: &str| code.trim_start().starts_with("t.");
    if view.language != Language::Go || !view.lines.get(at).is_some_and(|line| calls(line.code)) {
        return None;
    }
    let before = view.lines[..at].iter().rev().find(|line| !line.code.is_empty())?;
    let is_condition = before.code.starts_with("if ") || before.code.starts_with("} else if ");
    (is_condition && before.code.ends_with('{')).then_some(before)
}

const WILDCARDS: &[&str] = &[
    "expect.any(",
    "expect.anything(",
    "objectContaining",
    "arrayContaining",
    "mock.ANY",
    "Mockito.any",
    "any()",
    ", ANY",
];
const EXACT: &[&str] = &[
    "assert_eq!",
    "assertEqual",
    "assertListEqual",
    "assertDictEqual",
    "assertArrayEquals",
    "assertSame",
    ".toBe(",
    ".toEqual(",
    ".toStrictEqual(",
    ".toHaveLength(",
    ".toHaveBeenCalledWith(",
    ".toHaveBeenCalledTimes(",
    "assert.equal(",
    "trictEqual(",
    "deepEqual(",
    ".Equal(",
    ".EqualValues(",
    ".JSONEq(",
    ".Len(",
    "DeepEqual(",
    "cmp.Diff(",
    ".isEqualTo(",
    ".isSameAs(",
    ".hasSize(",
    ".containsExactly(",
    "assert_called_with(",
    "assert_called_once_with(",
    ".toThrow(\"",
    ".toThrow('",
    "match=",
    "should_panic(expected",
];
const PARTIAL: &[&str] = &[
    "assertIn(",
    "assertRegex",
    "AlmostEqual",
    "approx",
    "assert_ne!",
    "assertNotEqual",
    "assertGreater",
    "assertLess",
    ".toContain(",
    ".toMatch(",
    ".toMatchObject(",
    ".toBeCloseTo(",
    ".toBeGreater",
    ".toBeLess",
    ".toThrow(",
    "Contains(",
    "contains(",
    "starts_with(",
    "ends_with(",
    "startswith(",
    "endswith(",
    "HasPrefix(",
    "HasSuffix(",
    "matches!(",
    "InDelta(",
    "InEpsilon(",
    "isCloseTo(",
    "startsWith(",
    "endsWith(",
    "includes(",
    "isGreaterThan",
    "isLessThan",
    "isBetween",
    "pytest.raises(",
    "assertRaises(",
    "assertThrows(",
];
const WEAK: &[&str] = &[
    "assertTrue",
    "assertFalse",
    "assertIsNotNone",
    "assertNotNull",
    ".toBeTruthy(",
    ".toBeDefined(",
    ".not.toBeNull(",
    ".not.toBeUndefined(",
    ".not.toThrow(",
    ".toThrow()",
    ".toHaveBeenCalled()",
    "assert_called()",
    "assert.ok(",
    ".True(",
    ".NotNil(",
    ".NotEmpty(",
    ".NoError(",
    ".isNotNull(",
    ".isTrue(",
    "isinstance(",
    "is_ok()",
    "is_some()",
    "is_err()",
    "raises(Exception",
    "Raises(Exception",
    "(Exception.class",
    "(Throwable.class",
    "(RuntimeException.class",
    "#[should_panic]",
];

/// How much an assertion asks for, by its name and its operators.
fn strength(code: &str, language: Language) -> Option<Strength> {
    let has = |marks: &[&str]| marks.iter().any(|mark| code.contains(mark));
    if always_holds(code, language) {
        return Some(Strength::Nothing);
    }
    if has(WEAK) && !has(EXACT) {
        return Some(
            compared(code, language).filter(|by| *by == Strength::Partial).unwrap_or(Strength::Weak),
        );
    }
    if is_about_a_boolean(code) {
        return Some(
            compared(code, language).filter(|by| *by == Strength::Partial).unwrap_or(Strength::Weak),
        );
    }
    if has(EXACT) {
        let loose = has(WILDCARDS) || code.contains(".not.") || has_tolerance(code);
        return Some(if loose { Strength::Partial } else { Strength::Exact });
    }
    if has(PARTIAL) {
        return Some(Strength::Partial);
    }
    let plain = code.starts_with("assert ") || code.contains("assert!(") || code.starts_with("if ");
    let plain = plain || (language == Language::Script && code.contains("assert("));
    plain.then(|| compared(code, language).unwrap_or(Strength::Weak))
}

/// What the operators of a plain assertion ask for. A Go condition says when the test fails, so it is the other way.
fn compared(code: &str, language: Language) -> Option<Strength> {
    let arrows = code.replace("=>", "").replace("->", "").replace("<-", "");
    let fails = language == Language::Go && code.starts_with("if ");
    let nothing = ["nil", "None", "null", "undefined", "True", "true"];
    let against_nothing = |operator: &str| {
        code.split_once(operator)
            .is_some_and(|(_, right)| nothing.iter().any(|word| right.trim().starts_with(word)))
    };
    let equal = if fails { "!=" } else { "==" };
    if code.contains(equal) {
        return Some(if against_nothing(equal) { Strength::Weak } else { Strength::Exact });
    }
    if arrows.contains(['<', '>'])
        || code.contains("!=")
        || code.contains(" in ")
        || (fails && code.contains("!strings."))
    {
        return Some(Strength::Partial);
    }
    None
}

/// `toBe(true)`, `assert_eq!(x, true)`: no more than that something is true.
fn is_about_a_boolean(code: &str) -> bool {
    let shape = compact(code);
    [
        ".toBe(true)",
        ".toBe(false)",
        ".toEqual(true)",
        ".toEqual(false)",
        ",true)",
        ",false)",
        "Equals(true,",
        "Equals(false,",
    ]
    .iter()
    .any(|mark| shape.ends_with(mark) || (mark.ends_with(',') && shape.contains(mark)))
}

/// A third argument that is a fraction: how far off the value may be.
fn has_tolerance(code: &str) -> bool {
    let Some((_, last)) = code.rsplit_once(',') else { return false };
    let last = last.trim().trim_end_matches([')', ';']);
    code.matches(',').count() >= 2 && last.parse::<f64>().is_ok_and(|number| number.fract() != 0.0)
}

/// Whether an assertion names nothing but values: it can never fail.
fn always_holds(code: &str, language: Language) -> bool {
    let fails_by_itself =
        ["fail(", "t.Error", "t.Fatal", "t.Fail", "#[should_panic", "raises", "Raises", "Throws"];
    if fails_by_itself.iter().any(|mark| code.contains(mark)) || code.starts_with("if ") {
        return false;
    }
    let start = head(code, language).unwrap_or_default();
    let is_value = |word: &str| {
        matches!(word, "true" | "True" | "false" | "False" | "null" | "None" | "nil")
            || word.starts_with(|first: char| first.is_ascii_digit())
    };
    let is_verb = |word: &str| {
        [
            "assert",
            "expect",
            "prop_assert",
            "to",
            "is",
            "be",
            "ok",
            "equal",
            "Equal",
            "strict",
            "deep",
            "True",
            "self",
            "t",
        ]
        .iter()
        .any(|verb| word == *verb || (verb.len() > 3 && word.starts_with(verb)))
            || (word.starts_with("to") && word.chars().nth(2).is_some_and(char::is_uppercase))
    };
    let code = code.get(start..).unwrap_or_default();
    let mut values = 0;
    for word in words(&super::words::without_quoted(code)) {
        if is_value(word) {
            values += 1;
        } else if !is_verb(word) {
            return false;
        }
    }
    values > 0
}
