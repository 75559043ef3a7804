//! What an assertion compares, and whether it can fail at all.

use super::assertion::head;
use super::tokens::{compact, without_quoted, words};
use crate::code::Language;

/// What is in the brackets of a call, or after the word of a statement: its arguments.
pub(crate) fn arguments(code: &str, language: Language) -> Vec<String> {
    let start = head(code, language).unwrap_or_default();
    let rest = code.get(start..).unwrap_or_default();
    let name = rest.find(|letter: char| !(letter.is_alphanumeric() || "_.:!#".contains(letter)));
    let (_, rest) = rest.split_at_checked(name.unwrap_or(rest.len())).unwrap_or_default();
    let is_statement = language == Language::Python && !rest.starts_with('(');
    split(if is_statement { rest } else { inside(rest) })
}

/// The text inside of the first brackets; all of it where there are none.
fn inside(text: &str) -> &str {
    let text = text.trim_start();
    let Some(rest) = text.strip_prefix('(') else { return text };
    let mut depth = 1u32;
    let mut quote = None;
    for (at, letter) in rest.char_indices() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(letter),
            (None, '(') => depth += 1,
            (None, ')') if depth == 1 => return rest.get(..at).unwrap_or(rest),
            (None, ')') => depth -= 1,
            _ => {}
        }
    }
    rest
}

/// The parts between commas that are in no brackets and no quotes.
fn split(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0i32;
    let mut quote = None;
    for letter in text.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(letter),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(letter);
        }
    }
    parts.iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// The two things that an assertion says are equal, without regard to layout.
pub(crate) fn equal_sides(code: &str, language: Language) -> Option<(String, String)> {
    if code.contains("_ne!") || code.contains("Not") || code.contains(".not") || code.contains("_not") {
        return None;
    }
    let found = match language {
        Language::Go if code.starts_with("if ") => {
            let condition = code.trim_start_matches("if ").rsplit(';').next().unwrap_or_default();
            condition.split_once("!=").map(|(left, right)| (left.to_owned(), right.to_owned()))
        }
        Language::Shell => {
            let condition = code.trim_start_matches(['[', ' ']).split(']').next().unwrap_or_default();
            let operator = if condition.contains("==") { "==" } else { " = " };
            condition.split_once(operator).map(|(left, right)| (left.to_owned(), right.to_owned()))
        }
        _ => expected(code).or_else(|| called(code, language)).or_else(|| compared(code, language)),
    };
    let (left, right) = found?;
    let (left, right) = (compact(&left), compact(&right));
    (!left.is_empty() && !right.is_empty()).then_some((left, right))
}

/// `expect(a).toBe(b)`, `expect(a).to eq(b)`, `assertThat(a).isEqualTo(b)`.
fn expected(code: &str) -> Option<(String, String)> {
    let start = ["expect(", "assertThat(", "expectThat("].iter().find_map(|mark| code.find(mark))?;
    let actual = inside(code.get(start..)?.get(code.get(start..)?.find('(')?..)?);
    let marks = [
        ".toBe(",
        ".toEqual(",
        ".toStrictEqual(",
        ".to.equal(",
        ".to.eql(",
        ".to eq(",
        ".to eq ",
        ".isEqualTo(",
    ];
    let (mark, at) = marks.iter().find_map(|mark| code.find(mark).map(|at| (mark, at)))?;
    let rest = code.get(at + mark.len() - 1..)?;
    Some((actual.to_owned(), inside(rest).to_owned()))
}

/// `assert_eq!(a, b)`, `assertEquals(a, b)`, `assert.Equal(t, a, b)`.
fn called(code: &str, language: Language) -> Option<(String, String)> {
    let names =
        ["assert_eq", "assertEqual", "assert_equal", "AssertEqual", ".Equal(", ".equal(", "trictEqual("];
    if !names.iter().any(|name| code.contains(name))
        && !["assertSame", "EXPECT_EQ", "ASSERT_EQ"].iter().any(|name| code.contains(name))
    {
        return None;
    }
    let mut arguments = arguments(code, language);
    if language == Language::Go && arguments.first().is_some_and(|first| first == "t") {
        arguments.remove(0);
    }
    match arguments.as_slice() {
        [left, right, ..] => Some((left.clone(), right.clone())),
        _ => None,
    }
}

