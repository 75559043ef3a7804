//! What an agent does, as lines for a terminal: its words, and one line per tool call with its outcome and time.

use std::collections::HashMap;
use std::time::Instant;

use clap::ValueEnum;
use loopwright_domain::AgentEvent;
use loopwright_engine::output::{Entry, EntryKind, ToolAnswer, tool_brief};
use loopwright_engine::run::report::elapsed;

use crate::output::{BAD, CARE, QUIET, columns, count, plain, styled};

/// Where the lines of an agent begin, in columns: behind the time of day of other lines.
const INDENT: usize = 11;
/// A tool call that takes less is told without its time, in milliseconds.
const INSTANT_MS: u64 = 100;
/// How much of a line that no terminal wraps is kept of a tool's request, in columns.
const UNWRAPPED: usize = 160;

/// Words without an end of line are told as a line from this length on, in bytes.
const LONGEST_LINE: usize = 64 * 1024;

/// Which part of an agent's work is shown while it works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum StreamMode {
    /// Words, thoughts and tool calls
    All,
    /// Only what the agent says
    Text,
    /// Only its tool calls
    Tools,
    /// Nothing
    #[default]
    None,
}

impl StreamMode {
    const fn shows_words(self) -> bool {
        matches!(self, Self::All | Self::Text)
    }

    const fn shows_tools(self) -> bool {
        matches!(self, Self::All | Self::Tools)
    }
}

/// The stream of one agent. Words are told line by line, as soon as a line is complete.
#[derive(Debug, Default)]
pub(crate) struct AgentStream {
    mode: StreamMode,
    /// The width lines are wrapped to; none where nothing wraps.
    width: Option<usize>,
    /// The line that is being said.
    unfinished: String,
    /// Calls without an answer, by their id.
    open_calls: HashMap<String, OpenCall>,
    /// What the agent does at the moment, for the status area.
    activity: Option<String>,
    /// Whether words are only counted at the moment, and how many lines were.
    hurried: bool,
    passed_over: usize,
    /// The entries of a transcript that were told: the iteration's mark and the next entry.
    told_entries: u32,
}

#[derive(Debug)]
struct OpenCall {
    name: String,
    brief: String,
    since: Instant,
}

/// How a tool call ended.
struct CallOutcome<'a> {
    failed: bool,
    denied: bool,
    answer: &'a str,
    lines: u32,
    took_ms: Option<u64>,
}

impl AgentStream {
    pub(crate) fn new(mode: StreamMode, width: Option<usize>) -> Self {
        Self { mode, width, ..Self::default() }
    }

    /// Lines get another width: the terminal was resized.
    pub(crate) fn resize(&mut self, width: Option<usize>) {
        self.width = width;
    }

    /// What the agent does at the moment, in a few words.
    pub(crate) fn activity(&self) -> Option<&str> {
        self.activity.as_deref()
    }

    /// Another agent begins.
    pub(crate) fn begin(&mut self) {
        *self = Self::new(self.mode, self.width);
    }

    /// The lines that an event adds.
    pub(crate) fn event(&mut self, event: &AgentEvent, now: Instant) -> Vec<String> {
        let mut lines = Vec::new();
        match event {
            AgentEvent::Message { text, continues } => {
                if !continues {
                    self.finish_words(&mut lines);
                }
                self.activity = None;
                self.say(text, &mut lines);
                return lines;
            }
            AgentEvent::Aside { text } => {
                self.finish_words(&mut lines);
                self.think(text, &mut lines);
            }
            AgentEvent::ToolCall { id, name, input } => {
                self.finish_words(&mut lines);
                let call = OpenCall { name: plain(name), brief: plain(&tool_brief(input)), since: now };
                self.activity = Some(format!("{} {}", call.name, call.brief).trim_end().to_owned());
                match id {
                    Some(id) => drop(self.open_calls.insert(id.clone(), call)),
                    None => lines.extend(self.call_line(&call.name, &call.brief, None)),
                }
            }
            AgentEvent::ToolResult { id, tool, output, failed, denied } => {
                self.finish_words(&mut lines);
                self.activity = None;
                let call = id.as_ref().and_then(|id| self.open_calls.remove(id));
                let took_ms = call.as_ref().map(|call| milliseconds(call.since, now));
                let (name, brief) = match call {
                    Some(call) => (call.name, call.brief),
                    None => (plain(tool.as_deref().unwrap_or("tool")), String::new()),
                };
                let outcome = CallOutcome {
                    failed: *failed,
                    denied: *denied,
                    answer: output,
                    lines: u32::try_from(output.lines().count()).unwrap_or(u32::MAX),
                    took_ms,
                };
                lines.extend(self.call_line(&name, &brief, Some(&outcome)));
            }
            AgentEvent::Error { problem, .. } => {
                self.finish_words(&mut lines);
                lines.push(problem_line("error", &problem.told()));
            }
            AgentEvent::Retry { attempt, attempts, wait_ms, problem } => {
                self.finish_words(&mut lines);
                lines.push(problem_line("retry", &problem.retried(*attempt, *attempts, *wait_ms)));
            }
            AgentEvent::Limit { limit } => {
                self.finish_words(&mut lines);
                lines.push(problem_line("limit", &limit.message));
            }
            AgentEvent::Session { .. }
            | AgentEvent::Usage { .. }
            | AgentEvent::Skipped { .. }
            | AgentEvent::Unknown { .. } => {}
        }
        lines
    }

