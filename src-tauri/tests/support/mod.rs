//! An app whose windows are not drawn, on a desktop that answers as the test says.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use loopwright_app::desktop::{Choice, Desktop, Question};
use loopwright_app::shell::Shell;
use loopwright_app::windows;
use loopwright_domain::{ErrorCode, Fault, RunId};
use loopwright_engine::Host;
use serde_json::{Value, json};
use tauri::ipc::{CallbackFn, InvokeBody};
use tauri::test::{INVOKE_KEY, MockRuntime, get_ipc_response, mock_builder};
use tauri::webview::InvokeRequest;
use tauri::{Manager as _, WebviewUrl, WebviewWindowBuilder};

/// A person who says no until told otherwise.
#[derive(Default)]
pub(crate) struct Person {
    agrees: AtomicBool,
    asked: Mutex<Vec<Question>>,
}

impl Person {
    pub(crate) fn agree(&self) {
        self.agrees.store(true, Ordering::SeqCst);
    }

    pub(crate) fn questions(&self) -> Vec<Question> {
        self.asked.lock().unwrap().clone()
    }
}

impl Desktop for Person {
    fn confirm(&self, _window: &str, question: &Question) -> bool {
        self.asked.lock().unwrap().push(question.clone());
        self.agrees.load(Ordering::SeqCst)
    }

    fn choose(&self, _window: &str, _choice: &Choice) -> Option<usize> {
        None
    }

    fn choose_folder(&self, _window: &str, _title: &str) -> Option<PathBuf> {
        None
    }

    fn reveal(&self, _folder: &Path) -> Result<(), Fault> {
        Ok(())
    }

    fn cli_version(&self) -> Option<String> {
        None
    }

    fn keep_running(&self, _host: &Host, _root: &Path, _run: RunId) -> Result<u32, Fault> {
        Err(Fault::new(ErrorCode::ProcessSpawn, "there is no CLI here"))
    }
}

/// A running app with a start page.
pub(crate) struct App {
    app: tauri::App<MockRuntime>,
    pub(crate) desktop: Arc<Person>,
    folder: tempfile::TempDir,
}

impl App {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let host = Host::in_folder(folder.path(), std::env::var_os("PATH").unwrap_or_default());
        let desktop = Arc::new(Person::default());
        let exposed = loopwright_app::bindings::builder::<MockRuntime>();
        let app =
            mock_builder().invoke_handler(exposed.invoke_handler()).build(loopwright_app::context()).unwrap();
        exposed.mount_events(&app);
        app.manage(Shell::new(host, desktop.clone()));
        WebviewWindowBuilder::new(&app, windows::START, WebviewUrl::App("index.html".into()))
            .build()
            .unwrap();
        Self { app, desktop, folder }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn user_config(&self) -> PathBuf {
        self.folder().join("config/config.toml")
    }

    /// Calls a command as the page in a window would.
    pub(crate) fn call(&self, window: &str, command: &str, arguments: Value) -> Result<Value, Value> {
        let window = self.app.get_webview_window(window).unwrap_or_else(|| panic!("no window {window}"));
        let request = InvokeRequest {
            cmd: command.into(),
            callback: CallbackFn(0),
            error: CallbackFn(1),
            url: if cfg!(windows) { "http://tauri.localhost" } else { "tauri://localhost" }.parse().unwrap(),
            body: InvokeBody::Json(arguments),
            headers: Default::default(),
            invoke_key: INVOKE_KEY.to_owned(),
        };
        get_ipc_response(&window, request).map(|body| body.deserialize().unwrap())
    }

    /// Opens a project from a window that stays, and gives the label of its window.
    pub(crate) fn open(&self, path: &Path) -> String {
        let opened = self.call("start", "open_project", json!({ "path": path })).unwrap();
        self.label_of(opened["path"].as_str().unwrap())
    }

    pub(crate) fn label_of(&self, path: &str) -> String {
        windows::project_label(Path::new(path))
    }

    pub(crate) fn labels(&self) -> Vec<String> {
        let mut labels: Vec<String> = self.app.webview_windows().into_keys().collect();
        labels.sort();
        labels
    }
}

/// A project in a git repository, made through the app.
pub(crate) fn git_project(app: &App, name: &str) -> PathBuf {
    let path = app.folder().join(name);
    let request = json!({ "path": path, "name": name, "git": true, "checks": [] });
    app.call("start", "create_project", json!({ "request": request })).unwrap();
    path
}
