//! Ending the app: its own runs are stopped first, so that no agent is left alone and every run can be resumed.

#[cfg(unix)]
#[path = "signals/unix.rs"]
mod signals;
#[cfg(windows)]
#[path = "signals/windows.rs"]
mod signals;

use tauri::{AppHandle, ExitRequestApi, Manager as _, Runtime};

use crate::background::Background;
use crate::shell::Shell;

/// The app is asked to end, or has lost its last window. It stays for runs that go on in the background, and ends once
/// none of its own runs works any more.
pub(crate) fn exit_requested<R: Runtime>(app: &AppHandle<R>, code: Option<i32>, api: &ExitRequestApi) {
    if code.is_none() && app.try_state::<Background>().is_some_and(|background| background.stays()) {
        return api.prevent_exit();
    }
    let Some(shell) = app.try_state::<Shell>() else { return };
    if !shell.runs().is_working() {
        return;
    }
    api.prevent_exit();
    for window in app.webview_windows().values() {
        // A window that cannot be hidden goes a little later.
        let _still_seen = window.hide();
    }
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let shell = app.state::<Shell>();
        shell.runs().end();
        shell.runs().rest(None).await;
        app.exit(code.unwrap_or(0));
    });
}

/// Ends the app in its own order when the system asks it to: at the end of a session, or by a signal.
pub(crate) fn heed_signals<R: Runtime>(app: &AppHandle<R>) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        if let Some(code) = signals::asked_to_end().await {
            app.exit(code);
        }
    });
}
