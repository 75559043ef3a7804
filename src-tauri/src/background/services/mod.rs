//! What the desktop offers beside windows: messages to the person, staying awake, a place in the tray.

#[cfg(target_os = "linux")]
#[path = "linux/mod.rs"]
mod system;
#[cfg(not(target_os = "linux"))]
#[path = "other/mod.rs"]
mod system;

use std::path::Path;

#[cfg(target_os = "linux")]
pub use self::system::AppIcon;
pub use self::system::SystemServices;
use super::notification::Notification;
use super::tray_view::TrayView;

/// The desktop's services. A trait, so that tests can look. Every method returns at once and never fails: a desktop
/// that lacks one goes without.
pub trait Services: Send + Sync {
    /// Tells the person something about a project. Choosing it shows the project.
    fn notify(&self, project: &Path, notice: Notification);

    /// Keeps the computer from falling asleep by itself, or no longer. The display may turn off.
    fn keep_awake(&self, awake: bool);

    /// Shows this in the tray, or nothing.
    fn tray(&self, shown: Option<TrayView>);

    /// Whether the desktop shows what is in the tray.
    fn has_tray(&self) -> bool;
}
