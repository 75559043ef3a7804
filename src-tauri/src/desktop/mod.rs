//! What the shell asks of the person and of the system around it. A trait, so that tests can answer.

pub(crate) mod document;
pub(crate) mod link;
mod system;

#[cfg(target_os = "linux")]
#[path = "linux.rs"]
mod dialogs;
#[cfg(not(target_os = "linux"))]
#[path = "other.rs"]
mod dialogs;

use std::path::{Path, PathBuf};

use loopwright_domain::{Fault, RunId};
use loopwright_engine::Host;

pub use self::system::SystemDesktop;

/// A question with "yes" and "Cancel" for answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The question itself.
    pub title: String,
    /// What the person has to know to answer.
    pub text: String,
    /// What is written on the button that agrees.
    pub yes: String,
}

/// A question with two answers besides "Cancel".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The question itself.
    pub title: String,
    /// What the person has to know to answer.
    pub text: String,
    /// What is written on the buttons; the first is the one to suggest.
    pub answers: [String; 2],
}

/// The person and the system. Every method may block, and is not called on the main thread.
pub trait Desktop: Send + Sync {
    /// Asks in a native dialog over a window. Anything but a clear yes is a no.
    fn confirm(&self, window: &str, question: &Question) -> bool;

    /// Asks in a native dialog over a window, and gives the place of the answer; none when it was left unanswered.
    fn choose(&self, window: &str, choice: &Choice) -> Option<usize>;

    /// Lets the person choose a folder in a native dialog over a window; none when it was closed.
    fn choose_folder(&self, window: &str, title: &str) -> Option<PathBuf>;

    /// Lets the person choose files in a native dialog over a window; none when it was closed.
    fn choose_files(&self, window: &str, title: &str) -> Vec<PathBuf>;

    /// Lets the person name a file to be written in a native dialog over a window, `name` suggested; none when it was
    /// closed. What is there already is asked about by the dialog.
    fn choose_new_file(&self, window: &str, title: &str, name: &str) -> Option<PathBuf>;

    /// Shows a folder in the file manager. The host tells whose programs may be started for it.
    ///
    /// # Errors
    /// There is no file manager.
    fn reveal(&self, host: &Host, folder: &Path) -> Result<(), Fault>;

    /// Opens a file in whatever the desktop takes for it. Only for files that are then shown and never run.
    ///
    /// # Errors
    /// There is no program for it.
    fn open_file(&self, host: &Host, file: &Path) -> Result<(), Fault>;

    /// Opens a web page in the browser.
    ///
    /// # Errors
    /// There is no browser.
    fn open_link(&self, host: &Host, url: &str) -> Result<(), Fault>;

    /// The version of the CLI that ships with the app; none when it is not there.
    fn cli_version(&self) -> Option<String>;

    /// Lets the CLI that ships with the app go on with a run, in the background and without this app. Gives the
    /// process that works on it from now on.
    ///
    /// # Errors
    /// The CLI is not there, or the run does not begin there.
    fn keep_running(&self, host: &Host, root: &Path, run: RunId) -> Result<u32, Fault>;
}