    /// The lines that are left when the agent has ended.
    pub(crate) fn end(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        self.finish_words(&mut lines);
        let mut open: Vec<OpenCall> = self.open_calls.drain().map(|(_, call)| call).collect();
        open.sort_by_key(|call| call.since);
        lines.extend(open.iter().filter_map(|call| self.call_line(&call.name, &call.brief, None)));
        self.activity = None;
        lines
    }

    /// The lines of entries of a transcript that another process writes. `first` is the place of the first one, `over`
    /// says that nothing more comes. The last entry may still grow, so it is told when another one follows.
    pub(crate) fn entries(&mut self, first: u32, entries: &[Entry], over: bool) -> Vec<String> {
        let mut lines = Vec::new();
        if first > self.told_entries {
            let missed = usize::try_from(first - self.told_entries).unwrap_or(usize::MAX);
            let missed = count(missed, "entry is", "entries are");
            lines.push(styled(QUIET, format!("{:INDENT$}… {missed} not shown", "")));
            self.told_entries = first;
        }
        for (index, entry) in entries.iter().enumerate() {
            let is_last = index + 1 == entries.len();
            let may_grow = is_last && !over || self.waits_for_answer(entry, over);
            if entry.n < self.told_entries {
                continue;
            }
            if may_grow {
                break;
            }
            self.told_entries = entry.n + 1;
            self.entry(entry, &mut lines);
        }
        lines
    }

    fn waits_for_answer(&self, entry: &Entry, over: bool) -> bool {
        entry.kind == EntryKind::ToolCall && entry.answer.is_none() && !over
    }

    fn entry(&mut self, entry: &Entry, lines: &mut Vec<String>) {
        match entry.kind {
            EntryKind::Message => {
                self.say(&entry.text, lines);
                self.finish_words(lines);
            }
            EntryKind::Aside => self.think(&entry.text, lines),
            EntryKind::ToolCall => {
                let name = plain(entry.name.as_deref().unwrap_or("tool"));
                let brief = plain(&entry.text);
                let outcome = entry.answer.as_ref().map(|answer| outcome_of(answer, entry.failed));
                lines.extend(self.call_line(&name, &brief, outcome.as_ref()));
            }
            EntryKind::Error => {
                lines.push(problem_line(entry.name.as_deref().unwrap_or("error"), &entry.text));
            }
            EntryKind::Note if matches!(entry.name.as_deref(), Some("retry" | "limit")) => {
                lines.push(problem_line(entry.name.as_deref().unwrap_or_default(), &entry.text));
            }
            _ => {}
        }
    }

    /// Takes in words. Whole lines are told, the rest waits for more.
    fn say(&mut self, text: &str, lines: &mut Vec<String>) {
        if !self.mode.shows_words() {
            return;
        }
        let text = std::mem::take(&mut self.unfinished) + text;
        for line in text.split_inclusive('\n') {
            if !line.ends_with('\n') && line.len() < LONGEST_LINE {
                line.clone_into(&mut self.unfinished);
            } else if self.hurried {
                self.passed_over += 1;
            } else {
                lines.extend(self.wrapped(line));
            }
        }
    }

