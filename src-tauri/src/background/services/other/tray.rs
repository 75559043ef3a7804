//! A place in the menu bar or the notification area.

use std::sync::{Arc, Mutex, PoisonError};

use tauri::menu::{Menu, MenuItem, PredefinedMenuItem, Submenu};
use tauri::tray::TrayIconBuilder;
use tauri::{AppHandle, Runtime};
use tokio::sync::mpsc::UnboundedSender;

use crate::background::Chosen;
use crate::background::tray_view::{QUIT, TrayView};

const ID: &str = "loopwright";
/// What the ids of this menu's entries begin with; the rest is their place in the list of choices.
const ENTRY: &str = "tray-";

/// The tray of an app.
pub(super) struct Tray<R: Runtime> {
    app: AppHandle<R>,
    chosen: UnboundedSender<Chosen>,
    choices: Arc<Mutex<Vec<Chosen>>>,
    shown: Mutex<Option<TrayView>>,
}

impl<R: Runtime> Tray<R> {
    pub(super) fn new(app: &AppHandle<R>, chosen: UnboundedSender<Chosen>) -> Self {
        Self { app: app.clone(), chosen, choices: Arc::default(), shown: Mutex::default() }
    }

    /// Shows this, or nothing. What the system refuses is not shown.
    pub(super) fn show(&self, view: Option<TrayView>) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if *shown == view {
            return;
        }
        shown.clone_from(&view);
        let (app, chosen, choices) = (self.app.clone(), self.chosen.clone(), Arc::clone(&self.choices));
        let _refused = self.app.run_on_main_thread(move || {
            let _refused = match view {
                Some(view) => put(&app, &view, chosen, choices),
                None => {
                    drop(app.remove_tray_by_id(ID));
                    Ok(())
                }
            };
        });
    }
}

fn put<R: Runtime>(
    app: &AppHandle<R>,
    view: &TrayView,
    chosen: UnboundedSender<Chosen>,
    choices: Arc<Mutex<Vec<Chosen>>>,
) -> tauri::Result<()> {
    let (menu, listed) = menu(app, view)?;
    *choices.lock().unwrap_or_else(PoisonError::into_inner) = listed;
    if let Some(tray) = app.tray_by_id(ID) {
        tray.set_menu(Some(menu))?;
        tray.set_title(badge(view))?;
        return tray.set_tooltip(Some(view.tooltip()));
    }
    let mut builder = TrayIconBuilder::with_id(ID).tooltip(view.tooltip()).menu(&menu);
    if let Some(badge) = badge(view) {
        builder = builder.title(badge);
    }
    if let Some(icon) = app.default_window_icon() {
        builder = builder.icon(icon.clone());
    }
    let tray = builder.on_menu_event(move |_, event| {
        let place = event.id().as_ref().strip_prefix(ENTRY).and_then(|place| place.parse::<usize>().ok());
        let choices = choices.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(choice) = place.and_then(|place| choices.get(place)) {
            // Nobody listens only while the app is ending.
            let _ending = chosen.send(choice.clone());
        }
    });
    tray.build(app).map(drop)
}

/// How many gates wait, beside the icon where the system has room for it.
fn badge(view: &TrayView) -> Option<String> {
    let gates = view.gates();
    (gates > 0).then(|| gates.to_string())
}

/// The menu, and what each of its entries means.
fn menu<R: Runtime>(app: &AppHandle<R>, view: &TrayView) -> tauri::Result<(Menu<R>, Vec<Chosen>)> {
    let (menu, mut choices) = (Menu::new(app)?, Vec::new());
    for project in &view.projects {
        // In a menu this sign marks the letter of a shortcut, and two are one.
        let submenu = Submenu::new(app, project.heading().replace('&', "&&"), true)?;
        for it in project.entries() {
            submenu.append(&entry(app, &it.text, it.enabled, it.chosen, &mut choices)?)?;
        }
        menu.append(&submenu)?;
    }
    menu.append(&PredefinedMenuItem::separator(app)?)?;
    menu.append(&entry(app, QUIT, true, Chosen::Quit, &mut choices)?)?;
    Ok((menu, choices))
}

fn entry<R: Runtime>(
    app: &AppHandle<R>,
    text: &str,
    enabled: bool,
    chosen: Chosen,
    choices: &mut Vec<Chosen>,
) -> tauri::Result<MenuItem<R>> {
    let item = MenuItem::with_id(app, format!("{ENTRY}{}", choices.len()), text, enabled, None::<&str>)?;
    choices.push(chosen);
    Ok(item)
}
