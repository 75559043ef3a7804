//! Copies of what only we have, outside the project: an agent that deletes `.git` deletes the state and the
//! checkpoints with it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use loopwright_config::{Host, text_file};
use loopwright_domain::digest::short_name;
use loopwright_domain::{ErrorCode, Fault};
use serde::{Deserialize, Serialize};

use crate::attempt::tree::work_tree::WorkTree;
use crate::project::Project;

/// What no agent can reach is not copied more often than this while a run works.
const EVERY: Duration = Duration::from_secs(60);
const NOTE_LIMIT: u64 = 64 * 1024;

/// Where the copies of a project are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BackupFolder {
    folder: PathBuf,
}

/// What has to be known to put the copies back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BackupNote {
    /// The project folder.
    pub(crate) root: String,
    /// When the copies were made.
    pub(crate) at: String,
    /// The repository's work tree, when there is one.
    pub(crate) work_tree: Option<PathBuf>,
    /// Where the state database was.
    pub(crate) database: PathBuf,
}

impl BackupFolder {
    pub(crate) fn of(host: &Host, root: &Path) -> Self {
        let name = short_name(root.as_os_str().as_encoded_bytes());
        Self { folder: host.data_dir.join("backups").join(name) }
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.folder.join("state.db")
    }

    pub(crate) fn bundle(&self) -> PathBuf {
        self.folder.join("refs")
    }

    fn note_file(&self) -> PathBuf {
        self.folder.join("backup.json")
    }

    pub(crate) fn note(&self) -> Result<Option<BackupNote>, Fault> {
        let Some(text) = text_file::read(&self.note_file(), NOTE_LIMIT)? else { return Ok(None) };
        serde_json::from_str(&text)
            .map(Some)
            .map_err(|error| Fault::caused(ErrorCode::IoFailed, "the backup's note cannot be read", &error))
    }
}

/// Makes the copies of one run.
#[derive(Debug, Default)]
pub(crate) struct Backup {
    last: Option<Instant>,
}

impl Backup {
    /// Copies before an agent starts, if the last copies are old enough. An agent that shares the repository could delete
    /// `.git`, and with it the only other copy of our references: then these are copied each time. The database stays
    /// readable here even when its file is gone.
    pub(crate) async fn before_agent(&mut self, project: &Project, tree: &WorkTree, shares_repository: bool) {
        if self.last.is_none_or(|last| last.elapsed() >= EVERY) {
            self.at_end(project, tree).await;
        } else if shares_repository {
            told(copy_references(project, tree).await);
        }
    }

    /// Copies when the run ends.
    pub(crate) async fn at_end(&mut self, project: &Project, tree: &WorkTree) {
        self.last = Some(Instant::now());
        told(copy(project, tree).await);
    }
}

/// A backup that cannot be made is told in the log; the run goes on.
fn told(copied: Result<(), Fault>) {
    if let Err(fault) = copied {
        tracing::warn!(code = %fault.code, "the backup was not made: {fault}");
    }
}

/// Brings the copy of our references up to date, where the repository is still there.
async fn copy_references(project: &Project, tree: &WorkTree) -> Result<(), Fault> {
    let layout = project.layout();
    if let Some(workspace) = tree.workspace().filter(|_| tree.look(&layout.database()).is_ok()) {
        workspace.backup(&BackupFolder::of(project.host(), &layout.root).bundle()).await?;
    }
    Ok(())
}

async fn copy(project: &Project, tree: &WorkTree) -> Result<(), Fault> {
    let host = project.host();
    let layout = project.layout();
    let place = BackupFolder::of(host, &layout.root);
    std::fs::create_dir_all(&place.folder)
        .map_err(|error| text_file::io_fault("make", &place.folder, &error))?;
    let note = BackupNote {
        root: layout.root.display().to_string(),
        at: host.timestamp(),
        work_tree: layout.repository.as_ref().map(|repository| repository.work_tree.clone()),
        database: layout.database(),
    };
    // The database first: it is still readable here even when its file was deleted a moment ago.
    project.store().backup(&place.database()).await?;
    copy_references(project, tree).await?;
    let text = serde_json::to_string_pretty(&note)
        .map_err(|error| Fault::new(ErrorCode::Internal, error.to_string()).because(&error))?;
    text_file::write(&place.note_file(), &text)
}
