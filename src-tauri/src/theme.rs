//! The theme of the windows themselves. It is set before the page loads, so that a dark window never flashes light.

use loopwright_engine::Host;
use loopwright_engine::config::{self, Config, Key, key};
use tauri::window::Color;
use tauri::{AppHandle, Manager as _, Runtime, Theme, WebviewWindow, Window};

/// The setting that chooses the theme.
pub(crate) const KEY: Key<config::Theme> = key::UI_THEME;

/// What the UI paints behind everything (`--window` in its tokens).
const LIGHT: Color = Color(0xf3, 0xf5, 0xf4, 0xff);
const DARK: Color = Color(0x12, 0x17, 0x16, 0xff);

/// The chosen theme; none follows the system.
pub(crate) fn chosen(host: &Host) -> Option<Theme> {
    match Config::load(host, None).value(KEY) {
        config::Theme::Light => Some(Theme::Light),
        config::Theme::Dark => Some(Theme::Dark),
        config::Theme::System => None,
    }
}

fn background(theme: Theme) -> Color {
    if theme == Theme::Dark { DARK } else { LIGHT }
}

/// Gives a window the colours of a theme: its own background shows before the page does, and behind the menu bar.
///
/// # Errors
/// The window is closing.
pub(crate) fn paint<R: Runtime>(window: &WebviewWindow<R>, chosen: Option<Theme>) -> tauri::Result<()> {
    window.set_theme(chosen)?;
    let shown = chosen.map_or_else(|| window.theme(), Ok)?;
    window.set_background_color(Some(background(shown)))
}

/// The choice by the name the UI knows.
pub(crate) fn name(chosen: Option<Theme>) -> &'static str {
    match chosen {
        Some(Theme::Dark) => "dark",
        Some(_) => "light",
        None => "system",
    }
}

/// Follows the system's theme with the window's own background.
pub(crate) fn follow<R: Runtime>(window: &Window<R>, shown: Theme) {
    // A window that is just closing needs no colour.
    let _closing = window.set_background_color(Some(background(shown)));
}

/// Gives all windows the chosen theme.
pub(crate) fn apply<R: Runtime>(app: &AppHandle<R>, host: &Host) {
    let chosen = chosen(host);
    for window in app.webview_windows().values() {
        // A window that is just closing needs no theme.
        let _closing = paint(window, chosen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_choice_decides_and_anything_else_follows_the_system() {
        let folder = tempfile::tempdir().unwrap();
        let host = Host::in_folder(folder.path(), std::ffi::OsString::new());
        assert_eq!(chosen(&host), None);
        std::fs::create_dir_all(&host.config_dir).unwrap();
        for (text, theme, shown) in [
            ("dark", Some(Theme::Dark), "dark"),
            ("light", Some(Theme::Light), "light"),
            ("pink", None, "system"),
        ] {
            std::fs::write(host.user_config_file(), format!("[ui]\ntheme = \"{text}\"\n")).unwrap();
            assert_eq!(chosen(&host), theme);
            assert_eq!(name(theme), shown);
        }
        assert_ne!(background(Theme::Dark), background(Theme::Light));
    }
}
