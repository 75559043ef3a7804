//! Which call an answer belongs to: several tools may work at once, and each answers when it is done.

use std::collections::VecDeque;

/// An answer joins its call as long as that is one of so many last entries; any later one is an entry of its own.
/// Whoever follows an output knows by this how far back it may still change.
pub(crate) const REACH: u32 = 256;

/// The calls of a transcript, by the numbers of their entries.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    /// Those without an answer and their keys, in order.
    waiting: VecDeque<(u32, u64)>,
    /// Those with one and the place of its line, in order of the calls.
    answered: Vec<(u32, u64)>,
}

impl Calls {
    /// Takes a call. One with the key of another that waits cannot be told apart from it: neither is waited for.
    pub(crate) fn call(&mut self, n: u32, key: u64) {
        self.give_up(n);
        if let Some(at) = self.waiting.iter().position(|(_, other)| *other == key) {
            self.waiting.remove(at);
        } else {
            self.waiting.push_back((n, key));
        }
    }

    /// Takes an answer at a place, where so many entries began before. Gives the call that it belongs to.
    pub(crate) fn answer(&mut self, key: u64, place: u64, entries: u32) -> Option<u32> {
        self.give_up(entries);
        let at = self.waiting.iter().position(|(_, other)| *other == key)?;
        let (n, _) = self.waiting.remove(at)?;
        let at = self.answered.partition_point(|(other, _)| *other < n);
        self.answered.insert(at, (n, place));
        Some(n)
    }

    /// The place of a call's answer.
    pub(crate) fn place_of(&self, n: u32) -> Option<u64> {
        let at = self.answered.binary_search_by_key(&n, |(call, _)| *call).ok()?;
        Some(self.answered[at].1)
    }

    /// Whether the line at a place, where so many entries began before, is the answer to one of them.
    pub(crate) fn is_answer(&self, place: u64, entries: u32) -> bool {
        self.near(entries).rev().any(|(_, answer)| *answer == place)
    }

    /// The first call of so many entries that was answered at a place or beyond it.
    pub(crate) fn first_answered(&self, entries: u32, place: u64) -> Option<u32> {
        self.near(entries).find(|(_, answer)| *answer >= place).map(|(n, _)| *n)
    }

    /// The answered calls among the last of so many entries.
    fn near(&self, entries: u32) -> impl DoubleEndedIterator<Item = &(u32, u64)> {
        let before = |n: u32| self.answered.partition_point(|(call, _)| *call < n);
        self.answered[before(entries.saturating_sub(REACH))..before(entries)].iter()
    }

    /// Waits no longer for the answers to calls that lie too far back.
    fn give_up(&mut self, entries: u32) {
        while self.waiting.front().is_some_and(|(n, _)| entries - n > REACH) {
            self.waiting.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_in_any_order_find_their_calls() {
        let mut calls = Calls::default();
        for (n, key) in [(3, 30), (4, 40), (6, 60)] {
            calls.call(n, key);
        }
        let answered = [(40, 100), (60, 110), (40, 120), (99, 130)].map(|(key, at)| calls.answer(key, at, 7));
        assert_eq!(answered, [Some(4), Some(6), None, None], "each once, and only calls that were told");
        assert_eq!(calls.answer(30, 140, 9), Some(3));
        assert_eq!([3, 4, 5, 6].map(|n| calls.place_of(n)), [Some(140), Some(100), None, Some(110)]);
        assert_eq!([100, 120, 140].map(|place| calls.is_answer(place, 9)), [true, false, true]);
        assert_eq!(
            [0, 101, 111, 141].map(|place| calls.first_answered(7, place)),
            [Some(3), Some(3), Some(3), None]
        );
        assert_eq!(calls.first_answered(3, 0), None, "of the first three entries none");
    }

    #[test]
    fn calls_that_cannot_be_told_apart_stay_without_an_answer() {
        let mut calls = Calls::default();
        calls.call(0, 7);
        calls.call(1, 7);
        assert_eq!(calls.answer(7, 10, 2), None);
        calls.call(2, 7);
        assert_eq!(calls.answer(7, 20, 3), Some(2));
    }

    #[test]
    fn an_answer_that_comes_too_late_stays_by_itself() {
        for (entries, found) in [(REACH, Some(0)), (REACH + 1, None)] {
            let mut calls = Calls::default();
            calls.call(0, 7);
            assert_eq!(calls.answer(7, 10, entries), found);
            assert_eq!(calls.is_answer(10, entries), found.is_some());
        }
    }
}
