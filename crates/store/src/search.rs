//! From any text to a search expression.

use std::collections::BTreeSet;

/// More words than this do not make a search better, and SQLite limits the size of an expression.
const MAX_WORDS: usize = 64;

/// The FTS5 expression that finds any of the text's words; none if it has no word.
///
/// Words are what the index takes for words: letters and digits together. Each one is quoted, so that nothing in
/// the text is read as an operator, and also matches the beginning of a longer word. A single letter does so only
/// by itself, as when somebody begins to type: the "t" of "don't" would find half of all tasks.
pub(crate) fn match_expression(text: &str) -> Option<String> {
    let mut seen = BTreeSet::new();
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && seen.insert(word.to_lowercase()))
        .take(MAX_WORDS)
        .collect();
    let alone = words.len() == 1;
    let terms: Vec<String> = words
        .into_iter()
        .map(|word| {
            let prefix = if alone || word.chars().nth(1).is_some() { "*" } else { "" };
            format!("\"{word}\"{prefix}")
        })
        .collect();
    (!terms.is_empty()).then(|| terms.join(" OR "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_joined_and_told_once() {
        let cases = [
            ("brew tea", Some(r#""brew"* OR "tea"*"#)),
            ("Tea, tea; TEA!", Some(r#""Tea"*"#)),
            (r#"title:"x" AND (y OR -z)*"#, Some(r#""title"* OR "x" OR "AND"* OR "y" OR "OR"* OR "z""#)),
            ("a\0b", Some(r#""a" OR "b""#)),
            ("b", Some(r#""b"*"#)),
            ("", None),
            ("\"'()-:^* \0 🍵", None),
        ];
        for (text, expected) in cases {
            assert_eq!(match_expression(text).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn a_long_text_is_cut_to_what_the_index_takes() {
        let text: String = (0..5_000).map(|number| format!("word{number} ")).collect();
        assert_eq!(match_expression(&text).unwrap().split(" OR ").count(), MAX_WORDS);
    }
}
