//! What the build put into the app.

/// The app's configuration, embedded UI and permissions.
#[must_use]
pub fn context<R: tauri::Runtime>() -> tauri::Context<R> {
    tauri::generate_context!()
}
