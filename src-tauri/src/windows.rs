//! The windows: one start page, one window per project folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use loopwright_domain::{ErrorCode, Fault};
use loopwright_engine::{Host, PROJECT_DIR, Project};
use sha2::{Digest as _, Sha256};
use tauri::webview::NewWindowResponse;
use tauri::{
    AppHandle, EventTarget, Manager as _, Runtime, State, Url, WebviewUrl, WebviewWindow,
    WebviewWindowBuilder,
};
use tauri_specta::Event as _;

use crate::background::Background;
use crate::dto::{OpenFailed, Platform, ProjectChanged, ProjectRef, WindowContext, WindowStart};
use crate::shell::Shell;
use crate::watch::{Depth, Watch, WatchedFolder};
use crate::{folder, open_recent, theme};

/// The start page's label.
pub const START: &str = "start";
const START_SIZE: (f64, f64) = (960.0, 700.0);
const PROJECT_SIZE: (f64, f64) = (1240.0, 820.0);
const SMALLEST: (f64, f64) = (720.0, 520.0);

/// The label of a project's window: the same for the same folder, and nothing a page could make use of.
#[must_use]
pub fn project_label(root: &Path) -> String {
    let digest = Sha256::digest(root.as_os_str().as_encoded_bytes());
    let name: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    format!("project-{name}")
}

/// Opens the window of the project at or above a folder, or brings it to the front. When asked from the start page,
/// that page has done its work and closes.
///
/// # Errors
/// There is no project, or it or its window cannot be opened.
pub(crate) async fn open_project<R: Runtime>(
    app: &AppHandle<R>,
    path: &Path,
    from: Option<&str>,
) -> Result<ProjectRef, Fault> {
    let shell = app.state::<Shell>();
    let _one_at_a_time = shell.opening.lock().await;
    let project = Arc::new(Project::open(shell.host(), &folder::existing(path)?).await?);
    let name = project.name(&project.config());
    let root = project.layout().root.clone();
    let label = project_label(&root);
    let tasks = project.tasks().list().await?;
    match app.get_webview_window(&label) {
        Some(window) => focus(&window),
        None => {
            shell.show(&label, Arc::clone(&project), &name);
            let context = WindowContext::Project { path: root.display().to_string(), name: name.clone() };
            if let Err(fault) = build(app, &label, &title(shell.host(), &name, &root), PROJECT_SIZE, context)
            {
                shell.closed(&label);
                return Err(fault);
            }
            shell.keep_watch(&label, watch(app, &label, &project));
        }
    }
    if let Some(background) = background(app) {
        background.opened(&root, &name);
    }
    shell.remember(&label, &project, &name, &tasks)?;
    open_recent::refresh(app, shell.host());
    if from == Some(START) {
        close_start(app);
    }
    Ok(ProjectRef { path: root.display().to_string(), name })
}

/// A window's title names the folder too: two projects may have the same name.
fn title(host: &Host, name: &str, root: &Path) -> String {
    let home = host.home_named("HOME").and_then(|home| root.strip_prefix(home).ok());
    let folder = home.map_or_else(|| root.display().to_string(), |below| format!("~/{}", below.display()));
    format!("{name} – {folder} – Loopwright")
}

/// Opens the start page or brings it to the front.
///
/// # Errors
/// Its window cannot be opened.
pub(crate) fn open_start<R: Runtime>(app: &AppHandle<R>, problem: Option<Fault>) -> Result<(), Fault> {
    match app.get_webview_window(START) {
        Some(window) => focus(&window),
        None => drop(build(app, START, "Loopwright", START_SIZE, WindowContext::Start { problem })?),
    }
    Ok(())
}

fn close_start<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window(START) {
        // It fails only when the window is closing already.
        let _closing = window.close();
    }
}

