//! The signal endpoint of an iteration: where its agent reports and asks what its work is. It knows only what the engine
//! gave the agent's process, so that neither the database nor the project's settings are needed.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use loopwright_checks::text::cut_end;
use loopwright_config::text_file::io_fault;
use loopwright_domain::{ErrorCode, Fault};
use serde::{Deserialize, Serialize};

use crate::attempt::agent::signal::{Signal, send};
use crate::prompt::compose::NamedCheck;

/// Where the agent's signals go.
pub(crate) const SIGNAL_FILE: &str = "LOOPWRIGHT_SIGNAL_FILE";
/// The word that ties a signal to its iteration.
pub(crate) const NONCE: &str = "LOOPWRIGHT_NONCE";
/// Where the iteration's work is described.
pub(crate) const TASK_FILE: &str = "LOOPWRIGHT_TASK_FILE";

/// How many characters of a request are told.
const GIST: usize = 8000;
/// A description larger than this was not written by the engine.
const ASSIGNMENT_LIMIT: u64 = 1024 * 1024;

/// What an iteration's agent works on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    /// The task's number; none when the work is a prompt.
    pub task: Option<u32>,
    /// What it is called.
    pub title: String,
    /// What is to be done; of a long prompt its beginning.
    pub description: String,
    /// When it is done.
    pub acceptance: Vec<String>,
    /// How it is tested.
    pub test_strategy: String,
    /// What Loopwright runs afterwards.
    pub checks: Vec<AssignedCheck>,
}

/// A check that is run when the agent has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssignedCheck {
    /// Its name.
    pub name: String,
    /// What is run.
    pub command: String,
    /// Whether the work counts only when it passes.
    pub required: bool,
    /// Whether it failed before the run.
    #[serde(default)]
    pub red_before: bool,
}

impl Assignment {
    /// Work on a prompt.
    pub(crate) fn of_request(title: &str, request: &str, checks: Vec<NamedCheck>) -> Self {
        let description = cut_end(request.trim(), GIST);
        Self { title: title.to_owned(), description, checks: assigned(checks), ..Self::default() }
    }

    /// Work on a task.
    pub(crate) fn of_task(task: &loopwright_domain::Task, checks: Vec<NamedCheck>) -> Self {
        let draft = &task.draft;
        Self {
            task: Some(task.id.0),
            title: draft.title.clone(),
            description: cut_end(draft.description.trim(), GIST),
            acceptance: draft.acceptance.clone(),
            test_strategy: draft.test_strategy.clone(),
            checks: assigned(checks),
        }
    }

    /// As it is kept; what cannot be written, which is nothing, would be empty.
    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

fn assigned(checks: Vec<NamedCheck>) -> Vec<AssignedCheck> {
    let told = |check: NamedCheck| AssignedCheck {
        name: check.name,
        command: check.command,
        required: check.required,
        red_before: check.red_before,
    };
    checks.into_iter().map(told).collect()
}

/// Where the agent of one iteration reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignalEndpoint {
    signal_file: PathBuf,
    nonce: String,
    task_file: Option<PathBuf>,
}

impl SignalEndpoint {
    /// The endpoint that the variables of this process name.
    ///
    /// # Errors
    /// They name none: nobody started this process for an iteration.
    pub fn of(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, Fault> {
        let named = |name: &str| variable(name).filter(|value| !value.is_empty());
        let nonce = named(NONCE).and_then(|nonce| nonce.into_string().ok());
        let (Some(signal_file), Some(nonce)) = (named(SIGNAL_FILE), nonce) else {
            return Err(Fault::new(ErrorCode::UsageInvalid, "no iteration is going on here")
                .hint("This is for the agent that Loopwright started."));
        };
        let task_file = named(TASK_FILE).map(PathBuf::from);
        Ok(Self { signal_file: signal_file.into(), nonce, task_file })
    }

    /// Writes down what the agent says. It opens no gate: the checks still run.
    ///
    /// # Errors
    /// The signal file cannot be written or is full.
    pub fn report(&self, signal: Signal) -> Result<(), Fault> {
        send(&self.signal_file, &self.nonce, signal)
    }

    /// What the iteration's work is.
    ///
    /// # Errors
    /// It was not written down or cannot be read.
    pub fn assignment(&self) -> Result<Assignment, Fault> {
        let unknown = || {
            Fault::new(ErrorCode::TaskNotFound, "the work of this iteration is not written down")
                .hint("The prompt says what to do.")
        };
        let file = self.task_file.as_deref().ok_or_else(unknown)?;
        let bytes = read_bounded(file)?;
        serde_json::from_slice(&bytes).map_err(|_| unknown())
    }
}

fn read_bounded(file: &Path) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    File::open(file)
        .and_then(|opened| opened.take(ASSIGNMENT_LIMIT).read_to_end(&mut bytes))
        .map_err(|error| io_fault("read", file, &error))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(folder: &Path, task: Option<&Path>) -> SignalEndpoint {
        let variables = [
            (SIGNAL_FILE, Some(folder.join("signal.json").into_os_string())),
            (NONCE, Some("n".into())),
            (TASK_FILE, task.map(|file| file.as_os_str().to_owned())),
        ];
        SignalEndpoint::of(|name| variables.iter().find(|(other, _)| *other == name)?.1.clone()).unwrap()
    }

    #[test]
    fn without_its_variables_there_is_no_desk() {
        assert_eq!(SignalEndpoint::of(|_| None).unwrap_err().code, ErrorCode::UsageInvalid);
        assert!(SignalEndpoint::of(|_| Some(OsString::new())).is_err());
    }

    #[test]
    fn what_was_assigned_is_told_and_what_is_missing_has_a_word() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("task.json");
        let checks = vec![NamedCheck {
            name: "test".into(),
            command: "make test".into(),
            required: true,
            red_before: false,
        }];
        let work = Assignment::of_request("Tea", &"brew ".repeat(5000), checks);
        assert!(work.description.chars().count() <= GIST);
        let endpoint = endpoint(folder.path(), Some(&file));
        assert_eq!(endpoint.assignment().unwrap_err().code, ErrorCode::IoFailed);
        std::fs::write(&file, "{").unwrap();
        assert_eq!(endpoint.assignment().unwrap_err().code, ErrorCode::TaskNotFound);
        std::fs::write(&file, serde_json::to_string(&work).unwrap()).unwrap();
        assert_eq!(endpoint.assignment().unwrap(), work);
    }
}
