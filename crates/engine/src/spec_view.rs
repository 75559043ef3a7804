//! The spec as a person works in it: the tree with how good and how stale each section is, one section in full, what a
//! search finds, and saving without losing what somebody else wrote meanwhile.

use std::collections::BTreeSet;

use loopwright_domain::digest::sha256_hex;
use loopwright_domain::quality::{Judged, PlanQuality, QualityFinding, judge, uses};
use loopwright_domain::{ErrorCode, Fault, Origin, Section, SectionId, Term};
use loopwright_plan::spec::{SectionEdit, SpecSection, SpecSource, placed};
use serde::Serialize;

use crate::project::ProjectSpec;
use crate::task::TaskTrace;

/// As many characters of a section as a search shows.
const EXCERPT: usize = 180;
/// How many characters before the first word that was found are shown.
const BEFORE: usize = 50;

/// The whole spec at one glance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SpecView {
    /// Every section, in order.
    pub sections: Vec<SpecEntry>,
    /// Every term, by name.
    pub terms: Vec<TermEntry>,
    /// The documents that sections came from.
    pub sources: Vec<SpecSource>,
    /// How good the plan is, of 100; none when there is nothing to judge.
    pub score: Option<u32>,
}

/// A section in the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SpecEntry {
    /// Its number in the project.
    pub id: SectionId,
    /// Its dotted place.
    pub number: String,
    /// The heading.
    pub title: String,
    /// The section it stands below.
    pub parent: Option<SectionId>,
    /// The document it came from.
    pub file: Option<String>,
    /// How many words it has.
    pub words: u32,
    /// Whether a person changed it since it was imported.
    pub edited: bool,
    /// How many tasks carry it out.
    pub tasks: u32,
    /// How many finished tasks were built from an older text.
    pub stale: u32,
    /// How many findings it has.
    pub findings: u32,
}

/// A term with how much it is used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct TermEntry {
    /// The term.
    pub term: Term,
    /// In how many sections it is used.
    pub sections: u32,
}

/// How good a section is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SectionQuality {
    /// Its score, of 100.
    pub score: u32,
    /// The score of the whole plan with it.
    pub plan: Option<u32>,
    /// What was found in it.
    pub findings: Vec<QualityFinding>,
}

/// One section in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SectionDetail {
    /// The section.
    pub section: Section,
    /// Stands for its heading and text; to be handed over when it is saved.
    pub version: String,
    /// Whether a person changed it since it was imported.
    pub edited: bool,
    /// The section it stands below.
    pub parent: Option<SectionId>,
    /// The tasks that carry it out, with their iterations and commits.
    pub trace: Vec<TaskTrace>,
    /// How good it is.
    pub quality: SectionQuality,
}

/// A section that a search found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SpecHit {
    /// The section.
    pub id: SectionId,
    /// Its dotted place.
    pub number: String,
    /// The heading.
    pub title: String,
    /// Some of its text, around the first word that was found, in one line.
    pub excerpt: String,
}

