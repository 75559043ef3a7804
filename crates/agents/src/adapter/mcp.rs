//! The server with our own tools, as the CLIs want it described.

use serde_json::{Map, Value, json};

use crate::harness::McpServer;

/// The server as JSON in the form that most CLIs share, with what one of them wants besides.
pub(super) fn servers(server: &McpServer<'_>, more: &[(&str, Value)]) -> Value {
    let env: Map<String, Value> =
        server.env.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    let mut described = json!({
        "command": server.program.to_string_lossy(),
        "args": server.args,
        "env": env,
    });
    if let Value::Object(fields) = &mut described {
        fields.extend(more.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    }
    json!({ server.name: described })
}
