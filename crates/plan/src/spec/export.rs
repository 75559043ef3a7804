//! The spec as one Markdown document.

use std::fmt::Write;
use std::path::Path;

use loopwright_config::text_file;
use loopwright_domain::{ErrorCode, Fault, Section, Term};
use serde::Serialize;

use super::sections::SpecSection;
use crate::plan::Plan;

/// What was exported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SpecExport {
    /// The file it was written to.
    pub file: Option<String>,
    /// How many sections.
    pub sections: usize,
    /// How many terms.
    pub terms: usize,
    /// The text.
    #[serde(skip)]
    pub text: String,
}

impl Plan<'_> {
    /// Writes the whole spec as Markdown, to a file or only as text. A file that is there is left alone unless `force`
    /// says to replace it; a document of the spec is never replaced.
    ///
    /// # Errors
    /// There is such a file, or it cannot be written.
    pub async fn export_spec(&self, out: Option<&Path>, force: bool) -> Result<SpecExport, Fault> {
        let sections = self.spec().await?;
        let terms = self.terms().await?;
        let text = markdown(&sections, &terms);
        let file = out.map(|out| self.layout().root.join(out));
        if let Some(file) = &file {
            let refused = |reason: &str| {
                Fault::new(
                    ErrorCode::UsageInvalid,
                    format!("{} {reason}; nothing was written", file.display()),
                )
            };
            if self.is_source(file, &sections) {
                return Err(refused("is a document of the spec").hint("Name another file."));
            }
            if file.exists() && !force {
                return Err(
                    refused("is there already").hint("Name another file, or say that it is replaced.")
                );
            }
            text_file::write(file, &text)?;
        }
        let file = file.map(|file| file.display().to_string());
        Ok(SpecExport { file, sections: sections.len(), terms: terms.len(), text })
    }

    fn is_source(&self, file: &Path, sections: &[SpecSection]) -> bool {
        let Ok(file) = dunce::canonicalize(file) else { return false };
        let same =
            |name: &String| dunce::canonicalize(self.layout().root.join(name)).is_ok_and(|it| it == file);
        sections.iter().filter_map(|found| found.section.file.as_ref()).any(same)
    }
}

/// Sections as headings with their numbers, in their order, and the terms at the end.
fn markdown(sections: &[SpecSection], terms: &[Term]) -> String {
    let mut text = String::new();
    for SpecSection { section, .. } in sections {
        let marks = "#".repeat(section.level.clamp(1, 6) as usize);
        let _ = writeln!(text, "{marks} {}\n", heading(section));
        if !section.content.is_empty() {
            let _ = writeln!(text, "{}\n", section.content);
        }
    }
    if !terms.is_empty() {
        text.push_str("## Terms\n\n");
    }
    for term in terms {
        let mut notes = Vec::new();
        if !term.variants.is_empty() {
            notes.push(format!("also: {}", term.variants.join(", ")));
        }
        if !term.avoid.is_empty() {
            notes.push(format!("not: {}", term.avoid.join(", ")));
        }
        let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
        let _ = writeln!(text, "- **{}**{notes}: {}", term.name, term.definition.replace('\n', "\n  "));
    }
    text
}

/// The heading with a number that an import reads again. A document's title has none, nor has a second one of a number.
fn heading(section: &Section) -> String {
    if section.number == "0" || section.number.contains('_') {
        return section.title.clone();
    }
    let dot = if section.number.contains('.') { "" } else { "." };
    format!("{}{dot} {}", section.number, section.title)
}

#[cfg(test)]
mod tests {
    use loopwright_domain::TermId;

    use super::super::split_sections::cut;
    use super::*;

    #[test]
    fn an_export_that_is_imported_is_the_same_spec() {
        let text =
            "# Tea\n\nGuests drink.\n\n## 1. Pot\n\n```\n# code\n```\n\n### 1.4 Lid\n\n## 7. Cup\n\nRound.\n";
        let sections = cut(text, "t.md");
        let spec: Vec<SpecSection> = sections
            .iter()
            .map(|section| SpecSection {
                section: section.clone(),
                edited: false,
                parent: None,
                tasks: Vec::new(),
            })
            .collect();
        assert_eq!(cut(&markdown(&spec, &[]), "t.md"), sections);
        let term = Term {
            id: TermId(1),
            name: "Guest".into(),
            definition: "Who drinks".into(),
            variants: vec!["guests".into()],
            avoid: vec!["customer".into()],
        };
        let terms = markdown(&[], &[term]);
        assert_eq!(terms, "## Terms\n\n- **Guest** (also: guests; not: customer): Who drinks\n");
    }
}
