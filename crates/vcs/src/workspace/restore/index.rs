//! The user's index after a restore.

use std::collections::BTreeSet;
use std::time::Duration;

use tokio::time::sleep;

use super::super::commit_index::index_info;
use super::super::{Memory, Workspace, shown_path};
use super::{RestorePlan, Restored};
use crate::error::VcsError;
use crate::oid::Oid;

/// How often a locked index is tried, and how long is waited in between.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(100);

impl Workspace {
    /// Sets the entries of these files, and those that the run staged, back to what they were, and no others. False
    /// when the index stays locked.
    pub(super) async fn restore_index(
        &self,
        memory: &Memory,
        plan: &RestorePlan,
        restored: &Restored,
        touched: &BTreeSet<Vec<u8>>,
    ) -> Result<bool, VcsError> {
        let Some(index) = &plan.index else { return Ok(true) };
        let current = &restored.safety.snapshot.index_tree;
        let mut differences = self.differences(memory, &index.tree, current).await?;
        let staged = match &index.produced {
            Some(produced) if produced != current => self.differences(memory, &index.tree, produced).await?,
            Some(_) => differences.clone(),
            None => Vec::new(),
        };
        for change in &mut differences {
            if let Some(entry) = index.owned.get(&change.name) {
                change.old.clone_from(entry);
            }
        }
        differences.retain(|change| {
            let is_left = || restored.left.iter().any(|left| left.path == shown_path(&change.name));
            let is_staged =
                || staged.iter().any(|staged| staged.name == change.name && staged.new == change.new);
            change.old != change.new && (touched.contains(&change.name) || (is_staged() && !is_left()))
        });
        if differences.is_empty() {
            return Ok(true);
        }
        let zeros = Oid::zeros(memory.profile.format);
        let input = index_info(differences.iter().map(|change| (&*change.name, change.old.as_ref())), &zeros);
        for _ in 0..TRIES {
            let args = ["update-index", "-z", "--add", "--replace", "--index-info"];
            let mut call = self.inspecting(memory, &args);
            call.input.clone_from(&input);
            match self.git.run(call).await {
                Err(VcsError::Locked { .. }) => sleep(PAUSE).await,
                done => return done.map(|_| true),
            }
        }
        Ok(false)
    }
}
