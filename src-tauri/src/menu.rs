//! The native menus. What the UI can do is handed to the window a person works in; the rest is done here.

use std::path::PathBuf;

use tauri::menu::{Menu, MenuBuilder, MenuEvent, MenuItem, Submenu, SubmenuBuilder};
use tauri::{AppHandle, Runtime, WebviewWindow};
use tauri_specta::Event as _;

use crate::dto::{MenuAction, MenuCommand, OpenFailed};
use crate::{edit_menu, open_recent, windows, zoom};

const CLOSE_WINDOW: &str = "close_window";
const QUIT: &str = "quit";

/// The views of a project's window, in the order of its navigation, with their keys. What they are is said in the UI's
/// manifest, `ui/src/lib/app/views.json`; a test holds this list against it.
const VIEWS: &[(MenuCommand, &str, &str)] = &[
    (MenuCommand::ViewOverview, "&Overview", "CmdOrCtrl+1"),
    (MenuCommand::ViewWaves, "&Waves", "CmdOrCtrl+2"),
    (MenuCommand::ViewTasks, "T&asks", "CmdOrCtrl+3"),
    (MenuCommand::ViewIterations, "&Iterations", "CmdOrCtrl+4"),
    (MenuCommand::ViewReview, "&Review", "CmdOrCtrl+5"),
    (MenuCommand::ViewSpec, "S&pec", "CmdOrCtrl+6"),
    (MenuCommand::ViewChecks, "C&hecks", "CmdOrCtrl+7"),
    (MenuCommand::ViewMemory, "&Memory", "CmdOrCtrl+8"),
    (MenuCommand::ViewMetrics, "Metri&cs", "CmdOrCtrl+9"),
    (MenuCommand::ViewSettings, "&Settings", "CmdOrCtrl+,"),
];

impl MenuCommand {
    /// Every item that the UI carries out.
    pub(crate) const ALL: &[Self] = &[
        Self::NewProject,
        Self::Plan,
        Self::OpenFolder,
        Self::OpenSample,
        Self::ViewOverview,
        Self::ViewWaves,
        Self::ViewTasks,
        Self::ViewIterations,
        Self::ViewReview,
        Self::ViewSpec,
        Self::ViewChecks,
        Self::ViewMemory,
        Self::ViewMetrics,
        Self::ViewSettings,
        Self::StartRun,
        Self::PauseRun,
        Self::PauseAfterIteration,
        Self::ResumeRun,
        Self::CancelRun,
        Self::Palette,
        Self::Shortcuts,
        Self::ThemeSystem,
        Self::ThemeLight,
        Self::ThemeDark,
        Self::ImportTasks,
        Self::ImportSpec,
        Self::Doctor,
        Self::Documentation,
        Self::About,
    ];

    /// The item's id, which is also its name in the event.
    pub(crate) const fn id(self) -> &'static str {
        match self {
            Self::NewProject => "new_project",
            Self::Plan => "plan",
            Self::OpenFolder => "open_folder",
            Self::OpenSample => "open_sample",
            Self::ViewOverview => "view_overview",
            Self::ViewWaves => "view_waves",
            Self::ViewTasks => "view_tasks",
            Self::ViewIterations => "view_iterations",
            Self::ViewReview => "view_review",
            Self::ViewSpec => "view_spec",
            Self::ViewChecks => "view_checks",
            Self::ViewMemory => "view_memory",
            Self::ViewMetrics => "view_metrics",
            Self::ViewSettings => "view_settings",
            Self::StartRun => "start_run",
            Self::PauseRun => "pause_run",
            Self::PauseAfterIteration => "pause_after_iteration",
            Self::ResumeRun => "resume_run",
            Self::CancelRun => "cancel_run",
            Self::Palette => "palette",
            Self::Shortcuts => "shortcuts",
            Self::ThemeSystem => "theme_system",
            Self::ThemeLight => "theme_light",
            Self::ThemeDark => "theme_dark",
            Self::ImportTasks => "import_tasks",
            Self::ImportSpec => "import_spec",
            Self::Doctor => "doctor",
            Self::Documentation => "documentation",
            Self::About => "about",
        }
    }
}

/// Makes the menu that every window gets.
///
/// # Errors
/// The system refuses to make it.
pub(crate) fn build<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<Menu<R>> {
    let menu = MenuBuilder::new(app);
    #[cfg(target_os = "macos")]
    let menu = menu
        .item(&SubmenuBuilder::new(app, "Loopwright").about(None).separator().hide().hide_others().build()?);
    menu.items(&[&file(app)?, &edit_menu::build(app)?, &view(app)?, &run(app)?, &help(app)?]).build()
}

fn file<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<Submenu<R>> {
    let entry = |command, text, keys| item(app, command, text, keys);
    SubmenuBuilder::new(app, "&File")
        .items(&[
            &entry(MenuCommand::NewProject, "&New project…", Some("CmdOrCtrl+N"))?,
            &entry(MenuCommand::Plan, "Plan from an i&dea…", None)?,
            &entry(MenuCommand::OpenFolder, "&Open folder…", Some("CmdOrCtrl+O"))?,
        ])
        .item(&open_recent::build(app)?)
        .item(&entry(MenuCommand::OpenSample, "Open the &sample", None)?)
        .separator()
        .items(&[
            &entry(MenuCommand::ImportTasks, "&Import tasks…", None)?,
            &entry(MenuCommand::ImportSpec, "Import s&pec…", None)?,
        ])
        .separator()
        .item(&MenuItem::with_id(app, CLOSE_WINDOW, "&Close window", true, Some("CmdOrCtrl+W"))?)
        .item(&MenuItem::with_id(app, QUIT, "&Quit", true, Some("CmdOrCtrl+Q"))?)
        .build()
}

