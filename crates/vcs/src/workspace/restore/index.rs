//! The user's index after a restore.

use std::collections::BTreeSet;
use std::time::Duration;

use tokio::time::sleep;

use super::super::commit_index::index_info;
use super::super::{Memory, Workspace};
use crate::error::VcsError;
use crate::oid::Oid;

/// How often a locked index is tried, and how long is waited in between.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(100);

impl Workspace {
    /// Sets the entries of these files back to what they were, and no others. False when the index stays locked.
    pub(super) async fn restore_index(
        &self,
        memory: &Memory,
        wanted: &Oid,
        current: &Oid,
        touched: &BTreeSet<Vec<u8>>,
    ) -> Result<bool, VcsError> {
        let mut differences = self.differences(memory, wanted, current).await?;
        differences.retain(|change| touched.contains(&change.name));
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
