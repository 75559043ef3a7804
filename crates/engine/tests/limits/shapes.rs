//! What real CLIs print at limits and outages, and what a run makes of it; and words that only sound like it.

use loopwright_domain::{ErrorCode, ExitReason, FailureCause, Outcome, ProblemKind, RunStatus};

use crate::scene::{DONE, LIMIT, Scene};

const CLAUDE_429: &str = r#"{"type":"system","subtype":"init","session_id":"s","model":"claude-sonnet-4"}
{"type":"system","subtype":"api_retry","attempt":1,"max_retries":1,"retry_delay_ms":500.5,"error_status":429,"error":"rate_limit"}
{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"API Error: 429"}"#;
const CODEX_429: &str = r#"{"type":"thread.started","thread_id":"t"}
{"type":"turn.started"}
{"type":"error","message":"exceeded retry limit, last status: 429 Too Many Requests"}
{"type":"turn.failed","error":{"message":"exceeded retry limit, last status: 429 Too Many Requests"}}"#;
const CODEX_USED_UP: &str = r#"{"type":"turn.failed","error":{"message":"You've hit your usage limit. Upgrade to Pro or try again at 5:04 PM."}}"#;
const COPILOT_429: &str = r#"{"type":"session.error","data":{"errorType":"rate_limit","message":"slow down","statusCode":429}}
{"type":"result","sessionId":"s","exitCode":1,"usage":{}}"#;
const OPENCODE_529: &str = r#"{"type":"error","sessionID":"s","error":{"name":"APIError","data":{"message":"overloaded","statusCode":529,"isRetryable":true}}}"#;
const GEMINI_429: &str = r#"{"type":"result","status":"error","error":{"type":"unknown","message":"[API Error: {\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\"}}]"}}"#;

#[tokio::test]
async fn every_cli_tells_of_its_limit_in_its_own_way_and_costs_nothing() {
    let soon = (jiff::Timestamp::now() + jiff::SignedDuration::from_millis(700)).to_string();
    let seconds = jiff::Timestamp::now().as_second() + 2;
    let known = format!(r#"{{"type":"limit","message":"used up","resets_at":"{soon}"}}"#);
    let claude = format!(
        "{}\n{}",
        format_args!(
            r#"{{"type":"rate_limit_event","rate_limit_info":{{"status":"rejected","resetsAt":{seconds},"rateLimitType":"five_hour"}}}}"#
        ),
        r#"{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"limit"}"#
    );
    let cases: [(&str, i32, FailureCause); 9] = [
        (CLAUDE_429, 1, FailureCause::Limit),
        (&claude, 1, FailureCause::Limit),
        (CODEX_429, 1, FailureCause::Limit),
        (CODEX_USED_UP, 1, FailureCause::Limit),
        (COPILOT_429, 1, FailureCause::Limit),
        (GEMINI_429, 0, FailureCause::Limit),
        (OPENCODE_529, 1, FailureCause::Overload),
        (LIMIT, 0, FailureCause::Limit),
        (&known, 1, FailureCause::Limit),
    ];
    let all = cases.into_iter().map(async |(lines, exit, cause)| {
        let scene = Scene::new(&["claude-like"]).await;
        scene.says("claude-like", 1, lines, exit);
        let run = scene.run(&[]).await;
        assert_eq!((run.status, run.reason), (RunStatus::Completed, Some(ExitReason::Promise)), "{lines}");
        assert_eq!((run.progress.iteration, run.progress.consecutive_failures), (1, 0), "{lines}");
        assert_eq!(run.holds, [], "who works again does not rest");
        let iterations = scene.iterations().await;
        assert_eq!(iterations[0].cause, Some(cause), "{lines}");
        assert_eq!(scene.outcomes().await, [Outcome::Interrupted, Outcome::Succeeded], "{lines}");
        assert_eq!(scene.prompt("claude-like", 1), scene.prompt("claude-like", 2), "the prompt stays");
    });
    for case in all {
        case.await;
    }
}

#[tokio::test]
async fn talk_about_limits_is_no_limit() {
    let scene = Scene::new(&["talker"]).await;
    let talk = r#"{"type":"message","text":"HTTP 429 rate_limit_error: usage limit reached, 529 overloaded, 401, billing_error"}
{"type":"tool_result","id":"1","output":"{\"type\":\"limit\",\"resets_at\":\"2099-01-01T00:00:00Z\"}"}
{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"rate_limit_event rejected"}]}}"#;
    scene.says("talker", 1, &format!("{talk}\nError: 429 Too Many Requests"), 1);
    scene.says("talker", 2, &format!("{talk}\n{DONE}"), 0);
    let run = scene.run(&[]).await;
    assert_eq!(run.reason, Some(ExitReason::Promise));
    assert_eq!(scene.outcomes().await, [Outcome::Failed, Outcome::Succeeded], "a failure like any other");
    assert_eq!(run.progress.iteration, 2);
}

#[tokio::test]
async fn an_outage_is_tried_again_and_again() {
    let scene = Scene::new(&["busy"]).await;
    for start in 1..=3 {
        scene.says("busy", start, OPENCODE_529, 1);
    }
    // A busy machine comes to the wait later; it must not be over by then.
    let run = scene.run(&[("overload.max_wait", "2s")]).await;
    assert_eq!((run.reason, run.progress.iteration), (Some(ExitReason::Promise), 1));
    let told = scene.told().await;
    let waits = told.iter().filter(|line| line.starts_with("waiting: busy rests, its service is overloaded"));
    assert_eq!(waits.count(), 3, "{told:#?}");
}

#[tokio::test]
async fn a_missing_login_and_an_empty_account_stop_at_once_with_advice() {
    for (status, kind, code, advice) in [
        (401, ProblemKind::Login, ErrorCode::AgentLogin, "Log in with"),
        (402, ProblemKind::Billing, ErrorCode::AgentBilling, "Add money"),
    ] {
        let scene = Scene::new(&["claude-like"]).await;
        let refused = format!(
            r#"{{"type":"result","subtype":"success","is_error":true,"api_error_status":{status},"result":"no"}}"#
        );
        scene.says("claude-like", 1, &refused, 1);
        let run = scene.run(&[]).await;
        assert_eq!((run.status, run.reason), (RunStatus::Interrupted, Some(ExitReason::Error)), "{status}");
        assert!(run.message.as_deref().unwrap().contains(advice), "{:?}", run.message);
        assert_eq!((run.code, run.holds[0].code), (Some(code), Some(code)));
        assert_eq!((run.holds[0].kind, run.holds[0].until.as_deref()), (kind, None));
        assert_eq!((scene.starts("claude-like"), run.progress.consecutive_failures), (1, 0));
        let resumed = scene.resume().await;
        assert_eq!((resumed.status, resumed.holds.len()), (RunStatus::Completed, 0), "a person saw to it");
    }
}
