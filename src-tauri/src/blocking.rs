//! Waiting for what blocks: a person, the system, a lock.

use std::sync::{Mutex, MutexGuard, PoisonError};

use loopwright_domain::{ErrorCode, Fault};

/// Runs something that waits for a person or the system without holding up other commands.
pub(crate) async fn waiting<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Fault> {
    tauri::async_runtime::spawn_blocking(work)
        .await
        .map_err(|error| Fault::caused(ErrorCode::Internal, "a background task failed", &error))
}

/// A thread that panicked while holding one of these locks left nothing half done.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
