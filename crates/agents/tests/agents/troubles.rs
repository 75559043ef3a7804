//! Errors, retries, limits and denials, told by structured fields.

use loopwright_agents::{AdapterOptions, OutputStream, adapter};
use loopwright_domain::{AgentEvent, ProblemKind};

use crate::support::{PROMPT, request, stream};

fn kind_of(line: &str) -> Option<ProblemKind> {
    stream(&[line]).1.error.map(|problem| problem.kind)
}

#[test]
fn problems_are_told_apart() {
    use ProblemKind::{
        Billing, BudgetLimit, Connection, Login, Other, Overload, RateLimit, TurnLimit, UsageLimit,
    };
    let claude = |status: &str, subtype: &str| {
        format!(
            r#"{{"type":"result","subtype":"{subtype}","is_error":true,"api_error_status":{status},"result":"API Error"}}"#
        )
    };
    let codex = |text: &str| format!(r#"{{"type":"turn.failed","error":{{"message":"{text}"}}}}"#);
    let copilot = |kind: &str, code: &str| {
        format!(
            r#"{{"type":"session.error","data":{{"errorType":"{kind}","errorCode":"{code}","message":"no"}}}}"#
        )
    };
    let gemini = |reason: &str| {
        format!(
            r#"{{"type":"result","status":"error","error":{{"type":"unknown","message":"[API Error: {{\"error\":{{\"code\":400,\"message\":\"no\",\"status\":\"INVALID_ARGUMENT\",\"details\":[{{\"reason\":\"{reason}\"}},{{\"message\":\"no\"}}]}}}}]"}}}}"#
        )
    };
    for (line, kind) in [
        (claude("401", "success"), Login),
        (claude("429", "success"), RateLimit),
        (claude("529", "success"), Overload),
        (claude("null", "error_max_turns"), TurnLimit),
        (claude("null", "error_max_budget_usd"), BudgetLimit),
        (codex("unexpected status 401 Unauthorized: invalid x-api-key"), Login),
        (codex("exceeded retry limit, last status: 429 Too Many Requests"), RateLimit),
        (codex("We are experiencing high demand"), Other),
        (codex("We're currently experiencing high demand, which may cause temporary errors."), Overload),
        (codex("You've hit your usage limit. Try again at 5:04 PM."), UsageLimit),
        (codex("Quota exceeded. Check your plan and billing details."), Billing),
        (codex("stream disconnected before completion: idle timeout"), Connection),
        (
            r#"{"type":"error","error":{"name":"APIError","data":{"message":"no","statusCode":401}}}"#.into(),
            Login,
        ),
        (r#"{"type":"session.error","data":{"errorType":"rate_limit","message":"slow"}}"#.into(), RateLimit),
        (
            r#"{"type":"turn_end","message":{"stopReason":"error","errorMessage":"{\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\"}}"}}"#
                .into(),
            RateLimit,
        ),
        (
            r#"{"type":"result","status":"error","error":{"type":"unknown","message":"x","code":503}}"#
                .into(),
            Overload,
        ),
        (
            r#"{"type":"result","status":"error","error":{"type":"unknown","message":"[API Error: {\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\"}}]"}}"#
                .into(),
            RateLimit,
        ),
        (r#"{"type":"session.error","data":{"errorType":"quota","message":"no more"}}"#.into(), UsageLimit),
        (copilot("quota", "billing_not_configured"), Billing),
        (copilot("quota", "session_quota_exceeded"), UsageLimit),
        (copilot("rate_limit", "user_weekly_rate_limited"), UsageLimit),
        (copilot("rate_limit", "user_model_rate_limited"), RateLimit),
        (gemini("API_KEY_INVALID"), Login),
        (gemini("BILLING_DISABLED"), Billing),
        (gemini("A_REASON_OF_TOMORROW"), Other),
        (copilot("rate_limit", "a_code_of_tomorrow"), RateLimit),
        (copilot("context_limit", ""), Other),
        (r#"{"error":{"type":"FatalTurnLimitedError","message":"turns","code":53}}"#.into(), TurnLimit),
        (r#"{"type":"error","message":"rate limit 429 overloaded"}"#.into(), Other),
    ] {
        let found = kind_of(&line);
        // A top-level error of codex is a warning; the failed turn behind it counts.
        let expected = if line.starts_with(r#"{"type":"error","message""#) { None } else { Some(kind) };
        assert_eq!(found, expected, "{line}");
    }
}

#[test]
fn words_about_limits_are_no_limits() {
    let (_, parsed) = stream(&[
        r#"{"type":"message","text":"HTTP 429: rate limit exceeded, usage limit reached, 401 Unauthorized"}"#,
        r#"{"type":"tool_result","output":"usage_limit_reached overloaded_error"}"#,
        r#"{"type":"result","subtype":"success","is_error":false,"result":"I wrote the rate limiter."}"#,
    ]);
    assert_eq!((parsed.error, parsed.limit), (None, None));
}

#[test]
fn a_usage_limit_names_its_end() {
    for (time, expected) in [
        (r#""2026-11-16T10:00:00+02:00""#, Some("2026-11-16T08:00:00Z")),
        ("1794816000", Some("2026-11-16T08:00:00Z")),
        ("99999999999999999", None),
        (r#""soon""#, None),
    ] {
        let line = format!(r#"{{"type":"limit","message":"five hours are used","resets_at":{time}}}"#);
        let (events, parsed) = stream(&[&line]);
        let limit = parsed.limit.unwrap();
        assert_eq!((limit.message.as_str(), limit.resets_at.as_deref()), ("five hours are used", expected));
        assert_eq!(events, [AgentEvent::Limit { limit }]);
    }
}

#[test]
fn claude_tells_its_accounts_limit_beside_the_error() {
    let event = |status: &str, more: &str| {
        format!(
            r#"{{"type":"rate_limit_event","rate_limit_info":{{"status":"{status}","resetsAt":1794816000,"rateLimitType":"five_hour"{more}}}}}"#
        )
    };
    let rejected = event("rejected", "");
    let words = r#"{"type":"assistant","error":"rate_limit","message":{"id":"m","content":[{"type":"text","text":"You've hit your limit"}]}}"#;
    let result = r#"{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"You've hit your limit"}"#;
    let (events, parsed) = stream(&[&rejected, words, result]);
    let limit = parsed.limit.unwrap();
    assert_eq!(limit.message, "the account's limit is reached (five hour)");
    assert_eq!(limit.resets_at.as_deref(), Some("2026-11-16T08:00:00Z"));
    assert_eq!(parsed.own_text, "", "the CLI's own words are not the agent's");
    assert_eq!(parsed.error.unwrap().kind, ProblemKind::RateLimit);
    assert!(matches!(&events[0], AgentEvent::Limit { .. }), "{events:?}");
    for line in [event("allowed_warning", ""), event("rejected", r#","overageStatus":"allowed""#)] {
        assert_eq!(stream(&[&line]).1.limit, None, "{line}");
    }
}

#[test]
fn an_error_without_a_status_is_known_by_the_code_before_it() {
    let words = r#"{"type":"assistant","error":"billing_error","message":{"content":[{"type":"text","text":"Credit balance is too low"}]}}"#;
    let result =
        r#"{"type":"result","subtype":"success","is_error":true,"result":"Credit balance is too low"}"#;
    let said = r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"Here I am"}]}}"#;
    assert_eq!(stream(&[words, result]).1.error.unwrap().kind, ProblemKind::Billing);
    assert_eq!(stream(&[words, said, result]).1.error.unwrap().kind, ProblemKind::Other);
}

#[test]
fn retries_inside_the_agent_are_seen_and_forgiven() {
    for line in [
        r#"{"type":"system","subtype":"api_retry","attempt":2,"max_retries":10,"retry_delay_ms":1025.7,"error_status":429,"error":"rate_limit"}"#,
        r#"{"type":"error","message":"Reconnecting... 2/10 (unexpected status 429 Too Many Requests)"}"#,
        r#"{"type":"model.call_failure","data":{"statusCode":429,"retryAttempt":1,"errorMessage":"slow down"}}"#,
    ] {
        let (events, parsed) = stream(&[line]);
        let [AgentEvent::Retry { attempt, attempts, problem, .. }] = events.as_slice() else {
            panic!("{events:?}");
        };
        assert_eq!((*attempt, problem.kind), (Some(2), ProblemKind::RateLimit), "{line}");
        assert!(attempts.is_none_or(|attempts| attempts == 10), "{line}");
        assert_eq!(parsed.error, None);
    }
    let (_, parsed) = stream(&[
        r#"{"type":"error","error":{"name":"APIError","data":{"message":"overloaded","statusCode":529}}}"#,
        r#"{"type":"step_finish","part":{"id":"p","reason":"stop"}}"#,
    ]);
    assert_eq!(parsed.error, None, "trouble that was overcome");
}

/// The CLIs that wait for their service in silence, and what our script prints in them.
const SILENT: [&str; 3] = ["opencode", "pi", "qwen"];
const REFUSED: &str =
    r#"loopwright-refused {"status":429,"wait_ms":3600000,"codes":["usage_limit_reached"],"attempt":1}"#;

fn parser(cli: &str) -> Box<dyn loopwright_agents::OutputParser> {
    adapter(cli).unwrap().harness(AdapterOptions::new("/opt/agents/agent")).output_parser(&request(PROMPT))
}

#[test]
fn our_script_tells_that_a_silent_cli_waits_for_its_service() {
    for cli in SILENT {
        let events = parser(cli).line(OutputStream::Stderr, REFUSED.as_bytes());
        let [AgentEvent::Retry { problem, wait_ms, attempt, .. }] = events.as_slice() else {
            panic!("{cli}: {events:?}")
        };
        assert_eq!((problem.kind, problem.status), (ProblemKind::UsageLimit, Some(429)), "{cli}");
        assert_eq!((*wait_ms, *attempt), (Some(3_600_000), Some(1)), "{cli}");
        for other in [format!("I quote: {REFUSED}"), REFUSED[..40].to_owned(), "429: rate limit".to_owned()] {
            assert_eq!(parser(cli).line(OutputStream::Stderr, other.as_bytes()), [], "{cli}: {other}");
        }
        let said = parser(cli).line(OutputStream::Stdout, REFUSED.as_bytes());
        assert!(matches!(&said[..], [AgentEvent::Unknown { .. }]), "{cli} does not say that: {said:?}");
    }
    assert_eq!(parser("claude").line(OutputStream::Stderr, REFUSED.as_bytes()), [], "it has no such script");
}

#[test]
fn what_our_script_tells_is_no_last_word_of_the_cli() {
    for cli in SILENT {
        let mut parser = parser(cli);
        parser.line(OutputStream::Stderr, b"The disk is full.");
        parser.line(OutputStream::Stderr, REFUSED.as_bytes());
        assert_eq!(parser.finish(Some(1)).error.unwrap().message, "The disk is full.", "{cli}");
    }
}

#[test]
fn an_error_that_says_only_its_status_is_what_the_refusal_before_it_was() {
    let failed = |status: u16| {
        format!(r#"{{"type":"turn_end","message":{{"stopReason":"error","errorMessage":"{status} no"}}}}"#)
    };
    let again = r#"{"type":"auto_retry_start","attempt":1,"delayMs":2000,"errorMessage":"429 no"}"#;
    let worked = r#"{"type":"tool_execution_start","toolCallId":"c","toolName":"read","args":{}}"#;
    for (between, status, kind) in [
        (None, 429, ProblemKind::UsageLimit),
        (Some(again), 429, ProblemKind::UsageLimit),
        (Some(worked), 429, ProblemKind::RateLimit),
        (None, 401, ProblemKind::Login),
    ] {
        let mut parser = parser("pi");
        parser.line(OutputStream::Stderr, REFUSED.as_bytes());
        if let Some(line) = between {
            parser.line(OutputStream::Stdout, line.as_bytes());
        }
        parser.line(OutputStream::Stdout, failed(status).as_bytes());
        assert_eq!(parser.finish(Some(0)).error.unwrap().kind, kind, "{between:?} {status}");
    }
}

#[test]
fn a_denied_tool_is_named() {
    for lines in [
        &[
            r#"{"type":"result","subtype":"success","is_error":false,"result":"x","permission_denials":[{"tool_name":"Write"},{"tool_name":"Write"}]}"#,
        ][..],
        &[
            r#"{"type":"tool.execution_start","data":{"toolCallId":"c","toolName":"Write","arguments":{}}}"#,
            r#"{"type":"tool.execution_complete","data":{"toolCallId":"c","success":false,"error":{"message":"Permission denied","code":"denied"}}}"#,
        ],
        &[
            r#"{"type":"tool_use","part":{"tool":"Write","callID":"c","state":{"status":"error","error":"The user rejected permission to use this specific tool call."}}}"#,
        ],
        &[
            r#"{"type":"tool_call","id":"c","name":"Write"}"#,
            r#"{"type":"tool_result","id":"c","denied":true}"#,
        ],
    ] {
        let (_, parsed) = stream(lines);
        assert_eq!(parsed.denied, ["Write"], "{lines:?}");
    }
}

#[test]
fn a_problem_of_any_length_is_told_in_few_words() {
    let long = "ä€".repeat(700_000);
    for line in [
        format!(r#"{{"type":"turn.failed","error":{{"message":"{long}"}}}}"#),
        format!(r#"{{"type":"error","message":"{long}"}}"#),
        format!(r#"{{"type":"error","message":"Reconnecting... 1/5 ({long})"}}"#),
        format!(r#"{{"type":"limit","message":"{long}"}}"#),
        format!(
            r#"{{"type":"result","subtype":"success","is_error":false,"result":"x","permission_denials":[{{"tool_name":"{long}"}}]}}"#
        ),
    ] {
        let (events, parsed) = stream(&[&line]);
        let kept = format!("{events:?} {parsed:?}").len();
        assert!(kept < 16 * 1024, "{kept} bytes of {}", line.get(..40).unwrap());
    }
}

#[test]
fn json_that_is_none_is_a_problem_of_the_format() {
    let (events, parsed) = stream(&["Hello, I am an agent that prints text."]);
    assert_eq!(parsed.error.unwrap().kind, ProblemKind::Output);
    assert!(matches!(&events[..], [AgentEvent::Unknown { kind: None, .. }]), "{events:?}");
    assert_eq!(stream(&[]).1.error, None);
}
