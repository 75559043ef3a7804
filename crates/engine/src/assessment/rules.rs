//! When a gate is opened, as a run works by it from its first iteration to its last: what an agent writes into the
//! configuration meanwhile does not count.

use globset::{Glob, GlobSet, GlobSetBuilder};
use loopwright_config::{Config, key};
use loopwright_domain::{ReviewMode, RiskKind, risk};
use serde::{Deserialize, Serialize};

use loopwright_checks::Check;

/// When a person looks at work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct GateRules {
    /// When a person looks at work that is not risky.
    #[cfg_attr(feature = "specta", specta(type = String))]
    pub mode: ReviewMode,
    /// The risks that open a gate in every mode.
    pub always: Vec<RiskKind>,
    /// Patterns of protected paths.
    pub protected: Vec<String>,
    /// A change of more lines than this is large; 0 never.
    pub max_lines: u32,
    /// What the commands of checks name: files, and targets and scripts of files as `Makefile#test`.
    pub checks: Vec<String>,
}

impl Default for GateRules {
    fn default() -> Self {
        Self {
            mode: ReviewMode::Autonomous,
            always: RiskKind::ALL.to_vec(),
            protected: Vec::new(),
            max_lines: 800,
            checks: Vec::new(),
        }
    }
}

impl GateRules {
    /// The rules that are configured.
    pub(crate) fn of(config: &Config) -> Self {
        Self {
            mode: config.value(key::MODE),
            always: config.value(key::GATE_ALWAYS).iter().filter_map(|word| RiskKind::parse(word)).collect(),
            protected: config.value(key::GATE_PROTECTED),
            max_lines: u32::try_from(config.value(key::GATE_MAX_LINES)).unwrap_or(u32::MAX),
            checks: config
                .checks
                .iter()
                .filter_map(Check::executes)
                .flat_map(|command| risk::named_by(&command.argv, &command.dir))
                .collect(),
        }
    }

    /// Protected paths. Patterns were checked when they were configured.
    pub(super) fn protected(&self) -> GlobSet {
        let mut set = GlobSetBuilder::new();
        for glob in self.protected.iter().filter_map(|pattern| Glob::new(pattern).ok()) {
            set.add(glob);
        }
        set.build().unwrap_or_default()
    }
}
