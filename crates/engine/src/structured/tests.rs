//! Answers as models give them.

use proptest::prelude::*;
use serde_json::{Map, json};

use super::*;

fn said(text: &str) -> ParsedOutput {
    ParsedOutput { own_text: text.to_owned(), ..ParsedOutput::default() }
}

fn schema() -> Value {
    json!({
        "type": "object",
        "required": ["title"],
        "properties": {
            "title": { "type": "string" },
            "size": { "enum": ["small", "large"] },
            "tasks": { "type": "array", "items": { "type": "object", "required": ["name"],
                "properties": { "name": { "type": "string" }, "order": { "type": ["integer", "null"] } } } },
        },
    })
}

fn answer(text: &str) -> Value {
    parse(&said(text), &schema()).unwrap()
}

fn refusal(text: &str) -> String {
    parse(&said(text), &schema()).unwrap_err().message
}

#[test]
fn what_the_cli_gave_comes_first_and_words_help_out() {
    let mut reading = said("```json\n{\"title\":\"words\"}\n```");
    reading.structured = Some("{\"title\":\"cli\"}".into());
    assert_eq!(parse(&reading, &schema()).unwrap()["title"], "cli");
    reading.structured = Some("{\"name\":1}".into());
    assert_eq!(parse(&reading, &schema()).unwrap()["title"], "words");
}

#[test]
fn the_last_json_that_fits_is_taken() {
    assert_eq!(
        answer("```json\n{\"title\":\"a\"}\n```\nor\n```\n{\"title\":\"b\"}\n```\nDone.")["title"],
        "b"
    );
    assert_eq!(answer("```json\n{\"title\":\"a\"}\n```\n```rust\nlet x = {};\n```")["title"], "a");
    assert_eq!(answer("```json\n{\"title\":\"a\"}\n```\n```json\n{\"other\":1}\n```")["title"], "a");
    assert_eq!(answer("Use {x} here: {\"title\":\"a\"} and then {\"title\":\"b\"}. Fine {y}.")["title"], "b");
    assert_eq!(answer("It is {\"title\": \"a\", \"tasks\": [{\"name\":\"n\"}],} indeed")["title"], "a");
}

#[test]
fn what_models_get_wrong_is_mended() {
    for text in [
        "{\"title\": \"a\", \"size\": \"small\",}",
        "{“title”: “a”, “size”: “small”}",
        "{'title': 'a', 'size': 'small'}",
        "{title: \"a\", /* why */ size: \"small\" // because\n}",
        "{\"title\": \"a\", \"size\": \"small\", \"tasks\": [",
        "{\"title\": \"a\", \"size\": \"small\", \"more\": \"cut he",
        "{\"title\": \"a\", \"size\": \"small\", \"more\": tru",
        "\u{feff}{\"title\": \"a\"\n, \"size\": \"small\", \"done\": True, \"left\": None}",
    ] {
        let fenced = format!("Here:\n```json\n{text}\n```\n");
        for answer in [answer(&fenced), answer(text)] {
            assert_eq!((&answer["title"], &answer["size"]), (&json!("a"), &json!("small")), "{text}");
        }
    }
    let lines = answer(
        "```json\n{\"title\": \"one\ntwo\", \"path\": \"C:\\dir\", \"said\": \"\\u00e9\\ud83c\\udf75\",}\n```",
    );
    assert_eq!(lines, json!({ "title": "one\ntwo", "path": "C:\\dir", "said": "é🍵" }));
    assert_eq!(answer("{'title': 'it's tea'}")["title"], "it's tea");
    let cut = answer("```json\n{\"title\": \"a\", \"tasks\": [{\"name\": \"x\"}, {\"name\": \"y\"}]");
    assert_eq!(cut["tasks"], json!([{ "name": "x" }, { "name": "y" }]));
}

#[test]
fn what_does_not_fit_names_its_place() {
    for (text, words) in [
        ("I cannot do that.", "there is no JSON in it"),
        ("```json\n[1]\n```", "the answer is a list, not an object"),
        ("{\"name\": \"a\"}", "the answer has no \"title\""),
        ("{\"title\": 1}", "title is a number, not a text"),
        ("{\"title\": \"a\", \"size\": \"huge\"}", "size is none of \"small\", \"large\""),
        ("{\"title\": \"a\", \"tasks\": [{\"name\": \"x\"}, {}]}", "tasks[1] has no \"name\""),
        (
            "{\"title\": \"a\", \"tasks\": [{\"name\": \"x\", \"order\": 1.5}]}",
            "tasks[0].order is a number, not a whole number or nothing",
        ),
        ("```json\n{\n\"title\" \"a\"\n}\n```", "a colon is missing in line 2"),
        ("```json\n{\"title\": \"a\"\n\"size\": 1}\n```", "a comma is missing in line 2"),
        ("```json\n{\"title\": \"cut of", "the answer has no \"title\""),
    ] {
        assert!(refusal(text).contains(words), "{text}: {}", refusal(text));
    }
    assert!(refusal(&format!("{{\"title\": {}", "[".repeat(100_000))).contains("too deeply"));
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "(\\PC|[\n\"'`{}\\\\]){0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec(("\\PC{0,6}", inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #[test]
    fn valid_json_comes_back_as_it_is(value in any_value(), before in "[a-z .]{0,20}", fence in any::<bool>()) {
        let object = json!({ "title": "t", "value": value });
        let text = serde_json::to_string_pretty(&object).unwrap();
        let text = if fence { format!("{before}\n```json\n{text}\n```\n") } else { format!("{before} {text} ok") };
        prop_assert_eq!(parse(&said(&text), &schema()).unwrap(), object);
    }

    #[test]
    fn no_text_is_too_strange(text in "(\\PC|```json|```|\n|[{}\\[\\]\"':,/*\\\\“”‘’]|true|1){0,60}") {
        let _ = parse(&said(&text), &schema());
    }
}
