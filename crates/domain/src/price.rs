//! What tokens cost, for agents that do not say: an estimate, and shown as one.

use crate::usage::Usage;

/// The price of a model, in millionths of a US dollar per million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Price {
    /// Tokens read afresh.
    pub input: u64,
    /// Tokens written.
    pub output: u64,
    /// Tokens read from the cache.
    pub cache_read: u64,
    /// Tokens written into the cache.
    pub cache_write: u64,
}

impl Price {
    /// What these tokens cost, in millionths of a US dollar.
    #[must_use]
    pub fn of(&self, usage: &Usage) -> u64 {
        let parts = [
            (usage.input, self.input),
            (usage.output, self.output),
            (usage.cache_read, self.cache_read),
            (usage.cache_write, self.cache_write),
        ];
        let sum = parts.into_iter().fold(0_u128, |sum, (tokens, price)| {
            sum.saturating_add(u128::from(tokens).saturating_mul(u128::from(price)))
        });
        u64::try_from(sum / 1_000_000).unwrap_or(u64::MAX)
    }
}

/// Prices by the beginnings of model names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prices {
    /// Beginnings in small letters.
    list: Vec<(String, Price)>,
}

impl Prices {
    /// Adds a price. It replaces the one with the same name.
    pub fn add(&mut self, model: &str, price: Price) {
        let model = model.to_lowercase();
        self.list.retain(|(known, _)| *known != model);
        self.list.push((model, price));
    }

    /// The price of a model: of the longest name that is its whole beginning. `claude-sonnet-4` is a beginning of
    /// `claude-sonnet-4-5-20250929`, and `gpt-4` is none of `gpt-4o`. A provider in front does not matter.
    #[must_use]
    pub fn find(&self, model: &str) -> Option<Price> {
        let model = model.to_lowercase();
        let bare = model.rsplit('/').next().unwrap_or_default();
        self.find_name(&model).or_else(|| self.find_name(bare))
    }

    fn find_name(&self, model: &str) -> Option<Price> {
        let begins = |name: &str| {
            model.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '@', ':']))
        };
        let fitting = self.list.iter().filter(|(name, _)| begins(name));
        fitting.max_by_key(|(name, _)| name.len()).map(|(_, price)| *price)
    }

    /// The usage with its estimated cost, where the agent told none and the model's price is known.
    #[must_use]
    pub fn complete(&self, usage: Usage, model: Option<&str>) -> Usage {
        match model.filter(|_| usage.cost_micros.is_none() && usage.tokens() > 0) {
            Some(model) => match self.find(model) {
                Some(price) => Usage { cost_micros: Some(price.of(&usage)), estimated: true, ..usage },
                None => usage,
            },
            None => usage,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn prices() -> Prices {
        let mut prices = Prices::default();
        for (model, input) in [("gpt-5", 1), ("gpt-5-mini", 2), ("gpt-4", 3), ("Claude-Sonnet-4", 4)] {
            prices.add(model, Price { input: input * 1_000_000, ..Price::default() });
        }
        prices
    }

    #[test]
    fn the_longest_beginning_counts_and_only_whole_words() {
        let input = |model: &str| prices().find(model).map(|price| price.input / 1_000_000);
        for (model, expected) in [
            ("gpt-5", Some(1)),
            ("gpt-5-2025-08-07", Some(1)),
            ("gpt-5-mini-2025", Some(2)),
            ("gpt-5.1", None),
            ("gpt-4o", None),
            ("anthropic/claude-sonnet-4-5", Some(4)),
            ("claude-sonnet-4@20250514", Some(4)),
            ("sonnet", None),
            ("", None),
        ] {
            assert_eq!(input(model), expected, "{model}");
        }
        let mut own = prices();
        own.add("GPT-5", Price::default());
        assert_eq!(own.find("gpt-5"), Some(Price::default()), "the last one replaces");
    }

    #[test]
    fn only_what_nobody_told_is_estimated() {
        let usage = Usage { input: 2_000_000, output: 5, ..Usage::default() };
        let completed = prices().complete(usage, Some("gpt-5"));
        assert_eq!((completed.cost_micros, completed.estimated), (Some(2_000_000), true));
        let told = Usage { cost_micros: Some(0), ..usage };
        assert_eq!(prices().complete(told, Some("gpt-5")), told);
        assert_eq!(prices().complete(usage, None), usage);
        assert_eq!(prices().complete(usage, Some("unheard-of")), usage);
        assert_eq!(prices().complete(Usage::default(), Some("gpt-5")), Usage::default());
    }

    proptest! {
        #[test]
        fn any_numbers_and_names_give_a_price_without_trouble(
            tokens in any::<[u64; 4]>(), price in any::<[u64; 4]>(), name in ".*", model in ".*",
        ) {
            let [input, output, cache_read, cache_write] = price;
            let price = Price { input, output, cache_read, cache_write };
            let [input, output, cache_read, cache_write] = tokens;
            let usage = Usage { input, output, cache_read, cache_write, ..Usage::default() };
            let _ = price.of(&usage);
            let mut prices = Prices::default();
            prices.add(&name, price);
            prop_assert_eq!(prices.find(&name), Some(price));
            let _ = prices.complete(usage, Some(&model));
        }
    }
}
