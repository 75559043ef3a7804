//! A folder of settings for one call.

use std::path::PathBuf;

use serde_json::Value;

/// A folder to make before an agent starts, for a CLI that reads settings only from its home folder: all that is in the
/// user's own folder is linked into it, and one file of settings says more than the user's. The user's own stays as it
/// is; what the agent makes anew is gone with the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HomeOverlay {
    /// The user's own folder. It may be missing.
    pub source: PathBuf,
    /// The folder to make, in the request's folder for short-lived files.
    pub target: PathBuf,
    /// Entries that are not linked: what the CLI remembers of earlier talks.
    pub excluded: &'static [&'static str],
    /// Files that are copied, so that what the CLI adds to them for later talks is gone with the folder.
    pub copied: &'static [&'static str],
    /// The file of settings, as JSON.
    pub settings_file: &'static str,
    /// What is laid over the user's settings, object by object.
    pub settings: Value,
}
