//! Puts notices together: what the agent's own last words are, what it used, how it ended.

use std::collections::VecDeque;

use loopwright_domain::promise::without_echo;
use loopwright_domain::{AgentEvent, AgentProblem, ProblemKind, Usage};

use crate::harness::Reading;
use crate::notice::{Notice, ToolOutcome};
use crate::tail::{OWN_TEXT_LIMIT, Tail};
use crate::tally::Tally;

/// How much of a tool's input and output goes into an event. The raw output has all of it.
const TOOL_TEXT_LIMIT: usize = 16 * 1024;
/// How much of a line that nobody understands goes into an event.
const UNKNOWN_TEXT_LIMIT: usize = 2 * 1024;
/// How much of what an agent says about a problem is kept.
const PROBLEM_TEXT_LIMIT: usize = 4 * 1024;
/// How much of a name is kept.
const NAME_LIMIT: usize = 200;
/// How many tool calls are remembered, to name the tool of a result.
const CALLS_REMEMBERED: usize = 256;
/// How many denied tools are named.
const DENIED_LIMIT: usize = 100;

/// What is known so far about one agent process.
#[derive(Debug)]
pub(crate) struct Ledger {
    prompt: String,
    /// Whole messages since the last tool call.
    spoken: Tail,
    /// The pieces of the message that is being said.
    open: Tail,
    /// That message's id.
    open_id: Option<String>,
    /// Whether a tool was used since the last words, so that the next words begin anew.
    tool_used: bool,
    answer: Option<String>,
    /// Whether the last word was that all went well.
    ended_well: bool,
    /// What went wrong last, when nothing was said or done since.
    warned: Option<ProblemKind>,
    /// What the last refusal was, where that is more than its status says and nothing was said or done since.
    refused: Option<(u16, ProblemKind)>,
    calls: VecDeque<(String, String)>,
    tally: Tally,
    told: Usage,
    reading: Reading,
}

impl Ledger {
    pub(crate) fn new(prompt: &str) -> Self {
        Self {
            prompt: prompt.to_owned(),
            spoken: Tail::new(OWN_TEXT_LIMIT),
            open: Tail::new(OWN_TEXT_LIMIT),
            open_id: None,
            tool_used: false,
            answer: None,
            ended_well: false,
            warned: None,
            refused: None,
            calls: VecDeque::new(),
            tally: Tally::default(),
            told: Usage::default(),
            reading: Reading::default(),
        }
    }

    /// Takes what a dialect found and adds what is worth telling to `events`.
    pub(crate) fn take(&mut self, notice: Notice, events: &mut Vec<AgentEvent>) {
        match &notice {
            Notice::Succeeded => self.ended_well = true,
            Notice::Piece { .. } | Notice::Whole { .. } | Notice::ToolCall { .. } => {
                self.ended_well = false;
                self.warned = None;
                self.refused = None;
            }
            Notice::Failed(_) => self.ended_well = false,
            _ => {}
        }
        match notice {
            Notice::Session { id, model } => self.session(id, model, events),
            Notice::Model(model) if self.reading.model.is_none() => self.session(None, Some(model), events),
            Notice::Model(_) => {}
            Notice::Piece { message, text } => self.piece(message, text, events),
            Notice::Whole { message, text } => self.whole(message.as_deref(), text, events),
            Notice::Answer { text } => self.answer = Some(text),
            Notice::Structured(json) => self.reading.structured = Some(json),
            Notice::Aside { text } => events.push(AgentEvent::Aside { text: clip(text, TOOL_TEXT_LIMIT) }),
            Notice::ToolCall { id, name, input } => self.tool_call(id, name, input, events),
            Notice::ToolResult { id, output, outcome } => self.tool_result(id, output, outcome, events),
            Notice::Denied { tool } => self.denied(tool),
            Notice::Refused { id, tool, output } => self.refused(id, tool, output, events),
            Notice::Answered { session, usage } => self.answered(&session, &usage, events),
            Notice::Used { response, usage } => {
                self.tally.response(response.as_deref(), &usage);
                self.tell_usage(events);
            }
            Notice::UsedInAll { usage } => {
                self.tally.total(&usage);
                self.tell_usage(events);
            }
            Notice::Turns(turns) => self.reading.turns = Some(turns),
            Notice::Turn => self.one_more_turn(),
            Notice::Limit(mut limit) => {
                limit.message = clip(limit.message, PROBLEM_TEXT_LIMIT);
                self.reading.limit = Some(limit.clone());
                events.push(AgentEvent::Limit { limit });
            }
            Notice::Retry { attempt, attempts, wait_ms, problem } => {
                let problem = clipped(problem);
                self.refused = finer(&problem).or(self.refused);
                events.push(AgentEvent::Retry { attempt, attempts, wait_ms, problem });
            }
            Notice::Warning(problem) => {
                self.warned = Some(problem.kind);
                events.push(AgentEvent::Error { problem: clipped(problem), fatal: false });
            }
            Notice::Failed(problem) => {
                let mut problem = clipped(problem);
                if problem.kind == ProblemKind::Other {
                    problem.kind = self.warned.unwrap_or(problem.kind);
                }
                problem.kind = self.refined(&problem);
                self.reading.error = Some(problem.clone());
                events.push(AgentEvent::Error { problem, fatal: true });
            }
            Notice::Succeeded => {
                self.reading.error = None;
                self.reading.limit = None;
            }
        }
    }

