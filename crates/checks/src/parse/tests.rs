use std::sync::LazyLock;

use loopwright_config::check::{FieldPaths, JsonIssues, JsonPath, Pattern};
use proptest::prelude::*;

use super::*;

/// Severity, file, line and message of what is found, in short.
fn found(parser: &Parser, stdout: &str) -> Vec<(Severity, String, u32, String)> {
    let short = |issue: Issue| {
        (issue.severity, issue.file.unwrap_or_default(), issue.line.unwrap_or_default(), issue.message)
    };
    issues(parser, stdout, "").unwrap().into_iter().map(short).collect()
}

fn one(severity: Severity, file: &str, line: u32, message: &str) -> (Severity, String, u32, String) {
    (severity, file.into(), line, message.into())
}

fn json(issues: &str, fields: [&str; 4]) -> Parser {
    let path =
        |text: &str| if text.is_empty() { JsonPath::default() } else { JsonPath::parse(text).unwrap() };
    let [file, line, message, severity] = fields.map(path);
    Parser::Json(JsonIssues { issues: path(issues), fields: FieldPaths { file, line, message, severity } })
}

#[test]
fn lines_give_one_issue_each_with_its_place() {
    let printed = "src/a.rs:3: broken\nsrc/b.c:4:9: warning: unused\nC:\\x\\c.ts(5,2): error TS2304: no name\n\n\
                   note: look here\n  plain words  \nsrc/d.py:7:1: E501 line too long\nhttp://x.invalid:80/y is down\n";
    assert_eq!(
        found(&Parser::Lines, printed),
        [
            one(Severity::Error, "src/a.rs", 3, "broken"),
            one(Severity::Warning, "src/b.c", 4, "unused"),
            one(Severity::Error, "C:\\x\\c.ts", 5, "error TS2304: no name"),
            one(Severity::Info, "", 0, "look here"),
            one(Severity::Error, "", 0, "plain words"),
            one(Severity::Error, "src/d.py", 7, "E501 line too long"),
            one(Severity::Error, "", 0, "http://x.invalid:80/y is down"),
        ]
    );
}

/// DIAL took stderr when there was any, and lost what tests print on stdout.
#[test]
fn dial_22_both_streams_are_read() {
    let found = issues(&Parser::Lines, "out", "err").unwrap();
    assert_eq!(found.iter().map(|issue| issue.message.as_str()).collect::<Vec<_>>(), ["out", "err"]);
}

#[test]
fn a_pattern_names_its_parts() {
    let pattern = Pattern::new(r"^(?<severity>\w+) (?<file>[^@]+)@(?<line>\d+) (?<message>.+)$").unwrap();
    let printed = "Warn a b.x@12 too long\nnothing\nfatal c.x@99999999999 burst\n";
    assert_eq!(
        found(&Parser::Regex(pattern), printed),
        [one(Severity::Warning, "a b.x", 12, "too long"), one(Severity::Error, "c.x", 0, "burst")]
    );
    let whole = Parser::Regex(Pattern::new("FAIL .*").unwrap());
    assert_eq!(found(&whole, "ok 1\nFAIL two\n"), [one(Severity::Error, "", 0, "FAIL two")]);
}

#[test]
fn a_pattern_that_cannot_be_read_says_why() {
    assert!(Pattern::new("(open").unwrap_err().contains("unclosed group"));
    let unknown = Pattern::new("(?<mesage>.)").unwrap_err();
    assert_eq!(unknown, "names the unknown group \"mesage\"; did you mean \"message\"?");
    assert!(Pattern::new(r"\w{1000}{1000}").unwrap_err().contains("is not a pattern"));
}

