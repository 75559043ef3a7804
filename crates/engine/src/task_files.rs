//! The files that tasks came from are kept in step with where the tasks stand.
//!
//! They lie among the files that agents and people work on. So they are written while nobody does: what is moved
//! meanwhile is written when that work is settled, and would else be part of it, or be put back with it.

use loopwright_domain::{Fault, TaskId};

use crate::attempt::tree::work_tree::WorkTree;
use crate::project::Project;

impl Project {
    /// Writes where tasks stand into the files they came from, while no run works: some, and those whose files do not
    /// say it yet. The last run knows of it afterwards; returned is the tree it then knows.
    ///
    /// # Errors
    /// The state cannot be read or written. What cannot be written into files is only logged.
    pub(crate) async fn sync_at_rest(
        &self,
        tree: &WorkTree,
        moved: &[TaskId],
    ) -> Result<Option<String>, Fault> {
        let mut tasks = self.tasks().behind().await?;
        tasks.extend(moved);
        if tasks.is_empty() || !self.store().unsettled().await?.is_empty() {
            return Ok(None);
        }
        if !self.tasks().is_out_of_step(&tasks).await? {
            // No file changes, so nobody has to know of it; what was read of the files is brought up to date.
            self.tasks().sync_external(&tasks).await;
            return Ok(None);
        }
        let latest = self.store().latest_run().await?;
        let uncommitted = tree.uncommitted(&self.starting_tree(latest.as_ref()), false).await;
        let synced = self.tasks().sync_external(&tasks).await;
        for fault in &synced.faults {
            tracing::warn!("{}", fault.message);
        }
        match uncommitted {
            Ok(files) if synced.written && files.is_empty() => self.know_files(tree).await,
            _ => Ok(None),
        }
    }

    /// The same after a person moved tasks, whoever works here.
    pub(crate) async fn sync_moved(&self, moved: &[TaskId]) -> Result<(), Fault> {
        if !self.store().has_externals().await? {
            return Ok(());
        }
        if self.runs().live().is_none() {
            let tree = WorkTree::open(self.host(), self.layout()).await?;
            self.sync_at_rest(&tree, moved).await?;
        }
        Ok(())
    }
}
