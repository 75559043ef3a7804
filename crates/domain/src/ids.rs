//! Newtyped ids, so that a run can never be mistaken for an iteration.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "specta", derive(specta::Type))]
        #[serde(transparent)]
        pub struct $name(#[cfg_attr(feature = "specta", specta(type = String))] Uuid);

        impl $name {
            /// Builds a time-ordered id (UUIDv7) from a caller's clock and randomness.
            #[must_use]
            pub fn from_parts(unix_millis: u64, random: [u8; 10]) -> Self {
                Self(uuid::Builder::from_unix_timestamp_millis(unix_millis, &random).into_uuid())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    };
}

uuid_id! {
    /// One execution of the loop over one source of work.
    RunId
}
uuid_id! {
    /// One fresh agent process and its verification.
    IterationId
}

macro_rules! number_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "specta", derive(specta::Type))]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

number_id! {
    /// A task's number within its project. Stable: it is never given to another task.
    TaskId, "#"
}
number_id! {
    /// A gate's number within its project.
    GateId, ""
}
number_id! {
    /// A section's number within its project's spec.
    SectionId, "§"
}
number_id! {
    /// A term's number within its project's spec.
    TermId, ""
}

/// An event's place in its project's history, counted from 1 without gaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(transparent)]
pub struct EventSeq(#[cfg_attr(feature = "specta", specta(type = u32))] pub u64);

impl fmt::Display for EventSeq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuid_ids_sort_by_the_time_they_were_made_and_round_trip() {
        let early = RunId::from_parts(1_000, [9; 10]);
        let late = RunId::from_parts(2_000, [0; 10]);
        assert!(early < late);
        assert_eq!(early.to_string().parse::<RunId>().unwrap(), early);
        assert!("not-an-id".parse::<RunId>().is_err());
    }

    #[test]
    fn ids_are_bare_values_in_json() {
        assert_eq!(serde_json::to_string(&TaskId(7)).unwrap(), "7");
        assert_eq!(serde_json::to_string(&EventSeq(3)).unwrap(), "3");
    }
}
