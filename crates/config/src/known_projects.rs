//! What Loopwright remembers about each project outside of it, in the user's data folder: when it was last
//! opened and what was trusted. It is outside on purpose: a folder must not be able to bring its own trust.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use loopwright_domain::digest::short_name;
use loopwright_domain::{Fault, Origin, TrustDigest};
use serde::{Deserialize, Serialize};

use crate::host::Host;
use crate::text_file::{self, io_fault};

const RECORD_LIMIT: u64 = 64 * 1024;

/// What a person trusted, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustRecord {
    /// The digest of everything that was trusted.
    pub digest: TrustDigest,
    /// When, RFC 3339.
    pub at: String,
    /// From where.
    pub origin: Origin,
}

/// How many tasks a project had of each kind. The cancelled ones are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct TaskCounts {
    /// All of them.
    pub total: u32,
    /// Done.
    pub done: u32,
    /// Begun, and waiting for nobody.
    pub working: u32,
    /// Waiting for a person's decision.
    pub waiting: u32,
    /// Blocked.
    pub blocked: u32,
}

/// One project as the user's data folder knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectRecord {
    /// The project folder.
    pub path: String,
    /// Its name when it was last opened.
    pub name: String,
    /// Whether it is the sample project.
    pub sample: bool,
    /// When it was last opened, RFC 3339; none when it was taken off the list of recent projects.
    pub last_opened: Option<String>,
    /// How many tasks it had then; none in records of earlier versions.
    #[serde(default)]
    pub last_tasks: Option<TaskCounts>,
    /// What was trusted.
    pub trust: Option<TrustRecord>,
}

impl ProjectRecord {
    fn new(path: &Path) -> Self {
        Self {
            path: path.to_string_lossy().into_owned(),
            name: String::new(),
            sample: false,
            last_opened: None,
            last_tasks: None,
            trust: None,
        }
    }
}

/// The project records of one user.
#[derive(Clone, Debug)]
pub struct Registry {
    folder: PathBuf,
}

impl Registry {
    /// The registry of a host's user.
    #[must_use]
    pub fn of(host: &Host) -> Self {
        Self { folder: host.data_dir.join("projects") }
    }

    /// What is known about the project in a folder. A record that cannot be read counts as none: it can only
    /// make Loopwright ask again.
    #[must_use]
    pub fn find(&self, root: &Path) -> Option<ProjectRecord> {
        read_record(&self.record_file(root)).filter(|record| Path::new(&record.path) == root)
    }

    /// Changes what is known about a project, one process at a time.
    ///
    /// # Errors
    /// The data folder cannot be written.
    pub fn update(
        &self,
        root: &Path,
        change: impl FnOnce(&mut ProjectRecord),
    ) -> Result<ProjectRecord, Fault> {
        let _lock = self.lock()?;
        let before = self.find(root);
        let mut record = before.clone().unwrap_or_else(|| ProjectRecord::new(root));
        change(&mut record);
        if before.as_ref() != Some(&record) {
            let text = serde_json::to_string_pretty(&record).map_err(|error| {
                Fault::new(loopwright_domain::ErrorCode::Internal, error.to_string())
                    .because(&error)
                    .because(&error)
            })?;
            text_file::write(&self.record_file(root), &text)?;
        }
        Ok(record)
    }

    /// The projects opened before, last opened first.
    #[must_use]
    pub fn recent(&self) -> Vec<ProjectRecord> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut records: Vec<ProjectRecord> = entries
            .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "json"))
            .filter_map(|entry| read_record(&entry.path()))
            .filter(|record| record.last_opened.is_some())
            .collect();
        records.sort_unstable_by(|a, b| b.last_opened.cmp(&a.last_opened).then_with(|| a.path.cmp(&b.path)));
        records
    }

    fn record_file(&self, root: &Path) -> PathBuf {
        self.folder.join(format!("{}.json", short_name(root.as_os_str().as_encoded_bytes())))
    }

    fn lock(&self) -> Result<File, Fault> {
        let path = self.folder.join("lock");
        let attempt = || {
            fs::create_dir_all(&self.folder)?;
            let file = File::options().create(true).truncate(false).write(true).open(&path)?;
            file.lock()?;
            Ok(file)
        };
        attempt().map_err(|error: std::io::Error| io_fault("write", &path, &error))
    }
}

fn read_record(path: &Path) -> Option<ProjectRecord> {
    let text = text_file::read(path, RECORD_LIMIT).ok().flatten()?;
    serde_json::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registry() -> (tempfile::TempDir, Registry) {
        let folder = tempfile::tempdir().unwrap();
        let registry = Registry { folder: folder.path().join("projects") };
        (folder, registry)
    }

    #[test]
    fn recent_projects_come_last_opened_first_and_can_be_forgotten_without_losing_trust() {
        let (_folder, registry) = registry();
        let trust = TrustRecord { digest: TrustDigest("d".into()), at: "t".into(), origin: Origin::Cli };
        for (path, at) in [("/a", "2026-01-01T00:00:00Z"), ("/b", "2026-01-02T00:00:00Z")] {
            let change = |record: &mut ProjectRecord| {
                record.last_opened = Some(at.into());
                record.trust = Some(trust.clone());
            };
            registry.update(Path::new(path), change).unwrap();
        }
        let paths = |registry: &Registry| -> Vec<String> {
            registry.recent().into_iter().map(|record| record.path).collect()
        };
        assert_eq!(paths(&registry), ["/b", "/a"]);
        registry.update(Path::new("/b"), |record| record.last_opened = None).unwrap();
        assert_eq!(paths(&registry), ["/a"]);
        assert_eq!(registry.find(Path::new("/b")).unwrap().trust, Some(trust));
    }

    #[test]
    fn a_damaged_record_counts_as_none_and_is_written_anew() {
        let (_folder, registry) = registry();
        let root = Path::new("/a");
        registry.update(root, |record| record.name = "a".into()).unwrap();
        fs::write(registry.record_file(root), "{ not json").unwrap();
        assert_eq!(registry.find(root), None);
        registry.update(root, |record| record.name = "again".into()).unwrap();
        assert_eq!(registry.find(root).unwrap().name, "again");
    }

    #[test]
    fn changes_at_the_same_time_all_arrive() {
        let (_folder, registry) = registry();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let add = |record: &mut ProjectRecord| record.name.push('x');
                    registry.update(Path::new("/a"), add).unwrap();
                });
            }
        });
        assert_eq!(registry.find(Path::new("/a")).unwrap().name, "xxxxxxxx");
    }
}
