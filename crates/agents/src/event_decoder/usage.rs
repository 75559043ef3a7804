//! Reads tokens and money, however a CLI spells them.

use loopwright_domain::Usage;
use serde_json::Value;

use super::value::at;

/// Tokens read, cached ones not among them.
const FRESH: &[&str] = &["input"];
/// Tokens read, those of [`CACHED_WITHIN`] among them.
const INPUT: &[&str] = &["input_tokens", "prompt_tokens", "inputTokens", "promptTokens", "tokens_in"];
/// Tokens written.
const OUTPUT: &[&str] =
    &["output_tokens", "completion_tokens", "outputTokens", "completionTokens", "tokens_out", "output"];
/// Cached tokens that are counted in [`INPUT`] as well.
const CACHED_WITHIN: &[&str] =
    &["cached_input_tokens", "prompt_tokens_details.cached_tokens", "input_tokens_details.cached_tokens"];
/// Cached tokens that are counted only here.
const CACHED_BESIDE: &[&str] =
    &["cache_read_input_tokens", "cacheReadInputTokens", "cache_read", "cacheRead", "cache.read", "cached"];
const CACHE_WRITTEN: &[&str] = &[
    "cache_creation_input_tokens",
    "cacheCreationInputTokens",
    "cache_write_input_tokens",
    "cache_write",
    "cacheWrite",
    "cache.write",
];
/// Tokens written while thinking, where they are not among [`OUTPUT`].
const THOUGHT: &[&str] = &["reasoning"];
/// Where an object has its token counts.
const COUNTS: &[&str] = &["usage", "tokens", "stats", "token_usage"];
/// Where an object has its price in US dollars.
const COSTS: &[&str] =
    &["total_cost_usd", "cost_usd", "total_cost", "cost.total", "cost", "usage.cost.total", "usage.cost"];

/// What an object says about tokens and money; none when it says nothing.
pub(super) fn of(value: &Value) -> Option<Usage> {
    let tokens = COUNTS.iter().find_map(|path| tokens(at(value, path)?));
    let cost_micros = COSTS.iter().find_map(|path| cost_micros(at(value, path)?));
    if tokens.is_none() && cost_micros.is_none() {
        return None;
    }
    Some(Usage { cost_micros, ..tokens.unwrap_or_default() })
}

/// What one response used, of a CLI that reckons with a list of prices and says 0 for a model that is not on it: tokens for
/// no money are tokens of which the price is not known.
pub(super) fn of_response(value: &Value) -> Option<Usage> {
    let usage = of(value)?;
    let cost_micros = usage.cost_micros.filter(|cost| *cost > 0 || usage.tokens() == 0);
    Some(Usage { cost_micros, ..usage })
}

/// Reads an object of token counts.
pub(super) fn tokens(counts: &Value) -> Option<Usage> {
    let first = |paths: &[&str]| paths.iter().find_map(|path| count(at(counts, path)?));
    let (fresh, input, output) = (first(FRESH), first(INPUT), first(OUTPUT));
    if fresh.is_none() && input.is_none() && output.is_none() {
        return None;
    }
    // Where the sum leaves the cached ones out, they are counted in the tokens read.
    let read_and_written = input.zip(output).map(|(input, output)| input.saturating_add(output));
    let all = first(&["total_tokens"]).filter(|all| *all > 0 && Some(*all) == read_and_written);
    let within = first(CACHED_WITHIN).or_else(|| all.and_then(|_| first(CACHED_BESIDE)));
    let input = fresh.unwrap_or_else(|| input.unwrap_or(0).saturating_sub(within.unwrap_or(0)));
    Some(Usage {
        input,
        output: output.unwrap_or(0).saturating_add(first(THOUGHT).unwrap_or(0)),
        cache_read: within.or_else(|| first(CACHED_BESIDE)).unwrap_or(0),
        cache_write: first(CACHE_WRITTEN).unwrap_or(0),
        cost_micros: None,
        estimated: false,
    })
}

/// A number of tokens. What is no number, negative or endless is none.
pub(crate) fn count(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let number = value.as_f64().filter(|number| number.is_finite() && *number >= 0.0)?;
        Some(number as u64)
    })
}

/// US dollars in millionths.
pub(crate) fn cost_micros(value: &Value) -> Option<u64> {
    let dollars = value.as_f64().filter(|dollars| dollars.is_finite() && *dollars >= 0.0)?;
    Some((dollars * 1_000_000.0).round() as u64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn four(value: &Value) -> (u64, u64, u64, u64) {
        let usage = of(value).unwrap();
        (usage.input, usage.output, usage.cache_read, usage.cache_write)
    }

    #[test]
    fn cached_tokens_are_never_counted_twice() {
        let claude = json!({"usage": {"input_tokens": 3600, "cache_creation_input_tokens": 5,
                                      "cache_read_input_tokens": 3000, "output_tokens": 240}});
        assert_eq!(four(&claude), (3600, 240, 3000, 5));
        let codex =
            json!({"usage": {"input_tokens": 6600, "cached_input_tokens": 3000, "output_tokens": 240}});
        assert_eq!(four(&codex), (3600, 240, 3000, 0));
        let gemini = json!({"stats": {"total_tokens": 6840, "input_tokens": 6600, "output_tokens": 240,
                                      "cached": 3000, "input": 3600}});
        assert_eq!(four(&gemini), (3600, 240, 3000, 0));
        let opencode = json!({"tokens": {"input": 1200, "output": 80, "reasoning": 7,
                                         "cache": {"write": 2, "read": 1000}}, "cost": 0.0048});
        assert_eq!(four(&opencode), (1200, 87, 1000, 2));
        assert_eq!(of(&opencode).unwrap().cost_micros, Some(4800));
        let openai = json!({"usage": {"prompt_tokens": 30, "completion_tokens": 4,
                                      "prompt_tokens_details": {"cached_tokens": 10}}});
        assert_eq!(four(&openai), (20, 4, 10, 0));
    }

    #[test]
    fn tokens_for_nothing_have_no_known_price() {
        let step =
            |tokens: u64, cost: f64| json!({ "tokens": { "input": tokens, "output": 0 }, "cost": cost });
        let cost = |step: &Value| of_response(step).unwrap().cost_micros;
        assert_eq!((cost(&step(10, 0.0)), cost(&step(10, 0.5))), (None, Some(500_000)));
        assert_eq!(cost(&step(0, 0.0)), Some(0), "nothing costs nothing");
    }

    #[test]
    fn nonsense_is_no_usage() {
        for value in [
            json!({}),
            json!({"usage": 3}),
            json!({"usage": {"input_tokens": "many"}}),
            json!({"usage": {"input_tokens": -1}}),
            json!({"cost": "free"}),
            json!({"cost": -0.5}),
            json!({"usage": {"premiumRequests": 0}}),
        ] {
            assert_eq!(of(&value), None, "{value}");
        }
        let huge = json!({"usage": {"input_tokens": 1e300, "output_tokens": u64::MAX}, "cost": 1e300});
        assert_eq!(four(&huge), (u64::MAX, u64::MAX, 0, 0));
    }
}
