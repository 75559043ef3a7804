//! The shell's state: which window shows which project. A command works on the project of the window that called it;
//! no command takes a project's path from the page.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use loopwright_domain::{ErrorCode, Fault, Task};
use loopwright_engine::{Host, Layout, Project, TaskCounts, task_counts};

use crate::blocking::lock;
use crate::checking::Rounds;
use crate::desktop::Desktop;
use crate::runs::{Closing, Following, RunHost};
use crate::watch::Watch;
use crate::wizard_work::WizardWork;

/// The state behind all windows.
pub struct Shell {
    host: Host,
    desktop: Arc<dyn Desktop>,
    projects: Mutex<HashMap<String, OpenProject>>,
    focused: Mutex<Option<String>>,
    runs: Arc<RunHost>,
    closing: Closing,
    rounds: Rounds,
    wizards: WizardWork,
    /// The files that the person chose in native dialogs.
    chosen: Mutex<HashSet<PathBuf>>,
    /// Held while a project's window is opened, so that one folder never gets two.
    pub(crate) opening: tokio::sync::Mutex<()>,
}

/// The project of one window.
struct OpenProject {
    project: Arc<Project>,
    name: String,
    remembered: Option<TaskCounts>,
    watch: Option<Watch>,
    following: Option<Following>,
}

impl Shell {
    /// A shell without windows.
    #[must_use]
    pub fn new(host: Host, desktop: Arc<dyn Desktop>) -> Self {
        Self {
            host,
            desktop,
            projects: Mutex::default(),
            focused: Mutex::default(),
            runs: Arc::default(),
            closing: Closing::default(),
            rounds: Rounds::default(),
            wizards: WizardWork::default(),
            chosen: Mutex::default(),
            opening: tokio::sync::Mutex::default(),
        }
    }

    pub(crate) fn host(&self) -> &Host {
        &self.host
    }

    pub(crate) fn desktop(&self) -> Arc<dyn Desktop> {
        Arc::clone(&self.desktop)
    }

    /// The runs this app works on.
    pub(crate) fn runs(&self) -> &Arc<RunHost> {
        &self.runs
    }

    /// The windows that are being closed while their runs work.
    pub(crate) fn closing(&self) -> &Closing {
        &self.closing
    }

    /// The checks that windows run.
    pub(crate) fn rounds(&self) -> &Rounds {
        &self.rounds
    }

    /// What windows let wizards do.
    pub(crate) fn wizards(&self) -> &WizardWork {
        &self.wizards
    }

    /// Remembers files that the person chose in a native dialog.
    pub(crate) fn remember_chosen(&self, files: &[PathBuf]) {
        lock(&self.chosen).extend(files.iter().cloned());
    }

    /// Whether the person chose a file in a native dialog.
    pub(crate) fn was_chosen(&self, file: &Path) -> bool {
        lock(&self.chosen).contains(file)
    }

    /// Where the sample project is, or would be made.
    pub(crate) fn sample_folder(&self) -> PathBuf {
        self.host.data_dir.join("sample")
    }

    /// Gives a window its project.
    pub(crate) fn show(&self, window: &str, project: Arc<Project>, name: &str) {
        let shown =
            OpenProject { project, name: name.to_owned(), remembered: None, watch: None, following: None };
        lock(&self.projects).insert(window.to_owned(), shown);
    }

    /// Keeps a page's following for as long as the window shows its project, or until the page follows anew.
    pub(crate) fn keep_following(&self, window: &str, following: Following) {
        if let Some(open) = lock(&self.projects).get_mut(window) {
            open.following = Some(following);
        }
    }

    /// Lets a page's following look at once.
    pub(crate) fn wake_following(&self, window: &str) {
        if let Some(following) = lock(&self.projects).get(window).and_then(|open| open.following.as_ref()) {
            following.wake();
        }
    }

    /// Keeps a watch for as long as the window shows its project.
    pub(crate) fn keep_watch(&self, window: &str, watch: Watch) {
        if let Some(open) = lock(&self.projects).get_mut(window) {
            open.watch = Some(watch);
        }
    }

    /// Lets go of a closed window's project.
    pub(crate) fn closed(&self, window: &str) {
        let gone = lock(&self.projects).remove(window);
        drop(gone);
        self.closing.forget(window);
        self.rounds.stop(window);
        self.wizards.closed(window);
        let mut focused = lock(&self.focused);
        if focused.as_deref() == Some(window) {
            *focused = None;
        }
    }

    /// The folder and name of a window's project.
    pub(crate) fn shown(&self, window: &str) -> Option<(PathBuf, String)> {
        let projects = lock(&self.projects);
        projects.get(window).map(|open| (open.project.layout().root.clone(), open.name.clone()))
    }

    /// The project of a window, opened afresh when its state has moved or vanished since.
    ///
    /// # Errors
    /// The window has none, or it can no longer be opened.
    pub(crate) async fn project(&self, window: &str) -> Result<Arc<Project>, Fault> {
        let open = lock(&self.projects).get(window).map(|open| Arc::clone(&open.project));
        let project =
            open.ok_or_else(|| Fault::new(ErrorCode::ProjectNotFound, "this window shows no project"))?;
        let layout = Layout::of(&project.layout().root)?;
        if layout.state_dir == project.layout().state_dir && layout.database().exists() {
            return Ok(project);
        }
        let fresh = Arc::new(Project::open(&self.host, &layout.root).await?);
        if let Some(open) = lock(&self.projects).get_mut(window) {
            open.project = Arc::clone(&fresh);
        }
        Ok(fresh)
    }

    /// Remembers for the start page how far a project is, when that changed.
    pub(crate) fn remember(
        &self,
        window: &str,
        project: &Project,
        name: &str,
        tasks: &[Task],
    ) -> Result<(), Fault> {
        let counts = task_counts(tasks);
        if let Some(open) = lock(&self.projects).get_mut(window) {
            if open.remembered == Some(counts) {
                return Ok(());
            }
            open.remembered = Some(counts);
        }
        project.remember_opened(name, tasks)
    }

    /// The window that had the focus last.
    pub(crate) fn focused(&self) -> Option<String> {
        lock(&self.focused).clone()
    }

    pub(crate) fn set_focused(&self, window: &str) {
        *lock(&self.focused) = Some(window.to_owned());
    }
}
