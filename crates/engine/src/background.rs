//! Work that waits for the disk, away from everything that must not wait.

use loopwright_domain::{ErrorCode, Fault};

/// Does something without holding up anything else. Needs a Tokio runtime.
///
/// # Errors
/// The runtime ends meanwhile.
pub(crate) async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Fault> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| Fault::caused(ErrorCode::Internal, "a background task failed", &error))
}