    /// Says whether lines come faster than anybody reads: then words are only counted.
    pub(crate) fn hurry(&mut self, hurried: bool) {
        self.hurried = hurried;
    }

    /// How many lines were counted since this was asked last.
    pub(crate) fn passed_over(&mut self) -> usize {
        std::mem::take(&mut self.passed_over)
    }

    fn finish_words(&mut self, lines: &mut Vec<String>) {
        let line = std::mem::take(&mut self.unfinished);
        if !line.trim().is_empty() {
            lines.extend(self.wrapped(&line));
        }
    }

    fn think(&self, text: &str, lines: &mut Vec<String>) {
        if self.mode == StreamMode::All {
            let thought = text.lines().flat_map(|line| self.wrapped(line));
            lines.extend(thought.map(|line| styled(QUIET, line)));
        }
    }

    /// A line of words below the lines of the run; blank ones stay blank.
    fn wrapped(&self, line: &str) -> Vec<String> {
        let line = plain(line.trim_end());
        let indent = " ".repeat(INDENT);
        let Some(width) = self.width.filter(|width| *width > INDENT * 3) else {
            return vec![format!("{indent}{line}").trim_end().to_owned()];
        };
        let options = textwrap::Options::new(width).initial_indent(&indent).subsequent_indent(&indent);
        let wrapped = textwrap::wrap(&line, options);
        wrapped.iter().map(|line| line.trim_end().to_owned()).collect()
    }

    /// One line for a tool call, cut to the width; none where tool calls are not shown.
    fn call_line(&self, name: &str, brief: &str, outcome: Option<&CallOutcome<'_>>) -> Option<String> {
        if !self.mode.shows_tools() {
            return None;
        }
        let (mark, tail) = match outcome {
            None => (styled(QUIET, "·"), String::new()),
            Some(outcome) => (outcome.mark(), outcome.words()),
        };
        let width = self.width.unwrap_or(UNWRAPPED);
        let taken = INDENT + 2 + columns(name) + 1 + 2 + columns(&tail);
        let brief = cut(brief, width.saturating_sub(taken));
        let tail = match outcome {
            Some(outcome) if outcome.failed || outcome.denied => styled(BAD, tail),
            _ => styled(QUIET, tail),
        };
        let call = format!("{name} {brief}");
        Some(format!("{:INDENT$}{mark} {}  {tail}", "", call.trim_end()).trim_end().to_owned())
    }
}

impl CallOutcome<'_> {
    fn mark(&self) -> String {
        match (self.denied, self.failed) {
            (true, _) => styled(CARE, "!"),
            (_, true) => styled(BAD, "✗"),
            _ => styled(QUIET, "✓"),
        }
    }

    /// What came of it: the line that says most, else how much was answered; and how long it took.
    fn words(&self) -> String {
        let first = self.answer.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let said = match (self.denied, self.failed, self.lines) {
            (true, ..) => "not allowed".to_owned(),
            (_, true, _) => cut(&plain(first), 60),
            (_, _, 0) => String::new(),
            (_, _, 1) => cut(&plain(first), 40),
            (_, _, lines) => count(lines as usize, "line", "lines"),
        };
        let took = self.took_ms.filter(|took| *took >= INSTANT_MS).map(elapsed);
        [said, took.unwrap_or_default()]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(", ")
    }
}

fn outcome_of(answer: &ToolAnswer, failed: bool) -> CallOutcome<'_> {
    CallOutcome { failed, denied: answer.denied, answer: &answer.text, lines: answer.lines, took_ms: None }
}

fn problem_line(what: &str, text: &str) -> String {
    format!("{:INDENT$}{} {}", "", styled(CARE, format!("agent {}:", plain(what))), plain(text))
}

fn milliseconds(since: Instant, now: Instant) -> u64 {
    u64::try_from(now.saturating_duration_since(since).as_millis()).unwrap_or(u64::MAX)
}

/// A text cut to a number of columns, with an ellipsis where something is missing.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    for character in text.chars() {
        if columns(&kept) + columns(character.encode_utf8(&mut [0; 4])) + 1 > width {
            break;
        }
        kept.push(character);
    }
    kept.push('…');
    kept
}
