//! Keeps the surroundings as the runs are: one task that hears everything and decides.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use loopwright_domain::{RunStatus, WaitReason};
use loopwright_engine::Host;
use loopwright_engine::config::{Config, Key, key};
use loopwright_engine::run::RunState;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::time::Instant;

use super::notification::{Before, notice};
use super::run_follower::Follower;
use super::services::Services;
use super::tray_view::{TrayProject, TrayView};
use super::{AppControl, Chosen, Message, ProjectView};

/// How long an app that no tray can show waits for a click on its last notice before it ends.
const PATIENCE: Duration = Duration::from_secs(10 * 60);
const NOTIFICATIONS: Key<bool> = key::APP_NOTIFICATIONS;
const KEEP_AWAKE: Key<bool> = key::APP_KEEP_AWAKE;

/// A project that is followed.
struct Watched {
    name: String,
    /// None before the first look.
    newest: Option<Option<Box<RunState>>>,
    /// How many of its gates are open.
    gates: u32,
    _follower: Follower,
}

impl Watched {
    fn state(&self) -> Option<&RunState> {
        self.newest.as_ref()?.as_deref()
    }

    /// What matters about it: gates first.
    fn sight(&self) -> ProjectView {
        if self.gates > 0 { ProjectView::Review } else { ProjectView::of(self.state()) }
    }

    /// Whether its run gets on by itself, and so would stand still if the computer slept.
    fn works(&self) -> bool {
        self.state().is_some_and(|state| {
            let gets_on = match state.run.status {
                RunStatus::Running => true,
                RunStatus::Waiting => state.run.waiting == Some(WaitReason::Limit),
                _ => false,
            };
            gets_on && state.live.is_some()
        })
    }
}

pub(super) struct Monitor {
    host: Host,
    app_control: Arc<dyn AppControl>,
    services: Arc<dyn Services>,
    messages: UnboundedSender<Message>,
    in_background: Arc<Mutex<BTreeSet<PathBuf>>>,
    watched: BTreeMap<PathBuf, Watched>,
    /// When the app ends unless something changes.
    ends_at: Option<Instant>,
}

impl Monitor {
    pub(super) fn new(
        host: Host,
        app_control: Arc<dyn AppControl>,
        services: Arc<dyn Services>,
        messages: UnboundedSender<Message>,
        in_background: Arc<Mutex<BTreeSet<PathBuf>>>,
    ) -> Self {
        Self { host, app_control, services, messages, in_background, watched: BTreeMap::new(), ends_at: None }
    }

    /// Works until the app ends.
    pub(super) async fn work(
        mut self,
        mut received: UnboundedReceiver<Message>,
        mut choices: UnboundedReceiver<Chosen>,
    ) {
        loop {
            let ends_at = self.ends_at;
            tokio::select! {
                Some(message) = received.recv() => self.hear(message).await,
                Some(chosen) = choices.recv() => self.obey(chosen),
                () = tokio::time::sleep_until(ends_at.unwrap_or_else(Instant::now)), if ends_at.is_some() => {
                    self.ends_at = None;
                    self.app_control.quit(false);
                }
                else => return,
            }
            self.settle();
        }
    }

    async fn hear(&mut self, message: Message) {
        match message {
            Message::Opened { root, name } => self.watch(root, name),
            Message::Background(root) => {
                let name = root.file_name().map(|name| name.to_string_lossy().into_owned());
                self.watch(root, name.unwrap_or_default());
            }
            Message::Closed(root) => drop(self.watched.remove(&root)),
            Message::Changed { root, state, gates } => self.changed(&root, state, gates).await,
            Message::Settings => {}
        }
    }

    /// Follows a project from now on, if it is not followed already.
    fn watch(&mut self, root: PathBuf, name: String) {
        if !self.watched.contains_key(&root) {
            let _follower = Follower::start(self.host.clone(), root.clone(), self.messages.clone());
            self.watched.insert(root, Watched { name, newest: None, gates: 0, _follower });
        }
    }

    async fn changed(&mut self, root: &Path, state: Option<Box<RunState>>, gates: u32) {
        let Some(watched) = self.watched.get_mut(root) else { return };
        watched.gates = gates;
        let before = watched.newest.replace(state);
        let Some(now) = watched.state() else { return };
        let before = match &before {
            None => Before::NotLooked,
            Some(None) => Before::NoRun,
            Some(Some(earlier)) => Before::Run(earlier),
        };
        let tell = |focused, enabled| notice(&watched.name, before, now, focused, enabled);
        if tell(false, true).is_none() {
            return;
        }
        // Only a window's own thread knows whether it has the focus.
        let (app_control, project) = (Arc::clone(&self.app_control), root.to_owned());
        let looked = tauri::async_runtime::spawn_blocking(move || app_control.focused(&project)).await;
        let enabled = Config::load(&self.host, None).value(NOTIFICATIONS);
        if let Some(notice) = tell(looked.unwrap_or(false), enabled) {
            self.services.notify(root, notice);
        }
    }

    fn obey(&mut self, chosen: Chosen) {
        match chosen {
            Chosen::Open(root) => {
                let sight = self.watched.get(&root).map_or(ProjectView::Run, Watched::sight);
                self.app_control.show(&root, sight);
            }
            Chosen::PauseAfterIteration(root) => self.app_control.pause(&root),
            Chosen::Cancel(root) => self.app_control.cancel(&root),
            Chosen::Quit => self.app_control.quit(true),
        }
    }

    /// Makes the surroundings as they should be now.
    fn settle(&mut self) {
        let works = self.watched.values().any(Watched::works);
        self.services.keep_awake(works && Config::load(&self.host, None).value(KEEP_AWAKE));
        let tray = self.tray();
        let ending = tray.as_ref().is_some_and(TrayView::at_rest) && !self.services.has_tray();
        self.ends_at = ending.then(|| self.ends_at.unwrap_or_else(|| Instant::now() + PATIENCE));
        self.services.tray(tray);
    }

    fn tray(&self) -> Option<TrayView> {
        let in_background = self.in_background.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = self.watched.iter().filter(|(root, _)| in_background.contains(*root));
        let projects: Vec<TrayProject> = shown
            .map(|(root, watched)| {
                TrayProject::new(root.clone(), &watched.name, watched.state(), watched.gates)
            })
            .collect();
        (!projects.is_empty()).then_some(TrayView { projects })
    }
}
