use loopwright_domain::Fault;

use super::*;
use crate::file;
use crate::schema::Scope;

/// The checks of a project's file, and the line, message and hint of each problem.
fn read(text: &str) -> (Vec<Check>, Vec<(u32, String, String)>) {
    let layer = file::read(".loopwright/config.toml", text, Scope::Project);
    let short = |fault: Fault| {
        let line = fault.location.and_then(|place| place.line).unwrap_or_default();
        (line, fault.message, fault.hint.unwrap_or_default())
    };
    (layer.checks, layer.problems.into_iter().map(short).collect())
}

fn names(checks: &[Check]) -> Vec<(&str, u32)> {
    checks.iter().map(|check| (check.name.as_str(), check.position)).collect()
}

fn command(check: &Check) -> &CheckCommand {
    check.executes().unwrap()
}

#[test]
fn checks_run_by_order_and_then_as_written() {
    let (checks, problems) = read(
        "[[checks]]\nname = \"c\"\ncommand = \"c\"\norder = 2\n[[checks]]\nname = \"a\"\ncommand = \"a\"\n\
         [[checks]]\nname = \"b\"\ncommand = \"b\"\n[[checks]]\nname = \"first\"\ncommand = \"f\"\norder = -1\n",
    );
    assert_eq!(problems, []);
    assert_eq!(names(&checks), [("first", 0), ("a", 1), ("b", 2), ("c", 3)]);
}

#[test]
fn all_keys_of_a_check_are_read() {
    let (checks, problems) = read(
        r#"[[checks]]
name = "lint"
command = "eslint -f json ."
dir = "web"
timeout = "90s"
required = false
success = [0, 3]
warn = [5]
env = { CI = "1" }
parser = "json"
issues = "$.results"
fields = { file = "path", line = "loc.line", message = "text", severity = "level" }

[[checks]]
name = "types"
command = "tsc"
parser = "regex"
pattern = '^(?<file>.+)\((?<line>\d+),\d+\): (?<message>.+)$'

[[checks]]
name = "off"
command = "slow"
enabled = false

[[checks]]
name = "no placeholders"
builtin = "placeholders"
timeout = "1m"
"#,
    );
    assert_eq!(problems, []);
    let lint = command(&checks[0]);
    assert_eq!((lint.dir.as_str(), &lint.success[..], &lint.warn[..]), ("web", &[0, 3][..], &[5][..]));
    assert_eq!((checks[0].required, checks[0].timeout.as_secs()), (false, 90));
    let path = |text: &str| JsonPath::parse(text).unwrap();
    let fields = FieldPaths {
        file: path("path"),
        line: path("loc.line"),
        message: path("text"),
        severity: path("level"),
    };
    assert_eq!(lint.parser, Parser::Json(JsonIssues { issues: path("results"), fields }));
    assert_eq!(command(&checks[1]).parser.as_str(), "regex");
    assert!(checks[2].executes().is_none() && !checks[2].enabled);
    assert_eq!(checks[3].work, CheckWork::Builtin(Builtin::Placeholders));
    assert_eq!(checks[3].shown(), "built in: placeholders");
}

#[test]
fn every_mistake_is_named_with_its_line() {
    let cases = [
        ("parser = \"xml\"", "\"checks[1].parser\" must be one of: text, lines, json, regex"),
        (
            "parser = \"regex\"",
            "\"checks[1].parser\" needs a \"pattern\" with the groups file, line, message and severity",
        ),
        ("pattern = \"x\"", "\"checks[1].pattern\" goes with parser = \"regex\" only"),
        ("issues = \"x\"", "\"checks[1].issues\" goes with parser = \"json\" only"),
        ("order = \"first\"", "\"checks[1].order\" must be a whole number"),
        ("timeout = \"0s\"", "\"checks[1].timeout\" must be a time, like \"90s\" or \"10m\""),
        ("warn = [0]", "\"checks[1].warn\" holds 0, which means success already"),
        ("success = [\"0\"]", "\"checks[1].success\" must be a list of exit codes, like [0]"),
        ("enabled = 1", "\"checks[1].enabled\" must be true or false"),
        ("builtin = \"clean-tree\"", "\"checks[1].command\" does not go with \"builtin\""),
    ];
    for (line, message) in cases {
        let (_, problems) = read(&format!("[[checks]]\nname = \"a\"\ncommand = \"a\"\n{line}\n"));
        assert_eq!(problems.len(), 1, "{line}: {problems:?}");
        assert_eq!(problems[0].1, message);
        assert!(problems[0].0 >= 3, "{line}: {problems:?}");
    }
    let (_, unknown) = read("[[checks]]\nname = \"a\"\nbuiltin = \"cleantree\"\n");
    assert_eq!(
        unknown[0].1,
        "\"checks[1].builtin\" must be one of: clean-tree, placeholders, merge-markers, spec-drift"
    );
    let (_, name) = read("[[checks]]\nname = \"a\\nb\"\ncommand = \"a\"\n");
    assert_eq!(name[0].1, "\"checks[1].name\" must be a name on one line");
    let json = "[[checks]]\nname = \"a\"\ncommand = \"a\"\nparser = \"json\"\nissues = \"a..b\"\nfields = { fiel = \"x\", line = 3 }\n";
    let (_, json) = read(json);
    let found: Vec<_> =
        json.iter().map(|(line, message, hint)| (*line, message.as_str(), hint.as_str())).collect();
    assert_eq!(
        found,
        [
            (5, "\"checks[1].issues\" must be a path of names, like \"results\" or \"$.a.b\"", ""),
            (6, "unknown key \"fiel\"", "Did you mean \"file\"?"),
            (6, "\"checks[1].fields.line\" must be a path of names, like \"results\" or \"$.a.b\"", ""),
        ]
    );
    let (_, slip) = read("[[checks]]\nname = \"a\"\ncommand = \"a\"\nparsr = \"json\"\n");
    assert_eq!((slip[0].0, slip[0].2.as_str()), (4, "Did you mean \"parser\"?"));
}
