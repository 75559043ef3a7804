//! Whether an agent took up what its prompt held: in how many of its messages an item's own words come up again.

use std::collections::{BTreeMap, BTreeSet};

use crate::memory::likeness::content_words;

/// A message takes an item up that has so many of the item's own words; of an item of few words, half of them.
const LEAST_SHARED: usize = 3;
/// Shorter words are in every text.
const LEAST_LETTERS: usize = 4;
/// A word that more items have is none of their own.
const MOST_OWNERS: usize = 2;

/// For each item, in how many messages its own words come up again. A word is an item's own where hardly another item has
/// it: what the whole prompt is about shows nothing.
#[must_use]
pub fn citations(items: &[&str], messages: &[&str]) -> Vec<u32> {
    let words: Vec<BTreeSet<String>> = items.iter().map(|text| long_words(text)).collect();
    let mut owners: BTreeMap<&str, usize> = BTreeMap::new();
    for word in words.iter().flatten() {
        *owners.entry(word).or_default() += 1;
    }
    let own = |words: &BTreeSet<String>| -> BTreeSet<String> {
        let is_own = |word: &&String| owners.get(word.as_str()).is_some_and(|count| *count <= MOST_OWNERS);
        words.iter().filter(is_own).cloned().collect()
    };
    let messages: Vec<BTreeSet<String>> = messages.iter().map(|text| long_words(text)).collect();
    let cited = |words: &BTreeSet<String>| {
        let own = own(words);
        let least = LEAST_SHARED.min(own.len().div_ceil(2)).max(1);
        let takes_up = |message: &&BTreeSet<String>| message.intersection(&own).count() >= least;
        u32::try_from(messages.iter().filter(takes_up).count()).unwrap_or(u32::MAX)
    };
    words.iter().map(cited).collect()
}

fn long_words(text: &str) -> BTreeSet<String> {
    content_words(text).into_iter().filter(|word| word.chars().count() >= LEAST_LETTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_cited_where_its_own_words_come_up_again() {
        let items = [
            "Store and compare every slot in UTC, convert once at the edge",
            "Freeze the clock in availability tests",
            "Booking form of the shop",
        ];
        let messages = [
            "I will keep every slot in UTC and convert it once, at the edge of the form.",
            "Now the form of the shop.",
            "",
            "Done.",
        ];
        assert_eq!(citations(&items, &messages), [1, 0, 1]);
        assert_eq!(citations(&items, &[]), [0, 0, 0]);
        assert_eq!(citations(&[""], &messages), [0]);
    }

    #[test]
    fn words_of_the_whole_prompt_are_nobodys_own() {
        let items = ["teapot price currency", "teapot price rounding", "teapot price table"];
        assert_eq!(citations(&items, &["the teapot has a price"]), [0, 0, 0]);
        assert_eq!(citations(&items, &["rounding up"]), [0, 1, 0]);
    }
}
