use super::*;

fn project(text: &str) -> FileLayer {
    read(".loopwright/config.toml", text, Scope::Project)
}

/// Code, line, message and hint of each problem.
fn problems(layer: &FileLayer) -> Vec<(ErrorCode, Option<u32>, String, String)> {
    layer
        .problems
        .iter()
        .map(|fault| {
            let line = fault.location.as_ref().and_then(|place| place.line);
            (fault.code, line, fault.message.clone(), fault.hint.clone().unwrap_or_default())
        })
        .collect()
}

#[test]
fn a_whole_file_is_read_with_its_lines() {
    let layer = project(
        r#"# The tea house
name = "Tea house"
spec_files = ["SPEC.md"]
default_harness = "mine"

[gate]
protected = ["prices/**"]

[harness.mine]
command = "my-agent"
args = ["--quick"]
env = { LEVEL = "3" }

[[checks]]
name = "menu"
command = 'git diff --no-index "expected menu.txt" menu.txt'
success = [0, 1]
timeout = "1m30s"

[[checks]]
name = "spelling"
command = "spell"
required = false
"#,
    );
    assert_eq!(problems(&layer), []);
    assert_eq!(layer.values["name"], (Value::Text("Tea house".into()), 2));
    assert_eq!(layer.values["gate.protected"], (Value::List(vec!["prices/**".into()]), 7));
    assert_eq!(layer.harnesses["mine"].args, ["--quick"]);
    assert_eq!(layer.harnesses["mine"].line, 10);
    let command = layer.checks[0].executes().unwrap();
    assert_eq!(command.argv, ["git", "diff", "--no-index", "expected menu.txt", "menu.txt"]);
    assert_eq!(layer.checks[0].timeout.as_secs(), 90);
    assert_eq!(command.success, [0, 1]);
    assert!(layer.checks[0].required && !layer.checks[1].required);
}

#[test]
fn an_unknown_key_names_its_line_and_the_nearest_valid_one() {
    let layer = project("name = \"x\"\n\ndefualt_harness = \"claude\"\n[gates]\nprotected = []\n");
    let found = problems(&layer);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].0, ErrorCode::ConfigUnknownKey);
    assert_eq!(found[0].1, Some(3));
    assert_eq!(found[0].3, "Did you mean \"default_harness\"?");
    assert_eq!(found[1].1, Some(4));
    assert_eq!(layer.values["name"].0, Value::Text("x".into()), "what is right is still read");
}

#[test]
fn wrong_types_are_named_where_they_stand() {
    let layer = project(
        "name = 3\nmode = \"sometimes\"\nspec_files = \"SPEC.md\"\nchecks = \"all\"\nharness = \"claude\"\n",
    );
    let found = problems(&layer);
    let lines: Vec<_> = found.iter().map(|problem| problem.1).collect();
    assert_eq!(lines, [Some(1), Some(2), Some(3), Some(4), Some(5)]);
    assert!(found.iter().all(|problem| problem.0 == ErrorCode::ConfigBadValue));
    assert_eq!(found[0].2, "\"name\" must be text in quotes");
    assert!(found[4].3.contains("default_harness"));
}

#[test]
fn a_check_without_a_name_with_an_open_quote_or_twice_is_named() {
    let layer = project(
        "[[checks]]\ncommand = \"a\"\n[[checks]]\nname = \"b\"\ncommand = \"say 'hi\"\n\
         [[checks]]\nname = \"c\"\ncommand = \"c\"\ntimout = \"1s\"\ndir = \"../up\"\n[[checks]]\nname = \"c\"\ncommand = \"c\"\n",
    );
    let messages: Vec<String> = problems(&layer).into_iter().map(|problem| problem.2).collect();
    assert_eq!(
        messages,
        [
            "checks[1] has no \"name\"",
            "\"checks[2].command\" must be a program with its arguments; close every quote",
            "unknown key \"timout\"",
            "\"checks[3].dir\" must be a folder inside the project",
            "\"checks\" holds two checks called \"c\"",
        ]
    );
}

#[test]
fn each_key_stays_in_the_file_it_belongs_to() {
    let in_project = project("[ui]\ntheme = \"dark\"\n");
    assert!(problems(&in_project)[0].2.contains("belongs in your own settings"));
    let in_user = read("user.toml", "name = \"x\"\n[[checks]]\nname = \"a\"\ncommand = \"a\"\n", Scope::User);
    assert_eq!(in_user.problems.len(), 2);
    assert!(in_user.checks.is_empty());
}

#[test]
fn broken_toml_is_one_problem_with_its_line() {
    let layer = project("name = \"x\"\nmode = \n");
    let found = problems(&layer);
    assert_eq!((found.len(), found[0].0, found[0].1), (1, ErrorCode::ConfigSyntax, Some(2)));
}

proptest::proptest! {
    #[test]
    fn no_text_panics(text in "(?s).*") {
        project(&text);
    }

    #[test]
    fn nothing_that_looks_like_toml_panics(
        lines in proptest::collection::vec("(name|mode|\\[gate\\]|\\[\\[checks\\]\\]|harness|checks|ui\\.theme|command)( = |\\.)?(\"a\"|3|\\[\\]|\\{ b = 1 \\}|true)?", 0..8)
    ) {
        project(&lines.join("\n"));
    }
}
