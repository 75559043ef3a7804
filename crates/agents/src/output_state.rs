//! The state of one agent process, built up from CLI events: its last message, its usage, how it ended.

use std::collections::VecDeque;

use loopwright_domain::agent_event::{TOOL_TEXT_LIMIT, clip};
use loopwright_domain::promise::without_echo;
use loopwright_domain::{AgentEvent, AgentProblem, ProblemKind, Usage};

use crate::cli_event::{CliEvent, ToolOutcome};
use crate::harness::ParsedOutput;
use crate::text_tail::{OWN_TEXT_LIMIT, TextTail};
use crate::usage_counter::UsageCounter;

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
pub(crate) struct OutputState {
    prompt: String,
    /// Whole messages since the last tool call, but for the last one.
    spoken: TextTail,
    /// The last whole message.
    last: TextTail,
    /// That message's id.
    last_id: Option<String>,
    /// The pieces of the message that is being said.
    open: TextTail,
    /// That message's id.
    open_id: Option<String>,
    /// Whether a tool was used since the last words, so that the next words begin anew.
    tool_used: bool,
    answer: Option<String>,
    /// Whether the last word was that all went well.
    ended_well: bool,
    /// What went wrong last, when nothing was said or done since.
    warned: Option<AgentProblem>,
    /// What the last refusal was, where that is more than its status says and nothing was said or done since.
    refused: Option<(u16, ProblemKind)>,
    calls: VecDeque<(String, String)>,
    usage_counter: UsageCounter,
    told: Usage,
    parsed: ParsedOutput,
}

impl OutputState {
    pub(crate) fn new(prompt: &str) -> Self {
        Self {
            prompt: prompt.to_owned(),
            spoken: TextTail::new(OWN_TEXT_LIMIT),
            last: TextTail::new(OWN_TEXT_LIMIT),
            last_id: None,
            open: TextTail::new(OWN_TEXT_LIMIT),
            open_id: None,
            tool_used: false,
            answer: None,
            ended_well: false,
            warned: None,
            refused: None,
            calls: VecDeque::new(),
            usage_counter: UsageCounter::default(),
            told: Usage::default(),
            parsed: ParsedOutput::default(),
        }
    }

