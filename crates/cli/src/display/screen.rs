//! The terminal while a run works. Lines are collected and written a few times a second by one thread, so that an agent
//! that prints thousands of lines a second costs no more than one that prints ten.

use std::io::IsTerminal;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::status_area::StatusArea;
use crate::output::{self, QUIET, count, styled};

/// Time between two drawings.
const FRAME: Duration = Duration::from_millis(80);
/// As many lines are written in one drawing. Nobody reads more, and the log has all of them.
const LINES_PER_FRAME: usize = 200;

/// The screen of this process, while there is one.
static CURRENT: Mutex<Option<Arc<Shared>>> = Mutex::new(None);

/// Whether a status area can be drawn: a terminal that understands it, and nobody who asked for plain text.
pub(crate) fn is_live_terminal() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    std::io::stdout().is_terminal() && !dumb && !set("NO_COLOR") && !set("CI")
}

/// The width of the terminal in columns; 80 where nobody knows.
pub(crate) fn width() -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0))
}

/// How wide lines may be: as the terminal is, and wide where nothing wraps them.
pub(crate) fn line_width() -> usize {
    if std::io::stdout().is_terminal() { width() } else { 160 }
}

/// A status area at the bottom of the terminal. Dropping it writes what is left and takes the area away.
pub(crate) struct Screen {
    shared: Arc<Shared>,
    drawer: Option<JoinHandle<()>>,
}

struct Shared {
    pending: Mutex<Pending>,
    changed: Condvar,
    bars: MultiProgress,
}

#[derive(Default)]
struct Pending {
    lines: Vec<String>,
    /// Lines that came too fast to be shown.
    dropped: usize,
    status: StatusArea,
    over: bool,
}

impl Screen {
    /// Takes over the terminal.
    pub(crate) fn open() -> Self {
        let shared = Arc::new(Shared {
            pending: Mutex::default(),
            changed: Condvar::new(),
            bars: MultiProgress::with_draw_target(ProgressDrawTarget::stdout()),
        });
        *lock(&CURRENT) = Some(Arc::clone(&shared));
        let sink = Arc::clone(&shared);
        output::divert_lines(Some(Box::new(move |line| lock(&sink.pending).lines.push(line))));
        let for_drawer = Arc::clone(&shared);
        let drawer = std::thread::Builder::new()
            .name("status area".to_owned())
            .spawn(move || for_drawer.draw_until_over())
            .ok();
        Self { shared, drawer }
    }

    /// Writes a line above the status area. Beyond what can be shown in a frame it is only counted, unless it `stays`.
    pub(crate) fn line(&self, text: impl FnOnce() -> String, stays: bool) {
        let mut pending = lock(&self.shared.pending);
        if !stays && pending.lines.len() >= LINES_PER_FRAME {
            pending.dropped += 1;
        } else {
            let line = text();
            pending.lines.push(line);
        }
    }

    /// Sets what the status area is drawn from.
    pub(crate) fn status(&self, status: StatusArea) {
        lock(&self.shared.pending).status = status;
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        *lock(&CURRENT) = None;
        output::divert_lines(None);
        lock(&self.shared.pending).over = true;
        self.shared.changed.notify_all();
        if let Some(drawer) = self.drawer.take() {
            // A drawer that panicked has nothing more to write.
            let _ended = drawer.join();
        }
    }
}

impl Shared {
    fn draw_until_over(&self) {
        let mut bars: Vec<ProgressBar> = Vec::new();
        loop {
            let pending = lock(&self.pending);
            let waited = self.changed.wait_timeout_while(pending, FRAME, |pending| !pending.over);
            let (mut pending, _timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            let over = pending.over;
            let lines = std::mem::take(&mut pending.lines);
            let dropped = std::mem::take(&mut pending.dropped);
            let status = pending.status.clone();
            drop(pending);
            self.write(lines, dropped);
            if over {
                bars.iter().for_each(ProgressBar::finish_and_clear);
                let _gone = self.bars.clear();
                return;
            }
            self.show(&mut bars, &status.lines(Instant::now(), width()));
        }
    }

    fn write(&self, mut lines: Vec<String>, dropped: usize) {
        if dropped > 0 {
            let more = count(dropped, "more line", "more lines");
            lines.push(styled(QUIET, format!("           … {more}, all of them in \"loopwright log\"")));
        }
        if !lines.is_empty() {
            // A terminal that went away is no reason to stop the run.
            let _unseen = self.bars.println(lines.join("\n"));
        }
    }

    fn show(&self, bars: &mut Vec<ProgressBar>, status: &[String]) {
        while bars.len() < status.len() {
            let template = if bars.is_empty() { "{spinner} {wide_msg}" } else { "  {wide_msg}" };
            let bar = self.bars.add(ProgressBar::new_spinner());
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bars.push(bar);
        }
        for bar in bars.drain(status.len()..) {
            bar.finish_and_clear();
            self.bars.remove(&bar);
        }
        for (bar, line) in bars.iter().zip(status) {
            bar.set_message(line.clone());
            bar.tick();
        }
    }
}

/// Does something with the terminal while the status area is away: asks a question, shows a pager.
pub(crate) fn hidden<T>(work: impl FnOnce() -> T) -> T {
    let shared = lock(&CURRENT).clone();
    let Some(shared) = shared else { return work() };
    let lines = {
        let mut pending = lock(&shared.pending);
        std::mem::take(&mut pending.lines)
    };
    shared.write(lines, 0);
    shared.bars.suspend(work)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
