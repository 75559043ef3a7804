//! Files that git stores and checks out with other bytes than they have now: line ends, `$Id$`. What was checked is not
//! what a clone has.

use std::fs;
use std::path::PathBuf;

use super::{Memory, Workspace, shown_path};
use crate::error::VcsError;
use crate::oid::Oid;

/// Larger files are not looked at, nor more than so many.
const LARGEST: u64 = 10 * 1024 * 1024;
const MOST: usize = 50;

impl Workspace {
    /// The files that changed from one tree to another and that a clone has without their carriage returns, or with
    /// another `$Id$`. The user's filters are not asked: what they do is meant.
    ///
    /// # Errors
    /// A tree is not there, or git fails.
    pub async fn converted(&self, from: &Oid, to: &Oid) -> Result<Vec<PathBuf>, VcsError> {
        let memory = self.remembered().await?;
        if memory.private.taken.as_ref().is_some_and(|taken| !taken.converts) {
            return Ok(Vec::new());
        }
        let mut converted = Vec::new();
        let changed = self.differences(&memory, from, to).await?;
        let written = changed
            .into_iter()
            .filter(|change| change.new.as_ref().is_some_and(|entry| entry.mode.starts_with("100")));
        let mut candidates = Vec::new();
        for change in written {
            let Some(path) = self.on_disk(&change.name) else { continue };
            let small = path.symlink_metadata().is_ok_and(|found| found.is_file() && found.len() <= LARGEST);
            let bytes = if small { fs::read(&path).unwrap_or_default() } else { Vec::new() };
            if contains(&bytes, b"\r\n") || contains(&bytes, b"$Id:") {
                candidates.push((change.name, bytes));
            }
        }
        for (name, bytes) in candidates.into_iter().take(MOST) {
            if self.is_converted(&memory, &name, bytes).await? {
                converted.push(shown_path(&name));
            }
        }
        Ok(converted)
    }

    async fn is_converted(&self, memory: &Memory, name: &[u8], bytes: Vec<u8>) -> Result<bool, VcsError> {
        let path = String::from_utf8_lossy(name);
        let mut store = self.inspecting(memory, &["hash-object", "-w", &format!("--path={path}"), "--stdin"]);
        store.input.clone_from(&bytes);
        let stored = self.object(store, "git hash-object").await?;
        let filters = ["cat-file", "--filters", &format!("--path={path}"), stored.as_str()];
        let mut call = self.inspecting(memory, &filters);
        call.output_limit = usize::MAX;
        let cloned = self.git.run(call).await?.stdout;
        let loses_returns = contains(&bytes, b"\r\n") && !contains(&cloned, b"\r\n");
        Ok(loses_returns || without_returns(&bytes) != without_returns(&cloned))
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn without_returns(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().filter(|byte| *byte != b'\r').collect()
}
