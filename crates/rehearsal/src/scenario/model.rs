//! What a scenario says, checked and ready to play.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{RelativePath, ShapeName};

/// A whole scenario file.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The shape to speak in when neither the command line nor the scene says so.
    pub output: Option<ShapeName>,
    /// Whether the prompt is read at all. An agent that never reads its input is a case of its own.
    pub read_prompt: bool,
    /// The scenes in the order of the file; the first that fits is played.
    pub scenes: Vec<Scene>,
}

/// One scene: when it is played, and what happens.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Where it begins in the file, counted from 1.
    pub line: u32,
    /// A name for messages.
    pub name: Option<String>,
    /// Only for this task.
    pub task: Option<u32>,
    /// Only on this attempt, counted from 1.
    pub attempt: Option<u32>,
    /// Only when the prompt holds this text.
    pub prompt_contains: Option<String>,
    /// The shape to speak in, when the command line does not say so.
    pub output: Option<ShapeName>,
    /// Whether the shape's opening and closing lines are printed.
    pub frame: bool,
    /// What happens, in order.
    pub steps: Vec<PlacedStep>,
}

impl Scene {
    /// How messages call the scene.
    #[must_use]
    pub fn label(&self) -> String {
        match &self.name {
            Some(name) => format!("\"{name}\" (line {})", self.line),
            None => format!("of line {}", self.line),
        }
    }

    /// How long the scene's sleeps take together.
    #[must_use]
    pub fn pauses(&self) -> Duration {
        let pause = |placed: &PlacedStep| match placed.step {
            Step::Sleep(time) => time,
            _ => Duration::ZERO,
        };
        self.steps.iter().map(pause).sum()
    }
}

/// A step and where it stands in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedStep {
    /// Line, counted from 1.
    pub line: u32,
    /// What happens.
    pub step: Step,
}

/// One thing the agent does.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Says something as the agent.
    Say(Message),
    /// Says that the work is complete, whether or not it is.
    Claim(String),
    /// Says the prompt back, as the agent.
    EchoPrompt,
    /// Reports a tool call and its result without doing anything.
    Tool {
        /// The tool's name as the harness would print it.
        name: String,
        /// Its arguments.
        input: serde_json::Value,
        /// What it printed.
        output: String,
        /// Whether it is reported as failed.
        failed: bool,
    },
    /// Reports tokens and money used.
    Usage(Usage),
    /// Prints something as it is, whatever the shape.
    Print {
        /// What.
        what: Printed,
        /// Where to.
        to: StreamName,
    },
    /// Changes a file, and reports it as a tool call.
    File(FileStep),
    /// Writes the prompt to a file, byte for byte.
    SavePrompt {
        /// The file.
        path: RelativePath,
    },
    /// Runs a program with arguments, without a shell, and reports it as a tool call.
    Run {
        /// The program and its arguments.
        argv: Vec<String>,
    },
    /// Waits.
    Sleep(Duration),
    /// Starts processes that outlive the step, and perhaps the agent.
    Spawn(Spawn),
    /// Stops making progress.
    Hang {
        /// Signals that do not end it.
        ignore: Vec<Ignored>,
        /// How long; for ever when absent.
        lasts: Option<Duration>,
    },
    /// Ends at once, without a closing line, by a fatal signal.
    Crash(Crash),
    /// Ends with this code, after the shape's closing line.
    Exit {
        /// The exit code.
        code: u8,
        /// What the closing line gives as the reason.
        message: Option<String>,
    },
    /// Writes into the signal file that Loopwright named.
    Signal(SignalStep),
}

/// Output that does not follow the shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Printed {
    /// A line; its newline is added.
    Line(String),
    /// Exact bytes, for example invalid UTF-8.
    Bytes(Vec<u8>),
    /// This many numbered lines at full speed.
    FloodLines(u64),
    /// Exactly this many bytes in lines of 80 at full speed.
    FloodBytes(u64),
    /// This many bytes without a newline.
    EndlessLine(u64),
}

/// A change to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileStep {
    /// Writes a file, replacing what is there; folders are made as needed.
    Write {
        /// The file.
        path: RelativePath,
        /// Its whole content.
        content: String,
    },
    /// Adds to the end of a file, making it if needed.
    Append {
        /// The file.
        path: RelativePath,
        /// What is added.
        content: String,
    },
    /// Replaces text in a file. The text has to be there, and only once unless `all` is set.
    Edit {
        /// The file.
        path: RelativePath,
        /// The text to replace.
        find: String,
        /// What to put there.
        replace: String,
        /// Replaces every occurrence.
        all: bool,
    },
    /// Deletes a file or a folder with all it holds.
    Delete {
        /// The file or folder.
        path: RelativePath,
    },
}

/// Something the agent says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The text.
    pub text: String,
    /// Into how many pieces a streaming shape (gemini, copilot) cuts it.
    pub parts: u32,
}

/// Tokens and money.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Tokens read, without those from the cache.
    pub input: u64,
    /// Tokens read from the cache.
    pub cached: u64,
    /// Tokens written.
    pub output: u64,
    /// US dollars.
    pub cost_usd: f64,
}

/// Where output goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamName {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Processes to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spawn {
    /// How they hang together.
    pub family: Family,
    /// How long the last of them lives.
    pub lasts: Duration,
    /// Signals that do not end it.
    pub ignore: Vec<Ignored>,
    /// Where the last process writes its process id once it is ready.
    pub pid_file: Option<RelativePath>,
    /// Whether it keeps the agent's output open.
    pub keep_output: bool,
}

/// How started processes hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// One child.
    Child,
    /// A child that waits for a child of its own.
    Grandchild,
    /// A child in a session (and process group) of its own.
    Setsid,
    /// A child in a session of its own that starts another and ends, so that the last one has no parent here.
    DoubleFork,
}

/// A signal that a process can be told not to die of. Without effect on Windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ignored {
    /// SIGTERM.
    Term,
    /// SIGINT.
    Int,
    /// SIGHUP.
    Hup,
}

/// How to die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crash {
    /// SIGABRT, as after a failed assertion.
    Abort,
    /// SIGSEGV, as after a bad memory access.
    Segfault,
    /// SIGKILL, as from the out-of-memory killer.
    Kill,
}

/// What is written into the signal file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignalStep {
    /// The signal as JSON: its `type` and fields.
    pub signal: serde_json::Value,
    /// Whether it is written as it should be.
    pub variant: SignalVariant,
}

/// Right and wrong ways to write a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalVariant {
    /// With this iteration's nonce.
    Good,
    /// With a nonce that was never given out.
    WrongNonce,
    /// Without a nonce.
    MissingNonce,
    /// Cut off in the middle.
    Malformed,
    /// With the nonce of the attempt before, as in a replay. Needs `--state`.
    Stale,
}