#[test]
fn json_of_well_known_tools_is_read() {
    let eslint = r#"[{"filePath":"/p/a.js","messages":[{"line":3,"severity":2,"message":"no"},{"line":4,"severity":1,"message":"hm"}]}]"#;
    assert_eq!(
        found(&json("messages", ["", "", "", ""]), eslint),
        [one(Severity::Error, "/p/a.js", 3, "no"), one(Severity::Warning, "/p/a.js", 4, "hm")]
    );
    let cargo = "{\"reason\":\"compiler-artifact\"}\nnoise\n{\"reason\":\"compiler-message\",\"message\":{\"level\":\"error\",\
                 \"message\":\"mismatched\",\"spans\":[{\"file_name\":\"src/a.rs\",\"line_start\":7}]}}\n";
    assert_eq!(
        found(&json("message", ["spans.file_name", "spans.line_start", "", "level"]), cargo),
        [one(Severity::Error, "src/a.rs", 7, "mismatched")]
    );
    let nested = r#"{"a":{"b":[{"where":{"path":"x.go","row":"12"},"say":"bad","how":"note"},{"say":""}]}}"#;
    assert_eq!(
        found(&json("$.a.b", ["where.path", "where.row", "say", "how"]), nested),
        [one(Severity::Info, "x.go", 12, "bad")]
    );
    assert_eq!(
        found(&json("errors", ["", "", "", ""]), r#"{"errors":["one"]}"#),
        [one(Severity::Error, "", 0, "one")]
    );
    assert_eq!(found(&json("", ["", "", "", ""]), "[]"), []);
}

#[test]
fn json_on_the_other_stream_is_found_and_no_json_is_told() {
    let parser = json("", ["", "", "", ""]);
    let found = issues(&parser, "warming up", "{\"message\":\"bad\"}").unwrap();
    assert_eq!(found[0].message, "bad");
    for text in ["", "3", "no json", "\"text\"", "{open"] {
        assert!(issues(&parser, text, "").is_err(), "{text}");
    }
}

#[test]
fn paths_are_names_with_dots() {
    for good in ["a", "$.a", "$", "a.b[*].c", " a "] {
        assert!(JsonPath::parse(good).is_some(), "{good}");
    }
    for bad in ["", "a..b", ".a", "a.", "a[0]", "$.."] {
        assert!(JsonPath::parse(bad).is_none(), "{bad}");
    }
    assert_eq!(JsonPath::parse("$.a.b"), JsonPath::parse("a[*].b"));
}

#[test]
fn issues_and_messages_have_a_limit() {
    assert_eq!(found(&Parser::Lines, &"bad\n".repeat(3_000)).len(), MOST_ISSUES);
    let long = found(&Parser::Lines, &"ü".repeat(10_000));
    assert_eq!(long[0].3.chars().count(), LONGEST_MESSAGE);
    assert!(long[0].3.ends_with('…'));
}

/// One of each kind.
static PARSERS: LazyLock<Vec<Parser>> = LazyLock::new(|| {
    let pattern = Pattern::new(r"(?<file>\S*):(?<line>\d*):?(?<severity>\w*) *(?<message>.*)").unwrap();
    vec![Parser::Text, Parser::Lines, json("a", ["b", "c", "d.e", ""]), Parser::Regex(pattern)]
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_are_parsed_without_harm(
        out in proptest::collection::vec(any::<u8>(), 0..400),
        err in "([a-z./:(),0-9\\n\"{}\\[\\] ]|error|\\PC){0,120}",
    ) {
        let out = crate::text::plain(&out);
        for parser in PARSERS.iter() {
            for issue in issues(parser, &out, &err).unwrap_or_default() {
                prop_assert!(!issue.message.trim().is_empty());
                prop_assert!(issue.line != Some(0));
            }
        }
    }

    #[test]
    fn any_json_is_parsed_without_harm(
        text in r#"(\{|\}|\[|\]|"a"|"b"|"c"|"d"|:|,|null|true|-3|1e9|"message"|"line"){0,40}"#,
    ) {
        for parser in PARSERS.iter() {
            let _ = issues(parser, &text, "");
        }
    }
}
