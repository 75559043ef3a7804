//! The contract between the loop and an agent CLI.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use loopwright_domain::promise::{Expected, find_claim};
use loopwright_domain::{AgentEvent, AgentProblem, Automation, Claim, OutputStream, Usage, UsageLimit};

use crate::error::AgentsError;
use crate::home_overlay::HomeOverlay;

/// One agent CLI: how it is called and how its output is understood. It starts nothing and keeps nothing from one
/// call to the next.
pub trait Harness: Send + Sync {
    /// Its name in the configuration and on the command line.
    fn name(&self) -> &str;

    /// What people call it.
    fn label(&self) -> &str;

    /// Whether it plays a script instead of thinking; shown wherever the agent shows.
    fn scripted(&self) -> bool {
        false
    }

    /// The names of the variables of the user's own that it may see, its keys above all. Their values are secrets.
    fn credentials(&self) -> Vec<&str> {
        Vec::new()
    }

    /// The names of other variables of the user's that it reads: where its service and its files are. No secrets.
    fn settings(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Whether it takes [`AgentRequest::mcp`]. Its prompt then names the server's tools.
    fn takes_mcp(&self) -> bool {
        false
    }

    /// The variable that gives it another home folder, when it is given one: [`AgentRequest::home`] is then the user's own.
    fn home_variable(&self) -> Option<&str> {
        None
    }

    /// How to start the agent for this request.
    ///
    /// # Errors
    /// When the agent cannot be called like this; the engine tells it and starts nothing.
    fn invoke(&self, request: &AgentRequest<'_>) -> Result<Invocation, AgentsError>;

    /// Parses what the agent prints. One parser is for one process; it knows the request so that it can tell the
    /// agent's words from the echoed prompt.
    fn output_parser(&self, request: &AgentRequest<'_>) -> Box<dyn OutputParser>;
}

/// What the agent is asked for.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AgentRequest<'a> {
    /// The whole prompt.
    pub prompt: &'a str,
    /// A file that holds the prompt; only its owner may read it.
    pub prompt_file: &'a Path,
    /// The folder the agent works in.
    pub work_dir: &'a Path,
    /// The iteration's id; a UUID, so it can be the name of the agent's session too.
    pub iteration: &'a str,
    /// The model to use; none leaves it to the agent.
    pub model: Option<&'a str>,
    /// How much the agent may do.
    pub automation: Automation,
    /// A private folder of this iteration for files that the agent needs to start, such as settings; it is removed
    /// afterwards. None where the iteration has none: what needs a file is then left out.
    pub scratch: Option<&'a Path>,
    /// The agent's own folder for short-lived files, which it may write to; none where the iteration has none.
    pub temp: Option<&'a Path>,
    /// The user's home folder, or what [`Harness::home_variable`] says instead; none leaves the agent with it.
    pub home: Option<&'a Path>,
    /// The server that gives the agent tools to report with; none leaves it out.
    pub mcp: Option<McpServer<'a>>,
    /// A JSON schema that the answer must follow.
    pub schema: Option<&'a str>,
    /// Whether it would work as root.
    pub root: bool,
    /// Whether a sandbox of ours is around it.
    pub sandboxed: bool,
}

/// A server that speaks MCP on its standard input and output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct McpServer<'a> {
    /// The server's name: part of the names of its tools.
    pub name: &'a str,
    /// The program's absolute path.
    pub program: &'a Path,
    /// Its arguments.
    pub args: &'a [&'a str],
    /// The variables it needs: agents do not hand down their own environment.
    pub env: &'a [(&'a str, &'a str)],
}

impl<'a> AgentRequest<'a> {
    /// A request in `auto` mode that leaves the model to the agent.
    #[must_use]
    pub const fn new(prompt: &'a str, prompt_file: &'a Path, work_dir: &'a Path, iteration: &'a str) -> Self {
        Self {
            prompt,
            prompt_file,
            work_dir,
            iteration,
            model: None,
            automation: Automation::Auto,
            scratch: None,
            temp: None,
            home: None,
            mcp: None,
            schema: None,
            root: false,
            sandboxed: false,
        }
    }

    /// Asks for a model.
    #[must_use]
    pub const fn model(mut self, model: Option<&'a str>) -> Self {
        self.model = model;
        self
    }

    /// Gives it a private folder for what the agent needs to start, and one for the agent's own short-lived files.
    #[must_use]
    pub const fn folders(mut self, scratch: Option<&'a Path>, temp: Option<&'a Path>) -> Self {
        self.scratch = scratch;
        self.temp = temp;
        self
    }

