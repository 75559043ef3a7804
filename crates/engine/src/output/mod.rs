//! What agents and checks printed, paged from disk: however long it is, only what is looked at is read.
//!
//! A file is scanned once for where its entries are, and from then on only what was added to it: [`Project`]
//! remembers that for the files that were looked at last.
//!
//! [`Project`]: crate::Project

mod calls;
mod choice;
mod classify;
mod entry;
mod index;
mod lines;
mod model;
mod search;
mod serve;
mod shown;
mod tail;
mod walk;

#[cfg(test)]
mod tests;

pub use model::{
    Entry, EntryKind, KindCounts, OutputFilter, OutputInfo, OutputMatches, OutputPage, OutputSource,
    OutputTarget, ToolAnswer,
};
pub(crate) use serve::{Outputs, is_finished};
pub(crate) use tail::{Mark, Tail};
