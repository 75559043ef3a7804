//! The desktop's services over D-Bus. Each has a task of its own that waits for its bus, so that a service which
//! hangs holds up nothing else.

mod awake;
mod notifications;
mod tray;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tauri::{AppHandle, Runtime};
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::sync::watch;

use super::Services;
use crate::background::Chosen;
use crate::background::notification::Notification;
use crate::background::tray_view::TrayView;

/// How long a service may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// The app's icon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppIcon {
    /// How many pixels a row has.
    pub width: u32,
    /// How many rows there are.
    pub height: u32,
    /// Red, green, blue and alpha of each pixel, row by row.
    pub rgba: Vec<u8>,
}

/// What this desktop offers.
#[derive(Debug)]
pub struct SystemServices {
    notices: UnboundedSender<(PathBuf, Notification)>,
    awake: watch::Sender<bool>,
    tray: watch::Sender<Option<TrayView>>,
    tray_is_shown: Arc<AtomicBool>,
}

impl SystemServices {
    /// Begins for an app.
    #[must_use]
    pub fn of_app<R: Runtime>(app: &AppHandle<R>, chosen: UnboundedSender<Chosen>) -> Self {
        let icon = app.default_window_icon().map(|icon| AppIcon {
            width: icon.width(),
            height: icon.height(),
            rgba: icon.rgba().to_vec(),
        });
        Self::new(icon, chosen)
    }

    /// Begins. No bus is asked before there is something to ask for.
    #[must_use]
    pub fn new(icon: Option<AppIcon>, chosen: UnboundedSender<Chosen>) -> Self {
        let (notices, told) = mpsc::unbounded_channel();
        let (awake, wish) = watch::channel(false);
        let (tray, view) = watch::channel(None);
        let tray_is_shown = Arc::new(AtomicBool::new(false));
        tauri::async_runtime::spawn(notifications::work(told, chosen.clone()));
        tauri::async_runtime::spawn(awake::work(wish));
        let item = tray::Item::new(icon, chosen, Arc::clone(&tray_is_shown));
        tauri::async_runtime::spawn(tray::work(view, item));
        Self { notices, awake, tray, tray_is_shown }
    }
}

impl Services for SystemServices {
    fn notify(&self, project: &Path, notice: Notification) {
        // Nobody listens only while the app is ending.
        let _ending = self.notices.send((project.to_owned(), notice));
    }

    fn keep_awake(&self, awake: bool) {
        self.awake.send_if_modified(|now| std::mem::replace(now, awake) != awake);
    }

    fn tray(&self, shown: Option<TrayView>) {
        self.tray.send_if_modified(|now| {
            let changed = *now != shown;
            *now = shown;
            changed
        });
    }

    fn has_tray(&self) -> bool {
        self.tray_is_shown.load(Ordering::Relaxed)
    }
}

/// Text as the desktop's small markup language shows it: nothing in it is a tag or a link.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '"' => shown.push_str("&quot;"),
            '\'' => shown.push_str("&#39;"),
            letter => shown.push(letter),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, proptest};

    use super::*;

    proptest! {
        #[test]
        fn no_text_becomes_markup(text in any::<String>()) {
            let shown = escaped(&text);
            assert!(!shown.contains(['<', '>', '"', '\'']), "{shown}");
            let plain = shown.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
            assert_eq!(plain.replace("&#39;", "'").replace("&amp;", "&"), text);
        }
    }
}
