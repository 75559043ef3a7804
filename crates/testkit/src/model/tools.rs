//! Tool calls of the script, told in the names that the CLI itself offers.

use serde_json::{Map, Value, json};

use super::ask::{Ask, Offered};
use super::call::Call;
use super::code;

const WRITERS: &[&str] = &["Write", "write", "write_file", "create", "create_file"];
const EDITORS: &[&str] = &["Edit", "edit", "replace", "str_replace", "edit_file"];
const READERS: &[&str] = &["Read", "read", "read_file", "view"];
const SHELLS: &[&str] =
    &["Bash", "bash", "exec_command", "shell_command", "run_shell_command", "shell", "local_shell"];
const PATCHER: &str = "apply_patch";

const PATHS: &[&str] = &["file_path", "filePath", "path", "absolute_path"];
const CONTENTS: &[&str] = &["content", "file_text", "contents"];
const OLD: &[&str] = &["old_string", "oldString", "old_str", "oldText"];
const NEW: &[&str] = &["new_string", "newString", "new_str", "newText"];
const COMMANDS: &[&str] = &["command", "cmd", "script"];

/// A tool call as it goes over the wire.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ToolUse {
    pub(super) name: String,
    pub(super) namespace: Option<String>,
    pub(super) input: Input,
}

/// What a tool is called with.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Input {
    Arguments(Value),
    Free(String),
}

impl ToolUse {
    /// The arguments as JSON text, or the free text.
    pub(super) fn text(&self) -> String {
        match &self.input {
            Input::Arguments(arguments) => arguments.to_string(),
            Input::Free(text) => text.clone(),
        }
    }

    /// The arguments as a value; a free text as its `input`.
    pub(super) fn value(&self) -> Value {
        match &self.input {
            Input::Arguments(arguments) => arguments.clone(),
            Input::Free(text) => json!({ "input": text }),
        }
    }
}

/// Translates a call for the CLI that asked, which works in `folder`.
pub(super) fn translate(call: &Call, ask: &Ask, folder: Option<&str>) -> ToolUse {
    match call {
        Call::Write { path, content } => write(path, content, ask, folder),
        Call::Edit { path, old, new } => edit(path, old, new, ask, folder),
        Call::Read { path } => match offered(ask, READERS) {
            Some(tool) => fill(tool, [(PATHS, json!(placed(path, folder)))]),
            None => bash(&format!("cat {}", quoted(path)), ask),
        },
        Call::Bash { command } => bash(command, ask),
        Call::Tool { name, input } => other(name, input, ask),
    }
}

fn other(name: &str, input: &Value, ask: &Ask) -> ToolUse {
    let own = ask.tools.iter().find(|tool| is_called(&tool.name, name));
    if let (None, Some(tool)) = (own, code::offered(ask)) {
        return code::call(tool, name, input);
    }
    let (name, namespace) =
        own.map_or((name.to_owned(), None), |tool| (tool.name.clone(), tool.namespace.clone()));
    ToolUse { name, namespace, input: Input::Arguments(input.clone()) }
}

fn write(path: &str, content: &str, ask: &Ask, folder: Option<&str>) -> ToolUse {
    if let Some(tool) = offered(ask, WRITERS) {
        return fill(tool, [(PATHS, json!(placed(path, folder))), (CONTENTS, json!(content))]);
    }
    if let Some(tool) = offered(ask, &[PATCHER]) {
        let added: String = content.lines().map(|line| format!("+{line}\n")).collect();
        return patch(tool, &format!("*** Add File: {path}\n{added}"));
    }
    bash(&format!("printf %s {} > {}", quoted(content), quoted(path)), ask)
}

fn edit(path: &str, old: &str, new: &str, ask: &Ask, folder: Option<&str>) -> ToolUse {
    if let Some(tool) = offered(ask, EDITORS) {
        let place = json!(placed(path, folder));
        if tool.schema["properties"]["edits"].is_object() {
            let edits = json!([{ "oldText": old, "newText": new }]);
            return fill(tool, [(PATHS, place), (&["edits"], edits)]);
        }
        return fill(tool, [(PATHS, place), (OLD, json!(old)), (NEW, json!(new))]);
    }
    if let Some(tool) = offered(ask, &[PATCHER]) {
        return patch(tool, &format!("*** Update File: {path}\n@@\n-{old}\n+{new}\n"));
    }
    let script =
        "import sys; p, a, b = sys.argv[1:]; t = open(p).read(); open(p, 'w').write(t.replace(a, b, 1))";
    let words = [script, path, old, new].map(quoted).join(" ");
    bash(&format!("python3 -c {words}"), ask)
}

fn bash(command: &str, ask: &Ask) -> ToolUse {
    let Some(tool) = offered(ask, SHELLS) else {
        if let Some(tool) = code::offered(ask) {
            return code::call(tool, "exec_command", &json!({ "cmd": command }));
        }
        // Not offered where the CLI may not run commands: it has to say so itself.
        let input = Input::Arguments(json!({ "command": command }));
        return ToolUse { name: SHELLS[0].to_owned(), namespace: None, input };
    };
    let key = key(tool, COMMANDS);
    let takes_words = tool.schema["properties"][key]["type"]
        .as_str()
        .is_some_and(|kind| kind.eq_ignore_ascii_case("array"));
    let value = if takes_words { json!(["bash", "-lc", command]) } else { json!(command) };
    fill(tool, [(COMMANDS, value)])
}

fn patch(tool: &Offered, body: &str) -> ToolUse {
    let text = format!("*** Begin Patch\n{body}*** End Patch\n");
    let input = if tool.is_free { Input::Free(text) } else { Input::Arguments(json!({ "input": text })) };
    ToolUse { name: tool.name.clone(), namespace: tool.namespace.clone(), input }
}