fn view<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<Submenu<R>> {
    let entry = |command, text, keys| item(app, command, text, keys);
    let theme = SubmenuBuilder::new(app, "&Theme")
        .items(&[
            &entry(MenuCommand::ThemeSystem, "&System", None)?,
            &entry(MenuCommand::ThemeLight, "&Light", None)?,
            &entry(MenuCommand::ThemeDark, "&Dark", None)?,
        ])
        .build()?;
    let mut views = SubmenuBuilder::new(app, "&View");
    for &(command, text, keys) in VIEWS {
        views = views.item(&entry(command, text, Some(keys))?);
    }
    views
        .item(&entry(MenuCommand::Palette, "&Command palette", Some("CmdOrCtrl+K"))?)
        .separator()
        .items(&[
            &MenuItem::with_id(app, zoom::IN, "Zoom &in", true, Some("CmdOrCtrl+="))?,
            &MenuItem::with_id(app, zoom::OUT, "Zoom o&ut", true, Some("CmdOrCtrl+-"))?,
            &MenuItem::with_id(app, zoom::RESET, "Actual si&ze", true, Some("CmdOrCtrl+0"))?,
        ])
        .separator()
        .item(&theme)
        .build()
}

fn run<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<Submenu<R>> {
    let entry = |command, text, keys| item(app, command, text, keys);
    SubmenuBuilder::new(app, "&Run")
        .item(&entry(MenuCommand::StartRun, "&Start…", None)?)
        .separator()
        .items(&[
            &entry(MenuCommand::PauseRun, "&Pause", None)?,
            &entry(MenuCommand::PauseAfterIteration, "Pause &after this iteration", None)?,
            &entry(MenuCommand::ResumeRun, "&Resume", None)?,
        ])
        .separator()
        .item(&entry(MenuCommand::CancelRun, "&Cancel…", None)?)
        .build()
}

fn help<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<Submenu<R>> {
    SubmenuBuilder::new(app, "&Help")
        .items(&[
            &item(app, MenuCommand::Shortcuts, "&Keyboard shortcuts", Some("CmdOrCtrl+/"))?,
            &item(app, MenuCommand::Documentation, "D&ocumentation", None)?,
            &item(app, MenuCommand::Doctor, "&Doctor", None)?,
        ])
        .separator()
        .item(&item(app, MenuCommand::About, "&About Loopwright", None)?)
        .build()
}

fn item<R: Runtime>(
    app: &AppHandle<R>,
    command: MenuCommand,
    text: &str,
    keys: Option<&str>,
) -> tauri::Result<MenuItem<R>> {
    MenuItem::with_id(app, command.id(), text, true, keys)
}

/// Carries out a chosen item, in the window a person works in and in no other.
pub(crate) fn chosen<R: Runtime>(app: &AppHandle<R>, event: MenuEvent) {
    let id = event.id().as_ref();
    if id == QUIT {
        return app.exit(0);
    }
    let Some(window) = windows::current(app) else { return };
    if id == CLOSE_WINDOW {
        // It fails only when the window is closing already.
        let _closing = window.close();
    } else if let Some(step) = zoom::step(id) {
        zoom::change(&window, step);
    } else if let Some(path) = open_recent::path(id) {
        open_project(app, path, window.label());
    } else if let Some(action) = MenuCommand::ALL.iter().copied().find(|command| command.id() == id) {
        tell(&window, action);
    } else {
        edit_menu::chosen(&window, id);
    }
}

/// Opens a recent project; what keeps it from opening is told in the window that was asked.
fn open_project<R: Runtime>(app: &AppHandle<R>, path: PathBuf, from: &str) {
    let (app, from) = (app.clone(), from.to_owned());
    tauri::async_runtime::spawn(async move {
        if let Err(fault) = windows::open_project(&app, &path, Some(&from)).await {
            // It fails only while the window is closing.
            let _closing = OpenFailed { fault }.emit_to(&app, windows::target(&from));
        }
    });
}

fn tell<R: Runtime>(window: &WebviewWindow<R>, action: MenuCommand) {
    // It fails only while the window is closing.
    let _closing = MenuAction { action }.emit_to(window, windows::target(window.label()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_items_id_is_its_name_in_the_event() {
        for command in MenuCommand::ALL {
            assert_eq!(serde_json::to_value(command).unwrap(), command.id());
        }
    }

    #[test]
    fn the_menu_has_the_views_of_the_manifest() {
        let manifest: Vec<serde_json::Value> =
            serde_json::from_str(include_str!("../../ui/src/lib/app/views.json")).unwrap();
        let of_a_project = |view: &&serde_json::Value| {
            let windows = view["windows"].as_array().unwrap();
            view["whole"].is_null() && windows.iter().any(|window| window == "project")
        };
        let expected: Vec<_> = manifest
            .iter()
            .filter(of_a_project)
            .enumerate()
            .map(|(place, view)| {
                let digit = ((place + 1) % 10).to_string();
                let key = view["key"].as_str().unwrap_or(&digit);
                let text = |field: &str| view[field].as_str().unwrap().to_owned();
                (text("action"), text("title"), format!("CmdOrCtrl+{key}"))
            })
            .collect();
        let found: Vec<_> = VIEWS
            .iter()
            .map(|&(command, text, keys)| (command.id().to_owned(), text.replace('&', ""), keys.to_owned()))
            .collect();
        assert_eq!(found, expected);
    }
}