    /// Says whether it would work as root, and whether a sandbox of ours is around it.
    #[must_use]
    pub const fn user(mut self, root: bool, sandboxed: bool) -> Self {
        self.root = root;
        self.sandboxed = sandboxed;
        self
    }

    /// Says how much the agent may do.
    #[must_use]
    pub const fn automation(mut self, automation: Automation) -> Self {
        self.automation = automation;
        self
    }
}

/// A program to start: never through a shell, with standard input closed behind `stdin`.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Invocation {
    /// The program's absolute path.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Variables it gets besides the usual ones and its credentials.
    pub env: BTreeMap<OsString, OsString>,
    /// What it reads from standard input.
    pub stdin: Vec<u8>,
    /// The command line as people may see it: with a short word where the prompt is.
    pub shown: String,
    /// Files to write before it starts, all of them in the request's private folder; only their owner may read them.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// A file that it writes at its end, to be handed to [`OutputParser::report`].
    pub report: Option<PathBuf>,
    /// A file to which it adds lines as it works, each to be handed to [`OutputParser::event_log_line`].
    pub event_log: Option<PathBuf>,
    /// A folder of settings to make before it starts.
    pub home_overlay: Option<HomeOverlay>,
}

/// Leaves out what may hold secrets and the prompt: this ends up in logs.
impl fmt::Debug for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Invocation")
            .field("shown", &self.shown)
            .field("env", &self.env.keys().collect::<Vec<_>>())
            .field("stdin", &format_args!("{} bytes", self.stdin.len()))
            .finish_non_exhaustive()
    }
}

/// Understands what one agent process prints, line by line. It never fails: what it cannot read it keeps as
/// [`AgentEvent::Unknown`]. Its memory is bounded, however much is printed.
pub trait OutputParser: Send {
    /// Takes one line, without its line end.
    fn line(&mut self, stream: OutputStream, line: &[u8]) -> Vec<AgentEvent>;

    /// Is told that a line was too long and was left out.
    fn oversize(&mut self, stream: OutputStream, bytes: u64) -> Vec<AgentEvent> {
        let _ = stream;
        vec![AgentEvent::Skipped { bytes }]
    }

    /// Takes the file that the agent wrote at its end, as [`Invocation::report`] names it; before [`OutputParser::finish`].
    fn report(&mut self, content: &[u8]) {
        let _ = content;
    }

    /// Takes a line, without its end, of the file that the agent adds to as it works: [`Invocation::event_log`].
    fn event_log_line(&mut self, line: &[u8]) -> Vec<AgentEvent> {
        let _ = line;
        Vec::new()
    }

    /// Says what it all came to. `exit_code` is none when a signal ended the agent. Called once, at the end.
    fn finish(&mut self, exit_code: Option<i32>) -> ParsedOutput;
}

/// What one agent process came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParsedOutput {
    /// The agent's own last words, pieces joined: all it said since its last tool call. Never the prompt's echo, a
    /// tool's output, its thoughts or a helper's words.
    pub own_text: String,
    /// The last message of it alone, without any part of the prompt that it repeats: the place to look for a claim. None
    /// where `own_text` is one message.
    pub last_message: Option<String>,
    /// The messages of `own_text` before the last one.
    pub earlier: String,
    /// Whether the beginning of `own_text` was dropped because it was too long.
    pub cut: bool,
    /// What it used, each response counted once.
    pub usage: Usage,
    /// Its name for the conversation.
    pub session: Option<String>,
    /// The model that answered.
    pub model: Option<String>,
    /// How often the model answered, when the agent says so.
    pub turns: Option<u32>,
    /// Why it gave up, whatever its exit code.
    pub error: Option<AgentProblem>,
    /// The tools it was not allowed to use.
    pub denied: Vec<String>,
    /// The answer by the schema that was asked for, as JSON.
    pub structured: Option<String>,
    /// The account's limit that stopped it.
    pub limit: Option<UsageLimit>,
    /// How many lines nobody understood, too long ones included.
    pub unknown: u64,
    /// What became known only at the end, to be told behind all other events.
    pub events: Vec<AgentEvent>,
}

impl ParsedOutput {
    /// What the agent claims in its own text, and the words that say so.
    #[must_use]
    pub fn claim(&self, expected: Expected<'_>) -> (Claim, Option<String>) {
        find_claim(&self.earlier, self.last_message.as_deref().unwrap_or(&self.own_text), expected)
    }
}
