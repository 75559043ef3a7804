//! What a run asks of the sandbox: kept with the run, so that whoever goes on with it keeps to it.

use serde::{Deserialize, Serialize};

use crate::config::Config;

/// What is asked of the sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Fence {
    /// `on`, `auto` or `off`.
    pub sandbox: String,
    /// Whether agents reach the network.
    pub network: bool,
}

impl Fence {
    pub(crate) fn of(config: &Config) -> Self {
        Self { sandbox: config.text("sandbox").to_owned(), network: config.switch("sandbox_network") }
    }

    /// What keeps to both.
    pub(crate) fn stricter(&self, other: &Self) -> Self {
        let of_both =
            ["on", "auto"].into_iter().find(|word| [self, other].iter().any(|one| one.sandbox == *word));
        Self { sandbox: of_both.unwrap_or("off").to_owned(), network: self.network && other.network }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stricter_of_two_keeps_to_both() {
        let fence = |sandbox: &str, network| Fence { sandbox: sandbox.to_owned(), network };
        for (one, other, both) in [
            (fence("off", true), fence("auto", true), fence("auto", true)),
            (fence("on", true), fence("auto", false), fence("on", false)),
            (fence("off", false), fence("off", true), fence("off", false)),
        ] {
            assert_eq!((one.stricter(&other), other.stricter(&one)), (both.clone(), both));
        }
    }
}
