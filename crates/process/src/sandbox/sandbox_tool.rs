//! The system's own facility for sandboxes: found once, tried once.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use super::{Sandbox, system};
use crate::command::Command;
use crate::find::find_program_outside;

/// The program that puts sandboxes around others, as it was found and tried on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxTool {
    program: PathBuf,
}

/// Why there is no sandbox here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSandbox {
    /// This system has none that Loopwright can use.
    System,
    /// The program that makes them is not installed.
    Missing {
        /// Its name.
        program: &'static str,
    },
    /// The program is there, and a trial failed.
    Refused {
        /// Its name.
        program: &'static str,
        /// What it said.
        said: String,
    },
}

impl fmt::Display for NoSandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System => write!(f, "this system has no sandbox that Loopwright can use"),
            Self::Missing { program } => write!(f, "\"{program}\" is not installed"),
            Self::Refused { program, said } => write!(f, "\"{program}\" does not work here: {said}"),
        }
    }
}

/// Trials take some milliseconds and do not change their outcome while this process lives.
static TRIED: LazyLock<Mutex<BTreeMap<PathBuf, Result<(), NoSandbox>>>> = LazyLock::new(Mutex::default);

impl SandboxTool {
    /// Finds the system's facility and tries it. One that lies below `not_in`, where an agent may have put it, is not
    /// taken.
    ///
    /// # Errors
    /// Why there is none.
    pub fn find(search_path: &OsStr, not_in: Option<&Path>) -> Result<Self, NoSandbox> {
        let Some(name) = system::PROGRAM else { return Err(NoSandbox::System) };
        let program = find_program_outside(name, search_path, not_in);
        let program = program.ok_or(NoSandbox::Missing { program: name })?;
        let mut tried = TRIED.lock().unwrap_or_else(PoisonError::into_inner);
        let outcome = tried.entry(program.clone()).or_insert_with(|| {
            system::try_out(&program).map_err(|said| NoSandbox::Refused { program: name, said })
        });
        outcome.clone().map(|()| Self { program })
    }

    /// Whether it can show folders in the place of others ([`Sandbox::mounted`]). Where it cannot, mounts are ignored.
    #[must_use]
    pub const fn can_mount(&self) -> bool {
        system::CAN_MOUNT
    }

    /// The command with a sandbox around it. Input, environment and folder stay the same.
    pub(crate) fn wrap(&self, sandbox: &Sandbox, command: Command) -> Command {
        let args = system::arguments(sandbox, &command);
        let inner = std::iter::once(command.program.into_os_string()).chain(command.args);
        Command { args: args.into_iter().chain(inner).collect(), program: self.program.clone(), ..command }
    }
}
