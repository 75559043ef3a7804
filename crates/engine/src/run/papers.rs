//! What an agent writes into files of its own: lines that it adds as it works, and a report at its end. The folder is the
//! agent's to write in, so nothing there is trusted to be a plain file, or short.

use std::fs::{File, Metadata};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use loopwright_agents::Invocation;

/// How long a report may be.
const REPORT_LIMIT: u64 = 8 * 1024 * 1024;
/// How much is read of added lines in one look.
const LOOK_LIMIT: u64 = 1024 * 1024;
/// How much is read of them in all.
const ADDED_LIMIT: u64 = 64 * 1024 * 1024;
/// There are no two looks at added lines in less time.
const APART: Duration = Duration::from_millis(250);

/// The files of one call.
pub(crate) struct Papers {
    report: Option<PathBuf>,
    added: Option<Added>,
}

impl Papers {
    /// Takes them from a call.
    pub(crate) fn of(invocation: &mut Invocation) -> Self {
        Self { report: invocation.report.take(), added: invocation.diary.take().map(Added::new) }
    }

    /// The lines that were added since the last look; none when that was a moment ago.
    pub(crate) fn news(&mut self) -> Vec<Vec<u8>> {
        self.added.as_mut().filter(|added| added.is_due()).map(Added::look).unwrap_or_default()
    }

    /// All lines that nobody has seen yet. The agent has ended.
    pub(crate) fn rest(&mut self) -> Vec<Vec<u8>> {
        let mut lines = Vec::new();
        if let Some(added) = &mut self.added {
            while added.has_more() {
                lines.extend(added.look());
            }
        }
        lines
    }

    /// The report, when there is one and it is not too long.
    pub(crate) fn report(&self) -> Option<Vec<u8>> {
        let mut content = Vec::new();
        open(self.report.as_deref()?)?.0.take(REPORT_LIMIT + 1).read_to_end(&mut content).ok()?;
        (content.len() as u64 <= REPORT_LIMIT).then_some(content)
    }
}

/// A file to which lines are added.
struct Added {
    path: PathBuf,
    /// How far it was read.
    read: u64,
    /// A line whose end is not there yet.
    begun: Vec<u8>,
    looked: Option<Instant>,
}

impl Added {
    const fn new(path: PathBuf) -> Self {
        Self { path, read: 0, begun: Vec::new(), looked: None }
    }

    fn is_due(&self) -> bool {
        self.looked.is_none_or(|looked| looked.elapsed() >= APART)
    }

    fn has_more(&self) -> bool {
        self.read < ADDED_LIMIT && open(&self.path).is_some_and(|(_, metadata)| metadata.len() > self.read)
    }

    /// Reads on. A line that does not end within a look's limit is left out.
    fn look(&mut self) -> Vec<Vec<u8>> {
        self.looked = Some(Instant::now());
        let before = self.begun.len();
        if self.read_on().is_none() || self.begun.len() == before {
            return Vec::new();
        }
        let mut lines: Vec<Vec<u8>> = self.begun.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        self.begun = lines.pop().unwrap_or_default();
        if self.begun.len() as u64 > LOOK_LIMIT {
            self.begun.clear();
        }
        lines
    }

    fn read_on(&mut self) -> Option<()> {
        let (mut file, metadata) = open(&self.path).filter(|(_, metadata)| metadata.len() > self.read)?;
        file.seek(SeekFrom::Start(self.read)).ok()?;
        let some = LOOK_LIMIT.min(metadata.len() - self.read);
        self.read += file.take(some).read_to_end(&mut self.begun).ok()? as u64;
        (self.read <= ADDED_LIMIT).then_some(())
    }
}

/// Opens a plain file. Anything else could keep whoever reads it waiting for ever.
fn open(path: &Path) -> Option<(File, Metadata)> {
    std::fs::symlink_metadata(path).ok().filter(Metadata::is_file)?;
    let file = File::open(path).ok()?;
    let metadata = file.metadata().ok()?;
    Some((file, metadata))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn papers(folder: &Path) -> Papers {
        let at = |name: &str| Some(folder.join(name));
        Papers::of(&mut Invocation { report: at("report"), diary: at("diary"), ..Invocation::default() })
    }

    fn add(folder: &Path, text: &str) {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(folder.join("diary"));
        file.unwrap().write_all(text.as_bytes()).unwrap();
    }

    fn texts(lines: Vec<Vec<u8>>) -> Vec<String> {
        lines.into_iter().map(|line| String::from_utf8(line).unwrap()).collect()
    }

    #[test]
    fn each_line_is_given_once_and_whole() {
        let folder = tempfile::tempdir().unwrap();
        let mut papers = papers(folder.path());
        assert_eq!(papers.rest(), Vec::<Vec<u8>>::new(), "there is no file yet");
        add(folder.path(), "one\ntw");
        assert_eq!(texts(papers.news()), ["one"]);
        add(folder.path(), "o\nthree\nfo");
        assert_eq!(papers.news(), Vec::<Vec<u8>>::new(), "a moment later");
        assert_eq!(texts(papers.rest()), ["two", "three"]);
        add(folder.path(), "ur\n");
        assert_eq!(texts(papers.rest()), ["four"]);
        assert_eq!(papers.rest(), Vec::<Vec<u8>>::new());
    }

    #[test]
    fn a_line_without_end_takes_little_memory_and_hides_no_other_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let mut papers = papers(folder.path());
        add(folder.path(), &"x".repeat(3 * 1024 * 1024));
        add(folder.path(), "\nlast\n");
        let lines = texts(papers.rest());
        assert_eq!(lines.last().map(String::as_str), Some("last"));
        assert!(lines.iter().map(String::len).sum::<usize>() < 3 * 1024 * 1024, "{}", lines.len());
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_plain_file_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("secret"), "hidden\n").unwrap();
        for name in ["diary", "report"] {
            std::os::unix::fs::symlink(folder.path().join("secret"), folder.path().join(name)).unwrap();
        }
        let mut papers = papers(folder.path());
        assert_eq!((papers.rest(), papers.report()), (Vec::new(), None));
    }
}
