//! What agents and checks printed, paged from disk: however long it is, only what is looked at is read.

mod model;

pub use model::{
    Entry, EntryKind, KindCounts, OutputFilter, OutputInfo, OutputMatches, OutputPage, OutputSource,
    OutputTarget,
};
