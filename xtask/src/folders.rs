//! The user's folders.

use std::env;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};

/// Where helpers that are built once are kept between runs.
pub(crate) fn cache() -> Outcome<PathBuf> {
    let base = if cfg!(windows) { absolute("LOCALAPPDATA") } else { xdg("XDG_CACHE_HOME", ".cache") };
    named(base.map(|base| base.join("loopwright")), "XDG_CACHE_HOME")
}

/// Where Loopwright keeps what belongs to the user and to no project: the same folder as the app's.
pub(crate) fn data() -> Outcome<PathBuf> {
    let standard = || {
        if cfg!(windows) {
            return absolute("APPDATA").map(|base| base.join("Loopwright").join("loopwright").join("data"));
        }
        xdg("XDG_DATA_HOME", ".local/share").map(|base| base.join("loopwright"))
    };
    named(absolute("LOOPWRIGHT_DATA_DIR").or_else(standard), "LOOPWRIGHT_DATA_DIR")
}

fn xdg(variable: &str, below_home: &str) -> Option<PathBuf> {
    absolute(variable).or_else(|| absolute("HOME").map(|home| home.join(below_home)))
}

fn absolute(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|path| Path::is_absolute(path))
}

fn named(folder: Option<PathBuf>, variable: &str) -> Outcome<PathBuf> {
    folder.ok_or_else(|| {
        Failure::new(format!("The home folder is not known. Set HOME, or set {variable} to a folder."))
    })
}