/// Does what a second start of the app asks for.
pub(crate) async fn second_start<R: Runtime>(app: &AppHandle<R>, wish: Result<Option<PathBuf>, Fault>) {
    let outcome = match wish {
        Ok(Some(path)) => open_project(app, &path, None).await.map(drop),
        Ok(None) => match current(app) {
            Some(window) => {
                focus(&window);
                Ok(())
            }
            None => open_start(app, None),
        },
        Err(fault) => Err(fault),
    };
    let Err(fault) = outcome else { return };
    let told = match current(app) {
        Some(window) => {
            focus(&window);
            OpenFailed { fault }.emit_to(app, target(window.label())).map_err(internal)
        }
        None => open_start(app, Some(fault)),
    };
    if let Err(fault) = told {
        eprintln!("loopwright-app: {}", fault.message);
    }
}

/// The window a person works in: the focused one, else the one that was focused last, else any.
pub(crate) fn current<R: Runtime>(app: &AppHandle<R>) -> Option<WebviewWindow<R>> {
    let windows = app.webview_windows();
    let focused = windows.values().find(|window| window.is_focused().unwrap_or(false));
    let last = || app.state::<Shell>().focused().and_then(|label| windows.get(&label));
    focused.or_else(last).or_else(|| windows.values().next()).cloned()
}

/// Where an event for exactly one window goes.
pub(crate) fn target(label: &str) -> EventTarget {
    EventTarget::WebviewWindow { label: label.to_owned() }
}

/// What the app does around its windows; none in an app that has nothing around it.
fn background<R: Runtime>(app: &AppHandle<R>) -> Option<State<'_, Background>> {
    app.try_state::<Background>()
}

/// Lets go of the project of a window that is gone, or about to be.
pub(crate) fn let_go<R: Runtime>(app: &AppHandle<R>, label: &str) {
    let shell = app.state::<Shell>();
    if let (Some(background), Some((root, _))) = (background(app), shell.shown(label)) {
        background.closed(&root);
    }
    shell.closed(label);
}

/// The project of a window goes on without it: it is shown in the tray.
pub(crate) fn to_background<R: Runtime>(app: &AppHandle<R>, label: &str) {
    if let (Some(background), Some((root, _))) = (background(app), app.state::<Shell>().shown(label)) {
        background.background(&root);
    }
}

/// The project of a window has only this window again.
pub(crate) fn from_background<R: Runtime>(app: &AppHandle<R>, label: &str) {
    if let (Some(background), Some((root, name))) = (background(app), app.state::<Shell>().shown(label)) {
        background.opened(&root, &name);
    }
}

/// Brings a window to the front, also one that was about to go. A window that cannot come forward (the desktop may
/// forbid it) is still open.
pub(crate) fn focus<R: Runtime>(window: &WebviewWindow<R>) {
    window.state::<Shell>().closing().forget(window.label());
    let _forbidden = window.unminimize().and_then(|()| window.show()).and_then(|()| window.set_focus());
}

fn build<R: Runtime>(
    app: &AppHandle<R>,
    label: &str,
    title: &str,
    (width, height): (f64, f64),
    context: WindowContext,
) -> Result<WebviewWindow<R>, Fault> {
    let host = app.state::<Shell>().host().clone();
    let chosen = theme::chosen(&host);
    let window = WebviewWindowBuilder::new(app, label, WebviewUrl::App("index.html".into()))
        .title(title)
        .inner_size(width, height)
        .min_inner_size(SMALLEST.0, SMALLEST.1)
        .theme(chosen)
        .initialization_script(first_script(chosen, context))
        .data_directory(host.data_dir.join("webview"))
        .on_navigation(|url| is_own_page(url, tauri::is_dev()))
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .on_download(|_, _| false)
        .visible(false)
        .build()
        .map_err(internal)?;
    theme::paint(&window, chosen).and_then(|()| window.show()).map_err(internal)?;
    Ok(window)
}

