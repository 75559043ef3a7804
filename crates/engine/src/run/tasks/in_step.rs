//! The files that tasks came from are kept in step with what a run makes of the tasks.

use loopwright_domain::{Fault, Iteration};

use crate::run::driver::Driver;

impl Driver<'_> {
    /// Writes where an iteration's task stands now into the file it came from. What cannot be written is only told.
    pub(crate) async fn keep_in_step(&mut self, iteration: &Iteration) -> Result<(), Fault> {
        let Some(task) = iteration.task else { return Ok(()) };
        let synced = self.project.sync_external(&[task]).await;
        if synced.written {
            // Known to the run, so that the next one does not take it for somebody's uncommitted work.
            if let Ok(Some(snapshot)) = self.tree.snapshot().await {
                self.run.tree = Some(snapshot.tree.as_str().to_owned());
                self.note(Vec::new()).await?;
            }
        }
        for fault in synced.faults {
            self.warn(Some(iteration.id), fault.message).await?;
        }
        Ok(())
    }
}