    /// What an error is that says no more than a status, when a refusal with that status said more.
    fn refined(&self, problem: &AgentProblem) -> ProblemKind {
        let known = self.refused.filter(|(status, _)| {
            problem.status == Some(*status) && problem.kind == ProblemKind::of_status(*status)
        });
        known.map_or(problem.kind, |(_, kind)| kind)
    }

    /// Whether the last word was that all went well: nothing was said or done since.
    pub(crate) const fn ended_well(&self) -> bool {
        self.ended_well
    }

    /// Keeps a line that nobody understands.
    pub(crate) fn unknown(&mut self, kind: Option<&str>, line: &str, events: &mut Vec<AgentEvent>) {
        self.reading.unknown += 1;
        let kind = kind.map(|kind| clip(kind.to_owned(), 100));
        events.push(AgentEvent::Unknown { kind, text: clip(line.to_owned(), UNKNOWN_TEXT_LIMIT) });
    }

    /// Counts a line that was too long. What is said next does not belong to what was said before.
    pub(crate) fn skipped(&mut self, bytes: u64) -> Vec<AgentEvent> {
        self.reading.unknown += 1;
        self.close_message();
        vec![AgentEvent::Skipped { bytes }]
    }

    /// What it all came to.
    pub(crate) fn finish(&mut self) -> Reading {
        self.close_message();
        let mut reading = std::mem::take(&mut self.reading);
        let spoken = self.spoken.as_str();
        let text = match &self.answer {
            Some(answer) if !answer.trim().is_empty() && !spoken.contains(answer.as_str()) => answer,
            _ => spoken,
        };
        reading.own_text = without_echo(text, &self.prompt);
        reading.cut = self.spoken.is_cut();
        reading.usage = self.tally.sum();
        reading
    }

    fn session(&mut self, id: Option<String>, model: Option<String>, events: &mut Vec<AgentEvent>) {
        let is_news = |known: &Option<String>, said: &Option<String>| said.is_some() && known != said;
        let news = is_news(&self.reading.session, &id) || is_news(&self.reading.model, &model);
        if news {
            self.reading.session = id.clone().or(self.reading.session.take());
            self.reading.model = model.clone().or(self.reading.model.take());
            events.push(AgentEvent::Session { id, model });
        }
    }

    fn piece(&mut self, message: Option<String>, text: String, events: &mut Vec<AgentEvent>) {
        if !self.open.is_empty() && self.open_id != message {
            self.close_message();
        }
        let continues = !self.open.is_empty();
        self.open.push(&text);
        self.open_id = message;
        events.push(AgentEvent::Message { text, continues });
    }

    fn whole(&mut self, message: Option<&str>, text: String, events: &mut Vec<AgentEvent>) {
        let same = message.is_some() && self.open_id.as_deref() == message;
        let was_told = !self.open.is_empty() && (same || text.starts_with(self.open.as_str()));
        if was_told {
            self.open.clear();
        } else {
            self.close_message();
        }
        if text.is_empty() {
            return;
        }
        self.begin_words();
        self.spoken.push(&text);
        if !was_told {
            events.push(AgentEvent::Message { text, continues: false });
        }
    }