impl ProjectSpec<'_> {
    /// The whole spec at one glance.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn view(self) -> Result<SpecView, Fault> {
        let (sections, store) = (self.sections().await?, self.project.store());
        let (tasks, terms, stale) = (store.tasks().await?, self.terms().await?, store.stale_tasks().await?);
        let quality = judge(&placed(&sections), &tasks, &terms);
        let used = uses(&placed(&sections), &terms);
        let entry = |(found, judged): (&SpecSection, &Judged<SectionId>)| {
            let Section { id, number, title, file, words, .. } = found.section.clone();
            SpecEntry {
                id,
                number,
                title,
                parent: found.parent,
                file,
                words,
                edited: found.edited,
                tasks: count(found.tasks.len()),
                stale: count(stale.iter().filter(|stale| stale.section == id).count()),
                findings: count(judged.findings.len()),
            }
        };
        Ok(SpecView {
            sections: sections.iter().zip(&quality.sections).map(entry).collect(),
            terms: terms.into_iter().zip(used).map(|(term, sections)| TermEntry { term, sections }).collect(),
            sources: self.sources().await?,
            score: quality.score,
        })
    }

    /// One section in full.
    ///
    /// # Errors
    /// There is none, or the state cannot be read.
    pub async fn detail(self, id: SectionId) -> Result<SectionDetail, Fault> {
        let found = self.find(&id.to_string()).await?;
        let quality = self.judge_draft(id, &found.section.content).await?;
        Ok(SectionDetail {
            version: version(&found.section),
            section: found.section,
            edited: found.edited,
            parent: found.parent,
            trace: self.trace(id).await?,
            quality,
        })
    }

    /// How good a section would be with another text. Nothing is written.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn judge_draft(self, id: SectionId, content: &str) -> Result<SectionQuality, Fault> {
        let PlanQuality { score: plan, sections, .. } = self.project.plan().judge_draft(id, content).await?;
        let judged = sections.into_iter().find(|judged| judged.id == id);
        let (score, findings) = judged.map_or((100, Vec::new()), |judged| (judged.score, judged.findings));
        Ok(SectionQuality { score, plan, findings })
    }

    /// Changes a section that was read as `seen`.
    ///
    /// # Errors
    /// [`ErrorCode::SectionChanged`] when it is no longer what was read; and as [`ProjectSpec::edit`].
    pub async fn save(
        self,
        id: SectionId,
        seen: &str,
        edit: &SectionEdit,
        origin: Origin,
    ) -> Result<SectionDetail, Fault> {
        let found = self.find(&id.to_string()).await?;
        if version(&found.section) != seen {
            return Err(Fault::new(
                ErrorCode::SectionChanged,
                format!("\"{}\" was changed by somebody else since you opened it", found.section.title),
            )
            .hint("Compare both texts, then save yours or use theirs."));
        }
        self.edit(id, edit, origin).await?;
        self.detail(id).await
    }

    /// The sections that speak of some words, best first, with the place where they do.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn hits(self, text: &str, limit: u32) -> Result<Vec<SpecHit>, Fault> {
        let words: BTreeSet<String> = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let hit = |found: SpecSection| {
            let Section { id, number, title, content, .. } = found.section;
            SpecHit { id, number, title, excerpt: excerpt(&content, &words) }
        };
        Ok(self.search(text, limit).await?.into_iter().map(hit).collect())
    }
}

/// Stands for a section's heading and text.
fn version(section: &Section) -> String {
    sha256_hex(format!("{}\n{}", section.title, section.content).as_bytes())
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The part of a text around the first word that begins with one of these, in one line.
fn excerpt(text: &str, words: &BTreeSet<String>) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let begins = |piece: &&str| {
        let bare = piece.trim_start_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        words.iter().any(|word| bare.starts_with(word.as_str()))
    };
    let found = line.iter().position(begins).unwrap_or(0);
    let mut first = found;
    let mut before = 0;
    while let Some(piece) = first.checked_sub(1).and_then(|place| line.get(place)) {
        before += piece.chars().count() + 1;
        if before > BEFORE {
            break;
        }
        first -= 1;
    }
    let mut shown = String::new();
    for piece in line.get(first..).unwrap_or_default() {
        if shown.chars().count() + piece.chars().count() >= EXCERPT {
            shown.push('…');
            break;
        }
        if !shown.is_empty() {
            shown.push(' ');
        }
        shown.push_str(piece);
    }
    if first > 0 {
        shown.insert(0, '…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_shows_the_first_word_that_was_found() {
        let words = |text: &str| text.split(' ').map(str::to_lowercase).collect::<BTreeSet<_>>();
        let long = format!("{} the Kettle boils.", "Water flows and flows. ".repeat(20).trim());
        let cases = [
            ("", "tea", ""),
            ("Tea is\n\n*hot*.", "hot", "Tea is *hot*."),
            ("nothing of it", "tea", "nothing of it"),
        ];
        for (text, asked, expected) in cases {
            assert_eq!(excerpt(text, &words(asked)), expected, "{text:?} {asked:?}");
        }
        let found = excerpt(&long, &words("kett"));
        assert!(found.starts_with('…') && found.ends_with("the Kettle boils."), "{found}");
        assert!(found.chars().count() < 90, "{found}");
        let cut = excerpt(&"word ".repeat(500), &words("word"));
        assert!(cut.ends_with('…') && cut.chars().count() <= EXCERPT + 1, "{cut}");
        assert_eq!(excerpt(&"x".repeat(10_000), &words("x")), "…");
    }
}
