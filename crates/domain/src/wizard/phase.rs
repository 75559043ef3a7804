//! The phases of the wizard and how far each is.

use crate::word::words;

words! {
    /// A phase of the wizard.
    WizardPhase {
        /// What it is, for whom, and how to tell that it succeeded.
        Vision = "vision",
        /// Features of the first version, features for later, workflows.
        Functionality = "functionality",
        /// Data, integrations, platform, constraints.
        Technical = "technical",
        /// What is missing, contradictory or vague so far.
        Gaps = "gap_analysis",
        /// Sections of the spec, terms and tasks.
        Generate = "generate",
        /// The tasks, their order and what waits for what.
        TaskReview = "task_review",
        /// The checks that decide whether a task is done.
        BuildTest = "build_test",
        /// How a run works: review, automation, agents, caps.
        IterationMode = "iteration_mode",
        /// What was decided, what it will take, and the start.
        Launch = "launch",
    }
}

impl WizardPhase {
    /// Its number, counted from 1.
    #[must_use]
    pub fn number(self) -> usize {
        Self::ALL.iter().position(|phase| *phase == self).map_or(1, |place| place + 1)
    }

    /// What people call it.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Vision => "Vision",
            Self::Functionality => "Functionality",
            Self::Technical => "Technical",
            Self::Gaps => "Gap analysis",
            Self::Generate => "Generate",
            Self::TaskReview => "Task review",
            Self::BuildTest => "Build & test",
            Self::IterationMode => "Iteration mode",
            Self::Launch => "Launch",
        }
    }

    /// The one that is meant by a number, a word or a label.
    #[must_use]
    pub fn find(text: &str) -> Option<Self> {
        let text = text.trim();
        let number = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let by_number = number.and_then(|place| Self::ALL.get(place).copied());
        let same = |phase: &Self| {
            phase.label().eq_ignore_ascii_case(text)
                || phase.as_str().eq_ignore_ascii_case(&text.replace('-', "_"))
        };
        by_number.or_else(|| Self::ALL.iter().copied().find(same))
    }

    /// The phases before it.
    pub fn earlier(self) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |phase| *phase < self)
    }

    /// The phases after it.
    pub fn later(self) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |phase| *phase > self)
    }

    /// The phase after it.
    #[must_use]
    pub fn next(self) -> Option<Self> {
        self.later().next()
    }

    /// Whether an agent can be asked to fill it in. Launch is only put together.
    #[must_use]
    pub const fn asks_agent(self) -> bool {
        !matches!(self, Self::Launch)
    }
}

words! {
    /// How far a phase is.
    PhaseState {
        /// Nothing in it yet.
        Open = "open",
        /// An agent works on it.
        Working = "working",
        /// It has content that nobody has accepted yet.
        NeedsReview = "needs_review",
        /// A person, or `--yes`, has accepted it.
        Accepted = "accepted",
        /// Something before it has changed since it was filled in. What is in it is kept.
        OutOfDate = "out_of_date",
        /// The agent gave no usable answer. What was in it before is kept.
        Failed = "failed",
    }
}
