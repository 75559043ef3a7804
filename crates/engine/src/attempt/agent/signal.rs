//! The signal file: how an agent says that it is done, blocked, or learned something. It is bound to its iteration
//! by a nonce, and nothing in it can open a gate.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use loopwright_config::PROJECT_DIR;
use loopwright_config::text_file::io_fault;
use loopwright_domain::json::replace_lone_surrogates;
use loopwright_domain::promise::learnings;
use loopwright_domain::{Claim, ErrorCode, Fault, LearningCategory};
use serde::{Deserialize, Serialize};

use loopwright_checks::text::cut_end;

/// A signal file larger than this is refused unread.
const LIMIT: u64 = 64 * 1024;
/// Learnings fill no more than this: a word about the end of the work always has room.
const ROOM_FOR_LEARNINGS: usize = 32 * 1024;
/// How many characters each text keeps.
const TEXT_LIMIT: usize = 2000;
/// As many things as can be named as satisfying the work already.
const MOST_NAMED: usize = 20;

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
        /// Where nothing had to be changed: what satisfies the work already, as paths and as `check:NAME`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        satisfied_by: Vec<String>,
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
        /// The same in a few words.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        title: String,
        /// When it applies.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        when: String,
    },
}

impl Signal {
    /// The same with its texts short enough to be kept.
    fn bounded(self) -> Self {
        let cut = |text: String| cut_end(&text, TEXT_LIMIT);
        match self {
            Self::Complete { summary, satisfied_by } => Self::Complete {
                summary: cut(summary),
                satisfied_by: satisfied_by.into_iter().take(MOST_NAMED).map(cut).collect(),
            },
            Self::Blocked { reason } => Self::Blocked { reason: cut(reason) },
            Self::Learning { category, description, title, when } => Self::Learning {
                category: cut(category),
                description: cut(description),
                title: cut(title),
                when: cut(when),
            },
        }
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Content {
    nonce: String,
    signals: Vec<Signal>,
}

impl Content {
    /// Adds a signal. A later word about the end replaces an earlier one of its kind; a learning counts once.
    fn add(&mut self, signal: Signal) {
        self.signals.retain(|earlier| match (earlier, &signal) {
            (Signal::Complete { .. }, Signal::Complete { .. })
            | (Signal::Blocked { .. }, Signal::Blocked { .. }) => false,
            _ => *earlier != signal,
        });
        self.signals.push(signal);
    }
}

/// Something an agent learned, in its own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LearnedCard<'a> {
    pub(crate) category: LearningCategory,
    pub(crate) title: &'a str,
    pub(crate) when: &'a str,
    pub(crate) text: &'a str,
}

/// What an iteration's signal file says. Blocked wins over complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SignalReport {
    pub(crate) signals: Vec<Signal>,
    /// Why the file was not believed.
    pub(crate) problem: Option<String>,
}

impl SignalReport {
    /// Adds what an agent says it learned in its own text.
    pub(crate) fn with_learnings(mut self, text: &str) -> Self {
        let learned = learnings(text).into_iter();
        self.signals.extend(learned.map(|(category, description)| Signal::Learning {
            category: category.to_string(),
            description,
            title: String::new(),
            when: String::new(),
        }));
        self
    }

    /// What the agent learned, once each.
    pub(crate) fn learnings(&self) -> impl Iterator<Item = LearnedCard<'_>> {
        let all = self.signals.iter().enumerate();
        all.filter(|(place, signal)| !self.signals[..*place].contains(signal)).filter_map(|(_, signal)| {
            match signal {
                Signal::Learning { category, description, title, when } if !description.trim().is_empty() => {
                    Some(LearnedCard {
                        category: LearningCategory::named(category),
                        title: title.trim(),
                        when: when.trim(),
                        text: description.trim(),
                    })
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
                Signal::Complete { summary, .. } => Some((Claim::Signal, summary.clone())),
                _ => None,
            })
        };
        blocked.or_else(complete)
    }

    /// What the agent names as satisfying the work already.
    pub(crate) fn satisfied_by(&self) -> &[String] {
        let named = self.signals.iter().find_map(|signal| match signal {
            Signal::Complete { satisfied_by, .. } => Some(satisfied_by.as_slice()),
            _ => None,
        });
        named.unwrap_or_default()
    }
}

