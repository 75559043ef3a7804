//! Checks as windows run and change them: one round for each window, and what a person is asked first.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;

use loopwright_domain::sanitize::is_unsafe_in_code;
use loopwright_domain::{CheckResult, ErrorCode, Executable, Fault};
use loopwright_engine::check::{Check, CheckDraft, CheckObserver, CheckUpdate};
use tauri::ipc::Channel;
use tokio::sync::watch;

use crate::blocking::lock;
use crate::desktop::Question;

const LONGEST: usize = 4096;

/// The rounds of checks that windows run now.
#[derive(Default)]
pub(crate) struct Rounds(Mutex<HashMap<String, watch::Sender<bool>>>);

impl Rounds {
    /// Begins a window's round.
    ///
    /// # Errors
    /// It runs one already.
    pub(crate) fn begin<'a>(&'a self, window: &'a str) -> Result<Round<'a>, Fault> {
        let mut rounds = lock(&self.0);
        if rounds.contains_key(window) {
            return Err(busy());
        }
        let (sender, stop) = watch::channel(false);
        rounds.insert(window.to_owned(), sender);
        Ok(Round { rounds: self, window, stop })
    }

    /// Refuses what checks would disturb.
    ///
    /// # Errors
    /// The window runs a round.
    pub(crate) fn require_none(&self, window: &str) -> Result<(), Fault> {
        if lock(&self.0).contains_key(window) { Err(busy()) } else { Ok(()) }
    }

    /// Stops a window's round, if it has one.
    pub(crate) fn stop(&self, window: &str) {
        if let Some(sender) = lock(&self.0).get(window) {
            sender.send_replace(true);
        }
    }
}

fn busy() -> Fault {
    Fault::new(ErrorCode::RunLocked, "checks are running already").hint("Wait for them, or stop them first.")
}

/// A round of checks; over when dropped.
pub(crate) struct Round<'a> {
    rounds: &'a Rounds,
    window: &'a str,
    /// Becomes true when the round is to stop.
    pub(crate) stop: watch::Receiver<bool>,
}

impl Drop for Round<'_> {
    fn drop(&mut self) {
        lock(&self.rounds.0).remove(self.window);
    }
}

/// Tells a page how its round goes. A page that has gone away is told nothing.
pub(crate) struct Teller(pub(crate) Channel<CheckUpdate>);

impl Teller {
    fn tell(&self, update: CheckUpdate) {
        let _gone = self.0.send(update);
    }
}

impl CheckObserver for Teller {
    fn started(&mut self, check: &Check) {
        self.tell(CheckUpdate::Started { name: check.name.clone() });
    }

    fn finished(&mut self, _check: &Check, result: &CheckResult) {
        self.tell(CheckUpdate::Ended { result: result.clone() });
    }

    fn unrecorded(&mut self, fault: &Fault) {
        self.tell(CheckUpdate::Unrecorded { fault: fault.clone() });
    }
}

/// Refuses a draft that a confirmation could not show as it is.
///
/// # Errors
/// A part of it is too long, or contains characters that are not seen.
pub(crate) fn presentable(draft: &CheckDraft) -> Result<(), Fault> {
    let texts = [Some(&draft.name), Some(&draft.command), draft.dir.as_ref(), draft.pattern.as_ref()];
    let others = [draft.timeout.as_ref(), draft.parser.as_ref(), draft.issues.as_ref()];
    for text in texts.into_iter().chain(others).flatten() {
        if text.len() > LONGEST || text.chars().any(is_unsafe_in_code) {
            let message = "a part of the check is too long or contains invisible characters";
            return Err(Fault::new(ErrorCode::UsageInvalid, message).hint("Write it on one line."));
        }
    }
    Ok(())
}

/// What a person is asked before a command becomes part of the checks.
pub(crate) fn question(executable: &Executable, folder: &Path) -> Question {
    Question {
        title: format!("Run this command as the check \"{}\"?", executable.name),
        text: format!(
            "{}\n\n{} ({}).\n\nLoopwright will run it with your rights whenever the checks run.",
            executable.command,
            folder.display(),
            executable.fingerprint
        ),
        yes: "Use this command".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_has_one_round_at_a_time_and_can_stop_it() {
        let rounds = Rounds::default();
        let round = rounds.begin("a").unwrap();
        assert_eq!(rounds.begin("a").err().map(|fault| fault.code), Some(ErrorCode::RunLocked));
        assert!(rounds.require_none("a").is_err() && rounds.require_none("b").is_ok());
        let other = rounds.begin("b").unwrap();
        rounds.stop("a");
        assert!(*round.stop.borrow() && !*other.stop.borrow());
        drop(round);
        assert!(!*rounds.begin("a").unwrap().stop.borrow());
        rounds.stop("nobody");
    }

    #[test]
    fn what_could_deceive_is_refused() {
        for trick in ["sh\0x", "\u{202e}hs", "s\u{200b}h", "sh\n\nSafe.", &"x".repeat(LONGEST + 1)] {
            assert!(presentable(&CheckDraft::command("test", trick)).is_err(), "{trick:?}");
            assert!(presentable(&CheckDraft::command(trick, "test")).is_err(), "{trick:?}");
        }
        assert_eq!(presentable(&CheckDraft::command("täst", "make 'a b'")), Ok(()));
    }
}
