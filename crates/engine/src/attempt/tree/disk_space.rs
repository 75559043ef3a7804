//! Saving the tree where the disk may be full: a run that is to hold waits for room, and no agent starts unsaved.

use std::time::Duration;

use loopwright_domain::{ErrorCode, Fault, Iteration, RunKind};
use loopwright_vcs::{Checkpoint, Snapshot};

use crate::attempt::link::AttemptMessage;
use crate::attempt::tree::shared_repository::note_staged;
use crate::attempt::unit::Attempt;
use crate::display_text::named_paths;
use crate::report;

/// How long to wait before looking again whether there is room.
const RETRY: Duration = Duration::from_secs(2);

impl Attempt<'_> {
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
                let Some(snapshot) = saved else { return Ok(None) };
                note_staged(&self.project.layout().state_dir, iteration.id, &snapshot.index_tree);
                self.note_omissions(iteration, &snapshot).await?;
                self.take_off_set_id(iteration, &snapshot).await?;
                return Ok(Some(snapshot.tree.as_str().to_owned()));
            }
        }
    }

    /// Takes the right to run with the user's rights off files that an agent left, and tells which.
    async fn take_off_set_id(&self, iteration: &Iteration, snapshot: &Snapshot) -> Result<(), Fault> {
        let Some(workspace) = self.tree.workspace().filter(|_| !iteration.by_hand) else { return Ok(()) };
        let files = workspace.take_off_set_id(snapshot).await?;
        if files.is_empty() {
            return Ok(());
        }
        let names = named_paths(&files);
        let told = format!("\"set user ID\" or \"set group ID\" was set on {names}, and is taken off");
        self.warn(Some(iteration.id), told).await
    }

    /// What was saved; none after a while when there was no room for it and the run is to hold. A run over tasks stops
    /// there and is resumed.
    async fn unless_full<T>(&mut self, saved: Result<T, Fault>) -> Result<Option<T>, Fault> {
        let holds = self.options.hold_on_state_error && self.run.kind != RunKind::Run;
        match saved {
            Err(fault) if fault.code == ErrorCode::StoreFull && holds => {
                self.wait_for_room(fault).await?;
                Ok(None)
            }
            saved => {
                self.link.tell(AttemptMessage::DiskTried { saved: true });
                saved.map(Some)
            }
        }
    }

    async fn wait_for_room(&mut self, fault: Fault) -> Result<(), Fault> {
        let message = report::fault(&fault);
        self.link.ask(|reply| AttemptMessage::DiskFull { message, reply }).await??;
        tokio::select! {
            () = tokio::time::sleep(RETRY) => {}
            () = self.link.interrupted() => return Err(fault),
        }
        self.link.tell(AttemptMessage::DiskTried { saved: false });
        Ok(())
    }
}
