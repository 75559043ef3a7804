//! What an agent writes into files of its own: lines that it adds as it works, and a report at its end. The folder is the
//! agent's to write in, so nothing there is trusted to be a plain file, or short.

use std::fs::{File, Metadata};
use std::io::Read;
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
pub(crate) struct SideFiles {
    report: Option<PathBuf>,
    added: Option<AppendedLines>,
}

impl SideFiles {
    /// Takes them from a call that has not begun.
    pub(crate) fn of(invocation: &mut Invocation) -> Self {
        let added = invocation.event_log.take().and_then(|path| AppendedLines::new(&path));
        Self { report: invocation.report.take(), added }
    }

    /// The lines that were added since the last look; none when that was a moment ago.
    pub(crate) fn news(&mut self) -> Vec<Vec<u8>> {
        match self.added.as_mut().filter(|added| added.is_due()) {
            Some(added) => {
                added.looked = Some(Instant::now());
                added.read_on();
                added.whole_lines()
            }
            None => Vec::new(),
        }
    }

    /// All lines that nobody has seen yet. The agent has ended.
    pub(crate) fn rest(&mut self) -> Vec<Vec<u8>> {
        let mut lines = Vec::new();
        if let Some(added) = &mut self.added {
            while added.read_on() {
                lines.extend(added.whole_lines());
            }
        }
        lines
    }

    /// The report, when there is one and it is not too long.
    pub(crate) fn report(&self) -> Option<Vec<u8>> {
        let mut content = Vec::new();
        open(self.report.as_deref()?)?.take(REPORT_LIMIT + 1).read_to_end(&mut content).ok()?;
        (content.len() as u64 <= REPORT_LIMIT).then_some(content)
    }
}

/// A file to which lines are added. It is made before the agent begins and stays open: what the agent may put in its
/// place is never looked at.
struct AppendedLines {
    file: File,
    /// How much was read.
    read: u64,
    /// What was read since the last whole line.
    begun: Vec<u8>,
    looked: Option<Instant>,
}

impl AppendedLines {
    fn new(path: &Path) -> Option<Self> {
        let file = File::options().read(true).append(true).create_new(true).open(path).ok()?;
        Some(Self { file, read: 0, begun: Vec::new(), looked: None })
    }

    fn is_due(&self) -> bool {
        self.looked.is_none_or(|looked| looked.elapsed() >= APART)
    }

    /// Reads on, as far as a look goes. False when there is nothing new.
    fn read_on(&mut self) -> bool {
        let some = LOOK_LIMIT.min(ADDED_LIMIT.saturating_sub(self.read));
        let new = (&self.file).take(some).read_to_end(&mut self.begun).unwrap_or(0);
        self.read += new as u64;
        new > 0
    }

    /// Takes the whole lines out of what was read. One that does not end within a look's limit is left out.
    fn whole_lines(&mut self) -> Vec<Vec<u8>> {
        let mut lines: Vec<Vec<u8>> = self.begun.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        self.begun = lines.pop().filter(|begun| begun.len() as u64 <= LOOK_LIMIT).unwrap_or_default();
        lines
    }
}

/// Opens a plain file. Anything else could keep whoever reads it waiting for ever.
fn open(path: &Path) -> Option<File> {
    std::fs::symlink_metadata(path).ok().filter(Metadata::is_file)?;
    File::open(path).ok()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn papers(folder: &Path) -> SideFiles {
        let at = |name: &str| Some(folder.join(name));
        SideFiles::of(&mut Invocation {
            report: at("report"),
            event_log: at("diary"),
            ..Invocation::default()
        })
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
        assert_eq!(papers.rest(), Vec::<Vec<u8>>::new(), "nothing was written yet");
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
    fn what_is_put_in_their_place_is_not_read() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("secret"), "hidden\n").unwrap();
        let mut papers = papers(folder.path());
        std::fs::remove_file(folder.path().join("diary")).unwrap();
        for name in ["diary", "report"] {
            symlink(folder.path().join("secret"), folder.path().join(name)).unwrap();
        }
        assert_eq!((papers.rest(), papers.report()), (Vec::new(), None));
        let again = super::SideFiles::of(&mut Invocation {
            event_log: Some(folder.path().join("diary")),
            ..Invocation::default()
        });
        assert!(again.added.is_none(), "nor is what was there before");
    }
}
