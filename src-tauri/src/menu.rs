//! The native menus. What the UI can do is handed to the window a person works in; the rest is done here.

use tauri::menu::{Menu, MenuBuilder, MenuEvent, MenuItem, Submenu, SubmenuBuilder};
use tauri::{AppHandle, Runtime, WebviewWindow};
use tauri_specta::Event as _;

use crate::dto::{MenuAction, MenuCommand};
use crate::{edit_menu, windows};

const CLOSE_WINDOW: &str = "close_window";
const QUIT: &str = "quit";

impl MenuCommand {
    /// Every item that the UI carries out.
    const ALL: &[Self] = &[
        Self::NewProject,
        Self::OpenFolder,
        Self::OpenSample,
        Self::ViewOverview,
        Self::ViewWaves,
        Self::ViewTasks,
        Self::ViewIterations,
        Self::ViewReview,
        Self::ViewChecks,
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
        Self::Doctor,
    ];

    /// The item's id, which is also its name in the event.
    const fn id(self) -> &'static str {
        match self {
            Self::NewProject => "new_project",
            Self::OpenFolder => "open_folder",
            Self::OpenSample => "open_sample",
            Self::ViewOverview => "view_overview",
            Self::ViewWaves => "view_waves",
            Self::ViewTasks => "view_tasks",
            Self::ViewIterations => "view_iterations",
            Self::ViewReview => "view_review",
            Self::ViewChecks => "view_checks",
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
            Self::Doctor => "doctor",
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
            &entry(MenuCommand::OpenFolder, "&Open folder…", Some("CmdOrCtrl+O"))?,
            &entry(MenuCommand::OpenSample, "&Try the sample", None)?,
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
    SubmenuBuilder::new(app, "&View")
        .items(&[
            &entry(MenuCommand::ViewOverview, "&Overview", Some("CmdOrCtrl+1"))?,
            &entry(MenuCommand::ViewWaves, "&Waves", Some("CmdOrCtrl+2"))?,
            &entry(MenuCommand::ViewTasks, "T&asks", Some("CmdOrCtrl+3"))?,
            &entry(MenuCommand::ViewIterations, "&Iterations", Some("CmdOrCtrl+4"))?,
            &entry(MenuCommand::ViewReview, "&Review", Some("CmdOrCtrl+5"))?,
            &entry(MenuCommand::ViewChecks, "C&hecks", Some("CmdOrCtrl+6"))?,
            &entry(MenuCommand::ViewSettings, "&Settings", Some("CmdOrCtrl+,"))?,
            &entry(MenuCommand::Palette, "&Command palette", Some("CmdOrCtrl+K"))?,
        ])
        .separator()
        .item(&theme)
        .build()
}

fn run<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<Submenu<R>> {
    let entry = |command, text| item(app, command, text, None);
    SubmenuBuilder::new(app, "&Run")
        .item(&entry(MenuCommand::StartRun, "&Start…")?)
        .separator()
        .items(&[
            &entry(MenuCommand::PauseRun, "&Pause")?,
            &entry(MenuCommand::PauseAfterIteration, "Pause &after this iteration")?,
            &entry(MenuCommand::ResumeRun, "&Resume")?,
        ])
        .separator()
        .item(&entry(MenuCommand::CancelRun, "&Cancel…")?)
        .build()
}

fn help<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<Submenu<R>> {
    SubmenuBuilder::new(app, "&Help")
        .items(&[
            &item(app, MenuCommand::Shortcuts, "&Keyboard shortcuts", Some("CmdOrCtrl+/"))?,
            &item(app, MenuCommand::Doctor, "&Doctor", None)?,
        ])
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
    } else if let Some(action) = MenuCommand::ALL.iter().copied().find(|command| command.id() == id) {
        tell(&window, action);
    } else {
        edit_menu::chosen(&window, id);
    }
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
}
