//! Places of a program's own in its JSON.

use loopwright_domain::Usage;
use serde_json::Value;

use crate::cli_event::CliEvent;
use crate::event_decoder::{at, cost_micros, count};

/// Where in a program's JSON things are, as dotted paths like `usage.input_tokens`. What is not named is looked for
/// where the known agent CLIs have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldPaths {
    /// The agent's own words.
    pub text: Option<String>,
    /// Tokens read, cached ones not among them.
    pub input_tokens: Option<String>,
    /// Tokens written.
    pub output_tokens: Option<String>,
    /// Tokens read from the cache.
    pub cache_read_tokens: Option<String>,
    /// Tokens written into the cache.
    pub cache_write_tokens: Option<String>,
    /// The price in US dollars.
    pub cost_usd: Option<String>,
}

impl FieldPaths {
    /// Puts what stands at these places before what was found elsewhere; none when nothing was found at all.
    pub(super) fn apply(&self, value: &Value, found: Option<Vec<CliEvent>>) -> Option<Vec<CliEvent>> {
        let mut own = Vec::new();
        let text = self.text.as_deref().and_then(|path| at(value, path)?.as_str());
        if let Some(text) = text {
            own.push(CliEvent::Whole { message: None, text: text.to_owned() });
        }
        let usage = self.usage(value);
        if let Some(usage) = usage {
            let response = at(value, "id").and_then(Value::as_str).map(str::to_owned);
            own.push(CliEvent::Used { response, usage });
        }
        if own.is_empty() {
            return found;
        }
        let replaced = |cli_event: &CliEvent| match cli_event {
            CliEvent::Piece { .. } | CliEvent::Whole { .. } | CliEvent::Answer { .. } => text.is_some(),
            CliEvent::Used { .. } | CliEvent::UsedInAll { .. } => usage.is_some(),
            _ => false,
        };
        own.extend(found.into_iter().flatten().filter(|cli_event| !replaced(cli_event)));
        Some(own)
    }

    fn usage(&self, value: &Value) -> Option<Usage> {
        let tokens = |path: &Option<String>| path.as_deref().and_then(|path| count(at(value, path)?));
        let input = tokens(&self.input_tokens);
        let output = tokens(&self.output_tokens);
        let cost_micros = self.cost_usd.as_deref().and_then(|path| cost_micros(at(value, path)?));
        if input.is_none() && output.is_none() && cost_micros.is_none() {
            return None;
        }
        Some(Usage {
            input: input.unwrap_or(0),
            output: output.unwrap_or(0),
            cache_read: tokens(&self.cache_read_tokens).unwrap_or(0),
            cache_write: tokens(&self.cache_write_tokens).unwrap_or(0),
            cost_micros,
            estimated: false,
        })
    }
}
