//! The settings reference, from the table of keys.

use loopwright_engine::config::{Group, KEYS, KeySpec, Scope, Value, ValueKind};

const INTRODUCTION: &str = "\
# Settings

Generated from the code by `cargo xtask docs`.

Settings are in `.loopwright/config.toml` of a project and in `config.toml` of your own, whose place `loopwright config show` tells.
What is said on the command line (`-c KEY=VALUE`) wins over environment variables, those over the project, the project over
your own settings, and these over what is built in. `loopwright config show` lists every setting with its value and where it
comes from; `loopwright config set KEY VALUE` writes one and keeps comments, `--user` into your own file.

Tables with names of your own are described elsewhere: [`[[checks]]`](../checks.md), [`[harness.NAME]`](../harness.md),
[`[prices.\\\"MODEL\\\"]`](../agents.md).
";

const GROUPS: [(Group, &str); 7] = [
    (Group::Project, "Project"),
    (Group::Agent, "Agent"),
    (Group::Loop, "Loop"),
    (Group::Git, "Git"),
    (Group::Gates, "Gates"),
    (Group::App, "App"),
    (Group::Appearance, "Appearance"),
];

fn values(kind: &ValueKind) -> String {
    let words = |words: &[&str]| words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    match kind {
        ValueKind::Text => "text".to_owned(),
        ValueKind::Choice(choices) => words(choices),
        ValueKind::Choices(choices) => format!("a list of {}", words(choices)),
        ValueKind::Mode => words(&["autonomous", "review_each", "review_every:N"]),
        ValueKind::List => "a list of texts".to_owned(),
        ValueKind::Globs => "a list of path patterns".to_owned(),
        ValueKind::Count => "a whole number from 0".to_owned(),
        ValueKind::Switch => words(&["true", "false"]),
        ValueKind::Time => "a time such as `90s` or `2h`; empty for none".to_owned(),
        ValueKind::Money => "US dollars such as `25` or `0.50`; empty for none".to_owned(),
    }
}

fn row(spec: &KeySpec) -> String {
    let default = match spec.default_value() {
        Value::Text(text) if text.is_empty() => "empty".to_owned(),
        Value::Text(text) => format!("`{text}`"),
        Value::List(items) if items.is_empty() => "empty".to_owned(),
        Value::List(_) => "all".to_owned(),
    };
    let scope = match spec.scopes {
        [Scope::Project] => "project",
        [Scope::User] => "your own",
        _ => "both",
    };
    let help = spec.help.replace('|', "\\|");
    format!("| `{}` | {help} | {} | {default} | {scope} |\n", spec.key, values(&spec.kind))
}

#[test]
fn the_settings_reference_is_that_of_the_keys() {
    let mut text = INTRODUCTION.replace("\\\"", "\"");
    for (group, title) in GROUPS {
        text.push_str(&format!(
            "\n## {title}\n\n| key | meaning | values | built in | file |\n|---|---|---|---|---|\n"
        ));
        KEYS.iter().filter(|spec| spec.group == group).for_each(|spec| text.push_str(&row(spec)));
    }
    super::require_same("docs/guide/settings.md", &text);
}
