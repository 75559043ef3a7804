//! Tells problems apart by the codes that CLIs give, never by their words.

use loopwright_domain::{AgentProblem, ProblemKind};
use serde_json::Value;

use super::value::{at, first_text};

/// What the codes mean that model services and CLIs use.
const CODES: &[(&str, ProblemKind)] = &[
    ("authentication", ProblemKind::Login),
    ("authentication_error", ProblemKind::Login),
    ("authentication_failed", ProblemKind::Login),
    ("invalid_api_key", ProblemKind::Login),
    ("permission_error", ProblemKind::Login),
    ("authorization", ProblemKind::Login),
    ("oauth_org_not_allowed", ProblemKind::Login),
    ("unauthenticated", ProblemKind::Login),
    ("api_key_invalid", ProblemKind::Login),
    ("access_token_expired", ProblemKind::Login),
    ("credentials_missing", ProblemKind::Login),
    ("login", ProblemKind::Login),
    ("usage_limit", ProblemKind::UsageLimit),
    ("usage_limit_reached", ProblemKind::UsageLimit),
    ("quota", ProblemKind::UsageLimit),
    ("quota_exceeded", ProblemKind::UsageLimit),
    ("session_quota_exceeded", ProblemKind::UsageLimit),
    ("user_weekly_rate_limited", ProblemKind::UsageLimit),
    ("user_global_rate_limited", ProblemKind::UsageLimit),
    ("user_model_rate_limited", ProblemKind::RateLimit),
    ("integration_rate_limited", ProblemKind::RateLimit),
    ("rate_limited", ProblemKind::RateLimit),
    ("rate_limit", ProblemKind::RateLimit),
    ("resource_exhausted", ProblemKind::RateLimit),
    ("rate_limit_error", ProblemKind::RateLimit),
    ("rate_limit_exceeded", ProblemKind::RateLimit),
    ("overloaded", ProblemKind::Overload),
    ("overloaded_error", ProblemKind::Overload),
    ("overload", ProblemKind::Overload),
    ("server_error", ProblemKind::Overload),
    ("unavailable", ProblemKind::Overload),
    ("connection", ProblemKind::Connection),
    ("billing", ProblemKind::Billing),
    ("billing_error", ProblemKind::Billing),
    ("billing_not_configured", ProblemKind::Billing),
    ("billing_disabled", ProblemKind::Billing),
    ("insufficient_quota", ProblemKind::Billing),
    ("permission", ProblemKind::Permission),
    ("denied", ProblemKind::Permission),
    ("error_max_turns", ProblemKind::TurnLimit),
    ("fatalturnlimitederror", ProblemKind::TurnLimit),
    ("error_max_budget_usd", ProblemKind::BudgetLimit),
];

/// The kind a code stands for.
pub(super) fn kind_of_code(code: &str) -> Option<ProblemKind> {
    CODES.iter().find(|(known, _)| code.eq_ignore_ascii_case(known)).map(|(_, kind)| *kind)
}

/// A problem of which code and status are known, or not.
pub(super) fn problem(message: impl Into<String>, code: Option<&str>, status: Option<u16>) -> AgentProblem {
    let kind = code
        .and_then(kind_of_code)
        .or_else(|| status.map(ProblemKind::of_status))
        .unwrap_or(ProblemKind::Other);
    AgentProblem { kind, message: message.into(), status }
}

/// An HTTP status at a dotted path.
pub(super) fn status(value: &Value, path: &str) -> Option<u16> {
    let status = at(value, path)?.as_u64()?;
    u16::try_from(status).ok().filter(|status| (100..600).contains(status))
}

/// A problem out of an error object, or out of a text.
pub(crate) fn of_error(error: &Value) -> AgentProblem {
    if let Some(text) = error.as_str() {
        return problem(text, None, None);
    }
    let message = first_text(error, &["message", "data.message", "error", "name", "type"]);
    // The finest one first.
    let code = ["errorCode", "code", "type", "errorType", "name", "status"]
        .iter()
        .filter_map(|key| at(error, key)?.as_str())
        .chain(reasons(error))
        .find(|code| kind_of_code(code).is_some());
    let status =
        ["statusCode", "status", "data.statusCode", "code"].iter().find_map(|path| status(error, path));
    problem(message.unwrap_or_else(|| error.to_string()), code, status)
}

/// What Google's services say the reason is, beside a code that stands for many.
fn reasons(error: &Value) -> impl Iterator<Item = &str> {
    let details = at(error, "details").and_then(Value::as_array).into_iter().flatten();
    details.filter_map(|detail| at(detail, "reason")?.as_str())
}

/// The service's own answer, where a CLI has put it as JSON into the message of its error and says nothing more about it.
pub(super) fn of_service(told: AgentProblem) -> AgentProblem {
    let answer = || {
        let (from, to) = (told.message.find('{')?, told.message.rfind('}')?);
        serde_json::from_str::<Value>(told.message.get(from..=to)?).ok()
    };
    match answer().filter(|_| told.kind == ProblemKind::Other) {
        Some(answer) => of_error(at(&answer, "error").unwrap_or(&answer)),
        None => told,
    }
}

/// What a service says in words, where a CLI hands on its whole answer as JSON.
pub(super) fn words_of_service(told: String) -> String {
    let answer = serde_json::from_str::<Value>(&told).ok();
    answer.and_then(|answer| first_text(&answer, &["error.message", "message"])).unwrap_or(told)
}
