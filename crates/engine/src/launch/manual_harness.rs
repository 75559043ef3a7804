//! Work without an agent: by a person, or by whoever carries a decision out.

use loopwright_agents::{
    AgentRequest, AgentsError, Harness, Invocation, OutputParser, OutputStream, ParsedOutput,
};
use loopwright_domain::AgentEvent;

/// What a person is called where an agent's name would be.
pub const BY_HAND: &str = "you";

/// Stands where an agent would be. It is never started.
pub(crate) struct ManualHarness;

impl Harness for ManualHarness {
    fn name(&self) -> &str {
        BY_HAND
    }

    fn label(&self) -> &str {
        "You"
    }

    fn invoke(&self, _request: &AgentRequest<'_>) -> Result<Invocation, AgentsError> {
        Err(AgentsError::BadCommand(BY_HAND.to_owned()))
    }

    fn output_parser(&self, _request: &AgentRequest<'_>) -> Box<dyn OutputParser> {
        Box::new(SilentParser)
    }
}

/// Reads what nobody prints.
struct SilentParser;

impl OutputParser for SilentParser {
    fn line(&mut self, _stream: OutputStream, _line: &[u8]) -> Vec<AgentEvent> {
        Vec::new()
    }

    fn finish(&mut self, _exit_code: Option<i32>) -> ParsedOutput {
        ParsedOutput::default()
    }
}
