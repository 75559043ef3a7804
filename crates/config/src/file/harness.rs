//! `[harness.<name>]`: an agent command of the user's own, or another program for a known agent.

use std::collections::BTreeMap;

use loopwright_domain::{Fault, OutputFormat, PromptMode};
use toml_edit::Item;

use super::tables::{Fields, HARNESS};
use super::{Source, line_of};
use crate::value::{Value, ValueKind, bad_value};

const KEYS: &[&str] = &[
    "command",
    "args",
    "env",
    "prompt_mode",
    "prompt_env",
    "output_format",
    "model",
    "credentials",
    "fields",
];
/// What can be found at a place of its own in an agent's JSON.
const FIELDS: &[&str] =
    &["text", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "cost_usd"];

const PLACES: &str = "must be a table of dotted paths: text, input_tokens, output_tokens, cache_read_tokens, \
                      cache_write_tokens, cost_usd";

/// An agent command of the user's own, or another program for a known agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HarnessCommand {
    /// The program; none keeps the known one.
    pub command: Option<String>,
    /// Arguments before Loopwright's own.
    pub args: Vec<String>,
    /// Variables it gets besides the usual ones.
    pub env: BTreeMap<String, String>,
    /// How the prompt is handed over.
    pub prompt_mode: Option<PromptMode>,
    /// The variable that holds the prompt.
    pub prompt_env: Option<String>,
    /// What it prints.
    pub output_format: Option<OutputFormat>,
    /// The model it is asked to use.
    pub model: Option<String>,
    /// Variables of the user's own that it may see: its keys.
    pub credentials: Vec<String>,
    /// Where in its JSON things are, as dotted paths by name: `text`, `input_tokens`, `cost_usd` and so on.
    pub fields: BTreeMap<String, String>,
    /// The line of its `command`, or of the table.
    pub line: u32,
}

impl HarnessCommand {
    /// This one's words over another's. Whoever names a program describes all of it: another program gets neither the
    /// variables nor the keys that were meant for the first.
    pub(crate) fn over(self, below: &Self) -> Self {
        if self.command.is_some() {
            return self;
        }
        let or =
            |above: Vec<String>, below: &Vec<String>| if above.is_empty() { below.clone() } else { above };
        let mut env = below.env.clone();
        env.extend(self.env);
        let mut fields = below.fields.clone();
        fields.extend(self.fields);
        Self {
            command: below.command.clone(),
            args: or(self.args, &below.args),
            env,
            prompt_mode: self.prompt_mode.or(below.prompt_mode),
            prompt_env: self.prompt_env.or_else(|| below.prompt_env.clone()),
            output_format: self.output_format.or(below.output_format),
            model: self.model.or_else(|| below.model.clone()),
            credentials: or(self.credentials, &below.credentials),
            fields,
            line: self.line,
        }
    }
}

pub(super) fn read(
    item: &Item,
    source: Source<'_>,
    harnesses: &mut BTreeMap<String, HarnessCommand>,
    problems: &mut Vec<Fault>,
) {
    let Some(tables) = item.as_table_like() else {
        let fault = bad_value(HARNESS, "must be a table, like [harness.my-agent]")
            .hint("To choose the agent, use default_harness = \"…\".");
        problems.push(source.place(fault, item.span()));
        return;
    };
    for (name, item) in tables.iter() {
        let span = tables.key(name).and_then(toml_edit::Key::span).or_else(|| item.span());
        let title = format!("{HARNESS}.{name}");
        let Some(table) = item.as_table_like() else {
            problems.push(source.place(bad_value(&title, "must be a table"), span));
            continue;
        };
        let mut fields = Fields { title, table, source, problems };
        fields.only(KEYS);
        let line = fields.span("command").or(span).map_or(1, |span| line_of(source.text, span.start));
        harnesses.insert(name.to_owned(), read_one(&mut fields, line));
    }
}

fn read_one(fields: &mut Fields<'_>, line: u32) -> HarnessCommand {
    let list = |item: &Item| match ValueKind::List.read(item) {
        Ok(Value::List(items)) => Some(items),
        _ => None,
    };
    HarnessCommand {
        command: fields.text("command"),
        args: fields.get("args", "must be a list of texts", list).unwrap_or_default(),
        env: fields.env(),
        prompt_mode: fields
            .get("prompt_mode", "must be stdin, arg, env or file", |item| PromptMode::parse(item.as_str()?)),
        prompt_env: fields.text("prompt_env"),
        output_format: fields.get("output_format", "must be text, json or stream-json", |item| {
            OutputFormat::parse(item.as_str()?)
        }),
        model: fields.text("model"),
        credentials: fields.get("credentials", "must be a list of variable names", list).unwrap_or_default(),
        fields: fields.get("fields", PLACES, places).unwrap_or_default(),
        line,
    }
}

/// Dotted paths by the name of what is there.
fn places(item: &Item) -> Option<BTreeMap<String, String>> {
    let known = |name: &str| FIELDS.contains(&name).then(|| name.to_owned());
    item.as_table_like()?.iter().map(|(name, path)| Some((known(name)?, path.as_str()?.to_owned()))).collect()
}
