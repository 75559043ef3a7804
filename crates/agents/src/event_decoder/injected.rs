//! What our own scripts print inside a CLI about requests to its model's service, each a word and a JSON object.
//! `loopwright-refused` has the status, the service's codes, how long to wait and how often it was tried;
//! `loopwright-answered` has the tokens, and the model where the answer is the agent's own; each only where known.

use loopwright_domain::Usage;
use serde_json::Value;

use super::problem::{kind_of_code, problem, status};
use super::usage::count;
use super::value::{at, number, text};
use crate::cli_event::CliEvent;

/// How a line about a refused request begins.
const REFUSED: &str = "loopwright-refused ";
/// How a line about an answered request begins.
const ANSWERED: &str = "loopwright-answered ";

/// Reads a line of standard error; none when it is another one.
pub(crate) fn read(line: &str) -> Option<Vec<CliEvent>> {
    let told = |json: &str| serde_json::from_str::<Value>(json).ok().filter(Value::is_object);
    match line.strip_prefix(ANSWERED) {
        Some(json) => Some(answer(&told(json)?)),
        None => Some(vec![retry(&told(line.strip_prefix(REFUSED)?)?)]),
    }
}

/// What an answer used. One that is about the agent's work, and no part of it, counts as no turn.
fn answer(told: &Value) -> Vec<CliEvent> {
    let tokens = |name: &str| at(told, name).and_then(count).unwrap_or(0);
    let usage = Usage {
        input: tokens("input"),
        output: tokens("output"),
        cache_read: tokens("cached"),
        ..Usage::default()
    };
    let used = CliEvent::Used { response: None, usage };
    let own = text(told, "model").map(|model| [CliEvent::Model(model), CliEvent::Turn]);
    own.into_iter().flatten().chain([used]).collect()
}

/// A request that was not answered at all is trouble of the service too.
fn retry(told: &Value) -> CliEvent {
    let status = status(told, "status");
    let codes = at(told, "codes").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let code = codes.clone().find(|code| kind_of_code(code).is_some());
    let words = match (status, code.or(codes.clone().next())) {
        (Some(_), Some(code)) => format!("the model's service refused: {code}"),
        (Some(_), None) => "the model's service refused".to_owned(),
        (None, _) => "the model's service did not answer".to_owned(),
    };
    let code = code.or(status.is_none().then_some("unavailable"));
    CliEvent::Retry {
        attempt: number(told, "attempt"),
        attempts: None,
        wait_ms: number(told, "wait_ms"),
        problem: problem(words, code, status),
    }
}

#[cfg(test)]
mod tests {
    use loopwright_domain::ProblemKind;
    use proptest::prelude::*;

    use super::*;

    fn kind(line: &str) -> Option<ProblemKind> {
        match read(line)?.pop()? {
            CliEvent::Retry { problem, .. } => Some(problem.kind),
            _ => None,
        }
    }

    #[test]
    fn the_services_codes_tell_more_than_the_status() {
        use ProblemKind::{Billing, Overload, RateLimit, UsageLimit};
        for (json, expected) in [
            (r#"{"status":429}"#, RateLimit),
            (r#"{"status":429,"codes":["odd","usage_limit_reached"]}"#, UsageLimit),
            (r#"{"status":429,"codes":["insufficient_quota","invalid_request_error"]}"#, Billing),
            (r#"{"status":529,"codes":[7,null]}"#, Overload),
            (r#"{"attempt":2,"wait_ms":4000}"#, Overload),
        ] {
            assert_eq!(kind(&format!("loopwright-refused {json}")), Some(expected), "{json}");
        }
        for other in ["", "loopwright-refused", "loopwright-refused 429", r#"{"status":429}"#, "status 429"] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn an_answer_of_the_agents_own_is_a_turn_and_names_the_model() {
        let told = r#"loopwright-answered {"model":"gemini-3-pro","input":900,"cached":100,"output":-7}"#;
        let usage = Usage { input: 900, cache_read: 100, ..Usage::default() };
        let used = CliEvent::Used { response: None, usage };
        let model = CliEvent::Model("gemini-3-pro".to_owned());
        assert_eq!(read(told), Some(vec![model, CliEvent::Turn, used]));
        let aside = Usage { output: 3, ..Usage::default() };
        let used = CliEvent::Used { response: None, usage: aside };
        assert_eq!(read(r#"loopwright-answered {"output":3}"#), Some(vec![used]));
        assert_eq!(read("loopwright-answered 3"), None);
    }

    proptest! {
        #[test]
        fn any_line_can_be_read(line in ".*", json in r#"[\[{]?"(status|codes|wait_ms|input|model)":-?[0-9e.\[\]"]{0,20}[}\]]?"#) {
            read(&line);
            for mark in [REFUSED, ANSWERED] {
                read(&format!("{mark}{line}"));
                read(&format!("{mark}{json}"));
            }
        }
    }
}
