//! The live part of a run on a terminal: the agent's stream, and the status area below it.

use std::time::Instant;

use loopwright_domain::{
    AgentEvent, Event, IterationId, Outcome, Phase, RunKind, RunStatus, Task, TaskGraph, TaskStatus, Usage,
};
use loopwright_engine::output::Entry;
use loopwright_engine::run::RunState;

use crate::display::{AgentStream, Screen, StatusArea, StreamMode, TaskCounts, is_live_terminal, width};

/// What of a run is drawn while it works. Without a terminal there is no screen, and only the stream that was asked for.
pub(super) struct Live {
    screen: Option<Screen>,
    stream: AgentStream,
    status: StatusArea,
    /// The project's tasks when the run began.
    tasks: TaskCounts,
    /// How many waves those are.
    waves: Option<u32>,
    /// The iteration whose entries are told, for whoever only watches.
    watched: Option<IterationId>,
}

impl Live {
    /// `mode` is what was asked for; by default a terminal shows all and anything else nothing.
    pub(super) fn new(json: bool, mode: Option<StreamMode>) -> Self {
        let terminal = !json && is_live_terminal();
        let mode = match mode {
            _ if json => StreamMode::None,
            Some(mode) => mode,
            None if terminal => StreamMode::All,
            None => StreamMode::None,
        };
        let screen = terminal.then(Screen::open);
        let width = terminal.then(width);
        Self {
            screen,
            stream: AgentStream::new(mode, width),
            status: StatusArea::default(),
            tasks: TaskCounts::default(),
            waves: None,
            watched: None,
        }
    }

    /// Writes a line that stays. Gives it back when there is no screen.
    pub(super) fn line<'a>(&self, text: &'a str) -> Option<&'a str> {
        match &self.screen {
            Some(screen) => {
                screen.line(|| text.to_owned(), true);
                None
            }
            None => Some(text),
        }
    }

    /// Whether there is a terminal that is drawn on.
    pub(super) const fn is_drawn(&self) -> bool {
        self.screen.is_some()
    }

    /// Takes the status area away; what is written from now on goes straight to the terminal.
    pub(super) fn close(&mut self) {
        self.screen = None;
    }

    /// What of an agent's stream is to be written by a printer without a screen.
    pub(super) fn agent(&mut self, event: &AgentEvent) -> Vec<String> {
        if let AgentEvent::Usage { usage } = event {
            self.status.used_now = *usage;
        }
        let hurried = self.screen.as_ref().is_some_and(Screen::is_full);
        self.stream.hurry(hurried);
        if self.screen.is_some() && !hurried {
            self.stream.resize(Some(width()));
        }
        let lines = self.stream.event(event, Instant::now());
        if let Some(screen) = &self.screen {
            screen.pass_over(self.stream.passed_over());
        }
        let same = self.status.activity.as_deref() == self.stream.activity();
        if !same {
            self.status.activity = self.stream.activity().map(str::to_owned);
        }
        // Words change nothing there, and an agent may print thousands a second.
        if !same || matches!(event, AgentEvent::Usage { .. }) {
            self.refresh();
        }
        self.streamed(lines)
    }

    /// The same for entries of a transcript that another process writes.
    pub(super) fn entries(
        &mut self,
        iteration: IterationId,
        first: u32,
        entries: &[Entry],
        over: bool,
    ) -> Vec<String> {
        if self.watched != Some(iteration) {
            self.watched = Some(iteration);
            self.stream.begin();
        }
        let lines = self.stream.entries(first, entries, over);
        self.streamed(lines)
    }

    /// Lines of the stream may be left out when they come faster than anybody reads.
    fn streamed(&self, lines: Vec<String>) -> Vec<String> {
        let Some(screen) = &self.screen else { return lines };
        for line in lines {
            screen.line(|| line, false);
        }
        Vec::new()
    }

    /// Knows how many tasks there are.
    pub(super) fn count_tasks(&mut self, tasks: &[Task]) {
        let counts = tasks.iter().filter(|task| task.status != TaskStatus::Cancelled);
        let done = tasks.iter().filter(|task| task.status == TaskStatus::Done).count();
        self.tasks = TaskCounts { done, total: counts.count() };
        self.waves = u32::try_from(TaskGraph::new(tasks).waves().len()).ok();
    }

    /// Knows where the work comes from: only a run over tasks counts them.
    pub(super) fn kind(&mut self, kind: RunKind) {
        self.status.tasks = (kind == RunKind::Run).then_some(self.tasks);
    }

    /// Knows what the run may use, and what it used in earlier sessions.
    pub(super) fn limit(&mut self, limits: loopwright_domain::Limits, used: Usage, worked_ms: u64) {
        (self.status.limits, self.status.used, self.status.worked_ms) = (limits, used, worked_ms);
    }

    /// A task is worked on.
    pub(super) fn task(&mut self, name: String, attempt: u32, wave: Option<u32>) {
        self.status.subject = name;
        self.status.attempt = attempt;
        self.status.wave = wave.map(|wave| (wave, self.waves));
        self.refresh();
    }

    /// A check runs, or none does.
    pub(super) fn check(&mut self, name: Option<String>) {
        self.status.check = name;
        self.refresh();
    }

    /// Where another process's run stands.
    pub(super) fn state(&mut self, state: &RunState) {
        self.status.used_now = state.current.as_ref().map_or_else(Usage::default, |current| current.usage);
        if self.status.subject.is_empty() {
            self.status.subject = crate::output::plain(&state.run.title);
        }
        self.refresh();
    }

    /// Takes in an event, and gives back what is left of the agent's stream when it has ended.
    pub(super) fn event(&mut self, event: &Event, which: (u32, u32)) -> Vec<String> {
        let mut lines = Vec::new();
        match event {
            Event::RunStarted { title, kind, .. } => {
                self.kind(*kind);
                self.status.subject = crate::output::plain(title);
            }
            Event::IterationStarted { .. } => {
                self.stream.begin();
                self.stream.resize(self.screen.is_some().then(width));
                self.status.iteration = Some(which);
                self.status.since = Some(Instant::now());
                self.status.phase = Some(Phase::Planned);
                (self.status.waits, self.status.used_now) = (None, Usage::default());
            }
            Event::IterationPhase { phase, .. } => {
                self.status.phase = Some(*phase);
                self.status.waits = None;
            }
            Event::AgentEnded { .. } => lines = self.stream.end(),
            Event::IterationSettled { outcome, elapsed_ms, .. } => {
                self.status.used = self.status.used.plus(&self.status.used_now);
                self.status.used_now = Usage::default();
                self.status.worked_ms += elapsed_ms;
                (self.status.since, self.status.phase) = (None, Some(Phase::Settled));
                if *outcome == Outcome::Succeeded && self.status.tasks.is_some() {
                    self.status.finished_ms.push(*elapsed_ms);
                }
            }
            Event::TaskStatusChanged { from, to, .. } => {
                if let Some(tasks) = &mut self.status.tasks {
                    tasks.done += usize::from(*to == TaskStatus::Done);
                    tasks.done = tasks.done.saturating_sub(usize::from(*from == TaskStatus::Done));
                }
            }
            Event::RunStatusChanged { status, message, .. } => {
                let waits = matches!(status, RunStatus::Waiting | RunStatus::Paused);
                self.status.waits = waits.then(|| crate::output::plain(message));
            }
            _ => {}
        }
        self.refresh();
        self.streamed(lines)
    }

    fn refresh(&self) {
        if let Some(screen) = &self.screen {
            screen.status(|shown| shown.clone_from(&self.status));
        }
    }
}
