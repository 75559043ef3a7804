//! `[prices."model"]`: what a model's tokens cost, for agents that do not say. A list of well-known models is built in.

use std::collections::BTreeMap;

use loopwright_domain::{Fault, Price, Prices};
use toml_edit::{Document, Item};

use super::tables::{Fields, PRICES};
use super::{Source, line_of};
use crate::value::{bad_value, parse_money};

/// The list that is built in. It can be edited as it is; its date says when it was right.
const BUILT_IN: &str = include_str!("prices.toml");

const KEYS: &[&str] = &["input", "output", "cache_read", "cache_write"];
const AMOUNT: &str = "must be US dollars per million tokens, like 2.50";

/// A price and the line it is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlacedPrice {
    pub(crate) price: Price,
    pub(crate) line: u32,
}

/// Reads a file's prices.
pub(super) fn read(
    item: &Item,
    source: Source<'_>,
    prices: &mut BTreeMap<String, PlacedPrice>,
    problems: &mut Vec<Fault>,
) {
    let Some(tables) = item.as_table_like() else {
        let fault = bad_value(PRICES, "must be a table, like [prices.\"model\"]");
        problems.push(source.place(fault, item.span()));
        return;
    };
    for (model, item) in tables.iter() {
        let span = tables.key(model).and_then(toml_edit::Key::span).or_else(|| item.span());
        let title = format!("{PRICES}.\"{model}\"");
        let Some(table) = item.as_table_like() else {
            let fault = bad_value(&title, "must be a table with input and output");
            problems.push(source.place(fault, span));
            continue;
        };
        let line = span.map_or(1, |span| line_of(source.text, span.start));
        let mut fields = Fields { title, table, source, problems };
        fields.only(KEYS);
        let mut amount = |key: &str| fields.get(key, AMOUNT, dollars).unwrap_or(0);
        let price = Price {
            input: amount("input"),
            output: amount("output"),
            cache_read: amount("cache_read"),
            cache_write: amount("cache_write"),
        };
        prices.insert(model.to_owned(), PlacedPrice { price, line });
    }
}

/// An amount of money, written as a number or as text, in millionths.
fn dollars(item: &Item) -> Option<u64> {
    if let Some(text) = item.as_str() {
        return parse_money(text);
    }
    if let Some(whole) = item.as_integer() {
        return u64::try_from(whole).ok()?.checked_mul(1_000_000);
    }
    let amount = item.as_float().filter(|amount| (0.0..1e12).contains(amount))?;
    Some((amount * 1_000_000.0).round() as u64)
}

/// The prices that are built in.
pub(crate) fn built_in() -> Prices {
    let mut prices = Prices::default();
    let mut list = BTreeMap::new();
    let source = Source { label: "the built-in prices", text: BUILT_IN };
    if let Ok(document) = Document::parse(BUILT_IN)
        && let Some(item) = document.get(PRICES)
    {
        read(item, source, &mut list, &mut Vec::new());
    }
    for (model, placed) in list {
        prices.add(&model, placed.price);
    }
    prices
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> (BTreeMap<String, PlacedPrice>, Vec<Fault>) {
        let document = Document::parse(text).unwrap();
        let (mut prices, mut problems) = (BTreeMap::new(), Vec::new());
        let source = Source { label: "config.toml", text };
        read(document.get(PRICES).unwrap(), source, &mut prices, &mut problems);
        (prices, problems)
    }

    #[test]
    fn the_built_in_list_is_right_to_its_last_line() {
        let (list, problems) = read_text(BUILT_IN);
        assert_eq!(problems, []);
        assert!(list.len() > 20, "{}", list.len());
        for (model, PlacedPrice { price, .. }) in &list {
            assert!(price.input > 0 && price.output > price.input, "{model}");
            assert!(price.cache_read > 0 && price.cache_read <= price.input, "{model}");
        }
        let date = Document::parse(BUILT_IN).unwrap().get("as_of").and_then(Item::as_str).map(str::to_owned);
        assert!(date.unwrap().parse::<jiff::civil::Date>().is_ok());
        let price = |model: &str| built_in().find(model).map(|price| (price.input, price.output));
        assert_eq!(price("gpt-5-codex-2025"), Some((1_250_000, 10_000_000)));
        assert_eq!(price("gemini-2.5-pro"), Some((1_250_000, 10_000_000)));
        assert_eq!(price("anthropic/claude-sonnet-4-5"), Some((3_000_000, 15_000_000)));
        assert_eq!(price("claude-opus-4-1-20250805"), Some((15_000_000, 75_000_000)));
        assert_eq!(price("claude-opus-4-8"), Some((5_000_000, 25_000_000)));
    }

    #[test]
    fn amounts_are_read_in_any_spelling_and_mistakes_have_a_line() {
        let (prices, problems) = read_text(
            "[prices.\"my-model\"]\ninput = 2\noutput = 7.5\ncache_read = \"0.25\"\n\n\
             [prices.other]\ninput = -1\noutput = \"much\"\ncached = 3\n\n[prices]\nthird = 4\n",
        );
        let mine = prices["my-model"].price;
        assert_eq!(
            (mine.input, mine.output, mine.cache_read, mine.cache_write),
            (2_000_000, 7_500_000, 250_000, 0)
        );
        assert_eq!(prices["my-model"].line, 1);
        let mut found: Vec<_> = problems
            .iter()
            .map(|fault| (fault.location.as_ref().unwrap().line.unwrap(), fault.code.as_str()))
            .collect();
        found.sort_unstable();
        assert_eq!(
            found,
            [
                (7, "config.bad_value"),
                (8, "config.bad_value"),
                (9, "config.unknown_key"),
                (12, "config.bad_value")
            ]
        );
    }
}
