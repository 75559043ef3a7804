//! How far a solution is trusted: the figure, and the rules by which it changes.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ids::IterationId;
use crate::word::words;

/// How far a solution is trusted, from 0 to 1. Held in whole hundredths, so that sums are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SolutionTrust(u8);

impl SolutionTrust {
    /// What a solution begins with.
    pub const START: Self = Self(30);
    /// From here on it is trusted.
    pub const TRUSTED: Self = Self(60);
    /// Below this it is in no prompt any more.
    pub const LOWEST_ON_TRIAL: Self = Self(25);
    /// What a success adds, in hundredths.
    pub const CREDIT: u8 = 15;
    /// What a failure takes, in hundredths.
    pub const DEBIT: u8 = 20;
    /// What a period without use takes, in hundredths.
    pub const DECAY: u8 = 5;
    /// How long a period without use is, in days.
    pub const IDLE_DAYS: u32 = 30;

    /// The trust of so many hundredths, at most 100.
    #[must_use]
    pub const fn of_hundredths(hundredths: u8) -> Self {
        Self(if hundredths > 100 { 100 } else { hundredths })
    }

    /// In hundredths, 0 to 100.
    #[must_use]
    pub const fn hundredths(self) -> u8 {
        self.0
    }

    /// As a number from 0 to 1.
    #[must_use]
    pub fn value(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// After an attempt passed with the solution in its prompt.
    #[must_use]
    pub const fn credited(self) -> Self {
        Self::of_hundredths(self.0.saturating_add(Self::CREDIT))
    }

    /// After the same pattern failed again with the solution in the prompt.
    #[must_use]
    pub const fn debited(self) -> Self {
        Self(self.0.saturating_sub(Self::DEBIT))
    }

    /// After so many whole periods without use.
    #[must_use]
    pub fn decayed(self, periods: u32) -> Self {
        let taken = periods.saturating_mul(u32::from(Self::DECAY));
        Self(self.0.saturating_sub(u8::try_from(taken).unwrap_or(u8::MAX)))
    }
}

impl std::fmt::Display for SolutionTrust {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&format!("{}.{:02}", self.0 / 100, self.0 % 100))
    }
}

impl Serialize for SolutionTrust {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.value())
    }
}

impl<'de> Deserialize<'de> for SolutionTrust {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        if !(0.0..=1.0).contains(&value) {
            return Err(serde::de::Error::custom("a trust is between 0 and 1"));
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 100")]
        Ok(Self::of_hundredths((value * 100.0).round() as u8))
    }
}

words! {
    /// Where a solution stands.
    SolutionState {
        /// It has to show that it helps: at most one such is in a prompt, and marked.
        Trial = "trial",
        /// It has helped often enough.
        Trusted = "trusted",
        /// It did not help, or nobody used it for long: it is in no prompt any more.
        Sinking = "sinking",
        /// A person took it out of use.
        Retired = "retired",
    }
}

impl SolutionState {
    /// The state that follows from a trust, unless a person retired the solution.
    #[must_use]
    pub fn of(trust: SolutionTrust, retired: bool) -> Self {
        match trust {
            _ if retired => Self::Retired,
            trust if trust >= SolutionTrust::TRUSTED => Self::Trusted,
            trust if trust >= SolutionTrust::LOWEST_ON_TRIAL => Self::Trial,
            _ => Self::Sinking,
        }
    }
}

words! {
    /// Why a solution's record changed.
    TrustReason {
        /// The loop made it: a failure was followed by a pass.
        Made = "made",
        /// A person wrote it.
        Added = "added",
        /// It came from a file, and is on trial again.
        Imported = "imported",
        /// An attempt passed with it in its prompt.
        Helped = "helped",
        /// The same pattern failed again with it in the prompt.
        FailedAgain = "failed_again",
        /// The same fix was found again without it in the prompt.
        FoundAgain = "found_again",
        /// It was not used for long.
        Decayed = "decayed",
        /// A person said that it still holds.
        Refreshed = "refreshed",
        /// A person changed its words.
        Edited = "edited",
        /// A person took it out of use.
        Retired = "retired",
        /// A person took it back into use.
        Restored = "restored",
    }
}

/// One change in a solution's history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct TrustChange {
    /// When, as RFC 3339 in UTC.
    pub at: String,
    /// Why.
    pub reason: TrustReason,
    /// The trust before; none for its first.
    #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
    pub before: Option<SolutionTrust>,
    /// The trust after.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub after: SolutionTrust,
    /// The iteration that it comes from.
    pub iteration: Option<IterationId>,
    /// That iteration's number in its run, counted from 0; shown from 1.
    pub number: Option<u32>,
    /// The same in words, for people.
    pub note: String,
}

/// What an attempt says about the solutions in its prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptVerdict<'a> {
    /// The pattern of the failure that the task had last before the attempt; none for a first attempt.
    pub last_pattern: Option<&'a str>,
    /// Whether the attempt passed.
    pub passed: bool,
    /// The pattern by which it failed.
    pub failed_by: Option<&'a str>,
    /// Whether a person did the work.
    pub by_hand: bool,
}

/// What an attempt means for a solution of a pattern that was in its prompt: [`TrustReason::Helped`],
/// [`TrustReason::FailedAgain`], or nothing. Only an attempt that follows a failure of the solution's own pattern says
/// anything: a first attempt may pass or fail for any other reason. A person's own work says nothing either.
#[must_use]
pub fn judge_solution(pattern: &str, attempt: &AttemptVerdict<'_>) -> Option<TrustReason> {
    if attempt.by_hand || attempt.last_pattern != Some(pattern) {
        return None;
    }
    match (attempt.passed, attempt.failed_by) {
        (true, _) => Some(TrustReason::Helped),
        (false, Some(failed_by)) if failed_by == pattern => Some(TrustReason::FailedAgain),
        (false, _) => None,
    }
}

/// Whether another solution of a pattern may be tried that the loop made, by how often attempts passed and failed with
/// such in their prompts. Where they do not help, new ones are likely to mislead as well.
#[must_use]
pub const fn may_try(helped: u32, failed: u32) -> bool {
    failed < helped.saturating_mul(2).saturating_add(2)
}

impl TrustReason {
    /// The trust after a change for this reason.
    #[must_use]
    pub fn apply(self, trust: SolutionTrust) -> SolutionTrust {
        match self {
            Self::Helped => trust.credited(),
            Self::FailedAgain => trust.debited(),
            Self::Made | Self::Added | Self::Imported => SolutionTrust::START,
            Self::FoundAgain
            | Self::Decayed
            | Self::Refreshed
            | Self::Edited
            | Self::Retired
            | Self::Restored => trust,
        }
    }

    /// Whether it shows that the solution is in use, so that it is not idle.
    #[must_use]
    pub const fn is_use(self) -> bool {
        !matches!(self, Self::Decayed | Self::Retired)
    }
}

#[cfg(test)]
#[path = "solution_trust_tests.rs"]
mod tests;
