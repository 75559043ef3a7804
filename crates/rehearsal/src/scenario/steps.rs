//! Reads one step. A step is a table with exactly one step name and the keys that step takes.

use serde_json::json;
use toml_edit::{Item, TableLike, Value};

use super::ScenarioError;
use super::model::{
    Crash, Family, FileStep, Ignored, Message, Printed, SignalStep, SignalVariant, Spawn, Step, StreamName,
    Usage,
};
use super::source::Source;
use super::table_reader::TableReader;

/// What a completion claim says unless the scenario says otherwise.
const PROMISE: &str = "<promise>COMPLETE</promise>";

const TO: &[(&str, StreamName)] = &[("stdout", StreamName::Stdout), ("stderr", StreamName::Stderr)];
const IGNORE: &[(&str, Ignored)] = &[("term", Ignored::Term), ("int", Ignored::Int), ("hup", Ignored::Hup)];

type Read = fn(&TableReader<'_>) -> Result<Step, ScenarioError>;

/// Every step: its name, the other keys it takes, and how it is read.
const STEPS: &[(&str, &[&str], Read)] = &[
    ("say", &["parts"], say),
    ("claim", &[], claim),
    ("echo_prompt", &[], |step| step.only_true("echo_prompt").map(|()| Step::EchoPrompt)),
    ("tool", &["input", "output", "failed"], tool),
    ("usage", &[], usage),
    ("raw", &[], |step| Ok(print(StreamName::Stdout, Printed::Line(step.need_text("raw")?)))),
    ("stderr", &[], |step| Ok(print(StreamName::Stderr, Printed::Line(step.need_text("stderr")?)))),
    ("bytes", &["to"], |step| Ok(print(to(step)?, Printed::Bytes(step.bytes("bytes")?)))),
    ("flood_lines", &["to"], |step| {
        Ok(print(to(step)?, Printed::FloodLines(step.need_number("flood_lines")?)))
    }),
    ("flood_bytes", &["to"], |step| {
        Ok(print(to(step)?, Printed::FloodBytes(step.need_number("flood_bytes")?)))
    }),
    ("endless_line", &["to"], |step| {
        Ok(print(to(step)?, Printed::EndlessLine(step.need_number("endless_line")?)))
    }),
    ("write", &["content"], |step| {
        let (path, content) = (step.need_place("write")?, step.need_text("content")?);
        Ok(Step::File(FileStep::Write { path, content }))
    }),
    ("append", &["content"], |step| {
        let (path, content) = (step.need_place("append")?, step.need_text("content")?);
        Ok(Step::File(FileStep::Append { path, content }))
    }),
    ("edit", &["find", "replace", "all"], edit),
    ("delete", &[], |step| Ok(Step::File(FileStep::Delete { path: step.need_place("delete")? }))),
    ("save_prompt", &[], |step| Ok(Step::SavePrompt { path: step.need_place("save_prompt")? })),
    ("run", &[], run),
    ("sleep", &[], |step| Ok(Step::Sleep(step.need_time("sleep")?))),
    ("spawn", &["for", "ignore", "pid_file", "keep_output"], spawn),
    ("hang", &["for", "ignore"], |step| {
        step.only_true("hang")?;
        Ok(Step::Hang { ignore: step.choices("ignore", IGNORE)?, lasts: step.time("for")? })
    }),
    ("crash", &[], crash),
    ("exit", &["message"], exit),
    ("signal", &["summary", "reason", "category", "description", "variant"], signal),
];

/// The names of all steps, in the order of the documentation.
pub(super) fn names() -> Vec<&'static str> {
    STEPS.iter().map(|(name, _, _)| *name).collect()
}

