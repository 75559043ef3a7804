//! Words and numbers of code, for telling whether something is still there in other clothes.

use std::collections::BTreeSet;

/// Names, numbers and words in quotes, each once. What is in a string counts word by word.
pub(crate) fn words(code: &str) -> impl Iterator<Item = &str> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
    code.split(move |letter| !is_word(letter)).flat_map(split_dots).filter(|word| !word.is_empty())
}

/// A number keeps its dot, names do not.
fn split_dots(word: &str) -> Vec<&str> {
    let number = word.trim_matches('.');
    if number.starts_with(|first: char| first.is_ascii_digit()) {
        vec![number]
    } else {
        word.split('.').collect()
    }
}

/// The numbers of a piece of code, in order.
pub(crate) fn numbers(code: &str) -> Vec<f64> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let Some((before, text)) = rest.split_at_checked(start) else { break };
        let attached = before.ends_with(|letter: char| letter.is_alphabetic() || letter == '_');
        let Some((number, after)) = text.split_at_checked(number_length(text).max(1)) else { break };
        if !attached && let Ok(number) = number.replace('_', "").parse() {
            found.push(number);
        }
        rest = after;
    }
    found
}

/// How many bytes of a text are a number: digits, a dot, an exponent.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut end = 0;
    while let Some(byte) = bytes.get(end) {
        let next_is_digit = |from: usize| bytes.get(from).is_some_and(u8::is_ascii_digit);
        match byte {
            b'0'..=b'9' | b'_' => {}
            b'.' if next_is_digit(end + 1) => {}
            b'e' | b'E' if next_is_digit(end + 1) => {}
            b'e' | b'E' if matches!(bytes.get(end + 1), Some(b'-' | b'+')) && next_is_digit(end + 2) => {
                end += 1
            }
            _ => break,
        }
        end += 1;
    }
    end
}

/// The code without its numbers and without what is in quotes: what is left is what is compared, not with what.
pub(crate) fn without_literals(code: &str) -> String {
    let is_shape = |letter: &char| !letter.is_ascii_digit() && !letter.is_whitespace();
    without_quoted(code).chars().filter(is_shape).collect()
}

/// The code without what is in quotes; a value takes its place.
pub(crate) fn without_quoted(code: &str) -> String {
    let mut rest = String::new();
    let mut quote = None;
    for letter in code.chars() {
        match quote {
            Some(open) if letter == open => {
                quote = None;
                rest.push('0');
            }
            Some(_) => {}
            None if matches!(letter, '"' | '\'' | '`') => quote = Some(letter),
            None => rest.push(letter),
        }
    }
    rest
}

/// The code without blanks and without commas before a closing bracket: two ways to lay out the same are the same.
pub(crate) fn compact(code: &str) -> String {
    let plain: String = code.chars().filter(|letter| !letter.is_whitespace()).collect();
    plain.replace(",)", ")").replace(",]", "]").replace(",}", "}").trim_end_matches([';', ',']).to_owned()
}

/// How much two sets of words have in common, in hundredths.
pub(crate) fn likeness(one: &BTreeSet<&str>, other: &BTreeSet<&str>) -> usize {
    let common = one.intersection(other).count();
    let all = one.union(other).count();
    (common * 100).checked_div(all).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        assert_eq!(numbers("close(x1, 1.5, 1e-9, 10_000, v2)"), [1.5, 1e-9, 10_000.0]);
        assert_eq!(numbers("30 * time.Second"), [30.0]);
        assert!(numbers("no number").is_empty());
    }

    #[test]
    fn layout_does_not_matter() {
        assert_eq!(compact("assert_eq!(\n  a,\n  b,\n);"), compact("assert_eq!(a, b)"));
        assert_eq!(without_literals("f(1, 'x') == 2"), without_literals("f(20, 'yz') == 3"));
    }

    #[test]
    fn words_of_strings_and_numbers_count() {
        let found: Vec<&str> = words("cart.total(3.50) == \"a b\"").collect();
        assert_eq!(found, ["cart", "total", "3.50", "a", "b"]);
    }
}
