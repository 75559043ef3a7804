//! What an agent used: tokens and money.

use serde::{Deserialize, Serialize};

/// Tokens and money of one iteration or of a whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(default)]
pub struct Usage {
    /// Tokens read afresh.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub input: u64,
    /// Tokens written.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub output: u64,
    /// Tokens read from the model's cache.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub cache_read: u64,
    /// Tokens written into the model's cache.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub cache_write: u64,
    /// Money in millionths of a US dollar; none where nobody said.
    #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
    pub cost_micros: Option<u64>,
    /// Whether the money is computed from a price list and not told by the agent.
    pub estimated: bool,
}

impl Usage {
    /// All tokens that count against a limit.
    #[must_use]
    pub const fn tokens(&self) -> u64 {
        self.input
            .saturating_add(self.output)
            .saturating_add(self.cache_read)
            .saturating_add(self.cache_write)
    }

    /// The sum of two.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let cost_micros = match (self.cost_micros, other.cost_micros) {
            (None, None) => None,
            (one, two) => Some(one.unwrap_or(0).saturating_add(two.unwrap_or(0))),
        };
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            cache_write: self.cache_write.saturating_add(other.cache_write),
            cost_micros,
            estimated: self.estimated || other.estimated,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_money_stays_unknown_and_sums_do_not_overflow() {
        let none = Usage::default();
        assert_eq!(none.plus(&none).cost_micros, None);
        let paid = Usage { input: u64::MAX, cost_micros: Some(5), ..none };
        let sum = paid.plus(&paid).plus(&none);
        assert_eq!((sum.tokens(), sum.cost_micros), (u64::MAX, Some(10)));
    }
}
