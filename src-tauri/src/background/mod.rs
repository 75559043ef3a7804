//! What the app does for runs while nobody looks at its windows: it tells a person what happened, keeps the
//! computer awake, and stays in the tray for runs that go on without a window. All of it follows the engine and no
//! page, so a page that hangs or crashed changes nothing here.
//!
//! The shell says which projects are open ([`Background::opened`], [`Background::closed`]) or go on without a window
//! ([`Background::keep`]); the rest happens by itself. Nothing here can fail a run: a desktop without
//! notifications, tray or power management is simply not used.

mod app_control;
mod monitor;
mod notification;
mod run_follower;
mod services;
mod tray_view;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use loopwright_engine::Host;
use loopwright_engine::run::RunState;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

pub use self::app_control::{AppControl, ProjectView};
pub use self::notification::{Before, Notification, Urgency, notice};
#[cfg(target_os = "linux")]
pub use self::services::AppIcon;
pub use self::services::{Services, SystemServices};
pub use self::tray_view::{TrayProject, TrayView};

/// What a person chose outside of the windows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// Show a project: its run or, when that waits for a decision, what to decide.
    Open(PathBuf),
    /// Stop a project's run after this iteration.
    PauseAfterIteration(PathBuf),
    /// End a project's run, once the person has confirmed it.
    Cancel(PathBuf),
    /// End the app. Runs that were handed over go on.
    Quit,
}

/// Something that [`Background`] is told.
#[derive(Debug)]
enum Message {
    Opened { root: PathBuf, name: String },
    Background(PathBuf),
    Closed(PathBuf),
    Changed { root: PathBuf, state: Option<Box<RunState>>, gates: u32 },
    Settings,
}

/// The app's surroundings. Every call returns at once.
#[derive(Debug)]
pub struct Background {
    messages: UnboundedSender<Message>,
    in_background: Arc<Mutex<BTreeSet<PathBuf>>>,
}

impl Background {
    /// Begins, with no project. `choices` brings what a person chooses in `services`.
    #[must_use]
    pub fn start(
        host: Host,
        app_control: Arc<dyn AppControl>,
        services: Arc<dyn Services>,
        choices: UnboundedReceiver<Chosen>,
    ) -> Self {
        let (messages, received) = mpsc::unbounded_channel();
        let in_background = Arc::default();
        let monitor =
            monitor::Monitor::new(host, app_control, services, messages.clone(), Arc::clone(&in_background));
        tauri::async_runtime::spawn(monitor.work(received, choices));
        Self { messages, in_background }
    }

    /// A window shows this project from now on: its runs are followed, whoever works on them.
    pub fn opened(&self, root: &Path, name: &str) {
        self.background_set().remove(root);
        self.tell(Message::Opened { root: root.to_owned(), name: name.to_owned() });
    }

    /// The project's window closes and its run goes on without one, in another process: the project stays in the
    /// tray, and the app stays without windows (see [`Background::stays`]) until the person opens the project or quits.
    /// Call it before the window is closed.
    pub fn background(&self, root: &Path) {
        self.background_set().insert(root.to_owned());
        self.tell(Message::Background(root.to_owned()));
    }

    /// The project's window is gone. Does nothing for a project that is in the background.
    pub fn closed(&self, root: &Path) {
        if !self.background_set().contains(root) {
            self.tell(Message::Closed(root.to_owned()));
        }
    }

    /// Whether the app has a reason to go on without windows: what to ask when the last one was closed.
    #[must_use]
    pub fn stays(&self) -> bool {
        !self.background_set().is_empty()
    }

    /// Settings may have changed: those under `app` hold at once.
    pub fn settings_changed(&self) {
        self.tell(Message::Settings);
    }

    fn tell(&self, message: Message) {
        // Nobody listens only while the app is ending.
        let _ending = self.messages.send(message);
    }

    fn background_set(&self) -> std::sync::MutexGuard<'_, BTreeSet<PathBuf>> {
        self.in_background.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
