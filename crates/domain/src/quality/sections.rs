//! Rules for sections.

use std::collections::{HashMap, HashSet};

use super::prose::{Prose, fold};
use super::terms::TermWords;
use super::{Judged, PlacedSection, QualityRule, finding, finding_about, judged};
use crate::ids::SectionId;

/// A text of fewer words may stand in several sections.
const SHORTEST_DUPLICATE: u32 = 8;

/// Judges the sections; whether no task carries one out matters only once there are tasks.
pub(super) fn judge(
    sections: &[PlacedSection<'_>],
    has_tasks: bool,
    terms: &TermWords<'_>,
) -> Vec<Judged<SectionId>> {
    let above: HashMap<SectionId, SectionId> = sections
        .iter()
        .filter_map(|placed| placed.parent.map(|parent| (placed.section.id, parent)))
        .collect();
    let parents: HashSet<SectionId> = above.values().copied().collect();
    let linked: HashSet<SectionId> =
        sections.iter().filter(|placed| placed.linked).map(|placed| placed.section.id).collect();
    let mut texts: HashMap<String, SectionId> = HashMap::new();
    let mut all = Vec::with_capacity(sections.len());
    for placed in sections {
        let section = placed.section;
        let prose = Prose::new(&section.content);
        let mut findings = Vec::new();
        let empty = section.content.trim().is_empty();
        if empty && !parents.contains(&section.id) {
            findings.push(finding(QualityRule::EmptySection, "it says nothing"));
        }
        for word in prose.vague_words() {
            findings.push(finding_about(
                QualityRule::VagueWords,
                word,
                format!("\"{word}\" can mean anything"),
            ));
        }
        for word in prose.open_points() {
            let message = format!("\"{word}\": something is not decided");
            findings.push(finding_about(QualityRule::OpenPoint, word, message));
        }
        if section.words >= SHORTEST_DUPLICATE {
            let text = fold(&section.content);
            match texts.get(&text) {
                Some(first) => findings
                    .push(finding(QualityRule::DuplicateSection, format!("it says the same as {first}"))),
                None => drop(texts.insert(text, section.id)),
            }
        }
        // A document's title is carried out by all of its tasks.
        let carried = empty || section.number == "0" || covered(section.id, &above, &linked);
        if has_tasks && !carried {
            findings.push(finding(QualityRule::OrphanSection, "no task carries it out"));
        }
        terms.judge(&section.content, &prose, &mut findings);
        all.push(judged(section.id, &section.title, findings));
    }
    all
}

/// Whether a task is linked to a section or to one above it.
fn covered(id: SectionId, above: &HashMap<SectionId, SectionId>, linked: &HashSet<SectionId>) -> bool {
    let mut at = Some(id);
    // Sections by hand could have been put below each other in a circle; no document is this deep.
    for _ in 0..100 {
        match at {
            Some(section) if linked.contains(&section) => return true,
            Some(section) => at = above.get(&section).copied(),
            None => return false,
        }
    }
    false
}
