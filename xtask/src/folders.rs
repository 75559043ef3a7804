//! The user's folders, by each system's own rule.

use std::env;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};

/// Where downloaded or built helpers are kept between runs.
pub(crate) fn cache() -> Outcome<PathBuf> {
    folder("XDG_CACHE_HOME", &[".cache"], &["Library", "Caches"])
}

/// Where the sample project lives.
pub(crate) fn data() -> Outcome<PathBuf> {
    folder("XDG_DATA_HOME", &[".local", "share"], &["Library", "Application Support"])
}

fn folder(variable: &str, unix: &[&str], mac: &[&str]) -> Outcome<PathBuf> {
    if let Some(named) = absolute(variable) {
        return Ok(named.join("loopwright"));
    }
    let base = if cfg!(windows) {
        absolute("LOCALAPPDATA")
    } else {
        let below = if cfg!(target_os = "macos") { mac } else { unix };
        absolute("HOME").map(|home| below.iter().fold(home, |path, part| path.join(part)))
    };
    base.map(|base| base.join("loopwright"))
        .ok_or_else(|| Failure::new(format!("No home folder is set. Set HOME or {variable} and try again.")))
}

fn absolute(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|path| Path::is_absolute(path))
}
