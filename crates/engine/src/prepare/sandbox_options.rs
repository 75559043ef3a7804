//! What a run asks of the sandbox: kept with the run, so that whoever goes on with it keeps to it.

use serde::{Deserialize, Serialize};

use loopwright_config::{Config, SandboxMode, key};

/// What is asked of the sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SandboxOptions {
    /// Whether there has to be one.
    #[cfg_attr(feature = "specta", specta(type = String))]
    pub sandbox: SandboxMode,
    /// Whether agents reach the network.
    pub network: bool,
}

impl SandboxOptions {
    pub(crate) fn of(config: &Config) -> Self {
        Self { sandbox: config.value(key::SANDBOX), network: config.value(key::SANDBOX_NETWORK) }
    }

    /// What keeps to both.
    pub(crate) fn stricter(&self, other: &Self) -> Self {
        let either = |mode: &SandboxMode| self.sandbox == *mode || other.sandbox == *mode;
        let of_both = [SandboxMode::On, SandboxMode::Auto].into_iter().find(either);
        Self { sandbox: of_both.unwrap_or(SandboxMode::Off), network: self.network && other.network }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stricter_of_two_keeps_to_both() {
        use SandboxMode::{Auto, Off, On};
        let options = |sandbox, network| SandboxOptions { sandbox, network };
        for (one, other, both) in [
            (options(Off, true), options(Auto, true), options(Auto, true)),
            (options(On, true), options(Auto, false), options(On, false)),
            (options(Off, false), options(Off, true), options(Off, false)),
        ] {
            assert_eq!((one.stricter(&other), other.stricter(&one)), (both.clone(), both));
        }
    }
}
