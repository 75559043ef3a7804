//! Child processes that outlive a step. The program starts itself again with orders on its command line;
//! each process does its part of the family and then lives or ends as ordered.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::scenario::{Family, Ignored, Spawn};
use crate::system;

/// The hidden option that carries the orders.
pub const ORDERS_OPTION: &str = "--family-orders";

/// How long a started process may take until it has written its process id.
const READY_LIMIT: Duration = Duration::from_secs(30);

/// What a started process is to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Orders {
    part: Part,
    millis: u64,
    ignore: Vec<Ignored>,
    pid_file: Option<PathBuf>,
    keep_output: bool,
}

/// The part of one process in its family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Part {
    /// Lives for the ordered time.
    Live,
    /// Starts one that lives, and waits for it.
    Parent,
    /// Leaves the session, then lives.
    Leader,
    /// Leaves the session, starts one that lives, and ends.
    Forker,
}

/// Starts the family of a step. `pid_file` is the step's, as a full path. Returns when the family stands, as far
/// as it can be seen: with a process id file, once the last process has written it.
///
/// # Errors
/// When a process cannot be started or is not ready in time.
pub fn start(spawn: &Spawn, pid_file: Option<PathBuf>) -> io::Result<()> {
    if let Some(file) = &pid_file {
        make_room(file)?;
    }
    let part = match spawn.family {
        Family::Child => Part::Live,
        Family::Grandchild => Part::Parent,
        Family::Setsid => Part::Leader,
        Family::DoubleFork => Part::Forker,
    };
    let orders = Orders {
        part,
        millis: u64::try_from(spawn.lasts.as_millis()).unwrap_or(u64::MAX),
        ignore: spawn.ignore.clone(),
        pid_file,
        keep_output: spawn.keep_output,
    };
    let mut command = orders.command()?;
    if matches!(part, Part::Leader | Part::Forker) {
        system::start_apart(&mut command);
    }
    let mut child = command.spawn()?;
    if part == Part::Forker {
        child.wait()?;
    }
    orders.pid_file.as_deref().map_or(Ok(()), wait_for)
}

/// Carries out orders: what a started process does with its life.
///
/// # Errors
/// When the orders cannot be read or the process cannot do its part.
pub fn obey(text: &str) -> io::Result<()> {
    let orders: Orders = serde_json::from_str(text)?;
    match orders.part {
        Part::Live => orders.live(),
        Part::Leader => {
            system::leave_session()?;
            orders.live()
        }
        Part::Parent => {
            system::ignore(&orders.ignore)?;
            orders.child().command()?.spawn()?.wait().map(drop)
        }
        Part::Forker => {
            system::leave_session()?;
            orders.child().start_and_forget()
        }
    }
}

impl Orders {
    /// The orders for the process that lives.
    fn child(&self) -> Self {
        Self { part: Part::Live, ..self.clone() }
    }

    fn command(&self) -> io::Result<Command> {
        let mut command = system::command(std::env::current_exe()?);
        command.arg(ORDERS_OPTION).arg(serde_json::to_string(self)?).stdin(Stdio::null());
        if !self.keep_output {
            command.stdout(Stdio::null()).stderr(Stdio::null());
        }
        Ok(command)
    }

    /// Starts the process and leaves it alone: it is meant to outlive this one.
    fn start_and_forget(&self) -> io::Result<()> {
        self.command()?.spawn().map(drop)
    }

    fn live(&self) -> io::Result<()> {
        system::ignore(&self.ignore)?;
        if let Some(file) = &self.pid_file {
            let temporary = file.with_extension("pid-tmp");
            fs::write(&temporary, std::process::id().to_string())?;
            fs::rename(&temporary, file)?;
        }
        sleep(Duration::from_millis(self.millis));
        Ok(())
    }
}

/// Makes the folder of a process id file and removes an older one.
fn make_room(file: &Path) -> io::Result<()> {
    file.parent().map_or(Ok(()), fs::create_dir_all)?;
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn wait_for(file: &Path) -> io::Result<()> {
    let begun = Instant::now();
    while !file.exists() {
        if begun.elapsed() > READY_LIMIT {
            return Err(io::Error::other("the started process did not write its process id in time"));
        }
        sleep(Duration::from_millis(5));
    }
    Ok(())
}