/// A call with these arguments, each under the first of its names that the tool knows, and a value for whatever else
/// the tool insists on.
fn fill<const N: usize>(tool: &Offered, arguments: [(&[&'static str], Value); N]) -> ToolUse {
    let mut filled = Map::new();
    for (names, value) in arguments {
        filled.insert(key(tool, names).to_owned(), value);
    }
    let required = super::ask::list(&tool.schema["required"]);
    for name in required.iter().filter_map(Value::as_str) {
        if !filled.contains_key(name) {
            filled.insert(name.to_owned(), anything(&tool.schema["properties"][name]));
        }
    }
    ToolUse {
        name: tool.name.clone(),
        namespace: tool.namespace.clone(),
        input: Input::Arguments(Value::Object(filled)),
    }
}

fn anything(schema: &Value) -> Value {
    match schema["type"].as_str().unwrap_or("string").to_ascii_lowercase().as_str() {
        "boolean" => json!(false),
        "integer" | "number" => json!(1),
        "array" => json!([]),
        "object" => json!({}),
        _ => schema["enum"].get(0).cloned().unwrap_or_else(|| json!("as the script says")),
    }
}

fn offered<'ask>(ask: &'ask Ask, names: &[&str]) -> Option<&'ask Offered> {
    names.iter().find_map(|name| ask.tools.iter().find(|tool| tool.name == **name))
}

fn key(tool: &Offered, names: &[&'static str]) -> &'static str {
    let known = names.iter().find(|name| !tool.schema["properties"][**name].is_null());
    known.copied().unwrap_or(names[0])
}

/// Whether a tool is the one meant, with or without its server's name before it.
fn is_called(own: &str, name: &str) -> bool {
    let before = own.strip_suffix(name);
    before.is_some_and(|before| before.is_empty() || before.ends_with(['_', '-', '.', '/']))
}

fn placed(path: &str, folder: Option<&str>) -> String {
    match folder {
        Some(folder) if !path.starts_with('/') => format!("{}/{path}", folder.trim_end_matches('/')),
        _ => path.to_owned(),
    }
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The words that CLIs name their folder by.
const FOLDER_LABELS: &[&str] =
    &["orking directory: ", "orking in the directory: ", "<cwd>", "Workspace Directories:**\n  - "];

/// The folder that the agent works in, as it says itself somewhere in its request.
pub(super) fn folder_in(body: &Value) -> Option<String> {
    match body {
        Value::String(text) => FOLDER_LABELS.iter().find_map(|label| {
            let rest = text.split_once(label)?.1;
            let path = rest.split(['\n', '<', '"']).next()?.trim();
            path.starts_with('/').then(|| path.to_owned())
        }),
        Value::Array(parts) => parts.iter().find_map(folder_in),
        Value::Object(fields) => fields.values().find_map(folder_in),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str, arguments: &[&str]) -> Offered {
        let properties: Map<String, Value> =
            arguments.iter().map(|name| ((*name).to_owned(), json!({ "type": "string" }))).collect();
        let schema = json!({ "properties": properties, "required": arguments });
        Offered { name: name.to_owned(), schema, ..Offered::default() }
    }

    fn told(call: &Call, tools: Vec<Offered>) -> (String, Value) {
        let told = translate(call, &Ask { tools, ..Ask::default() }, Some("/w"));
        (told.name.clone(), told.value())
    }

    #[test]
    fn names_and_arguments_are_those_that_were_offered() {
        let call = Call::write("a.txt", "hi");
        let (name, input) = told(&call, vec![tool("create", &["path", "file_text"])]);
        assert_eq!((name.as_str(), input), ("create", json!({ "path": "/w/a.txt", "file_text": "hi" })));
        let (name, input) = told(&call, vec![tool("exec_command", &["cmd"])]);
        assert_eq!((name.as_str(), input), ("exec_command", json!({ "cmd": "printf %s 'hi' > 'a.txt'" })));
        let (_, input) = told(&Call::bash("ls"), vec![tool("bash", &["command", "description"])]);
        assert_eq!(input, json!({ "command": "ls", "description": "as the script says" }));
    }

    #[test]
    fn a_patch_is_free_text_where_the_tool_takes_free_text() {
        let patcher = Offered { is_free: true, ..tool("apply_patch", &[]) };
        let ask = Ask { tools: vec![patcher], ..Ask::default() };
        let told = translate(&Call::write("a.txt", "one\ntwo\n"), &ask, None);
        assert_eq!(told.text(), "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** End Patch\n");
    }

    #[test]
    fn tools_of_servers_are_found_by_their_own_name() {
        for own in ["mcp__loopwright__report_complete", "loopwright-report_complete", "report_complete"] {
            let (name, _) =
                told(&Call::tool("report_complete", json!({})), vec![tool("other", &[]), tool(own, &[])]);
            assert_eq!(name, own);
        }
        assert_eq!(told(&Call::tool("gone", json!({})), vec![tool("begone", &[])]).0, "gone");
    }

    #[test]
    fn the_folder_is_read_from_the_request() {
        let body =
            json!({ "system": [{ "text": "x\nPrimary working directory: /home/me/p\nIs a git repo" }] });
        assert_eq!(folder_in(&body).as_deref(), Some("/home/me/p"));
        assert_eq!(folder_in(&json!({ "input": "<cwd>/p</cwd>" })).as_deref(), Some("/p"));
        assert_eq!(folder_in(&json!({ "input": "working directory: none" })), None);
    }
}
