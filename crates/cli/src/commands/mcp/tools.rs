//! The tools: what an agent can say and ask.

use std::sync::Arc;

use loopwright_domain::{Fault, LearningCategory};
use loopwright_engine::run::{Signal, SignalEndpoint};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    ErrorCode, Implementation, JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler};
use serde_json::{Value, json};

const INSTRUCTIONS: &str = "Loopwright started you for one piece of work. Ask current_task what it is. When it is done \
                            call report_complete once and end; when you need a person call report_blocked and end. \
                            Loopwright runs the checks itself.";

/// Answers what an agent reports and asks.
pub(super) struct Tools {
    endpoint: Result<SignalEndpoint, Fault>,
}

impl Tools {
    pub(super) const fn new(endpoint: Result<SignalEndpoint, Fault>) -> Self {
        Self { endpoint }
    }

    fn call(&self, name: &str, arguments: &JsonObject) -> Result<String, Refusal> {
        let endpoint = self.endpoint.as_ref().map_err(|fault| Refusal::Tool(fault.told()))?;
        let report = |signal: Signal, answer: &str| {
            endpoint.report(signal).map(|()| answer.to_owned()).map_err(|fault| Refusal::Tool(fault.told()))
        };
        match name {
            "report_complete" => {
                let summary = text(arguments, "summary").unwrap_or_default();
                let satisfied_by = texts(arguments, "satisfied_by");
                report(
                    Signal::Complete { summary, satisfied_by },
                    "Noted. Loopwright runs the checks when you end. End now.",
                )
            }
            "report_blocked" => {
                let reason = needed(arguments, "reason")?;
                report(Signal::Blocked { reason }, "Noted. A person will see the reason. End now.")
            }
            "record_learning" => {
                let description = needed(arguments, "text")?;
                let category = text(arguments, "category").unwrap_or_default();
                let category = LearningCategory::named(&category).as_str().to_owned();
                let title = text(arguments, "title").unwrap_or_default();
                let when = text(arguments, "when").unwrap_or_default();
                report(Signal::Learning { category, description, title, when }, "Recorded.")
            }
            "current_task" => endpoint
                .assignment()
                .and_then(|work| {
                    serde_json::to_string_pretty(&work).map_err(|error| {
                        Fault::new(loopwright_domain::ErrorCode::Internal, error.to_string()).because(&error)
                    })
                })
                .map_err(|fault| Refusal::Tool(fault.told())),
            _ => Err(Refusal::Unknown),
        }
    }
}

/// Why a call was not carried out.
enum Refusal {
    /// There is no such tool.
    Unknown,
    /// The agent is told why.
    Tool(String),
}

fn text(arguments: &JsonObject, name: &str) -> Option<String> {
    let text = arguments.get(name)?.as_str()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The texts of a list; of a single text, that one.
fn texts(arguments: &JsonObject, name: &str) -> Vec<String> {
    let list = match arguments.get(name) {
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(text)) => vec![text.as_str()],
        _ => Vec::new(),
    };
    list.into_iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect()
}

fn needed(arguments: &JsonObject, name: &str) -> Result<String, Refusal> {
    text(arguments, name)
        .ok_or_else(|| Refusal::Tool(format!("\"{name}\" is missing: a text that is not empty.")))
}

fn tool(name: &'static str, description: &'static str, properties: Value, required: &[&str]) -> Tool {
    let mut schema = JsonObject::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), properties);
    schema.insert("required".into(), required.into());
    Tool::new(name, description, Arc::new(schema))
}

fn all() -> Vec<Tool> {
    let a_text = |description: &str| json!({ "type": "string", "description": description });
    let categories: Vec<&str> = LearningCategory::ALL.iter().map(|category| category.as_str()).collect();
    vec![
        tool(
            "report_complete",
            "Say that the whole work is done. Call it once, as the last thing you do.",
            json!({
                "summary": a_text("What you did, in a sentence or two"),
                "satisfied_by": {
                    "type": "array",
                    "items": { "type": "string" },
                    "description": "Only where no file had to be changed: what satisfies the work already, as paths \
                                    and as check:NAME. A person decides then",
                },
            }),
            &["summary"],
        ),
        tool(
            "report_blocked",
            "Say that the work cannot go on without a person.",
            json!({ "reason": a_text("What is missing, and what a person should decide") }),
            &["reason"],
        ),
        tool(
            "record_learning",
            "Record something that whoever works here next should know.",
            json!({
                "category": { "type": "string", "enum": categories, "description": "What it is about" },
                "text": a_text("What you learned: what to do, or what to avoid"),
                "title": a_text("The same in a few words"),
                "when": a_text("When it applies"),
            }),
            &["category", "text"],
        ),
        tool(
            "current_task",
            "Tell what this iteration is for: the task, when it is done, and the checks that are run afterwards.",
            json!({}),
            &[],
        ),
    ]
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("loopwright", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(all()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match self.call(&request.name, &request.arguments.unwrap_or_default()) {
            Ok(answer) => Ok(CallToolResult::success(vec![ContentBlock::text(answer)]).into()),
            Err(Refusal::Tool(reason)) => Ok(CallToolResult::error(vec![ContentBlock::text(reason)]).into()),
            Err(Refusal::Unknown) => Err(ErrorData::invalid_params("there is no such tool", None)),
        }
    }

    /// A request that rmcp has no type for: an unknown method, or a known one whose parameters it cannot read.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        match request.method.as_str() {
            "initialize" | "ping" | "server/discover" | "tools/call" | "tools/list" => {
                Err(ErrorData::invalid_params("the parameters cannot be read", None))
            }
            method => Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method.to_owned(), None)),
        }
    }
}
