//! Which entries a filter lets through, and their places among each other.

use crate::index::Index;
use crate::model::{EntryKind, OutputFilter};

/// A filter, ready to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// A bit for each kind that is let through.
    kinds: u8,
}

impl Choice {
    pub(crate) fn new(filter: &OutputFilter) -> Self {
        let named = filter.kinds.iter().fold(0, |kinds, kind| kinds | bit(*kind));
        Self { kinds: if named == 0 { u8::MAX } else { named } }
    }

    pub(crate) fn takes(self, kind: EntryKind) -> bool {
        self.kinds & bit(kind) != 0
    }

    const fn takes_all(self) -> bool {
        self.kinds == u8::MAX
    }

    /// How many entries are let through.
    pub(crate) fn total(self, index: &Index) -> u32 {
        let counts = index.counts();
        EntryKind::ALL.into_iter().filter(|kind| self.takes(*kind)).map(|kind| counts.get(kind)).sum()
    }

    /// The entries that are let through, from one of their places on.
    pub(crate) fn from(self, index: &Index, place: u32) -> impl Iterator<Item = u32> {
        // Without a filter a place is an entry's number.
        let (first, skipped) = if self.takes_all() { (place, 0) } else { (0, place) };
        (first..index.total()).filter(move |n| self.takes(index.kind(*n))).skip(skipped as usize)
    }

    /// The place of an entry among those that are let through.
    pub(crate) fn place_of(self, index: &Index, n: u32) -> u32 {
        if self.takes_all() {
            return n;
        }
        u32::try_from((0..n).filter(|n| self.takes(index.kind(*n))).count()).unwrap_or(u32::MAX)
    }
}

const fn bit(kind: EntryKind) -> u8 {
    1 << kind as u8
}