/// Reads a step's table.
pub(super) fn step(source: &Source<'_>, table: &dyn TableLike, line: u32) -> Result<Step, ScenarioError> {
    let mut named = STEPS.iter().filter(|(name, _, _)| table.contains_key(name));
    let Some((name, options, read)) = named.next() else { return Err(no_step(source, table, line)) };
    if let Some((other, _, _)) = named.next() {
        let message = format!("a step does one thing, but this one has \"{name}\" and \"{other}\"");
        return Err(source.invalid(line, message, Some("Make two steps of it.".to_owned())));
    }
    let mut known = vec![*name];
    known.extend(*options);
    read(&TableReader::new(source, table, line, format!("the step \"{name}\""), &known)?)
}

fn no_step(source: &Source<'_>, table: &dyn TableLike, line: u32) -> ScenarioError {
    let names = names();
    let is_option = |key: &str| STEPS.iter().any(|(_, options, _)| options.contains(&key));
    match table.iter().map(|(key, _)| key).find(|key| !is_option(key)) {
        Some(key) => {
            let line = source.line(table.key(key).and_then(toml_edit::Key::span), line);
            source.unknown(line, "a scenario", "step", key, &names)
        }
        None => source.invalid(
            line,
            "a step has to say what to do".to_owned(),
            Some(format!("Valid here: {}.", names.join(", "))),
        ),
    }
}

fn to(step: &TableReader<'_>) -> Result<StreamName, ScenarioError> {
    Ok(step.choice("to", TO)?.unwrap_or(StreamName::Stdout))
}

fn print(to: StreamName, what: Printed) -> Step {
    Step::Print { what, to }
}

fn say(step: &TableReader<'_>) -> Result<Step, ScenarioError> {
    Ok(Step::Say(Message { text: step.need_text("say")?, parts: step.count("parts")?.unwrap_or(1) }))
}

fn claim(step: &TableReader<'_>) -> Result<Step, ScenarioError> {
    match step.flag("claim") {
        Ok(_) => step.only_true("claim").map(|()| Step::Claim(PROMISE.to_owned())),
        Err(_) => match step.text("claim") {
            Ok(text) => Ok(Step::Claim(text.unwrap_or_default())),
            Err(_) => Err(step.bad("claim", "\"claim\" must be true or the text to say".to_owned())),
        },
    }
}

fn tool(step: &TableReader<'_>) -> Result<Step, ScenarioError> {
    let input = match step.table("input")? {
        Some(table) => json_table(table).ok_or_else(|| {
            step.bad(
                "input",
                "\"input\" may hold only texts, numbers, true, false, lists and tables".to_owned(),
            )
        })?,
        None => json!({}),
    };
    Ok(Step::Tool {
        name: step.need_text("tool")?,
        input,
        output: step.text("output")?.unwrap_or_default(),
        failed: step.flag("failed")?.unwrap_or(false),
    })
}

fn usage(step: &TableReader<'_>) -> Result<Step, ScenarioError> {
    const KEYS: &[&str] = &["input", "cached", "output", "cost_usd"];
    let Some(table) = step.table("usage")? else { return Ok(Step::Usage(Usage::default())) };
    let numbers = TableReader::new(step.source, table, step.line, "\"usage\"", KEYS)?;
    Ok(Step::Usage(Usage {
        input: numbers.number("input")?.unwrap_or(0),
        cached: numbers.number("cached")?.unwrap_or(0),
        output: numbers.number("output")?.unwrap_or(0),
        cost_usd: numbers.amount("cost_usd")?.unwrap_or(0.0),
    }))
}

fn edit(step: &TableReader<'_>) -> Result<Step, ScenarioError> {
    let find = step.need_text("find")?;
    if find.is_empty() {
        return Err(step.bad("find", "\"find\" cannot be empty".to_owned()));
    }
    Ok(Step::File(FileStep::Edit {
        path: step.need_place("edit")?,
        find,
        replace: step.need_text("replace")?,
        all: step.flag("all")?.unwrap_or(false),
    }))
}

fn run(step: &TableReader<'_>) -> Result<Step, ScenarioError> {
    let argv = step.texts("run")?.unwrap_or_default();
    if argv.first().is_none_or(String::is_empty) {
        let message = "\"run\" needs a program: [\"git\", \"status\"]".to_owned();
        return Err(step.bad("run", message));
    }
    if argv.iter().any(|argument| argument.contains('\0')) {
        return Err(step.bad("run", "an argument cannot hold NUL".to_owned()));
    }
    Ok(Step::Run { argv })
}

