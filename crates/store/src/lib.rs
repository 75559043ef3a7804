//! The project's state in SQLite, and the only place that opens it.
//!
//! A [`Store`] is one database file: the project's history of events, its tasks, and the journal of its runs. What
//! holds for it:
//!
//! - **One way in.** Every connection is made by the private `connect` module: write-ahead log, foreign keys,
//!   `synchronous=FULL`, a busy timeout.
//! - **One writer.** Writes go through one connection, each in one `BEGIN IMMEDIATE` transaction, so a write
//!   happens whole or not at all. Reads have a connection of their own and never wait for a write. The writer is
//!   opened by the first write: a command that only reads opens one connection.
//! - **Appears whole.** A new database is built under another name and renamed into place, so no process ever
//!   sees a half-made one. Making, upgrading and recovering are guarded by a lock file beside the database;
//!   opening a sound, current one takes no lock.
//! - **The journal keeps its rules.** What is settled or over never changes, and nothing goes back a phase. Triggers
//!   in the database see to it, so that no process and no version can do otherwise.
//! - **Nothing is thrown away.** An upgrade keeps a copy of the old database beside it. A damaged file, or one of another program, is moved aside with its sidecars, a
//!   new database is begun, and the history says so. A database of a newer Loopwright is left exactly as it is.
#![deny(missing_docs)]

mod apply;
mod attempts;
mod backup;
mod baseline;
mod checks;
mod connect;
mod controls;
mod copy;
mod effect;
mod error;
mod event_rows;
mod events;
mod examine;
mod failures;
mod fault_injection;
mod gates;
mod journal;
mod layout;
mod learnings;
mod lists;
mod memory_effects;
mod metrics;
mod open;
mod options;
mod prompt_choices;
mod recover;
mod runs;
mod schema;
mod search;
mod section_history;
mod sections;
mod solutions;
mod sources;
mod stale_tasks;
mod store;
mod tasks;
mod terms;
#[cfg(unix)]
mod unix;
mod values;
#[cfg(windows)]
mod windows;
mod write;

#[cfg(test)]
mod backup_tests;
#[cfg(test)]
mod fault_tests;
#[cfg(test)]
mod kill_tests;
#[cfg(test)]
mod lists_tests;
#[cfg(test)]
mod plan_tests;
#[cfg(test)]
mod test_support;
#[cfg(test)]
mod trouble_tests;
#[cfg(test)]
mod upgrade_tests;

#[cfg(unix)]
use unix as platform;
#[cfg(windows)]
use windows as platform;

pub use apply::{AppliedPlan, PlanApplication};
pub use checks::{CheckPoint, MOST_BY_HAND, PastCheck};
pub use effect::RecordedWave;
pub use error::{StoreError, StoreProblem};
pub use failures::PatternCount;
pub use gates::{ChangeSize, Decided, NewGate, OpenedGate, StoredGate};
pub use journal::Entry;
pub use learnings::NewLearning;
pub use lists::IterationKey;
pub use open::Opened;
pub use options::StoreOptions;
pub use runs::Order;
pub use sections::{PutSection, SpecChange, StoredSection};
pub use solutions::{NewSolution, SolutionAction};
pub use sources::{Source, SourceDependency};
pub use stale_tasks::StaleTask;
pub use store::Store;
pub use tasks::{Edit, External, Imported, ImportedTask, NewTask, TaskImport};
pub use terms::PutTerm;