/// Takes away what an earlier iteration left, and makes the folder. Links are removed, never followed.
pub(crate) fn clear(path: &Path) -> Result<(), Fault> {
    let attempt = || -> io::Result<()> {
        fs::create_dir_all(folder_of(path))?;
        let _none = fs::remove_file(lock_file(path));
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
pub(crate) fn read(path: &Path, nonce: &str) -> SignalReport {
    let disbelieved = |problem: &str| SignalReport {
        signals: Vec::new(),
        problem: Some(format!("the signal file {problem}")),
    };
    let bytes = match read_regular(path) {
        Ok(None) => return SignalReport::default(),
        Ok(Some(bytes)) => bytes,
        Err(problem) => return disbelieved(&problem),
    };
    let Some(content) = parse(&bytes) else {
        return disbelieved("is not what \"loopwright signal\" writes");
    };
    if content.nonce != nonce {
        return disbelieved("belongs to another iteration");
    }
    SignalReport { signals: content.signals, problem: None }
}

/// What a signal file holds. A text that was cut in the middle of a character counts with the rest of it.
fn parse(bytes: &[u8]) -> Option<Content> {
    serde_json::from_str(&replace_lone_surrogates(&String::from_utf8_lossy(bytes))).ok()
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

/// Adds a signal to the file an agent was told about: what `loopwright signal` and `loopwright mcp` do. Several may do
/// so at once; each waits for its turn. Long texts are cut.
///
/// # Errors
/// The file holds something else or too many learnings, or cannot be written.
pub(crate) fn send(path: &Path, nonce: &str, signal: Signal) -> Result<(), Fault> {
    let invalid = |problem: &str, hint: &str| {
        Fault::new(ErrorCode::UsageInvalid, format!("the signal file {problem}")).hint(hint)
    };
    let _turn = turn(path).map_err(|error| io_fault("write", path, &error))?;
    let found = read_regular(path).map_err(|problem| invalid(&problem, "Delete it and try again."))?;
    let mut content = found.and_then(|bytes| parse(&bytes)).unwrap_or_default();
    if content.nonce != nonce {
        content = Content { nonce: nonce.to_owned(), signals: Vec::new() };
    }
    let learning = matches!(signal, Signal::Learning { .. });
    content.add(signal.bounded());
    let text = serde_json::to_string_pretty(&content)
        .map_err(|error| Fault::new(ErrorCode::Internal, error.to_string()).because(&error))?;
    if learning && text.len() > ROOM_FOR_LEARNINGS {
        return Err(invalid("is full of learnings", "Record fewer and shorter ones."));
    }
    replace(path, &text).map_err(|error| io_fault("write", path, &error))
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(folder_of(path))?;
    file.write_all(text.as_bytes())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or_else(|| Path::new("."))
}

fn lock_file(path: &Path) -> PathBuf {
    path.with_extension("lock")
}

/// Waits until nobody else writes. Where files cannot be locked, it is one's turn at once.
fn turn(path: &Path) -> io::Result<File> {
    fs::create_dir_all(folder_of(path))?;
    let lock = File::options().create(true).truncate(false).write(true).open(lock_file(path))?;
    let _courtesy = lock.lock();
    Ok(lock)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = signal_file(folder.path());
        (folder, path)
    }

    fn learned(category: &str, description: &str) -> Signal {
        let (category, description) = (category.to_owned(), description.to_owned());
        Signal::Learning { category, description, title: String::new(), when: String::new() }
    }

    fn complete(summary: &str) -> Signal {
        Signal::Complete { summary: summary.to_owned(), satisfied_by: Vec::new() }
    }

    #[test]
    fn what_satisfies_the_work_already_is_kept_and_bounded() {
        let (_folder, path) = file();
        let many: Vec<String> = (0..50).map(|n| format!("src/{n}.rs{}", "x".repeat(3000))).collect();
        send(&path, "n", Signal::Complete { summary: String::new(), satisfied_by: many }).unwrap();
        assert_eq!(read(&path, "n").satisfied_by().len(), MOST_NAMED);
        let one = vec!["check:tests".to_owned()];
        send(&path, "n", Signal::Complete { summary: String::new(), satisfied_by: one.clone() }).unwrap();
        assert_eq!(read(&path, "n").satisfied_by(), one, "the last word counts");
    }

    #[test]
    fn signals_add_up_and_blocked_wins() {
        let (_folder, path) = file();
        let learning = learned("test", "run it twice");
        send(&path, "n1", learning.clone()).unwrap();
        send(&path, "n1", complete("done")).unwrap();
        assert_eq!(read(&path, "n1").claim(), Some((Claim::Signal, "done".into())));
        send(&path, "n1", Signal::Blocked { reason: "no key".into() }).unwrap();
        let said = read(&path, "n1");
        assert_eq!(said.claim(), Some((Claim::Blocked, "no key".into())));
        assert_eq!(said.signals[0], learning);
    }

    #[test]
    fn what_is_said_again_or_at_length_keeps_the_file_readable() {
        let (_folder, path) = file();
        let learning = |text: String| learned("test", &text);
        for _ in 0..3 {
            send(&path, "n", learning("twice".into())).unwrap();
            send(&path, "n", complete(&"\u{1}".repeat(100_000))).unwrap();
            send(&path, "n", Signal::Blocked { reason: "\u{2}".repeat(100_000) }).unwrap();
        }
        assert_eq!(read(&path, "n").signals.len(), 3);
        let full =
            (0..200).find_map(|n| send(&path, "n", learning(format!("{n}{}", "☕".repeat(3000)))).err());
        assert!(full.unwrap().message.contains("full of learnings"));
        send(&path, "n", complete("done")).unwrap();
        send(&path, "n", Signal::Blocked { reason: "\u{2}".repeat(3000) }).unwrap();
        let said = read(&path, "n");
        assert_eq!(said.problem, None);
        assert_eq!(said.claim().unwrap().0, Claim::Blocked);
    }

    #[test]
    fn many_may_write_at_once() {
        let (_folder, path) = file();
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    for n in 0..10 {
                        let description = format!("{writer}-{n}");
                        send(path, "n", learned("", &description)).unwrap();
                    }
                });
            }
        });
        assert_eq!(read(&path, "n").signals.len(), 40);
    }

    #[test]
    fn a_signal_of_another_iteration_says_nothing() {
        let (_folder, path) = file();
        send(&path, "old", complete("")).unwrap();
        let said = read(&path, "new");
        assert_eq!(said.claim(), None);
        assert!(said.problem.unwrap().contains("another iteration"));
        clear(&path).unwrap();
        assert_eq!(read(&path, "new"), SignalReport::default());
    }

    #[test]
    fn half_a_character_loses_no_report() {
        let (_folder, path) = file();
        clear(&path).unwrap();
        let text = r#"{"nonce":"n","signals":[{"type":"complete","summary":"all \ud83d done"}]}"#;
        fs::write(&path, text).unwrap();
        assert_eq!(read(&path, "n").claim(), Some((Claim::Signal, "all \u{fffd} done".into())));
        let learning = learned("test", "run it twice");
        send(&path, "n", learning).unwrap();
        assert_eq!(read(&path, "n").signals.len(), 2, "what was said before is kept");
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
