//! JSON as programs really write it.

use std::borrow::Cow;

/// JSON in which halves of a character (`\ud83d` without what should follow) are replacement characters: an agent that
/// cuts a text in the middle of an emoji has still something to report. JSON without such halves stays as it is.
#[must_use]
pub fn replace_lone_surrogates(json: &str) -> Cow<'_, str> {
    // Every half begins so; nearly no text has one.
    if !json.contains("\\ud") && !json.contains("\\uD") {
        return Cow::Borrowed(json);
    }
    let unit = |text: &str| {
        let digits = text.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut whole = String::with_capacity(json.len());
    let mut rest = json;
    while let Some((before, escape)) = rest.find('\\').and_then(|at| rest.split_at_checked(at)) {
        whole.push_str(before);
        let second = escape.get(6..).and_then(unit);
        let (kept, length) = match (unit(escape), second) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (escape.get(..12), 12),
            (Some(0xd800..=0xdfff), _) => (Some("\\ufffd"), 6),
            _ => {
                let next = escape.chars().nth(1).map_or(1, |next| 1 + next.len_utf8());
                (escape.get(..next), next)
            }
        };
        whole.push_str(kept.unwrap_or_default());
        rest = escape.get(length..).unwrap_or_default();
    }
    Cow::Owned(whole + rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn halves_of_characters_are_replaced() {
        for (json, text) in [
            (r#""a \ud83d b""#, "a \u{fffd} b"),
            (r#""\uDC00\ud83d""#, "\u{fffd}\u{fffd}"),
            (r#""\ud83d\ude00 \u00e4""#, "😀 ä"),
            (r#""\\ud83d \n""#, "\\ud83d \n"),
            (r#""\ud83d\n\ud83d\\""#, "\u{fffd}\n\u{fffd}\\"),
        ] {
            assert_eq!(
                serde_json::from_str::<String>(&replace_lone_surrogates(json)).unwrap(),
                text,
                "{json}"
            );
        }
    }

    proptest! {
        #[test]
        fn readable_json_stays_as_it_is(text in any::<String>()) {
            let json = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(replace_lone_surrogates(&json), json.as_str());
        }

        #[test]
        fn anything_is_mended_without_harm(text in "[\\\\ud8cef0-9\"ä]{0,40}") {
            let mended = replace_lone_surrogates(&text).into_owned();
            prop_assert_eq!(replace_lone_surrogates(&mended), mended.as_str());
        }
    }
}
