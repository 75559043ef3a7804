//! A file for each day.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::make_room;

/// Today's file in a folder. Other processes may append to the same one: each line is written at once.
pub(super) struct DailyFile {
    folder: PathBuf,
    kept: usize,
    clock: fn() -> Timestamp,
    day: String,
    file: File,
}

impl DailyFile {
    /// Opens today's file. Of the files in the folder that many are kept.
    pub(super) fn open(folder: PathBuf, kept: usize, clock: fn() -> Timestamp) -> io::Result<Self> {
        let day = day(clock);
        let file = open(&folder, kept, &day)?;
        Ok(Self { folder, kept, clock, day, file })
    }
}

impl Write for DailyFile {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let day = day(self.clock);
        if day != self.day {
            self.file = open(&self.folder, self.kept, &day)?;
            self.day = day;
        }
        self.file.write(line)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The day in UTC, as RFC 3339 begins.
fn day(clock: fn() -> Timestamp) -> String {
    let mut text = clock().to_string();
    text.truncate(text.find('T').unwrap_or(text.len()));
    text
}

fn open(folder: &Path, kept: usize, day: &str) -> io::Result<File> {
    let path = folder.join(format!("loopwright.{day}.log"));
    if !path.exists() {
        make_room(folder, kept)?;
    }
    OpenOptions::new().create(true).append(true).open(path)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;

    const DAY: i64 = 24 * 60 * 60;
    static SECOND: AtomicI64 = AtomicI64::new(DAY / 2);

    fn clock() -> Timestamp {
        Timestamp::from_second(SECOND.load(Ordering::SeqCst)).unwrap()
    }

    #[test]
    fn each_day_has_its_file_and_the_oldest_give_room() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("logs");
        let read = |name: &str| fs::read_to_string(below.join(name)).ok();
        let mut file = DailyFile::open(below.clone(), 2, clock).unwrap();
        file.write_all(b"first\n").unwrap();
        drop(file);
        let mut file = DailyFile::open(below.clone(), 2, clock).unwrap();
        file.write_all(b"again\n").unwrap();
        assert_eq!(read("loopwright.1970-01-01.log").as_deref(), Some("first\nagain\n"));
        fs::write(below.join("note.txt"), "not a log").unwrap();

        SECOND.fetch_add(DAY, Ordering::SeqCst);
        file.write_all(b"second\n").unwrap();
        SECOND.fetch_add(DAY, Ordering::SeqCst);
        file.write_all(b"third\n").unwrap();
        assert_eq!(read("loopwright.1970-01-01.log"), None);
        assert_eq!(read("loopwright.1970-01-02.log").as_deref(), Some("second\n"));
        assert_eq!(read("loopwright.1970-01-03.log").as_deref(), Some("third\n"));
        assert_eq!(read("note.txt").as_deref(), Some("not a log"));
    }
}
