//! The desktop's services on macOS and Windows. Messages and staying awake have threads of their own: the one waits
//! for a click, the other belongs to its thread on Windows.

mod tray;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

use notify_rust::NotificationResponse;
use tauri::{AppHandle, Runtime};
use tokio::sync::mpsc::UnboundedSender;

use super::Services;
use crate::background::Chosen;
use crate::background::notification::Notification;
use crate::background::tray_view::TrayView;

const APP_NAME: &str = "Loopwright";
const WHY: &str = "A run is working";

/// What this desktop offers.
pub struct SystemServices {
    /// The app's name for the system.
    identifier: String,
    chosen: UnboundedSender<Chosen>,
    awake: mpsc::Sender<bool>,
    tray: Box<dyn Fn(Option<TrayView>) + Send + Sync>,
}

impl fmt::Debug for SystemServices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SystemServices").field("identifier", &self.identifier).finish_non_exhaustive()
    }
}

impl SystemServices {
    /// Begins for an app.
    #[must_use]
    pub fn of_app<R: Runtime>(app: &AppHandle<R>, chosen: UnboundedSender<Chosen>) -> Self {
        let (awake, wishes) = mpsc::channel();
        thread::spawn(move || stay_awake(&wishes));
        let tray = tray::Tray::new(app, chosen.clone());
        let identifier = app.config().identifier.clone();
        Self { identifier, chosen, awake, tray: Box::new(move |view| tray.show(view)) }
    }
}

impl Services for SystemServices {
    fn notify(&self, project: &Path, notice: Notification) {
        let (identifier, chosen, project) =
            (self.identifier.clone(), self.chosen.clone(), project.to_owned());
        thread::spawn(move || tell(&identifier, &chosen, project, &notice));
    }

    fn keep_awake(&self, awake: bool) {
        // Nobody listens only while the app is ending.
        let _ending = self.awake.send(awake);
    }

    fn tray(&self, shown: Option<TrayView>) {
        (self.tray)(shown);
    }

    fn has_tray(&self) -> bool {
        true
    }
}

/// Shows a message and waits for a click on it. A system that shows none is not asked again.
fn tell(identifier: &str, chosen: &UnboundedSender<Chosen>, project: PathBuf, notice: &Notification) {
    let mut message = notify_rust::Notification::new();
    message.summary(&notice.title).body(&notice.body);
    #[cfg(windows)]
    message.app_id(identifier);
    #[cfg(target_os = "macos")]
    // It is set once; every later try is refused.
    let _set = notify_rust::set_application(identifier);
    let Ok(shown) = message.show() else { return };
    let _closed = shown.wait_for_response(|response: &NotificationResponse| {
        if matches!(response, NotificationResponse::Default | NotificationResponse::Action(_)) {
            // Nobody listens only while the app is ending.
            let _ending = chosen.send(Chosen::Open(project.clone()));
        }
    });
}

/// Holds or releases as it is told, until the app ends.
fn stay_awake(wishes: &mpsc::Receiver<bool>) {
    let mut held = None;
    for awake in wishes {
        match awake {
            true if held.is_none() => {
                let mut wish = keepawake::Builder::default();
                held = wish.idle(true).reason(WHY).app_name(APP_NAME).create().ok();
            }
            true => {}
            false => held = None,
        }
    }
}
