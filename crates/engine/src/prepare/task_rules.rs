//! What a run over tasks works by, from its first iteration to its last.

use loopwright_config::{Config, key};
use loopwright_domain::memory::assembly::DEFAULT_BUDGET;
use loopwright_domain::{CommitMode, TaskLimits};
use serde::{Deserialize, Serialize};

use crate::assessment::GateRules;
use crate::prepare::options::{counted, with_turns};

/// What a run over tasks works by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct TaskRules {
    /// A task is blocked after this many failed attempts in one run; 0 never.
    pub max_attempts: u32,
    /// A task is blocked after this many failures over all runs; 0 never.
    pub max_total_failures: u32,
    /// Whether an agent has to say that a task is done.
    pub require_signal: bool,
    /// When work is committed.
    pub commit: CommitMode,
    /// Documents of more tokens than this are warned about; 0 never.
    pub max_spec_tokens: u32,
    /// How many tokens of context items a prompt may hold; 0 is without limit.
    #[serde(default = "default_context_tokens")]
    pub context_tokens: u32,
    /// Whether the task itself is part of its prompt.
    pub include_task: bool,
    /// Whether the plan's section is part of it.
    pub include_plan_section: bool,
    /// How task, plan and documents are put together; empty is one after another.
    pub spec_template: String,
    /// When a person looks at work.
    pub gates: GateRules,
}

/// The budget of runs that were begun before there was a setting.
const fn default_context_tokens() -> u32 {
    DEFAULT_BUDGET
}

impl TaskRules {
    /// The rules that are configured.
    pub(crate) fn of(config: &Config) -> Self {
        let attempts = key::RUN_MAX_ATTEMPTS;
        Self {
            max_attempts: with_turns(config, attempts, counted(config, attempts)),
            max_total_failures: counted(config, key::RUN_MAX_TOTAL_FAILURES),
            require_signal: config.value(key::RUN_REQUIRE_SIGNAL),
            commit: config.value(key::RUN_COMMIT),
            max_spec_tokens: counted(config, key::RUN_MAX_SPEC_TOKENS),
            context_tokens: counted(config, key::RUN_CONTEXT_TOKENS),
            include_task: config.value(key::RUN_INCLUDE_TASK),
            include_plan_section: config.value(key::RUN_INCLUDE_PLAN_SECTION),
            spec_template: config.value(key::RUN_SPEC_TEMPLATE),
            gates: GateRules::of(config),
        }
    }

    /// When a task is given up.
    pub(crate) const fn limits(&self) -> TaskLimits {
        TaskLimits { max_attempts: self.max_attempts, max_total_failures: self.max_total_failures }
    }
}
