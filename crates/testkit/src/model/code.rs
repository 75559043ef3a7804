//! Code mode: some models of codex get one tool only, which runs JavaScript that calls the others.

use serde_json::Value;

use super::ask::{Ask, Offered};
use super::tools::{Input, ToolUse};

/// The tool that runs code, where it is offered.
pub(super) fn offered(ask: &Ask) -> Option<&Offered> {
    ask.tools.iter().find(|tool| tool.name == "exec" && tool.is_free)
}

/// Code that calls a tool by its own name, whatever its server's name before it.
pub(super) fn call(tool: &Offered, name: &str, input: &Value) -> ToolUse {
    let wanted = Value::from(name);
    let code = format!(
        "const names = ALL_TOOLS.map((tool) => tool.name);\n\
         const name = names.find((own) => own === {wanted} || own.endsWith(`__${{{wanted}}}`)) ?? {wanted};\n\
         text(JSON.stringify(await tools[name]({input})));"
    );
    ToolUse { name: tool.name.clone(), namespace: tool.namespace.clone(), input: Input::Free(code) }
}