    /// Takes what a decoder found and adds what is worth telling to `events`.
    pub(crate) fn take(&mut self, cli_event: CliEvent, events: &mut Vec<AgentEvent>) {
        match &cli_event {
            CliEvent::Succeeded => self.ended_well = true,
            CliEvent::Piece { .. } | CliEvent::Whole { .. } | CliEvent::ToolCall { .. } => {
                self.ended_well = false;
                self.warned = None;
                self.refused = None;
            }
            CliEvent::Failed(_) | CliEvent::Warning(_) => self.ended_well = false,
            _ => {}
        }
        match cli_event {
            CliEvent::Session { id, model } => self.session(id, model, events),
            CliEvent::Model(model) if self.parsed.model.is_none() => self.session(None, Some(model), events),
            CliEvent::Model(_) => {}
            CliEvent::Piece { message, text } => self.piece(message, text, events),
            CliEvent::Whole { message, text } => self.whole(message.as_deref(), text, events),
            CliEvent::Answer { text } => self.answer = Some(text),
            CliEvent::Structured(json) => self.parsed.structured = Some(json),
            CliEvent::Aside { text } => events.push(AgentEvent::Aside { text: clip(text, TOOL_TEXT_LIMIT) }),
            CliEvent::ToolCall { id, name, input } => self.tool_call(id, name, input, events),
            CliEvent::ToolResult { id, output, outcome } => self.tool_result(id, output, outcome, events),
            CliEvent::Denied { tool } => self.denied(tool),
            CliEvent::Refused { id, tool, output } => self.refused(id, tool, output, events),
            CliEvent::Answered { session, usage } => self.answered(&session, &usage, events),
            CliEvent::Used { response, usage } => {
                self.usage_counter.response(response.as_deref(), &usage);
                self.tell_usage(events);
            }
            CliEvent::UsedInAll { usage } => {
                self.usage_counter.total(&usage);
                self.tell_usage(events);
            }
            CliEvent::Turns(turns) => self.parsed.turns = Some(turns),
            CliEvent::Turn => self.one_more_turn(),
            CliEvent::Limit(mut limit) => {
                limit.message = clip(limit.message, PROBLEM_TEXT_LIMIT);
                self.parsed.limit = Some(limit.clone());
                events.push(AgentEvent::Limit { limit });
            }
            CliEvent::Retry { attempt, attempts, wait_ms, problem } => {
                let problem = clipped(problem);
                self.refused = finer(&problem).or(self.refused);
                events.push(AgentEvent::Retry { attempt, attempts, wait_ms, problem });
            }
            CliEvent::Warning(problem) => {
                let problem = clipped(problem);
                self.warned = Some(problem.clone());
                events.push(AgentEvent::Error { problem, fatal: false });
            }
            CliEvent::Failed(problem) => {
                let mut problem = clipped(problem);
                if problem.kind == ProblemKind::Other {
                    problem.kind = self.warned.as_ref().map_or(problem.kind, |warned| warned.kind);
                }
                problem.kind = self.refined(&problem);
                self.parsed.error = Some(problem.clone());
                events.push(AgentEvent::Error { problem, fatal: true });
            }
            CliEvent::Succeeded => {
                self.warned = None;
                self.parsed.error = None;
                self.parsed.limit = None;
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
        self.parsed.unknown += 1;
        let kind = kind.map(|kind| clip(kind.to_owned(), 100));
        events.push(AgentEvent::Unknown { kind, text: clip(line.to_owned(), UNKNOWN_TEXT_LIMIT) });
    }

    /// Counts a line that was too long. What is said next does not belong to what was said before.
    pub(crate) fn skipped(&mut self, bytes: u64) -> Vec<AgentEvent> {
        self.parsed.unknown += 1;
        self.close_message();
        vec![AgentEvent::Skipped { bytes }]
    }

    /// What it all came to.
    pub(crate) fn finish(&mut self) -> ParsedOutput {
        self.close_message();
        let mut parsed = std::mem::take(&mut self.parsed);
        let mut spoken = self.spoken.clone();
        spoken.new_line();
        spoken.push_tail(&self.last);
        match self.answer.take() {
            Some(answer) if !answer.trim().is_empty() && !spoken.as_str().contains(answer.as_str()) => {
                parsed.own_text = without_echo(&answer, &self.prompt);
            }
            _ => {
                parsed.own_text = without_echo(spoken.as_str(), &self.prompt);
                parsed.last_message = Some(without_echo(self.last.as_str(), &self.prompt));
                parsed.earlier = without_echo(self.spoken.as_str(), &self.prompt);
            }
        }
        parsed.cut = spoken.is_cut();
        // Trouble behind the last words, without a good end behind it, is how it ended.
        let said = !parsed.own_text.trim().is_empty();
        parsed.error = parsed.error.or(self.warned.take().filter(|_| said));
        parsed.usage = self.usage_counter.sum();
        parsed
    }

    fn session(&mut self, id: Option<String>, model: Option<String>, events: &mut Vec<AgentEvent>) {
        let is_news = |known: &Option<String>, said: &Option<String>| said.is_some() && known != said;
        let news = is_news(&self.parsed.session, &id) || is_news(&self.parsed.model, &model);
        if news {
            self.parsed.session = id.clone().or(self.parsed.session.take());
            self.parsed.model = model.clone().or(self.parsed.model.take());
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
        self.begin_words(message);
        self.last.push(&text);
        if !was_told {
            events.push(AgentEvent::Message { text, continues: false });
        }
    }

    /// Makes a whole message of the pieces so far.
    fn close_message(&mut self) {
        if !self.open.is_empty() {
            let open = std::mem::replace(&mut self.open, TextTail::new(OWN_TEXT_LIMIT));
            let id = self.open_id.take();
            self.begin_words(id.as_deref());
            self.last.push_tail(&open);
        }
        self.open_id = None;
    }

    /// The words after a tool call are new ones; others go on a new line. Those of another message begin one.
    fn begin_words(&mut self, message: Option<&str>) {
        if std::mem::take(&mut self.tool_used) {
            self.spoken.clear();
            self.last.clear();
        }
        let goes_on = message.is_some() && self.last_id.as_deref() == message;
        if !goes_on && !self.last.is_empty() {
            let last = std::mem::replace(&mut self.last, TextTail::new(OWN_TEXT_LIMIT));
            self.spoken.new_line();
            self.spoken.push_tail(&last);
        }
        self.last.new_line();
        self.last_id = message.map(str::to_owned);
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
        let denied = &mut self.parsed.denied;
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
        if self.parsed.session.as_deref().is_some_and(|own| own != session) {
            self.usage_counter.helper(usage);
        } else {
            self.usage_counter.response(None, usage);
            self.one_more_turn();
        }
        self.tell_usage(events);
    }

    fn one_more_turn(&mut self) {
        self.parsed.turns = Some(self.parsed.turns.unwrap_or(0).saturating_add(1));
    }

    fn tell_usage(&mut self, events: &mut Vec<AgentEvent>) {
        let usage = self.usage_counter.sum();
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
