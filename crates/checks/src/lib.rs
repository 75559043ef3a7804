//! Checks: what the host runs after every attempt, what it found, and the work list made of it.
//!
//! [`CheckRunner`] runs the project's checks in their order and gives one [`CheckResult`] for each; [`work_list`]
//! turns the results into the text an agent works from. The same files and the same configuration give the same work
//! list, byte for byte.
//!
//! [`CheckResult`]: loopwright_domain::CheckResult
//! [`work_list`]: work_list::work_list
#![deny(missing_docs)]
#![deny(clippy::indexing_slicing)]

mod builtin;
mod diff;
mod edit_watch;
mod environment;
mod execute;
mod judge;
mod kept_output;
pub mod parse;
mod patch;
mod printed_path;
mod program;
mod report;
mod run;
mod suggest;
pub mod text;
mod tree_diff;
pub mod work_list;

pub use loopwright_config::check::{
    Builtin, Check, CheckCommand, CheckDraft, CheckWork, Custom, CustomCheck, DEFAULT_TIMEOUT, Pending,
};

pub use self::diff::{ChangedFile, DiffSource};
pub use self::edit_watch::{EditWatch, NoEdits, TreeWatch};
pub use self::kept_output::kept_output;
pub use self::program::{missing_program, program_of};
pub use self::report::{CheckRow, CheckUpdate, ChecksReport, LastResult, TrendPoint};
pub use self::run::{CheckMode, CheckObserver, CheckRunner, looks_at_spec};
pub use self::suggest::{CheckSuggestion, suggest};
pub use self::tree_diff::TreeDiff;
