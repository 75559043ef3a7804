//! JSON as people write it into settings: with comments, and with a comma behind the last entry.

use serde_json::Value;

/// Reads it; none when it is neither JSON nor this.
pub(super) fn read(text: &str) -> Option<Value> {
    serde_json::from_str(text).or_else(|_| serde_json::from_str(&plain(text))).ok()
}

/// The same without comments and without commas that nothing follows. What stands in quotes is not touched.
fn plain(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (piece, after) = match rest {
            _ if first == '"' => rest.split_at(quoted(rest)),
            _ if rest.starts_with("//") => ("", rest.find('\n').map_or("", |end| rest.split_at(end).1)),
            _ if rest.starts_with("/*") => (" ", rest.split_once("*/").map_or("", |(_, after)| after)),
            _ => rest.split_at(first.len_utf8()),
        };
        if matches!(first, '}' | ']') && kept.trim_end().ends_with(',') {
            kept.truncate(kept.trim_end().len() - 1);
        }
        kept.push_str(piece);
        rest = after;
    }
    kept
}

/// The length of the text in quotes that this begins with.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(place, _)| place + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn comments_and_last_commas_are_read_over() {
        let text = "// mine\n{ \"a\": [1, 2, /* three, */ ], // \"b\": 1\n \"c\": \"// ,} \\\" /* */\", }";
        assert_eq!(read(text), Some(json!({ "a": [1, 2], "c": "// ,} \" /* */" })));
        for broken in ["", "{", "{ \"a", "/*", "{,}x", "{ a: 1 }"] {
            assert_eq!(read(broken), None, "{broken}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_too_strange(text in r#"[{}\[\],:"/*\\\nä 1]{0,40}"#) {
            let _ = read(&text);
        }

        #[test]
        fn what_stands_in_quotes_is_not_touched(text in ".{0,40}") {
            let value = json!({ "text": text });
            prop_assert_eq!(read(&format!("{value} // end")), Some(value));
        }
    }
}
