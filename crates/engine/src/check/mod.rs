//! Checks: what the host runs after every attempt, what it found, and the work list made of it.
//!
//! [`CheckRunner`] runs the project's checks in their order and gives one [`CheckResult`] for each; [`work_list`]
//! turns the results into the text an agent works from. The same files and the same configuration give the same work
//! list, byte for byte.
//!
//! [`CheckResult`]: loopwright_domain::CheckResult
//! [`work_list`]: work_list::work_list

mod builtin;
mod custom;
mod diff;
mod environment;
mod execute;
mod judge;
mod keep;
mod manage;
mod model;
pub mod parse;
mod patch;
mod place;
mod program;
mod report;
mod run;
pub(crate) mod text;
mod tree_diff;
pub mod work_list;

pub use self::custom::{Custom, CustomCheck};
pub use self::diff::{ChangedFile, DiffSource, Pending};
pub use self::model::{Builtin, Check, CheckCommand, CheckWork, DEFAULT_TIMEOUT};
pub use self::report::{CheckDraft, CheckRow, CheckUpdate, ChecksReport, LastResult, TrendPoint};
pub use self::run::{CheckMode, CheckObserver, CheckRunner};
pub use self::tree_diff::TreeDiff;