/// `assert a == b`, `assert!(a == b)`.
fn compared(code: &str, language: Language) -> Option<(String, String)> {
    let condition = arguments(code, language).into_iter().next()?;
    if condition.contains(" and ") || condition.contains("&&") {
        return None;
    }
    let operator = ["===", "==", " is ", ">=", "<="].iter().find(|operator| condition.contains(*operator))?;
    condition.split_once(operator).map(|(left, right)| (left.to_owned(), right.to_owned()))
}

/// Whether an assertion cannot fail: it names nothing but values, compares something with itself, or has an alternative
/// that is always true.
pub(crate) fn always_holds(code: &str, language: Language) -> bool {
    has_true_alternative(code, language)
        || equal_sides(code, language).is_some_and(|(left, right)| left == right)
        || is_never_negative(code)
        || is_python_tuple(code, language)
        || asks_nothing(code, language)
        || names_only_values(code, language)
}

/// `x == 3 or True`. In Go the condition says when the test fails, so it is the other way.
fn has_true_alternative(code: &str, language: Language) -> bool {
    let plain = without_quoted(code);
    let shape = compact(&plain);
    match language {
        Language::Go if code.starts_with("if ") => {
            ["&&false", "false&&"].iter().any(|mark| shape.contains(mark)) || shape == "iffalse"
        }
        Language::Python | Language::CSharp | Language::Other => {
            let all: Vec<&str> = words(&plain).collect();
            let is_true = |word: &str| matches!(word, "True" | "true" | "1");
            let pairs = || all.iter().zip(all.iter().skip(1));
            let begins = ["assert True or ", "(True or ", "assert 1 or ", "(true or "];
            pairs().any(|(one, other)| *one == "or" && is_true(other) && ends_alternative(&plain, other))
                || begins.iter().any(|mark| plain.contains(mark))
                || is_text_alternative(code)
                || has_bar_true(&shape)
        }
        Language::Shell => shape.contains("||true") || code.trim_end().ends_with("|| :"),
        _ => has_bar_true(&shape),
    }
}

fn has_bar_true(shape: &str) -> bool {
    ["||true)", "(true||", "||!false)"].iter().any(|mark| shape.contains(mark)) || shape.ends_with("||true")
}

/// Whether a word ends a condition: nothing is compared with it.
fn ends_alternative(code: &str, word: &str) -> bool {
    let rest = code.rsplit_once(&format!("or {word}")).map_or("", |(_, rest)| rest).trim_start();
    rest.is_empty() || rest.starts_with([',', ')', ';'])
}

/// `assert x == 3 or "wrong"`: a text that is not empty is true.
fn is_text_alternative(code: &str) -> bool {
    let Some((_, text)) = code.rsplit_once(" or ") else { return false };
    let text = text.trim().trim_end_matches([')', ';']);
    let Some(quote) = text.chars().next().filter(|first| matches!(first, '"' | '\'')) else { return false };
    text.len() > 2 && text.ends_with(quote) && text.matches(quote).count() == 2
}

/// `len(x) >= 0`.
fn is_never_negative(code: &str) -> bool {
    let shape = compact(code);
    let is_count =
        ["len(", ".len()", ".length", ".size()", ".Count", ".count"].iter().any(|mark| shape.contains(mark));
    let marks = [">=0", ">-1", "GreaterThanOrEqual(0)", "GreaterThan(-1)"];
    is_count
        && marks.iter().any(|mark| {
            shape
                .split_once(mark)
                .is_some_and(|(_, rest)| !rest.starts_with(|next: char| next.is_ascii_digit() || next == '.'))
        })
}

/// `assert (x == 3, "wrong")`: a tuple that is not empty is true.
fn is_python_tuple(code: &str, language: Language) -> bool {
    let Some(tuple) = code.strip_prefix("assert").map(str::trim_start).filter(|rest| rest.starts_with('('))
    else {
        return false;
    };
    let content = inside(tuple);
    language == Language::Python && content.len() + 2 == tuple.trim_end().len() && split(content).len() > 1
}

/// `expect(x)` without what is expected of it.
fn asks_nothing(code: &str, language: Language) -> bool {
    let Some(start) = code.find("expect(").filter(|_| language == Language::Script) else { return false };
    let Some(rest) = code.get(start + "expect".len()..) else { return false };
    let tail = rest.get(inside(rest).len() + 2..).unwrap_or_default().trim_end_matches([';', ' ', ',']);
    matches!(
        tail,
        "" | ".not" | ".resolves" | ".rejects" | ".toBe" | ".toEqual" | ".toStrictEqual" | ".to" | ".to.be"
    ) && inside(rest).len() + 2 <= rest.len()
}

