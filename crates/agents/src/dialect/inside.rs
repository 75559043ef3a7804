//! What our own scripts print inside a CLI when its model's service has refused a request: `loopwright-refused` and a
//! JSON object with the status, the service's codes, how long to wait and how often it was tried; each only where known.

use serde_json::Value;

use super::problem::{kind_of_code, problem, status};
use super::value::{at, number};
use crate::notice::Notice;

/// How such a line begins.
const MARK: &str = "loopwright-refused ";

/// Reads a line of standard error; none when it is another one.
pub(crate) fn read(line: &str) -> Option<Vec<Notice>> {
    let told = serde_json::from_str::<Value>(line.strip_prefix(MARK)?).ok()?;
    told.is_object().then(|| vec![retry(&told)])
}

/// A request that was not answered at all is trouble of the service too.
fn retry(told: &Value) -> Notice {
    let status = status(told, "status");
    let codes = at(told, "codes").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let code = codes.clone().find(|code| kind_of_code(code).is_some());
    let words = match (status, code.or(codes.clone().next())) {
        (Some(_), Some(code)) => format!("the model's service refused: {code}"),
        (Some(_), None) => "the model's service refused".to_owned(),
        (None, _) => "the model's service did not answer".to_owned(),
    };
    let code = code.or(status.is_none().then_some("unavailable"));
    Notice::Retry {
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
            Notice::Retry { problem, .. } => Some(problem.kind),
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

    proptest! {
        #[test]
        fn any_line_can_be_read(line in ".*", json in r#"[\[{]?"(status|codes|wait_ms)":-?[0-9e.\[\]"]{0,20}[}\]]?"#) {
            read(&line);
            read(&format!("{MARK}{line}"));
            read(&format!("{MARK}{json}"));
        }
    }
}
