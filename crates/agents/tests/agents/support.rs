//! A play to perform: the same words, tools and numbers in every shape of output.

use std::path::{Path, PathBuf};

use loopwright_agents::{
    AgentRequest, Generic, GenericOptions, Harness, OutputStream, ParsedOutput, Rehearsal,
};
use loopwright_domain::promise::Expected;
use loopwright_domain::{AgentEvent, Claim, OutputFormat};
use loopwright_rehearsal::scenario::{Message, ShapeName, Usage};
use loopwright_rehearsal::shape::{self, Action, SceneEnding, Session, Shape, ToolCall};

pub(crate) const PROMPT: &str = "Build the tea house.\n\nWhen all is done, print on a line of its own:\n\
                          <promise>COMPLETE</promise>\n";

/// One thing that happens in a play.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    Say(&'static str, u32),
    Tool(&'static str),
    Use(u64, u64, u64, f64),
    End(u8, Option<&'static str>),
}

/// What an agent prints for a play in one shape.
pub(crate) fn print_acts(shape: ShapeName, acts: &[Act]) -> Vec<String> {
    let session = Session { id: "0190".into(), folder: "/project".into() };
    let mut shape: Box<dyn Shape> = shape::begin(shape, session);
    let mut lines = shape.open(PROMPT);
    for act in acts {
        lines.extend(match act {
            Act::Say(text, parts) => shape.message(&Message { text: (*text).into(), parts: *parts }),
            Act::Tool(output) => shape.tool(&ToolCall {
                action: Action::Run { argv: vec!["cat".into(), "notes".into()] },
                output: (*output).into(),
                failed: false,
                exit_code: Some(0),
            }),
            Act::Use(input, cached, output, cost_usd) => {
                shape.usage(&Usage { input: *input, cached: *cached, output: *output, cost_usd: *cost_usd })
            }
            Act::End(code, message) => shape.close(&SceneEnding { code: *code, message: *message }),
        });
    }
    lines.iter().flat_map(|line| line.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

pub(crate) fn request(prompt: &str) -> AgentRequest<'_> {
    let folder = Path::new("/project");
    AgentRequest::new(
        prompt,
        Path::new("/state/the prompt.md"),
        folder,
        "01890a5d-ac96-774b-bcce-b302099a8057",
    )
}

pub(crate) fn generic(format: OutputFormat) -> Generic {
    Generic::new(GenericOptions { output_format: format, ..GenericOptions::new("mine", "/bin/agent") })
}

pub(crate) fn rehearsal() -> Rehearsal {
    Rehearsal::new(PathBuf::from("/bin/loopwright-rehearsal"), Vec::new(), [].into())
}

/// Reads printed lines to their end.
pub(crate) fn read<L: AsRef<[u8]>>(
    harness: &dyn Harness,
    prompt: &str,
    lines: impl IntoIterator<Item = L>,
) -> (Vec<AgentEvent>, ParsedOutput) {
    let mut parser = harness.output_parser(&request(prompt));
    let mut events = Vec::new();
    for line in lines {
        events.extend(parser.line(OutputStream::Stdout, line.as_ref()));
    }
    let parsed = parser.finish(Some(0));
    events.extend(parsed.events.iter().cloned());
    (events, parsed)
}

/// Reads JSON lines with the generic harness.
pub(crate) fn stream(lines: &[&str]) -> (Vec<AgentEvent>, ParsedOutput) {
    read(&generic(OutputFormat::StreamJson), PROMPT, lines)
}

/// What is claimed in a parsed.
pub(crate) fn claim(parsed: &ParsedOutput) -> Claim {
    parsed.claim(Expected { promise: Some("COMPLETE"), plain: false, words: false }).0
}
