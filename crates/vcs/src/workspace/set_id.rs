//! Files that whoever runs them runs with the rights of their owner or group. Git knows no such files, and no work needs
//! one: what an agent leaves would give others on the machine the user's rights.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use super::folders::parent;
use super::index_file::changed_since;
use super::scan::passes_link;
use super::snapshot::Snapshot;
use super::{Workspace, path_of, shown_path};
use crate::error::VcsError;
use crate::system;

impl Workspace {
    /// Takes "set user ID" and "set group ID" off all files that were made or changed since the run began, of which a
    /// snapshot was taken just now. Returns which had it. Folders of build output are not looked at.
    ///
    /// # Errors
    /// The repository is gone, or a file's mode cannot be changed.
    pub async fn take_off_set_id(&self, snapshot: &Snapshot) -> Result<Vec<PathBuf>, VcsError> {
        let memory = self.remembered().await?;
        let Some(since) = memory.private.start.since() else { return Ok(Vec::new()) };
        let seconds = u32::try_from(since / 1_000_000_000).unwrap_or_default();
        let index = fs::read(memory.private.file("index")).unwrap_or_default();
        let in_index = changed_since(&index, memory.profile.format.bytes(), seconds);
        let outside = snapshot.outside.iter().map(|change| &change.path);
        let skipped = snapshot.skipped.iter().map(|skipped| &skipped.path);
        let names: BTreeSet<Vec<u8>> = in_index
            .into_iter()
            .chain(outside.chain(skipped).map(|path| system::text_for_git(path)))
            .collect();
        let mut taken_off = Vec::new();
        // Behind a link is nothing of this work tree.
        for name in names.iter().filter(|name| !passes_link(&self.repository.work_tree, parent(name))) {
            let Some(path) = path_of(name).map(|path| self.repository.work_tree.join(path)) else { continue };
            let Ok(metadata) = path.symlink_metadata() else { continue };
            if system::has_set_id(&metadata) && memory.private.start.changed(name, &metadata) {
                system::take_off_set_id(&path).map_err(|error| VcsError::file(&path, &error))?;
                taken_off.push(shown_path(name));
            }
        }
        Ok(taken_off)
    }
}
