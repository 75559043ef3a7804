//! Settings that change while a run works: told, and without effect on it.

use loopwright_config::trust;
use loopwright_domain::Fault;

use crate::dispatch::dispatcher::Dispatcher;

impl Dispatcher<'_> {
    /// Tells once what differs from the settings that the run holds. What cannot be read now is no change: it starts
    /// nothing either.
    pub(crate) async fn tell_changed_settings(&mut self) -> Result<(), Fault> {
        let now = self.project.config();
        let Ok(executables) = trust::executables(self.project.layout(), &now) else { return Ok(()) };
        let mut told = Vec::new();
        let commands = self.config.changed_commands(&now, &executables);
        if !commands.is_empty() {
            told.push(format!(
                "changed since the run began, and does nothing until you have trusted it and the run is resumed: {}",
                commands.join(", ")
            ));
        }
        let settings = self.config.changed_settings(&now);
        if !settings.is_empty() {
            told.push(format!("changed in the settings, for runs that begin later: {}", settings.join(", ")));
        }
        if told == self.told_changes {
            return Ok(());
        }
        self.told_changes.clone_from(&told);
        for message in told {
            self.warn(None, message).await?;
        }
        Ok(())
    }
}
