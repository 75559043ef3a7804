//! Work without an agent: by a person, or by whoever carries a decision out.

use loopwright_agents::{AgentsError, Harness, Invocation, Reader, Reading, Request, Stream};
use loopwright_domain::AgentEvent;

/// What a person is called where an agent's name would be.
pub const BY_HAND: &str = "you";

/// Stands where an agent would be. It is never started.
pub(crate) struct Hand;

impl Harness for Hand {
    fn name(&self) -> &str {
        BY_HAND
    }

    fn label(&self) -> &str {
        "You"
    }

    fn invoke(&self, _request: &Request<'_>) -> Result<Invocation, AgentsError> {
        Err(AgentsError::BadCommand(BY_HAND.to_owned()))
    }

    fn reader(&self, _request: &Request<'_>) -> Box<dyn Reader> {
        Box::new(Silent)
    }
}

/// Reads what nobody prints.
struct Silent;

impl Reader for Silent {
    fn line(&mut self, _stream: Stream, _line: &[u8]) -> Vec<AgentEvent> {
        Vec::new()
    }

    fn finish(&mut self, _exit_code: Option<i32>) -> Reading {
        Reading::default()
    }
}
