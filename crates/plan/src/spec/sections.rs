//! The sections of a project's spec: reading them, and writing them by hand.

use std::collections::BTreeSet;

use loopwright_domain::{ErrorCode, Fault, NextAction, Origin, Section, SectionId, TaskId};
use loopwright_store::{PutSection, Source, SpecChange, StoredSection};
use serde::{Deserialize, Serialize};

use super::split_sections::words;
use crate::plan::Plan;

/// A section in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SectionRow {
    /// Its number in the project.
    pub id: SectionId,
    /// Its dotted place.
    pub number: String,
    /// The heading.
    pub title: String,
    /// How deep the heading is.
    pub level: u32,
    /// The document.
    pub file: Option<String>,
    /// How many words it has.
    pub words: u32,
}

/// A section with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SpecSection {
    /// The section.
    #[serde(flatten)]
    pub section: Section,
    /// Whether a person changed it since it was imported.
    pub edited: bool,
    /// The section it stands below.
    pub parent: Option<SectionId>,
    /// The tasks that carry it out.
    pub tasks: Vec<TaskId>,
}

impl From<StoredSection> for SpecSection {
    fn from(stored: StoredSection) -> Self {
        let StoredSection { section, edited, parent, tasks, .. } = stored;
        Self { section, edited, parent, tasks }
    }
}

/// What a person writes in a section; none leaves it as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SectionEdit {
    /// The heading.
    pub title: Option<String>,
    /// The text.
    pub content: Option<String>,
}

impl Plan<'_> {
    /// The sections in a list.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn section_rows(&self) -> Result<Vec<SectionRow>, Fault> {
        let row = |stored: StoredSection| {
            let Section { id, number, title, level, file, words, .. } = stored.section;
            SectionRow { id, number, title, level, file, words }
        };
        Ok(self.store().sections().await?.into_iter().map(row).collect())
    }

    /// Every section in full, in the order of its document.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn spec(&self) -> Result<Vec<SpecSection>, Fault> {
        Ok(self.store().sections().await?.into_iter().map(SpecSection::from).collect())
    }

    /// One section, by its id (`7` or `§7`), its dotted number, or its heading.
    ///
    /// # Errors
    /// There is none, or there are several.
    pub async fn section(&self, name: &str) -> Result<SpecSection, Fault> {
        find(self.spec().await?, name)
    }

    /// The sections that speak of some words, best first. Any text may be asked for.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn search_spec(&self, text: &str, limit: u32) -> Result<Vec<SpecSection>, Fault> {
        let found = self.store().search_sections(text, limit).await?;
        Ok(found.into_iter().map(SpecSection::from).collect())
    }

    /// Writes a new section by hand, below another one or at the end.
    ///
    /// # Errors
    /// It has no title, there is no section to put it below, or an agent asks.
    pub async fn add_section(
        &self,
        title: &str,
        content: &str,
        under: Option<&str>,
        origin: Origin,
    ) -> Result<SpecSection, Fault> {
        let title = checked_title(title)?;
        let all = self.spec().await?;
        let parent = under.map(|name| find(all.clone(), name)).transpose()?.map(|found| found.section);
        let prefix = parent.as_ref().map_or_else(String::new, |parent| format!("{}.", parent.number));
        let file = parent.as_ref().and_then(|parent| parent.file.clone());
        let same = |section: &&Section| section.file.is_none() || section.file == file;
        let used: BTreeSet<&str> = all
            .iter()
            .map(|found| &found.section)
            .filter(same)
            .map(|section| section.number.as_str())
            .collect();
        let number = (1..=u32::MAX).map(|number| format!("{prefix}{number}"));
        let number = number.into_iter().find(|number| !used.contains(number.as_str())).unwrap_or_default();
        let section = Section {
            id: SectionId(0),
            number,
            title,
            level: parent.as_ref().map_or(1, |parent| parent.level.saturating_add(1).min(6)),
            content: content.trim_end().to_owned(),
            file: None,
            words: words(content),
        };
        let position = all.iter().filter(|found| found.section.file.is_none()).count();
        let put = PutSection {
            id: None,
            position: u32::try_from(position).unwrap_or(u32::MAX),
            section,
            edited: false,
            under: parent.map(|parent| parent.id),
        };
        let what = format!("added {}", put.section.title);
        let change = ChangedSections { put: std::slice::from_ref(&put), ..ChangedSections::default() };
        let ids = self.change_spec(&what, change, origin).await?;
        let id = ids.first().copied().unwrap_or(SectionId(0));
        Ok(SpecSection {
            section: Section { id, ..put.section },
            edited: false,
            parent: put.under,
            tasks: Vec::new(),
        })
    }

    /// Changes a section. Another import of its document leaves it as it is then.
    ///
    /// # Errors
    /// There is no such section, it would have no title, or an agent asks.
    pub async fn edit_section(
        &self,
        id: SectionId,
        edit: &SectionEdit,
        origin: Origin,
    ) -> Result<SpecSection, Fault> {
        let stored = self.store().sections().await?;
        let place = stored.iter().position(|found| found.section.id == id);
        let mut found =
            place.and_then(|place| stored.get(place)).cloned().ok_or_else(|| missing(&id.to_string()))?;
        if let Some(title) = &edit.title {
            found.section.title = checked_title(title)?;
        }
        if let Some(content) = &edit.content {
            found.section.content = content.trim_end().to_owned();
            found.section.words = words(content);
        }
        if place.and_then(|place| stored.get(place)).is_some_and(|before| before.section == found.section) {
            // Nothing is different, so an import may still bring it up to date.
            return Ok(found.into());
        }
        found.edited = found.section.file.is_some();
        let before = stored.iter().take(place.unwrap_or_default());
        let position = before.filter(|other| other.section.file == found.section.file).count();
        let put = PutSection {
            id: Some(id),
            position: u32::try_from(position).unwrap_or(u32::MAX),
            section: found.section.clone(),
            edited: found.edited,
            under: found.parent.filter(|_| found.section.file.is_none()),
        };
        let what = format!("edited {}", found.section.title);
        self.change_spec(&what, ChangedSections { put: &[put], ..ChangedSections::default() }, origin)
            .await?;
        Ok(found.into())
    }

    /// Removes sections, and with them their links to tasks.
    ///
    /// # Errors
    /// One of them is not there, or an agent asks. Then nothing has changed.
    pub async fn remove_sections(&self, ids: &[SectionId], origin: Origin) -> Result<(), Fault> {
        let what = match ids {
            [one] => format!("removed {one}"),
            many => format!("removed {} sections", many.len()),
        };
        self.change_spec(&what, ChangedSections { remove: ids, ..ChangedSections::default() }, origin)
            .await
            .map(drop)
    }

    pub(super) async fn change_spec(
        &self,
        what: &str,
        change: ChangedSections<'_>,
        origin: Origin,
    ) -> Result<Vec<SectionId>, Fault> {
        self.require_person("change the spec")?;
        let at = self.host().timestamp();
        let ChangedSections { put, remove, sources } = change;
        Ok(self.store().change_spec(SpecChange { at: &at, what, put, remove, sources, origin }).await?)
    }
}

