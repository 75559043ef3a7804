//! Notices that a project changed on disk, whoever changed it: the CLI, an agent, an editor, git. Bursts count once,
//! and where the system cannot watch a folder it is looked at every few seconds instead.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use notify::event::EventKind;
use notify::{PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};

/// A change is told when nothing else has changed for this long …
const QUIET: Duration = Duration::from_millis(100);
/// … or at the latest after this long.
const LATEST: Duration = Duration::from_secs(1);
/// How often folders are looked at that cannot be watched, or looked for that are not there.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// How far below a folder changes matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// The files in it.
    Itself,
    /// Everything below it.
    Below,
}

/// A folder to watch. It need not exist yet.
#[derive(Clone, Debug)]
pub(crate) struct WatchedFolder {
    /// The folder.
    pub(crate) folder: PathBuf,
    /// How far below.
    pub(crate) depth: Depth,
}

enum Signal {
    Changed,
    Stop,
}

/// Watches until it is dropped.
#[derive(Debug)]
pub(crate) struct Watch {
    stop: Sender<Signal>,
}

impl Watch {
    /// Calls `at_once`, on a thread of its own, at each change, and `changed` after each burst of them.
    pub(crate) fn start(
        places: Vec<WatchedFolder>,
        at_once: impl Fn() + Send + 'static,
        changed: impl Fn() + Send + 'static,
    ) -> Self {
        Self::with_eyes(places, Eyes::open, at_once, changed)
    }

    fn with_eyes(
        places: Vec<WatchedFolder>,
        open: fn(Vec<WatchedFolder>, &Sender<Signal>) -> Eyes,
        at_once: impl Fn() + Send + 'static,
        changed: impl Fn() + Send + 'static,
    ) -> Self {
        let (sender, receiver) = mpsc::channel();
        let stop = sender.clone();
        thread::spawn(move || follow(open(places, &sender), &receiver, at_once, changed));
        Self { stop }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // The thread has ended by itself only when its callback panicked.
        let _ended = self.stop.send(Signal::Stop);
    }
}

fn follow(mut eyes: Eyes, receiver: &Receiver<Signal>, at_once: impl Fn(), changed: impl Fn()) {
    loop {
        match receiver.recv_timeout(LOOK_AGAIN) {
            Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                if eyes.look_for_missing() {
                    changed();
                }
            }
            Ok(Signal::Changed) => {
                if stopped_while_settling(receiver, &at_once) {
                    return;
                }
                eyes.watch_again();
                changed();
            }
        }
    }
}

fn stopped_while_settling(receiver: &Receiver<Signal>, at_once: impl Fn()) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < LATEST {
        at_once();
        match receiver.recv_timeout(QUIET) {
            Ok(Signal::Changed) => {}
            Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return true,
            Err(RecvTimeoutError::Timeout) => break,
        }
    }
    false
}

/// The system's notices, and a poller for what the system cannot watch.
struct Eyes {
    places: Vec<(WatchedFolder, ProjectView)>,
    notices: Option<RecommendedWatcher>,
    poller: Option<PollWatcher>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ProjectView {
    Missing,
    Noticed,
    Polled,
}

impl Eyes {
    fn open(places: Vec<WatchedFolder>, sender: &Sender<Signal>) -> Self {
        let notices = notify::recommended_watcher(teller(sender.clone())).ok();
        Self::with_notices(places, notices, sender)
    }

    fn with_notices(
        places: Vec<WatchedFolder>,
        notices: Option<RecommendedWatcher>,
        sender: &Sender<Signal>,
    ) -> Self {
        let every = notify::Config::default().with_poll_interval(LOOK_AGAIN);
        let poller = PollWatcher::new(teller(sender.clone()), every).ok();
        let places = places.into_iter().map(|place| (place, ProjectView::Missing)).collect();
        let mut eyes = Self { places, notices, poller };
        eyes.watch_again();
        eyes
    }

    /// Watches every place anew: one that was deleted and made again is a different folder to the system.
    fn watch_again(&mut self) {
        for (place, sight) in &mut self.places {
            *sight = see(place, *sight, self.notices.as_mut(), self.poller.as_mut());
        }
    }

    /// Watches the places that have appeared. True when there are any.
    fn look_for_missing(&mut self) -> bool {
        let mut appeared = false;
        for (place, sight) in self.places.iter_mut().filter(|(_, sight)| *sight == ProjectView::Missing) {
            *sight = see(place, *sight, self.notices.as_mut(), self.poller.as_mut());
            appeared |= *sight != ProjectView::Missing;
        }
        appeared
    }
}

fn see(
    place: &WatchedFolder,
    before: ProjectView,
    notices: Option<&mut RecommendedWatcher>,
    poller: Option<&mut PollWatcher>,
) -> ProjectView {
    let mode = match place.depth {
        Depth::Itself => RecursiveMode::NonRecursive,
        Depth::Below => RecursiveMode::Recursive,
    };
    if !place.folder.is_dir() {
        return ProjectView::Missing;
    }
    if before == ProjectView::Polled {
        return before;
    }
    if notices.is_some_and(|watcher| watcher.watch(&place.folder, mode).is_ok()) {
        return ProjectView::Noticed;
    }
    match poller.map(|watcher| watcher.watch(&place.folder, mode)) {
        Some(Ok(())) => ProjectView::Polled,
        _ => ProjectView::Missing,
    }
}

fn teller(sender: Sender<Signal>) -> impl Fn(notify::Result<notify::Event>) + Send + 'static {
    move |event| {
        // An error may mean that notices were lost, so it counts as a change.
        if event.as_ref().map_or(true, matters) {
            let _ended = sender.send(Signal::Changed);
        }
    }
}

/// Reading is no change, nor are the files that locks and readers of the database leave.
fn matters(event: &notify::Event) -> bool {
    let kind = !matches!(event.kind, EventKind::Access(_));
    kind && (event.paths.is_empty() || event.paths.iter().any(|path| !is_by_the_way(path)))
}

fn is_by_the_way(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    name.ends_with("-shm") || name.ends_with(".lock")
}

#[cfg(test)]
#[path = "watch_tests.rs"]
mod tests;