    /// Makes a whole message of the pieces so far.
    fn close_message(&mut self) {
        if !self.open.is_empty() {
            let open = std::mem::replace(&mut self.open, Tail::new(OWN_TEXT_LIMIT));
            self.begin_words();
            self.spoken.push_tail(&open);
        }
        self.open_id = None;
    }

    /// The words after a tool call are new ones; others go on a new line.
    fn begin_words(&mut self) {
        if std::mem::take(&mut self.tool_used) {
            self.spoken.clear();
        }
        self.spoken.new_line();
    }

    fn tool_call(&mut self, id: Option<String>, name: String, input: String, events: &mut Vec<AgentEvent>) {
        self.close_message();
        self.tool_used = true;
        if let Some(id) = &id {
            if self.calls.len() == CALLS_REMEMBERED {
                self.calls.pop_front();
            }
            self.calls.push_back((clip(id.clone(), NAME_LIMIT), clip(name.clone(), NAME_LIMIT)));
        }
        events.push(AgentEvent::ToolCall { id, name, input: clip(input, TOOL_TEXT_LIMIT) });
    }

    fn tool_result(
        &mut self,
        id: Option<String>,
        output: String,
        outcome: ToolOutcome,
        events: &mut Vec<AgentEvent>,
    ) {
        self.close_message();
        self.tool_used = true;
        let called = self.calls.iter().rfind(|(call, _)| Some(call) == id.as_ref());
        let tool = called.map(|(_, name)| name.clone());
        let denied = outcome == ToolOutcome::Denied;
        if denied {
            self.denied(tool.clone().unwrap_or_else(|| "a tool".to_owned()));
        }
        let failed = outcome != ToolOutcome::Worked;
        let output = clip(output, TOOL_TEXT_LIMIT);
        events.push(AgentEvent::ToolResult { id, tool, output, failed, denied });
    }

    fn denied(&mut self, tool: String) {
        let tool = clip(tool, NAME_LIMIT);
        let denied = &mut self.reading.denied;
        if denied.len() < DENIED_LIMIT && !denied.contains(&tool) {
            denied.push(tool);
        }
    }

    /// A denial without a call before it. What was said stays the last word: the two come by different ways.
    fn refused(&mut self, id: Option<String>, tool: String, output: String, events: &mut Vec<AgentEvent>) {
        self.denied(tool.clone());
        let (tool, output) = (Some(clip(tool, NAME_LIMIT)), clip(output, TOOL_TEXT_LIMIT));
        events.push(AgentEvent::ToolResult { id, tool, output, failed: true, denied: true });
    }

    /// An answer in another conversation than the agent's own went to a helper.
    fn answered(&mut self, session: &str, usage: &Usage, events: &mut Vec<AgentEvent>) {
        if self.reading.session.as_deref().is_some_and(|own| own != session) {
            self.tally.helper(usage);
        } else {
            self.tally.response(None, usage);
            self.one_more_turn();
        }
        self.tell_usage(events);
    }

    fn one_more_turn(&mut self) {
        self.reading.turns = Some(self.reading.turns.unwrap_or(0).saturating_add(1));
    }

    fn tell_usage(&mut self, events: &mut Vec<AgentEvent>) {
        let usage = self.tally.sum();
        if usage != self.told {
            self.told = usage;
            events.push(AgentEvent::Usage { usage });
        }
    }
}

/// The status of a problem and its kind, where the status alone would not say it.
fn finer(problem: &AgentProblem) -> Option<(u16, ProblemKind)> {
    let status = problem.status?;
    (problem.kind != ProblemKind::of_status(status)).then_some((status, problem.kind))
}

/// A problem of which nobody reads more.
fn clipped(problem: AgentProblem) -> AgentProblem {
    AgentProblem { message: clip(problem.message, PROBLEM_TEXT_LIMIT), ..problem }
}

/// Stands where a text was cut.
const CLIPPED: char = '…';

/// Cuts a text that is too long, at a character, and says so.
fn clip(mut text: String, limit: usize) -> String {
    if text.len() > limit {
        text.truncate(text.floor_char_boundary(limit));
        text.push(CLIPPED);
    }
    text
}

/// Whether an event holds only the beginning of what a tool was asked for or has answered.
#[must_use]
pub fn is_clipped(tool_text: &str) -> bool {
    // A cut goes back by a part of a character at most, and what stands there is longer than that.
    tool_text.len() >= TOOL_TEXT_LIMIT && tool_text.ends_with(CLIPPED)
}