fn names_only_values(code: &str, language: Language) -> bool {
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
            "Assert",
            "XCTAssert",
            "expect",
            "prop_assert",
            "to",
            "is",
            "be",
            "ok",
            "eq",
            "equal",
            "Equal",
            "strict",
            "deep",
            "True",
            "self",
            "this",
            "t",
        ]
        .iter()
        .any(|verb| word == *verb || (verb.len() > 3 && word.starts_with(verb)))
            || (word.starts_with("to") && word.chars().nth(2).is_some_and(char::is_uppercase))
    };
    let code = code.get(start..).unwrap_or_default();
    // What a shell compares is in quotes.
    if language == Language::Shell && code.contains('$') {
        return false;
    }
    let mut values = 0;
    for word in words(&without_quoted(code)) {
        if is_value(word) {
            values += 1;
        } else if !is_verb(word) {
            return false;
        }
    }
    values > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_fail_is_known() {
        for (language, code) in [
            (Language::Python, "assert total(items) == 3 or True"),
            (Language::Python, "assert True or total(items) == 3"),
            (Language::Python, "assert total(items) == 3 or 1"),
            (Language::Python, "assert total(items) == 3 or \"wrong\""),
            (Language::Python, "assert (total(items) == 3, 'wrong')"),
            (Language::Python, "assert total(items) == total(items)"),
            (Language::Python, "assert total(items) is total(items), 'same'"),
            (Language::Python, "self.assertEqual(total(items), total(items))"),
            (Language::Python, "assert len(items) >= 0"),
            (Language::Python, "assert 1 == 1"),
            (Language::Rust, "assert!(total(1, 2) == 3 || true);"),
            (Language::Rust, "assert_eq!(total(1, 2), total(1, 2));"),
            (Language::Rust, "assert!(items.len() >= 0);"),
            (Language::Script, "expect(total([1, 2])).toBe(total([1, 2]));"),
            (Language::Script, "expect(total([1, 2]));"),
            (Language::Script, "await expect(load()).resolves;"),
            (Language::Script, "expect(items.length).toBeGreaterThanOrEqual(0);"),
            (Language::Script, "assert.strictEqual(total(1), total(1));"),
            (Language::Go, "if Total(1, 2) != Total(1, 2)"),
            (Language::Go, "if Total(1, 2) != 3 && false"),
            (Language::Go, "assert.Equal(t, got, got)"),
            (Language::Java, "assertEquals(Shop.total(1), Shop.total(1));"),
            (Language::Java, "assertTrue(true);"),
            (Language::Shell, "[ \"$output\" = 3 ] || true"),
            (Language::Shell, "[ \"$output\" = \"$output\" ]"),
            (Language::Other, "Assert.Equal(Shop.Total(1), Shop.Total(1));"),
            (Language::Other, "XCTAssertEqual(total(1), total(1))"),
            (Language::Other, "expect(total([1])).to eq(total([1]))"),
            (Language::Other, "$this->assertTrue(true);"),
        ] {
            assert!(always_holds(code, language), "{code}");
        }
    }

    #[test]
    fn what_can_fail_is_left_alone() {
        for (language, code) in [
            (Language::Python, "assert total(items) == 3"),
            (Language::Python, "assert flag == True or other"),
            (Language::Python, "assert a == 1 or b == 2"),
            (Language::Python, "assert a or 'x' in b"),
            (Language::Python, "assert (total(items) == 3)"),
            (Language::Python, "assert (a, b) == (1, 2)"),
            (Language::Python, "assert len(items) >= 1"),
            (Language::Python, "assert a or 10"),
            (Language::Rust, "assert_ne!(a, a);"),
            (Language::Rust, "assert!(a || truely(b));"),
            (Language::Script, "expect(a).not.toBe(a);"),
            (Language::Script, "expect(a).to.be.true;"),
            (Language::Go, "if err != nil"),
            (Language::Go, "assert.Equal(t, 3, got)"),
            (Language::Java, "assertEquals(3, Shop.total(1));"),
            (Language::Shell, "[ \"$output\" = 3 ]"),
            (Language::Shell, "[ \"$status\" -eq 0 ]"),
            (Language::Other, "Assert.Equal(3, Shop.Total(1));"),
            (Language::Other, "expect(total([1])).to eq(1)"),
        ] {
            assert!(!always_holds(code, language), "{code}");
        }
    }
}