fn spawn(step: &TableReader<'_>) -> Result<Step, ScenarioError> {
    let families = [
        ("child", Family::Child),
        ("grandchild", Family::Grandchild),
        ("setsid", Family::Setsid),
        ("double_fork", Family::DoubleFork),
    ];
    Ok(Step::Spawn(Spawn {
        family: step.choice("spawn", &families)?.unwrap_or(Family::Child),
        lasts: step.need_time("for")?,
        ignore: step.choices("ignore", IGNORE)?,
        pid_file: step.place("pid_file")?,
        keep_output: step.flag("keep_output")?.unwrap_or(false),
    }))
}

fn crash(step: &TableReader<'_>) -> Result<Step, ScenarioError> {
    let ways = [("abort", Crash::Abort), ("segfault", Crash::Segfault), ("kill", Crash::Kill)];
    Ok(Step::Crash(step.choice("crash", &ways)?.unwrap_or(Crash::Abort)))
}

fn exit(step: &TableReader<'_>) -> Result<Step, ScenarioError> {
    let code = u8::try_from(step.need_number("exit")?);
    let code = code.map_err(|_| step.bad("exit", "an exit code goes from 0 to 255".to_owned()))?;
    Ok(Step::Exit { code, message: step.text("message")? })
}

fn signal(step: &TableReader<'_>) -> Result<Step, ScenarioError> {
    let fields: &[(&str, &[&str])] =
        &[("complete", &["summary"]), ("blocked", &["reason"]), ("learning", &["category", "description"])];
    let variants = [
        ("good", SignalVariant::Good),
        ("wrong_nonce", SignalVariant::WrongNonce),
        ("missing_nonce", SignalVariant::MissingNonce),
        ("malformed", SignalVariant::Malformed),
        ("stale", SignalVariant::Stale),
    ];
    let kinds: Vec<(&str, &str)> = fields.iter().map(|(kind, _)| (*kind, *kind)).collect();
    let kind = step.choice("signal", &kinds)?.unwrap_or("complete");
    let mut signal = serde_json::Map::from_iter([("type".to_owned(), json!(kind))]);
    for (owner, keys) in fields {
        for key in *keys {
            if *owner == kind {
                signal.insert((*key).to_owned(), json!(step.need_text(key)?));
            } else if step.text(key)?.is_some() {
                return Err(step.bad(key, format!("\"{key}\" belongs to the signal \"{owner}\"")));
            }
        }
    }
    let variant = step.choice("variant", &variants)?.unwrap_or(SignalVariant::Good);
    Ok(Step::Signal(SignalStep { signal: signal.into(), variant }))
}

/// A table as JSON; none when it holds something JSON cannot say.
fn json_table(table: &dyn TableLike) -> Option<serde_json::Value> {
    let fields = table.iter().map(|(key, item)| Some((key.to_owned(), json_item(item)?)));
    fields.collect::<Option<serde_json::Map<_, _>>>().map(serde_json::Value::Object)
}

fn json_item(item: &Item) -> Option<serde_json::Value> {
    match item {
        Item::Value(value) => json_value(value),
        Item::Table(table) => json_table(table),
        Item::ArrayOfTables(tables) => tables.iter().map(|table| json_table(table)).collect(),
        Item::None => None,
    }
}

fn json_value(value: &Value) -> Option<serde_json::Value> {
    match value {
        Value::String(text) => Some(json!(text.value())),
        Value::Integer(number) => Some(json!(number.value())),
        Value::Float(number) => serde_json::Number::from_f64(*number.value()).map(Into::into),
        Value::Boolean(flag) => Some(json!(flag.value())),
        Value::Array(array) => array.iter().map(json_value).collect(),
        Value::InlineTable(table) => json_table(table),
        Value::Datetime(_) => None,
    }
}
