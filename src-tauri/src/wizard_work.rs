//! What windows let wizards do that takes a while, and the commands a person has agreed to.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Mutex;

use loopwright_domain::wizard::{PlannedCheck, WizardId};
use loopwright_domain::{ErrorCode, Fault};
use loopwright_engine::run::StopHandle;

use crate::blocking::lock;
use crate::confirmation::proposed_checks;
use crate::desktop::Question;

/// The wizards at work, and what was agreed to.
#[derive(Default)]
pub(crate) struct WizardWork {
    working: Mutex<HashMap<String, Working>>,
    /// Command lines that a person agreed to, each with its folder.
    agreed: Mutex<HashSet<(String, String)>>,
}

struct Working {
    window: String,
    stop: StopHandle,
}

impl WizardWork {
    /// Begins work on a wizard in a window.
    ///
    /// # Errors
    /// Somebody works on it already.
    pub(crate) fn begin(&self, window: &str, id: &WizardId) -> Result<AtWork<'_>, Fault> {
        let mut working = lock(&self.working);
        if working.contains_key(&id.0) {
            return Err(Fault::new(ErrorCode::RunLocked, "an agent works on this wizard already")
                .hint("Wait for it, or stop it first."));
        }
        let stop = StopHandle::new();
        working.insert(id.0.clone(), Working { window: window.to_owned(), stop: stop.clone() });
        Ok(AtWork { work: self, id: id.clone(), stop })
    }

    /// Stops what works on a wizard, if anything does.
    pub(crate) fn stop(&self, id: &WizardId) {
        if let Some(working) = lock(&self.working).get(&id.0) {
            working.stop.interrupt();
        }
    }

    /// Stops what a window that is gone let work.
    pub(crate) fn closed(&self, window: &str) {
        lock(&self.working).values().filter(|one| one.window == window).for_each(|one| one.stop.interrupt());
    }

    /// What a person has to be asked before these commands run in a folder; none when all were agreed to before.
    pub(crate) fn question(&self, checks: &[PlannedCheck], folder: &str) -> Option<Question> {
        let agreed = lock(&self.agreed);
        let known = |check: &&PlannedCheck| agreed.contains(&(folder.to_owned(), check.command.clone()));
        let new: Vec<&PlannedCheck> = checks.iter().filter(|check| !known(check)).collect();
        proposed_checks(
            new.iter().map(|check| (check.name.as_str(), check.command.as_str())),
            Path::new(folder),
        )
    }

    /// Remembers that a person agreed to these commands.
    pub(crate) fn agree(&self, checks: &[PlannedCheck], folder: &str) {
        lock(&self.agreed).extend(checks.iter().map(|check| (folder.to_owned(), check.command.clone())));
    }
}

/// Work on a wizard; over when dropped.
pub(crate) struct AtWork<'a> {
    work: &'a WizardWork,
    id: WizardId,
    /// Stops it.
    pub(crate) stop: StopHandle,
}

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        lock(&self.work.working).remove(&self.id.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, command: &str) -> PlannedCheck {
        PlannedCheck {
            item: name.to_owned(),
            name: name.to_owned(),
            command: command.to_owned(),
            required: true,
            timeout: None,
            used: true,
        }
    }

    #[test]
    fn a_command_is_asked_about_once_in_each_folder() {
        let work = WizardWork::default();
        let checks = [check("test", "make test"), check("lint", "make lint")];
        assert!(work.question(&checks, "/a").is_some_and(|asked| asked.text.contains("lint: make lint")));
        work.agree(&checks, "/a");
        assert!(work.question(&checks, "/a").is_none());
        assert!(work.question(&checks, "/b").is_some());
        let changed = [check("test", "make test"), check("lint", "curl evil")];
        let asked = work.question(&changed, "/a").unwrap();
        assert!(asked.text.contains("curl evil") && !asked.text.contains("make test"), "{}", asked.text);
        assert!(work.question(&[], "/a").is_none());
    }

    #[test]
    fn one_thing_works_on_a_wizard_at_a_time_and_stops_with_its_window() {
        let (work, id) = (WizardWork::default(), WizardId("w1".to_owned()));
        let at_work = work.begin("window", &id).unwrap();
        assert_eq!(work.begin("other", &id).err().map(|fault| fault.code), Some(ErrorCode::RunLocked));
        work.closed("other");
        assert_eq!(at_work.stop.urgency(), None);
        work.closed("window");
        assert!(at_work.stop.urgency().is_some());
        drop(at_work);
        assert!(work.begin("other", &id).is_ok());
    }
}
