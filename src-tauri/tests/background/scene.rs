//! A project whose real run does what the test says, and the app's surroundings around it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use loopwright_app::background::{
    AppControl, Background, Notification, ProjectView, Services, SystemServices, TrayView,
};
use loopwright_domain::{Origin, Run};
use loopwright_engine::run::{Earlier, RunRequest, StopHandle, Unobserved};
use loopwright_engine::{Host, NewProject, Project};
use loopwright_testkit::eventually_async;
use tauri::async_runtime::JoinHandle;

/// Far more than anything here takes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Windows that are not there: what would be done to them is written down.
#[derive(Default)]
pub(crate) struct Windows {
    pub(crate) focused: AtomicBool,
    asked: Mutex<Vec<String>>,
}

impl Windows {
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    fn note(&self, what: &str, project: &Path) {
        let name = project.file_name().unwrap().to_string_lossy().into_owned();
        self.asked.lock().unwrap().push(format!("{what} {name}"));
    }
}

impl AppControl for Windows {
    fn focused(&self, _project: &Path) -> bool {
        self.focused.load(Ordering::SeqCst)
    }

    fn show(&self, project: &Path, sight: ProjectView) {
        self.note(if sight == ProjectView::Review { "review" } else { "show" }, project);
    }

    fn pause(&self, project: &Path) {
        self.note("pause", project);
    }

    fn cancel(&self, project: &Path) {
        self.note("cancel", project);
    }

    fn quit(&self, even_with_windows: bool) {
        self.asked.lock().unwrap().push(format!("quit {even_with_windows}"));
    }
}

/// The desktop's own services, and somebody who notes what the app knows about runs: it wants to stay awake while it
/// knows of one that works.
struct Witness {
    system: SystemServices,
    awake: AtomicBool,
}

impl Services for Witness {
    fn notify(&self, project: &Path, notice: Notification) {
        self.system.notify(project, notice);
    }

    fn keep_awake(&self, awake: bool) {
        self.system.keep_awake(awake);
        self.awake.store(awake, Ordering::SeqCst);
    }

    fn tray(&self, shown: Option<TrayView>) {
        self.system.tray(shown);
    }

    fn has_tray(&self) -> bool {
        self.system.has_tray()
    }
}

/// A project called "Tea", open in the app.
pub(crate) struct Scene {
    folder: tempfile::TempDir,
    host: Host,
    services: Arc<Witness>,
    pub(crate) windows: Arc<Windows>,
    pub(crate) background: Background,
}

impl Scene {
    pub(crate) async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let host = Host::in_folder(folder.path(), std::env::var_os("PATH").unwrap_or_default());
        let root = folder.path().join("tea");
        Project::create(&host, &root, &NewProject::default(), Origin::App).await.unwrap();
        let (chosen, choices) = tokio::sync::mpsc::unbounded_channel();
        let windows = Arc::new(Windows::default());
        let services =
            Arc::new(Witness { system: SystemServices::new(None, chosen), awake: AtomicBool::new(false) });
        let background = Background::start(host.clone(), windows.clone(), services.clone(), choices);
        background.opened(&root, "Tea");
        Self { folder, host, services, windows, background }
    }

    /// Waits until the app knows of a run that works, or of none any more.
    pub(crate) async fn sees(&self, works: bool) {
        let seen = async || self.services.awake.load(Ordering::SeqCst) == works;
        eventually_async("the app sees what the run does", seen).await;
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("tea")
    }

    /// Changes the user's settings, as the app does.
    pub(crate) fn set(&self, settings: &str) {
        std::fs::create_dir_all(&self.host.config_dir).unwrap();
        std::fs::write(self.host.user_config_file(), settings).unwrap();
        self.background.settings_changed();
    }

    /// Starts a run whose agent waits until [`Work::finish`] and then does the rest of a shell line.
    pub(crate) fn start(&self, prompt: &str, then: &str, settings: &[(&str, &str)]) -> Work {
        let gate = self.folder.path().join(format!("gate {}", NEXT.fetch_add(1, Ordering::SeqCst)));
        let wait = format!("until [ -e '{}' ]; do sleep 0.05; done; {then}", gate.display());
        let command = format!("sh -c \"{wait}\"");
        let mut request = RunRequest::prompt(prompt).command(&command);
        for (key, value) in settings {
            request = request.set(*key, *value);
        }
        let (host, root) = (self.host.clone(), self.root());
        // A run has its own thread, as in the app.
        let run = tauri::async_runtime::spawn_blocking(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let project = Project::open(&host, &root).await.unwrap();
                let prepared = project.runs().prepare(&request).unwrap();
                let watcher = &mut Unobserved;
                project
                    .runs()
                    .start(prepared, Earlier::Leave, Origin::Cli, watcher, StopHandle::new())
                    .await
                    .unwrap()
            })
        });
        Work { gate, run }
    }
}

/// Numbers that were not used before.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// A run that works.
pub(crate) struct Work {
    gate: PathBuf,
    run: JoinHandle<Run>,
}

impl Work {
    /// Lets the agent go on, and waits for the end of the run.
    pub(crate) async fn finish(self) -> Run {
        std::fs::write(&self.gate, "").unwrap();
        self.run.await.unwrap()
    }
}

/// Drives a test, which exists only on its own bus.
pub(crate) fn block_on_test(test: impl Future<Output = ()>) {
    if crate::is_private() {
        tauri::async_runtime::block_on(test);
    }
}
