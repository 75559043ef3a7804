//! The terminal while a run works. Lines are collected and written a few times a second by one thread, so that an agent
//! that prints thousands of lines a second costs no more than one that prints ten.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anstream::{AutoStream, ColorChoice};

use super::canvas::Canvas;
use super::status_area::StatusArea;
use crate::output::{self, QUIET, count, styled};

/// Time between two drawings.
const FRAME: Duration = Duration::from_millis(100);
/// As many lines are written in one drawing. Nobody reads more, and the log has all of them.
const LINES_PER_FRAME: usize = 200;

/// The screen of this process, while there is one.
static CURRENT: Mutex<Option<Arc<Shared>>> = Mutex::new(None);

/// Whether a status area can be drawn: a terminal that understands it, and nobody who asked for plain text.
pub(crate) fn is_live_terminal() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let stdout = std::io::stdout();
    // A terminal without styles gets no cursor movements either.
    stdout.is_terminal() && !set("CI") && AutoStream::choice(&stdout) != ColorChoice::Never
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

#[derive(Default)]
struct Shared {
    pending: Mutex<Pending>,
    changed: Condvar,
    canvas: Mutex<Canvas>,
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
        let shared = Arc::new(Shared::default());
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

    /// Whether no more lines fit the next drawing.
    pub(crate) fn is_full(&self) -> bool {
        lock(&self.shared.pending).lines.len() >= LINES_PER_FRAME
    }

    /// Counts lines that were never made because they came too fast.
    pub(crate) fn pass_over(&self, lines: usize) {
        if lines > 0 {
            lock(&self.shared.pending).dropped += lines;
        }
    }

    /// Changes what the status area is drawn from.
    pub(crate) fn status(&self, change: impl FnOnce(&mut StatusArea)) {
        change(&mut lock(&self.shared.pending).status);
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
        loop {
            let pending = lock(&self.pending);
            let waited = self.changed.wait_timeout_while(pending, FRAME, |pending| !pending.over);
            let (mut pending, _timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            let over = pending.over;
            let lines = pending.take_lines();
            let status = if over { StatusArea::default() } else { pending.status.clone() };
            drop(pending);
            let width = width();
            let status = status.lines(Instant::now(), width);
            show(&lock(&self.canvas).redraw(&lines, &status, width));
            if over {
                return;
            }
        }
    }
}

impl Pending {
    fn take_lines(&mut self) -> Vec<String> {
        let mut lines = std::mem::take(&mut self.lines);
        let dropped = std::mem::take(&mut self.dropped);
        if dropped > 0 {
            let more = count(dropped, "more line", "more lines");
            lines.push(styled(QUIET, format!("           … {more}, all of them in \"loopwright log\"")));
        }
        lines
    }
}

/// A terminal that went away is no reason to stop the run.
fn show(drawing: &str) {
    let mut stdout = output::stdout();
    let _unseen = stdout.write_all(drawing.as_bytes()).and_then(|()| stdout.flush());
}

/// Does something with the terminal while the status area is away: asks a question, shows a pager.
pub(crate) fn hidden<T>(work: impl FnOnce() -> T) -> T {
    let shared = lock(&CURRENT).clone();
    let Some(shared) = shared else { return work() };
    // Held until the work is done, so that nothing is drawn meanwhile.
    let mut canvas = lock(&shared.canvas);
    let lines = lock(&shared.pending).take_lines();
    show(&canvas.redraw(&lines, &[], width()));
    work()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
