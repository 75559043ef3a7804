//! What agents and checks printed: the files of an iteration, the transcript as it is written, and paging and search in
//! what is on disk. However long an output is, only what is looked at is read.
//!
//! [`Outputs`] scans a file once for where its entries are, and from then on only what was added to it; it remembers
//! that for the files that were looked at last. Everything here blocks on the disk: call it away from what must not
//! wait.
#![deny(missing_docs)]

mod calls;
mod classify;
mod display;
mod entry;
mod filter;
mod index;
mod iteration_files;
mod lines;
mod model;
mod outputs;
mod search;
mod tail;
mod walk;
mod writer;

#[cfg(test)]
mod tests;

pub use display::tool_brief;
pub use iteration_files::{IterationFiles, run_folder};
pub use model::{
    Entry, EntryKind, KindCounts, OutputFilter, OutputInfo, OutputMatches, OutputPage, OutputSource,
    OutputTarget, ToolAnswer,
};
pub use outputs::{Outputs, is_finished};
pub use tail::{Mark, Tail};
pub use writer::{HostEvent, Transcript};
