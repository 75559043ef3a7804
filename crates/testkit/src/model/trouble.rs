//! What goes wrong between a CLI and its model.

use std::collections::BTreeMap;

use serde::Deserialize;

/// What can go wrong with an answer.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trouble {
    /// An HTTP error in the service's own shape.
    Status(Status),
    /// The stream begins well and then says that the service is overloaded.
    Overload,
    /// Nothing more comes, until the client leaves.
    Stall(StreamPosition),
    /// The connection ends.
    Drop(StreamPosition),
}

/// Where in an answer trouble strikes. An answer that is no stream has only a beginning.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum StreamPosition {
    /// Before the first byte.
    Start,
    /// After the first piece of the text.
    Text,
}

/// An HTTP error.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Status {
    /// The status code.
    pub code: u16,
    /// The service's words; those of the service for this code when empty.
    #[serde(default)]
    pub message: String,
    /// The service's own word for the kind of error; the usual one for this code when empty.
    #[serde(default)]
    pub kind: String,
    /// Seconds in `Retry-After`.
    #[serde(default)]
    pub retry_after: Option<u64>,
    /// Seconds until a used-up allowance is there again, told in the way of the service.
    #[serde(default)]
    pub resets_in: Option<u64>,
    /// Headers beside these.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
}

impl Status {
    /// One with the service's usual words.
    #[must_use]
    pub fn new(code: u16) -> Self {
        Self { code, ..Self::default() }
    }

    /// With `Retry-After`.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// A used-up allowance that is there again after so many seconds.
    #[must_use]
    pub fn resets_in(mut self, seconds: u64) -> Self {
        self.resets_in = Some(seconds);
        self
    }
}