/// Runs before the page's own scripts: what the page needs for its first frame.
fn first_script(chosen: Option<tauri::Theme>, context: WindowContext) -> String {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let start = serde_json::json!(WindowStart {
        version,
        platform: Platform::here(),
        process: std::process::id(),
        context,
    });
    format!(
        "window.__LOOPWRIGHT_THEME__ = \"{}\"; window.__LOOPWRIGHT_WINDOW__ = {start};",
        theme::name(chosen)
    )
}

/// Whether a page may be shown: the app's own, and in development the dev server's.
fn is_own_page(url: &Url, development: bool) -> bool {
    match (url.scheme(), url.host_str()) {
        ("tauri", Some("localhost")) => true,
        ("http" | "https", Some("tauri.localhost")) => cfg!(windows),
        ("http", Some("127.0.0.1")) => development && url.port() == Some(1420),
        _ => false,
    }
}

fn watch<R: Runtime>(app: &AppHandle<R>, label: &str, project: &Project) -> Watch {
    let layout = project.layout();
    let mut places = vec![
        WatchedFolder { folder: layout.state_dir.clone(), depth: Depth::Itself },
        WatchedFolder { folder: layout.root.join(PROJECT_DIR), depth: Depth::Below },
        WatchedFolder { folder: project.host().config_dir.clone(), depth: Depth::Itself },
    ];
    let git = layout.repository.as_ref().map(|repository| repository.git_dir.clone());
    places.extend(git.map(|folder| WatchedFolder { folder, depth: Depth::Itself }));
    let (app, label) = (app.clone(), label.to_owned());
    let at_once = {
        let (app, label) = (app.clone(), label.clone());
        move || app.state::<Shell>().wake_following(&label)
    };
    Watch::start(places, at_once, move || {
        theme::apply(&app, app.state::<Shell>().host());
        if let Some(background) = background(&app) {
            background.settings_changed();
        }
        // It fails only while the window is closing.
        let _closing = ProjectChanged {}.emit_to(&app, target(&label));
    })
}

/// A failure of the toolkit itself.
pub(crate) fn internal(error: tauri::Error) -> Fault {
    Fault::caused(ErrorCode::Internal, "the window system refused", &error)
        .hint("Close Loopwright and start it again.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_label_and_another_folder_another() {
        let label = project_label(Path::new("/home/ann/tea"));
        assert_eq!(label, project_label(Path::new("/home/ann/tea")));
        assert_ne!(label, project_label(Path::new("/home/ann/tea2")));
        assert!(label.starts_with("project-") && label.len() == 32, "{label}");
        assert!(label.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-'));
    }

    #[test]
    fn a_page_is_told_its_theme_and_what_it_shows_before_it_runs() {
        let context =
            WindowContext::Project { path: "/a \"b\"".to_owned(), name: "</script>\u{2028}".to_owned() };
        let script = first_script(Some(tauri::Theme::Dark), context.clone());
        let (theme, start) = script.split_once("window.__LOOPWRIGHT_WINDOW__ = ").unwrap();
        assert!(theme.contains("__LOOPWRIGHT_THEME__ = \"dark\";"));
        let start: serde_json::Value = serde_json::from_str(start.strip_suffix(';').unwrap()).unwrap();
        assert_eq!(start["context"], serde_json::json!(context));
        assert_eq!(start["version"], env!("CARGO_PKG_VERSION"));
    }

    #[test]
    fn only_the_apps_own_pages_are_shown() {
        let own = |url: &str, development| is_own_page(&Url::parse(url).unwrap(), development);
        assert!(own("tauri://localhost/index.html", false));
        assert!(own("http://127.0.0.1:1420/", true));
        for foreign in [
            "http://127.0.0.1:1420/",
            "https://example.org/",
            "http://localhost/",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "data:text/html,x",
            "about:blank",
            "tauri://evil/",
        ] {
            assert!(!own(foreign, false), "{foreign}");
        }
    }
}
