//! Answers that must follow a schema. Where an agent CLI knows schemas its own answer is taken; otherwise the JSON in the
//! agent's words is found, mended where models usually err, and checked.

mod candidates;
mod schema;

use loopwright_agents::{ParsedOutput, lenient_json};
use loopwright_domain::{ErrorCode, Fault};
use serde_json::Value;

use candidates::candidates;

/// What an agent answered, as the schema wants it. The last JSON in its words that fits is taken.
///
/// Of the schema `type`, `enum`, `required`, `properties` and `items` are looked at; other fields of the answer are left
/// in it.
///
/// # Errors
/// There is no JSON, it cannot be read even with leniency, or it does not fit; the message names the place.
pub fn parse(reading: &ParsedOutput, schema: &Value) -> Result<Value, Fault> {
    let mut first_problem = None;
    let texts = reading.structured.as_deref().into_iter().chain(candidates(&reading.own_text));
    for text in texts {
        match lenient_json::read_answer(text).and_then(|value| schema::check(&value, schema).map(|()| value))
        {
            Ok(value) => return Ok(value),
            Err(problem) => first_problem = first_problem.or(Some(problem)),
        }
    }
    let problem = first_problem.unwrap_or_else(|| "there is no JSON in it".to_owned());
    Err(Fault::new(
        ErrorCode::AgentFailed,
        format!("the agent's answer is not what was asked for: {problem}"),
    )
    .hint("Try again, or use another agent or model."))
}

#[cfg(test)]
mod tests;
