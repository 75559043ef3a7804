//! Linux, macOS and the other Unix systems.

use tokio::signal::unix::{SignalKind, signal};

/// Waits until the system asks this process to end, and gives the exit code for it. None when it cannot be heard.
pub(super) async fn asked_to_end() -> Option<i32> {
    let mut terminate = signal(SignalKind::terminate()).ok()?;
    let mut hang_up = signal(SignalKind::hangup()).ok()?;
    let mut interrupt = signal(SignalKind::interrupt()).ok()?;
    tokio::select! {
        _ = terminate.recv() => Some(143),
        _ = hang_up.recv() => Some(143),
        _ = interrupt.recv() => Some(130),
    }
}
