//! Windows. Built and tested by the workflow of the three systems, not on the developers' Linux machines.

use tokio::signal::windows::{ctrl_c, ctrl_close, ctrl_shutdown};

/// Waits until the system asks this process to end, and gives the exit code for it. None when it cannot be heard.
pub(super) async fn asked_to_end() -> Option<i32> {
    let mut interrupt = ctrl_c().ok()?;
    let mut close = ctrl_close().ok()?;
    let mut shut_down = ctrl_shutdown().ok()?;
    tokio::select! {
        _ = interrupt.recv() => Some(130),
        _ = close.recv() => Some(143),
        _ = shut_down.recv() => Some(143),
    }
}
