//! The signal file: how an agent says that it is done, blocked, or learned something. It is bound to its iteration
//! by a nonce, and nothing in it can open a gate.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use loopwright_domain::signal::{Word, words_in};
use loopwright_domain::{Claim, ErrorCode, Fault, LearningCategory};
use serde::{Deserialize, Serialize};

use crate::layout::PROJECT_DIR;
use crate::text_file::io_fault;

/// A signal file larger than this is refused unread.
const LIMIT: u64 = 64 * 1024;

/// Where the signal file of a project is.
pub(crate) fn signal_file(root: &Path) -> PathBuf {
    root.join(PROJECT_DIR).join("run").join("signal.json")
}

/// One thing an agent says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Signal {
    /// The work is done.
    Complete {
        /// What was done.
        #[serde(default)]
        summary: String,
    },
    /// The work cannot go on without help.
    Blocked {
        /// Why.
        reason: String,
    },
    /// Something worth remembering.
    Learning {
        /// What it is about: build, test, setup, gotcha, pattern, tool or other.
        #[serde(default)]
        category: String,
        /// What was learned.
        description: String,
    },
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Content {
    nonce: String,
    signals: Vec<Signal>,
}

/// What an iteration's signal file says. Blocked wins over complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) signals: Vec<Signal>,
    /// Why the file was not believed.
    pub(crate) problem: Option<String>,
}

impl Said {
    /// Adds what an agent says in its own text.
    pub(crate) fn with_words(mut self, text: &str) -> Self {
        self.signals.extend(words_in(text).map(|word| match word {
            Word::Complete(summary) => Signal::Complete { summary: summary.to_owned() },
            Word::Blocked(reason) => Signal::Blocked { reason: reason.to_owned() },
            Word::Learning(category, text) => {
                Signal::Learning { category: category.to_string(), description: text.to_owned() }
            }
        }));
        self
    }

    /// What the agent learned, once each.
    pub(crate) fn learnings(&self) -> impl Iterator<Item = (LearningCategory, &str)> {
        let all = self.signals.iter().enumerate();
        all.filter(|(place, signal)| !self.signals[..*place].contains(signal)).filter_map(|(_, signal)| {
            match signal {
                Signal::Learning { category, description } if !description.trim().is_empty() => {
                    Some((LearningCategory::named(category), description.trim()))
                }
                _ => None,
            }
        })
    }

    pub(crate) fn claim(&self) -> Option<(Claim, String)> {
        let blocked = self.signals.iter().find_map(|signal| match signal {
            Signal::Blocked { reason } => Some((Claim::Blocked, reason.clone())),
            _ => None,
        });
        let complete = || {
            self.signals.iter().find_map(|signal| match signal {
                Signal::Complete { summary } => Some((Claim::Signal, summary.clone())),
                _ => None,
            })
        };
        blocked.or_else(complete)
    }
}

/// Takes away what an earlier iteration left, and makes the folder. Links are removed, never followed.
pub(crate) fn clear(path: &Path) -> Result<(), Fault> {
    let attempt = || -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        match fs::symlink_metadata(path) {
            Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
            Ok(_) => fs::remove_file(path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    };
    attempt().map_err(|error| io_fault("clear", path, &error))
}

/// Reads what an iteration's agent left. A file that is not a small regular file with the iteration's own nonce
/// says nothing, and the reason is told.
pub(crate) fn read(path: &Path, nonce: &str) -> Said {
    let disbelieved =
        |problem: &str| Said { signals: Vec::new(), problem: Some(format!("the signal file {problem}")) };
    let bytes = match read_regular(path) {
        Ok(None) => return Said::default(),
        Ok(Some(bytes)) => bytes,
        Err(problem) => return disbelieved(&problem),
    };
    let Ok(content) = serde_json::from_slice::<Content>(&bytes) else {
        return disbelieved("is not what \"loopwright signal\" writes");
    };
    if content.nonce != nonce {
        return disbelieved("belongs to another iteration");
    }
    Said { signals: content.signals, problem: None }
}

fn read_regular(path: &Path) -> Result<Option<Vec<u8>>, String> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("cannot be read: {error}")),
    };
    if !metadata.file_type().is_file() {
        return Err("is not a regular file".into());
    }
    if metadata.len() > LIMIT {
        return Err(format!("is larger than {LIMIT} bytes"));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| format!("cannot be read: {error}"))?;
    file.take(LIMIT).read_to_end(&mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
    Ok(Some(bytes))
}

