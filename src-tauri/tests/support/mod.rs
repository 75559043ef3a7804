//! An app whose windows are not drawn, on a desktop that answers as the test says.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use loopwright_app::desktop::{Choice, Desktop, Question, SystemDesktop};
use loopwright_app::shell::Shell;
use loopwright_app::windows;
use loopwright_domain::{Fault, RunId};
use loopwright_engine::Host;
use serde_json::{Value, json};
use tauri::ipc::{CallbackFn, InvokeBody};
use tauri::test::{INVOKE_KEY, MockRuntime, get_ipc_response, mock_builder};
use tauri::webview::InvokeRequest;
use tauri::{Manager as _, WebviewUrl, WebviewWindow, WebviewWindowBuilder};

/// A person who says no until told otherwise.
#[derive(Default)]
pub(crate) struct Person {
    agrees: AtomicBool,
    asked: Mutex<Vec<Question>>,
    opened: Mutex<Vec<String>>,
    /// The answer to the next choice, and what there was to choose from.
    pub(crate) answer: Mutex<Option<usize>>,
    pub(crate) choices: Mutex<Vec<Choice>>,
    /// The files that the person chooses.
    pub(crate) files: Mutex<Vec<PathBuf>>,
    /// The folder in which the person lets files be written.
    pub(crate) new_files: Mutex<Option<PathBuf>>,
    /// The real desktop, for what a test can do with it.
    system: OnceLock<SystemDesktop<MockRuntime>>,
}

impl Person {
    pub(crate) fn agree(&self) {
        self.agrees.store(true, Ordering::SeqCst);
    }

    /// The files and pages that were opened outside.
    pub(crate) fn opened(&self) -> Vec<String> {
        self.opened.lock().unwrap().clone()
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

    fn choose(&self, _window: &str, choice: &Choice) -> Option<usize> {
        self.choices.lock().unwrap().push(choice.clone());
        *self.answer.lock().unwrap()
    }

    fn choose_folder(&self, _window: &str, _title: &str) -> Option<PathBuf> {
        None
    }

    fn choose_files(&self, _window: &str, _title: &str) -> Vec<PathBuf> {
        self.files.lock().unwrap().clone()
    }

    fn choose_new_file(&self, _window: &str, _title: &str, name: &str) -> Option<PathBuf> {
        self.new_files.lock().unwrap().as_ref().map(|folder| folder.join(name))
    }

    fn reveal(&self, _host: &Host, _folder: &Path) -> Result<(), Fault> {
        Ok(())
    }

    fn open_file(&self, _host: &Host, file: &Path) -> Result<(), Fault> {
        self.opened.lock().unwrap().push(file.display().to_string());
        Ok(())
    }

    fn open_link(&self, _host: &Host, url: &str) -> Result<(), Fault> {
        self.opened.lock().unwrap().push(url.to_owned());
        Ok(())
    }

    fn cli_version(&self) -> Option<String> {
        None
    }

    fn keep_running(&self, host: &Host, root: &Path, run: RunId) -> Result<u32, Fault> {
        self.system.get().unwrap().keep_running(host, root, run)
    }
}

/// A running app with a start page.
pub(crate) struct App {
    pub(crate) app: tauri::App<MockRuntime>,
    pub(crate) desktop: Arc<Person>,
    folder: tempfile::TempDir,
}

impl App {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let host = Host::in_folder(folder.path(), std::env::var_os("PATH").unwrap_or_default());
        let desktop = Arc::new(Person::default());
        let exposed = loopwright_app::bindings::builder::<MockRuntime>();
        let app = mock_builder()
            .plugin(tauri_plugin_shell::init())
            .invoke_handler(exposed.invoke_handler())
            .build(loopwright_app::context())
            .unwrap();
        exposed.mount_events(&app);
        desktop.system.set(SystemDesktop::new(app.handle())).unwrap();
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
        invoke(&self.window(window), command, arguments)
    }

    pub(crate) fn window(&self, label: &str) -> WebviewWindow<MockRuntime> {
        self.app.get_webview_window(label).unwrap_or_else(|| panic!("no window {label}"))
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

/// Calls a command as the page in this window would, from any thread.
pub(crate) fn invoke(
    window: &WebviewWindow<MockRuntime>,
    command: &str,
    arguments: Value,
) -> Result<Value, Value> {
    let request = InvokeRequest {
        cmd: command.into(),
        callback: CallbackFn(0),
        error: CallbackFn(1),
        url: if cfg!(windows) { "http://tauri.localhost" } else { "tauri://localhost" }.parse().unwrap(),
        body: InvokeBody::Json(arguments),
        headers: Default::default(),
        invoke_key: INVOKE_KEY.to_owned(),
    };
    get_ipc_response(window, request).map(|body| body.deserialize().unwrap())
}

/// A project in a git repository, made through the app.
pub(crate) fn git_project(app: &App, name: &str) -> PathBuf {
    let path = app.folder().join(name);
    let request = json!({ "path": path, "name": name, "git": true, "checks": [] });
    app.call("start", "create_project", json!({ "request": request })).unwrap();
    path
}
