//! Saving the tree where the disk may be full: a run that is to hold waits for room, and no agent starts unsaved.

use std::time::Duration;

use loopwright_domain::{ErrorCode, Fault, Iteration, RunStatus, WaitReason};
use loopwright_vcs::Checkpoint;

use super::driver::Driver;
use super::report;
use super::stop::Urgency;

/// How long to wait before looking again whether there is room.
const RETRY: Duration = Duration::from_secs(2);

impl Driver<'_> {
    /// Saves the tree before an iteration's agent.
    pub(crate) async fn save_tree(&mut self, iteration: &Iteration) -> Result<Option<Checkpoint>, Fault> {
        loop {
            let saved = self.tree.checkpoint(iteration).await;
            if let Some(saved) = self.unless_full(saved).await? {
                return Ok(saved);
            }
        }
    }

    /// The tree after an iteration's agent; none where it was not saved before.
    pub(crate) async fn tree_now(&mut self, iteration: &Iteration) -> Result<Option<String>, Fault> {
        if iteration.tree_before.is_none() {
            return Ok(None);
        }
        loop {
            let saved = self.tree.snapshot().await;
            if let Some(saved) = self.unless_full(saved).await? {
                return Ok(saved.map(|snapshot| snapshot.tree.as_str().to_owned()));
            }
        }
    }

    /// What was saved; none after a while when there was no room for it and the run is to hold.
    async fn unless_full<T>(&mut self, saved: Result<T, Fault>) -> Result<Option<T>, Fault> {
        match saved {
            Err(fault) if fault.code == ErrorCode::StoreFull && self.options.hold_on_state_error => {
                self.wait_for_room(fault).await?;
                Ok(None)
            }
            saved => {
                self.run.waiting = None;
                saved.map(Some)
            }
        }
    }

    async fn wait_for_room(&mut self, fault: Fault) -> Result<(), Fault> {
        if self.run.waiting != Some(WaitReason::Disk) {
            let message = report::fault(&fault);
            self.set_status(RunStatus::Waiting, Some(WaitReason::Disk), message).await?;
        }
        tokio::select! {
            () = tokio::time::sleep(RETRY) => {}
            () = self.steering.stop().wait(Urgency::Gentle) => return Err(fault),
        }
        self.run.status = RunStatus::Running;
        Ok(())
    }
}
