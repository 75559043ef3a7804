//! Bringing back what was deleted: state and references from the copies in the user's data folder.

use std::path::Path;

use loopwright_config::text_file::io_fault;
use loopwright_config::{Host, Layout, trust};
use loopwright_domain::{ErrorCode, Fault, RunStatus};
use loopwright_store::Store;
use serde::Serialize;

use crate::attempt::tree::work_tree::WorkTree;
use crate::project::Project;
use crate::recover::backup::BackupFolder;
use crate::recover::reconcile::{mark_interrupted, reconcile};
use crate::run_lock::RunLock;

/// What was brought back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Recovered {
    /// The repository itself was gone and was made again.
    pub repository: bool,
    /// How many references were brought back.
    pub references: u32,
    /// The state database was gone and was put back.
    pub state: bool,
    /// When the copies were made.
    pub copied_at: Option<String>,
    /// What the repository had lost while an agent shared it and has again, or has gained, in words.
    pub put_back: Vec<String>,
    /// How many unfinished iterations were settled.
    pub settled: u32,
    /// Programs that were still running and were ended.
    pub ended: Vec<String>,
}

impl Recovered {
    /// Whether there was nothing to do.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        let Self { repository, references, state, settled, ended, put_back, .. } = self;
        !repository && *references == 0 && !state && *settled == 0 && ended.is_empty() && put_back.is_empty()
    }
}

impl Project {
    /// Brings back what was deleted or left unfinished in a project. What is there is not touched; doing it twice
    /// changes nothing more.
    ///
    /// # Errors
    /// A run works here, an agent asks, there is no project, or the copies cannot be put back.
    pub async fn recover(host: &Host, start: &Path) -> Result<Recovered, Fault> {
        trust::require_person("recover a project")?;
        let root = Layout::find(start)?.root;
        let place = BackupFolder::of(host, &root);
        let mut recovered = Recovered::default();
        if let Some(note) = place.note()? {
            recovered.copied_at = Some(note.at.clone());
            if let Some(work_tree) = &note.work_tree {
                bring_back_references(host, &place, work_tree, &mut recovered).await?;
            }
            // Without its file a database is made anew by whoever opens the project, so this comes first.
            if note.root == root.display().to_string() && place.database().exists() {
                recovered.state = bring_back_state(host, &place.database(), &note.database).await?;
            }
        }
        let project = Self::open(host, &root).await?;
        project.settle_left_over(&mut recovered).await?;
        Ok(recovered)
    }

    async fn settle_left_over(&self, recovered: &mut Recovered) -> Result<(), Fault> {
        let _lock = RunLock::take(&self.layout().state_dir, "recover", self.host().timestamp())?;
        let tree = WorkTree::open(self.host(), self.layout()).await?;
        let latest = self.store().latest_run().await?;
        if let Some(mut run) = latest.filter(|run| run.status == RunStatus::Running) {
            mark_interrupted(self, &mut run).await?;
        }
        let run = self.store().latest_run().await?.filter(|run| !run.status.is_over());
        let reconciled = reconcile(self, &tree, run.as_ref()).await?;
        recovered.settled = reconciled.interrupted;
        recovered.ended = reconciled.survivors;
        recovered.put_back = reconciled.put_back;
        Ok(())
    }
}

async fn bring_back_references(
    host: &Host,
    place: &BackupFolder,
    work_tree: &Path,
    recovered: &mut Recovered,
) -> Result<(), Fault> {
    let git = host.git()?;
    if !place.bundle().exists() {
        return Ok(());
    }
    let back = git.recover(&place.bundle(), work_tree).await?;
    recovered.repository = back.rebuilt;
    recovered.references = u32::try_from(back.refs.len()).unwrap_or(u32::MAX);
    Ok(())
}

/// Puts the copy of the state in place where there is none, or only an empty one that somebody's look at the project
/// has made since.
async fn bring_back_state(host: &Host, copy: &Path, database: &Path) -> Result<bool, Fault> {
    let now = host.timestamp();
    if database.exists() {
        let (store, _) = Store::open(database, &now).await?;
        let fresh = store.latest_run().await?.is_none() && store.tasks().await?.is_empty();
        store.close().await?;
        if !fresh || !has_a_run(copy, &now).await? {
            return Ok(false);
        }
        set_aside(database)?;
    }
    let folder =
        database.parent().ok_or_else(|| Fault::new(ErrorCode::Internal, "the database has no folder"))?;
    std::fs::create_dir_all(folder).map_err(|error| io_fault("make", folder, &error))?;
    Store::restore_backup(copy, database, &now).await?;
    Ok(true)
}

async fn has_a_run(copy: &Path, now: &str) -> Result<bool, Fault> {
    let (store, _) = Store::open(copy, now).await?;
    let has = store.latest_run().await?.is_some();
    store.close().await?;
    Ok(has)
}

/// Moves a database and what belongs to it to names nobody uses.
fn set_aside(database: &Path) -> Result<(), Fault> {
    for ending in ["", "-wal", "-shm"] {
        let name = |suffix: &str| {
            let mut path = database.as_os_str().to_owned();
            path.push(ending);
            path.push(suffix);
            std::path::PathBuf::from(path)
        };
        let from = name("");
        if from.exists() {
            std::fs::rename(&from, name(".empty")).map_err(|error| io_fault("move", &from, &error))?;
        }
    }
    Ok(())
}
