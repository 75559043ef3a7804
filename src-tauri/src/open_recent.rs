//! The menu of recent projects.

use std::path::{Path, PathBuf};

use loopwright_engine::{Host, ProjectRecord, Registry};
use tauri::menu::{MenuItem, MenuItemKind, Submenu, SubmenuBuilder};
use tauri::{AppHandle, Runtime};

const MENU: &str = "open_recent";
const NONE: &str = "open_recent_none";
/// Before the path in an item's id.
const PREFIX: &str = "recent:";
const MOST: usize = 10;

/// Makes the menu, which is empty until it is brought up to date.
///
/// # Errors
/// The system refuses to make it.
pub(crate) fn build<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<Submenu<R>> {
    let menu = SubmenuBuilder::with_id(app, MENU, "Open &recent").build()?;
    fill(app, &menu, Vec::new())?;
    Ok(menu)
}

/// Brings the menu up to date after a project was opened or taken off the list.
pub(crate) fn refresh<R: Runtime>(app: &AppHandle<R>, host: &Host) {
    let mut kinds = app.menu().and_then(|menu| menu.items().ok()).unwrap_or_default();
    while let Some(kind) = kinds.pop() {
        let MenuItemKind::Submenu(menu) = kind else { continue };
        if menu.id().as_ref() == MENU {
            // A menu that cannot be changed is as old as it was.
            let _old = clear(&menu).and_then(|()| fill(app, &menu, Registry::of(host).recent()));
            return;
        }
        kinds.extend(menu.items().unwrap_or_default());
    }
}

fn clear<R: Runtime>(menu: &Submenu<R>) -> tauri::Result<()> {
    while menu.remove_at(0)?.is_some() {}
    Ok(())
}

fn fill<R: Runtime>(app: &AppHandle<R>, menu: &Submenu<R>, recent: Vec<ProjectRecord>) -> tauri::Result<()> {
    let opened = recent.into_iter().filter(|record| record.last_opened.is_some());
    let mut items = 0;
    for record in opened.take(MOST) {
        let id = format!("{PREFIX}{}", record.path);
        let text = format!("{}  {}", literal(&record.name), literal(&record.path));
        menu.append(&MenuItem::with_id(app, id, text, Path::new(&record.path).is_dir(), None::<&str>)?)?;
        items += 1;
    }
    if items == 0 {
        menu.append(&MenuItem::with_id(app, NONE, "No recent projects", false, None::<&str>)?)?;
    }
    Ok(())
}

/// A menu reads "&" as the mark of a key.
fn literal(text: &str) -> String {
    text.replace('&', "&&")
}

/// The project that an item stands for.
pub(crate) fn path(id: &str) -> Option<PathBuf> {
    id.strip_prefix(PREFIX).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_stands_for_its_project() {
        assert_eq!(path("recent:/home/ada/tea"), Some(PathBuf::from("/home/ada/tea")));
        assert_eq!(path("quit"), None);
        assert_eq!(literal("Q&A"), "Q&&A");
    }
}