/// What of the spec is to be written.
#[derive(Clone, Copy, Default)]
pub(super) struct ChangedSections<'a> {
    pub(super) put: &'a [PutSection],
    pub(super) remove: &'a [SectionId],
    pub(super) sources: &'a [Source],
}

fn checked_title(title: &str) -> Result<String, Fault> {
    let title = title.trim();
    if title.is_empty() || title.contains(['\n', '\r']) {
        return Err(Fault::new(ErrorCode::UsageInvalid, "a section needs a heading of one line"));
    }
    Ok(title.to_owned())
}

fn missing(name: &str) -> Fault {
    Fault::new(ErrorCode::SectionNotFound, format!("there is no section {name}"))
        .next(NextAction::ListSections, "See all sections with their numbers")
}

fn find(all: Vec<SpecSection>, name: &str) -> Result<SpecSection, Fault> {
    let id = name.strip_prefix('§').unwrap_or(name).parse().ok().map(SectionId);
    if let Some(id) = id {
        return all.into_iter().find(|found| found.section.id == id).ok_or_else(|| missing(&id.to_string()));
    }
    let by_number = |found: &&SpecSection| found.section.number == name;
    let by_title = |found: &&SpecSection| found.section.title.to_lowercase() == name.trim().to_lowercase();
    let mut found: Vec<&SpecSection> = all.iter().filter(by_number).collect();
    if found.is_empty() {
        found = all.iter().filter(by_title).collect();
    }
    match found.as_slice() {
        [] => Err(missing(&format!("\"{name}\""))),
        [one] => Ok((*one).clone()),
        many => {
            let ids: Vec<String> = many.iter().map(|found| found.section.id.to_string()).collect();
            Err(Fault::new(ErrorCode::SectionNotFound, format!("several sections are called \"{name}\""))
                .hint(format!("Name one by its id: {}.", ids.join(", "))))
        }
    }
}
