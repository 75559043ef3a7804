//! Assertions: where they are, and how much each of them asks for.

use super::operands::always_holds;
use super::tokens::compact;
use super::view::{Seen, View};
use crate::code::Language;

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
    /// The place of that line in its view.
    pub(crate) at: usize,
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
        let following = view.lines.get(at..).unwrap_or_default();
        let length = span(following, start, view.language);
        let lines = following.get(..length).unwrap_or_default();
        let condition = condition_before(view, at);
        let mut code = lines.iter().map(|line| line.code).collect::<Vec<_>>().join(" ");
        let mut touched = lines.iter().any(|line| line.touched);
        if let Some(before) = condition {
            code = before.code.trim_start_matches("} else ").trim_end_matches('{').trim().to_owned();
            touched |= before.touched;
        }
        let strength = strength(&code, view.language);
        let shape = match view.language {
            // `"${output}"` is `$output`.
            Language::Shell => compact(&code.replace(['"', '{', '}'], "")),
            _ => compact(&code),
        };
        found.push(Assertion { line: line.number, at, shape, touched, strength, code });
        at += length.max(1);
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
            let before = code.get(..*at).unwrap_or_default();
            !before.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_')
                && !["fn ", "def ", "function ", "void "].iter().any(|word| before.ends_with(word))
        })
    };
    let from = |at: usize| code.get(at..).unwrap_or_default();
    match language {
        Language::Rust => at_word("assert")
            .or_else(|| at_word("prop_assert"))
            .filter(|at| name_is_followed_by(from(*at), &["!", "("]))
            .or_else(|| code.find("#[should_panic")),
        Language::Python => at_word("assert")
            .filter(|at| from(*at).starts_with("assert ") || name_is_followed_by(from(*at), &["("]))
            .or_else(|| at_word("pytest.raises("))
            .or_else(|| at_word("pytest.fail("))
            .or_else(|| at_word("self.fail(")),
        Language::Script => at_word("expect")
            .or_else(|| at_word("assert"))
            .filter(|at| name_is_followed_by(from(*at), &["(", "."]))
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
            .filter(|at| name_is_followed_by(from(*at), &["("]))
            .or_else(|| ["verify(", "fail(", "expectThrows("].iter().find_map(|mark| at_word(mark)))
            .or_else(|| code.find(".andExpect(")),
        Language::Shell => at_word("assert")
            .filter(|at| name_is_followed_by(from(*at), &[" "]))
            .or_else(|| ["[ ", "[[ ", "test "].iter().any(|mark| code.starts_with(mark)).then_some(0))
            .or_else(|| code.starts_with("refute").then_some(0)),
        Language::CSharp | Language::Other => {
            ["assert", "expect", "refute", "Assert", "XCTAssert", "EXPECT_", "ASSERT_", "#expect"]
                .iter()
                .find_map(|mark| at_word(mark).filter(|at| name_is_followed_by(from(*at), &["(", " ", "."])))
                .or_else(|| ["REQUIRE(", "CHECK(", "XCTFail("].iter().find_map(|mark| at_word(mark)))
                .or_else(|| code.find(".Should()"))
                .or_else(|| code.find(".should "))
        }
    }
}

fn name_is_followed_by(code: &str, marks: &[&str]) -> bool {
    let rest =
        code.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_' || letter == '#');
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
    let before = view.lines.get(..at)?.iter().rev().find(|line| !line.code.is_empty())?;
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
    "assert_equal",
    "assertSame",
    "AssertEqual",
    ".Be(",
    ".BeEquivalentTo(",
    ".to eq",
    "EXPECT_EQ(",
    "ASSERT_EQ(",
    "assert_output ",
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
    "assert_output --partial",
    "assert_output --regexp",
    "assert_match",
    "assert_in_delta",
    ".to include",
    ".to match",
    "assertStringContains",
    "Assert.Throws",
    "Assert.InRange",
    "EXPECT_NEAR(",
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
    ".NotNull(",
    ".NotEmpty(",
    "XCTAssertNotNil",
    "XCTAssertTrue",
    "assert_not_nil",
    "refute_nil",
    ".to be_truthy",
    ".to be_a",
    "not_to be_nil",
    ".NotBeNull(",
    "EXPECT_TRUE(",
    "ASSERT_TRUE(",
    "assert_success",
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
        let loose =
            has(WILDCARDS) || code.contains(".not.") || has_tolerance(code) || code.contains("output --");
        return Some(if loose { Strength::Partial } else { Strength::Exact });
    }
    if has(PARTIAL) {
        return Some(Strength::Partial);
    }
    if language == Language::Shell {
        return shell_strength(code);
    }
    let plain = code.starts_with("assert ") || code.contains("assert!(") || code.starts_with("if ");
    let plain = plain || (language == Language::Script && code.contains("assert("));
    plain.then(|| compared(code, language).unwrap_or(Strength::Weak))
}

/// `[ "$output" = 3 ]` asks for a value, `[[ $output == *3* ]]` for a part of one, `[ -n "$output" ]` for hardly anything.
fn shell_strength(code: &str) -> Option<Strength> {
    let is_equal = [" = ", " == ", " -eq "].iter().any(|operator| code.contains(operator));
    let is_other = ["=~", " != ", " -ne ", " -gt ", " -ge ", " -lt ", " -le "]
        .iter()
        .any(|operator| code.contains(operator));
    match (is_equal, is_other) {
        (true, _) if code.contains('*') => Some(Strength::Partial),
        (true, _) => Some(Strength::Exact),
        (_, true) => Some(Strength::Partial),
        _ => Some(Strength::Weak),
    }
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
