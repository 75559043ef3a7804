//! The names of the database's files.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// What SQLite keeps beside a database; the empty suffix is the database itself.
pub(crate) const SUFFIXES: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// The files of one database, all in one folder.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    database: PathBuf,
}

impl Layout {
    /// The layout around a database file. The path is made absolute, so it stays the same file when the process
    /// changes its folder, and so that SQLite never takes it for a URI.
    pub(crate) fn new(database: &Path) -> io::Result<Self> {
        Ok(Self { database: std::path::absolute(database)? })
    }

    pub(crate) fn database(&self) -> &Path {
        &self.database
    }

    pub(crate) fn folder(&self) -> &Path {
        self.database.parent().unwrap_or(&self.database)
    }

    /// SQLite's write-ahead log.
    pub(crate) fn log(&self) -> PathBuf {
        with_suffix(&self.database, "-wal")
    }

    /// SQLite's rollback journal, in use only while a database is turned to the write-ahead log.
    pub(crate) fn rollback_journal(&self) -> PathBuf {
        with_suffix(&self.database, "-journal")
    }

    /// Held while the database is made, upgraded or recovered. It stays when it is free.
    pub(crate) fn lock(&self) -> PathBuf {
        with_suffix(&self.database, ".lock")
    }

    /// Its presence says that the database must be examined in full before it is used again.
    pub(crate) fn suspicion(&self) -> PathBuf {
        with_suffix(&self.database, ".suspect")
    }

    /// Where a new database is built before it gets its name.
    pub(crate) fn fresh(&self) -> PathBuf {
        with_suffix(&self.database, ".new")
    }

    /// The copy that is kept when a database of this version is upgraded.
    pub(crate) fn before_upgrade(&self, version: i64) -> Self {
        Self { database: with_suffix(&self.database, &format!(".version-{version}")) }
    }

    /// The first name for a damaged database that nothing has, nor any of its sidecars.
    pub(crate) fn unused_damaged_name(&self) -> PathBuf {
        let mut number = 1_u64;
        loop {
            let candidate = with_suffix(&self.database, &format!(".damaged-{number}"));
            if SUFFIXES.iter().all(|suffix| is_free(&with_suffix(&candidate, suffix))) {
                return candidate;
            }
            number += 1;
        }
    }

    /// The path of a damaged database by its file name, if it is such a name.
    pub(crate) fn damaged_by_name(&self, name: &str) -> Option<PathBuf> {
        let prefix = format!("{}.damaged-", self.database.file_name()?.to_str()?);
        let number = name.strip_prefix(&prefix)?;
        let numeric = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        numeric.then(|| self.folder().join(name))
    }
}

/// Whether nothing, not even a broken link, has this name.
pub(crate) fn is_free(path: &Path) -> bool {
    matches!(path.symlink_metadata(), Err(error) if error.kind() == io::ErrorKind::NotFound)
}

/// The path with something appended to its file name.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_damaged_databases_are_taken_from_a_note() {
        let layout = Layout::new(Path::new("/state/state.db")).unwrap();
        let damaged = layout.folder().join("state.db.damaged-12");
        assert_eq!(layout.damaged_by_name("state.db.damaged-12"), Some(damaged));
        for name in ["", "state.db", "state.db.damaged-", "state.db.damaged-1/../x", "../state.db.damaged-1"]
        {
            assert_eq!(layout.damaged_by_name(name), None, "{name}");
        }
    }

    #[test]
    fn a_damaged_database_gets_a_number_that_nothing_uses() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(&folder.path().join("state.db")).unwrap();
        std::fs::write(folder.path().join("state.db.damaged-1"), "").unwrap();
        std::fs::write(folder.path().join("state.db.damaged-2-wal"), "").unwrap();
        assert_eq!(layout.unused_damaged_name(), folder.path().join("state.db.damaged-3"));
    }
}
