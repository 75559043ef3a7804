//! What tasks wait for when parts are taken into account.

use std::collections::{BTreeSet, HashMap};

use loopwright_domain::{Dependencies, DependencyCycle, TaskId, TaskStatus};

use super::Item;

/// The places of the tasks each task waits for: those it names, and
///
/// - its own parts, unless these name it;
/// - the parts of a finished task it names, because that was finished by being taken apart;
/// - what the tasks wait for that it is a part of, where that closes no circle.
pub(super) fn all_waits(items: &[&Item]) -> Vec<BTreeSet<usize>> {
    let family = Family::of(items);
    let named: Vec<BTreeSet<usize>> = (0..items.len()).map(|place| family.named(place)).collect();
    let inherited = (0..items.len()).map(|place| {
        let above = family.above(place);
        let more = above.iter().filter_map(|above| named.get(*above)).flatten().copied();
        let own = named.get(place).into_iter().flatten().copied();
        let related =
            |other: &usize| *other == place || above.contains(other) || family.above(*other).contains(&place);
        let sibling = |other: &usize| above.iter().any(|above| family.above(*other).contains(above));
        own.chain(more.filter(|other| !related(other) && !sibling(other))).collect()
    });
    let inherited: Vec<BTreeSet<usize>> = inherited.collect();
    if circle(&inherited).is_none() { inherited } else { named }
}

/// A circle among waits, by place.
pub(super) fn circle(waits: &[BTreeSet<usize>]) -> Option<DependencyCycle> {
    let id = |place: usize| TaskId(u32::try_from(place).unwrap_or(u32::MAX));
    let waits: Vec<Vec<TaskId>> =
        waits.iter().map(|waits| waits.iter().map(|place| id(*place)).collect()).collect();
    Dependencies::new(waits.iter().enumerate().map(|(place, waits)| (id(place), waits.as_slice()))).cycle()
}

/// Which task is a part of which.
struct Family<'i> {
    items: &'i [&'i Item],
    places: HashMap<&'i str, usize>,
    children: HashMap<usize, Vec<usize>>,
}

impl<'i> Family<'i> {
    fn of(items: &'i [&'i Item]) -> Self {
        let places: HashMap<&str, usize> =
            items.iter().enumerate().map(|(place, item)| (item.id.as_str(), place)).collect();
        let mut children: HashMap<usize, Vec<usize>> = HashMap::new();
        for (place, item) in items.iter().enumerate() {
            if let Some(parent) = item.parent.as_deref().and_then(|parent| places.get(parent)) {
                children.entry(*parent).or_default().push(place);
            }
        }
        Self { items, places, children }
    }

    fn children(&self, place: usize) -> &[usize] {
        self.children.get(&place).map(Vec::as_slice).unwrap_or_default()
    }

    fn explicit(&self, place: usize) -> impl Iterator<Item = usize> {
        let names = self.items.get(place).map(|item| item.depends_on.as_slice()).unwrap_or_default();
        names.iter().filter_map(|name| self.places.get(name.as_str()).copied())
    }

    fn named(&self, place: usize) -> BTreeSet<usize> {
        let mut waits: BTreeSet<usize> = self.explicit(place).collect();
        let own =
            self.children(place).iter().filter(|child| self.explicit(**child).all(|other| other != place));
        waits.extend(own);
        let done = |place: &usize| self.items.get(*place).is_some_and(|item| item.status == TaskStatus::Done);
        let mut open: Vec<usize> = waits.iter().copied().filter(done).collect();
        while let Some(parent) = open.pop() {
            for child in self.children(parent) {
                if *child != place && waits.insert(*child) && done(child) {
                    open.push(*child);
                }
            }
        }
        waits
    }

    /// The tasks that a task is a part of, nearest first. A circle of parts ends where it closes.
    fn above(&self, place: usize) -> Vec<usize> {
        let parent = |place: usize| {
            let name = self.items.get(place)?.parent.as_deref()?;
            self.places.get(name).copied()
        };
        let mut above = Vec::new();
        let mut next = parent(place);
        while let Some(place) = next.filter(|place| !above.contains(place)) {
            above.push(place);
            next = parent(place);
        }
        above
    }
}
