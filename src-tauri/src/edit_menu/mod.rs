//! The Edit menu: the system's own items where they work, WebKit's editing commands where they do not.

#[cfg(target_os = "linux")]
#[path = "linux.rs"]
mod system;
#[cfg(not(target_os = "linux"))]
#[path = "other.rs"]
mod system;

pub(crate) use self::system::{build, chosen};