/// Adds a signal to the file an agent was told about: what `loopwright signal` does.
///
/// # Errors
/// The file holds something else, or cannot be written.
pub fn send(path: &Path, nonce: &str, signal: Signal) -> Result<(), Fault> {
    let broken = |problem: String| {
        Fault::new(ErrorCode::UsageInvalid, format!("the signal file {problem}"))
            .hint("Delete it and try again.")
    };
    let mut content = match read_regular(path).map_err(broken)? {
        None => Content::default(),
        Some(bytes) => serde_json::from_slice(&bytes).unwrap_or_default(),
    };
    if content.nonce != nonce {
        content = Content { nonce: nonce.to_owned(), signals: Vec::new() };
    }
    content.signals.push(signal);
    let text = serde_json::to_string_pretty(&content)
        .map_err(|error| Fault::new(ErrorCode::Internal, error.to_string()))?;
    let attempt = || -> io::Result<()> {
        let folder = path.parent().unwrap_or_else(|| Path::new("."));
        fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    attempt().map_err(|error| io_fault("write", path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = signal_file(folder.path());
        (folder, path)
    }

    #[test]
    fn signals_add_up_and_blocked_wins() {
        let (_folder, path) = file();
        let learning = Signal::Learning { category: "test".into(), description: "run it twice".into() };
        send(&path, "n1", learning.clone()).unwrap();
        send(&path, "n1", Signal::Complete { summary: "done".into() }).unwrap();
        assert_eq!(read(&path, "n1").claim(), Some((Claim::Signal, "done".into())));
        send(&path, "n1", Signal::Blocked { reason: "no key".into() }).unwrap();
        let said = read(&path, "n1");
        assert_eq!(said.claim(), Some((Claim::Blocked, "no key".into())));
        assert_eq!(said.signals[0], learning);
    }

    #[test]
    fn a_signal_of_another_iteration_says_nothing() {
        let (_folder, path) = file();
        send(&path, "old", Signal::Complete { summary: String::new() }).unwrap();
        let said = read(&path, "new");
        assert_eq!(said.claim(), None);
        assert!(said.problem.unwrap().contains("another iteration"));
        clear(&path).unwrap();
        assert_eq!(read(&path, "new"), Said::default());
    }

    #[test]
    fn garbage_and_large_files_are_not_believed() {
        let (_folder, path) = file();
        clear(&path).unwrap();
        for bytes in [&b"{"[..], b"", b"\xff\xfe{\x00", b"[]", b"{\"nonce\":\"n\",\"approved\":true}"] {
            fs::write(&path, bytes).unwrap();
            assert!(read(&path, "n").problem.is_some(), "{bytes:?}");
        }
        fs::write(&path, vec![b' '; 70_000]).unwrap();
        assert!(read(&path, "n").problem.unwrap().contains("larger"));
    }

    #[cfg(unix)]
    #[test]
    fn links_folders_and_pipes_are_neither_followed_nor_waited_for() {
        let (folder, path) = file();
        clear(&path).unwrap();
        let secret = folder.path().join("secret");
        fs::write(&secret, "{\"nonce\":\"n\",\"signals\":[{\"type\":\"complete\"}]}").unwrap();
        std::os::unix::fs::symlink(&secret, &path).unwrap();
        assert!(read(&path, "n").problem.unwrap().contains("not a regular file"));
        clear(&path).unwrap();
        assert!(secret.exists(), "the link was removed, not what it points to");
        fs::create_dir(&path).unwrap();
        assert!(read(&path, "n").problem.is_some());
        clear(&path).unwrap();
    }
}
