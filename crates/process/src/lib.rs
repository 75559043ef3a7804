//! Supervised child processes: the only crate of Loopwright that starts programs.
//!
//! A program is named by its absolute path and gets exactly the environment it is given: nothing is looked up
//! on the way and nothing is inherited. There are two ways to run one:
//!
//! - [`run`] for short commands: it waits for the end and keeps the beginning of the output. The program leads a
//!   process group of its own, which ends with it.
//! - [`start`] for agents and checks: a [`Job`] leads a session of its own and is followed wherever its processes
//!   go. Its output is redacted ([`Secrets`]), cut into lines ([`Framer`]) and handed on while it runs; it keeps to
//!   [`TimeLimits`], can be ended from elsewhere ([`Stopper`]), and when it is over nothing of it is left. After a
//!   crash of the supervisor, [`end_survivors`] does that. A [`Sandbox`] can be put around it.
//!
//! Output is read without pause and never held in memory as a whole, so that a flooding program neither blocks nor
//! fills the memory; [`CappedLog`] keeps both of its ends on disk.
//!
//! ```
//! use loopwright_process::{Command, EndCause, Job, Line, OutputSink, OutputStream, start};
//!
//! #[derive(Default)]
//! struct Lines(Vec<String>);
//!
//! impl OutputSink for Lines {
//!     fn line(&mut self, _stream: OutputStream, line: Line<'_>) {
//!         if let Line::Text(text) = line {
//!             self.0.push(String::from_utf8_lossy(text).into_owned());
//!         }
//!     }
//! }
//!
//! # #[cfg(unix)]
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), loopwright_process::ProcessError> {
//! let mut lines = Lines::default();
//! let job = Job::new(Command::new("/bin/echo", "/").args(["hello"]), "run-1/iteration-1");
//! let ended = start(job)?.finish(&mut lines).await?;
//! assert!(ended.exit.success() && ended.cause == EndCause::Exited && ended.strays.is_empty());
//! assert_eq!(lines.0, ["hello"]);
//! # Ok(())
//! # }
//! # #[cfg(not(unix))]
//! # fn main() {}
//! ```
//!
//! What differs between systems is in `unix.rs` and `windows.rs`, which have the same functions.
#![deny(missing_docs)]

mod ancestry;
mod background;
mod capture;
mod children;
mod clock;
mod command;
mod environment;
mod error;
mod family;
mod find;
mod flow;
mod frame;
mod identity;
mod job;
mod log;
mod redact;
mod run;
mod sandbox;
mod spawn;
mod stop;
mod supervise;
#[cfg(unix)]
#[path = "unix.rs"]
mod system;
#[cfg(windows)]
#[path = "windows.rs"]
mod system;
mod terminal;

pub use loopwright_domain::{EndCause, OutputStream};

pub use ancestry::{AGENT_MARKER, agent_ancestry, descends_from};
pub use background::{Background, spawn_in_background};
pub use command::{Captured, Command, Exit, Finished};
pub use environment::{allowed_environment, secret_values};
pub use error::ProcessError;
pub use family::{ask_survivors, end_survivors};
pub use find::{find_program, find_program_outside, search_path_outside};
pub use frame::{Framer, LINE_LIMIT, Line};
pub use identity::{ProcessIdentity, runs_as_root};
pub use job::{Ended, Job, OutputSink, Stray, TimeLimits};
pub use log::{CappedLog, LogLimits, LogSummary};
pub use redact::{Redactor, Secrets};
pub use run::{run, spawn_detached};
pub use sandbox::{Mount, NoSandbox, Sandbox, SandboxTool};
pub use stop::Stopper;
pub use supervise::{Running, start};
pub use terminal::run_in_terminal;
