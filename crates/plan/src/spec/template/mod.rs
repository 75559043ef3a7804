//! Templates: the sections that a spec of some kind has, with guidance for each.
//!
//! A template is a Markdown document. Its title and first words say what it is for; its headings are the sections, and
//! the text below them is guidance.

use std::path::{Path, PathBuf};

use loopwright_config::{PROJECT_DIR, text_file};
use loopwright_domain::{ErrorCode, Fault};
use serde::Serialize;

use super::split_sections::cut;
use crate::plan::Plan;

/// Where a project keeps its own, in [`PROJECT_DIR`].
const FOLDER: &str = "templates";
/// A larger file is no template.
const FILE_LIMIT: u64 = 1024 * 1024;

const BUILT_IN: [(&str, &str); 4] = [
    ("spec", include_str!("spec.md")),
    ("architecture", include_str!("architecture.md")),
    ("api", include_str!("api.md")),
    ("mvp", include_str!("mvp.md")),
];

/// A template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SpecTemplate {
    /// What it is called.
    pub name: String,
    /// Its file; none for one that is built in.
    pub file: Option<String>,
    /// Its heading.
    pub title: String,
    /// What it is for.
    pub description: String,
    /// Its sections, in order.
    pub sections: Vec<TemplateSection>,
    /// The template itself, as Markdown.
    pub text: String,
}

/// A section that a spec by a template has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct TemplateSection {
    /// Its dotted place.
    pub number: String,
    /// The heading.
    pub title: String,
    /// How deep the heading is.
    pub level: u32,
    /// What is to be written there.
    pub guidance: String,
}

impl SpecTemplate {
    fn read(name: &str, file: Option<String>, text: &str) -> Self {
        let mut template = Self {
            name: name.to_owned(),
            file,
            title: name.to_owned(),
            description: String::new(),
            sections: Vec::new(),
            text: text.to_owned(),
        };
        for section in cut(text, &format!("{name}.md")) {
            if section.number == "0" {
                template.title = section.title;
                template.description = section.content;
            } else {
                template.sections.push(TemplateSection {
                    number: section.number,
                    title: section.title,
                    level: section.level,
                    guidance: section.content,
                });
            }
        }
        template
    }
}

impl Plan<'_> {
    /// All templates: the project's own by name, then those built in that it does not replace.
    ///
    /// # Errors
    /// One of the project's own cannot be read.
    pub fn templates(&self) -> Result<Vec<SpecTemplate>, Fault> {
        templates_in(&self.layout().root)
    }

    /// One template by its name.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub fn template(&self, name: &str) -> Result<SpecTemplate, Fault> {
        template_in(&self.layout().root, name)
    }

    /// Makes a template of the project's own, as a copy of another one to be edited.
    ///
    /// # Errors
    /// The name is no word, there is such a file, or an agent asks.
    pub fn new_template(&self, name: &str, from: &str) -> Result<SpecTemplate, Fault> {
        self.require_person("make a template")?;
        let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if name.is_empty() || name.len() > 60 || !name.bytes().all(word) {
            return Err(Fault::new(
                ErrorCode::UsageInvalid,
                format!("\"{name}\" cannot be the name of a template"),
            )
            .hint("Use letters, digits, \"-\" and \"_\"."));
        }
        let text = self.template(from)?.text;
        let file = template_folder(&self.layout().root).join(format!("{name}.md"));
        if file.symlink_metadata().is_ok() {
            return Err(Fault::new(ErrorCode::UsageInvalid, format!("{} is there already", file.display()))
                .hint("Edit it, or take another name."));
        }
        text_file::write_inside(&self.layout().root, &file, &text)?;
        self.template(name)
    }
}

/// All templates for a folder, which may be a project or not yet: its own by name, then those built in that it does not
/// replace.
///
/// # Errors
/// One of its own cannot be read.
pub fn templates_in(root: &Path) -> Result<Vec<SpecTemplate>, Fault> {
    let mut all = own_templates(root)?;
    for (name, text) in BUILT_IN {
        if !all.iter().any(|own| own.name == name) {
            all.push(SpecTemplate::read(name, None, text));
        }
    }
    Ok(all)
}

/// One template for a folder by its name.
///
/// # Errors
/// There is none, or it cannot be read.
pub fn template_in(root: &Path, name: &str) -> Result<SpecTemplate, Fault> {
    let all = templates_in(root)?;
    let names: Vec<String> = all.iter().map(|template| template.name.clone()).collect();
    all.into_iter().find(|template| template.name == name).ok_or_else(|| {
        Fault::new(ErrorCode::UsageInvalid, format!("there is no template \"{name}\""))
            .hint(format!("There are {}.", names.join(", ")))
    })
}

fn template_folder(root: &Path) -> PathBuf {
    root.join(PROJECT_DIR).join(FOLDER)
}

fn own_templates(root: &Path) -> Result<Vec<SpecTemplate>, Fault> {
    let folder = template_folder(root);
    // No folder, or one that leads elsewhere, has none.
    if text_file::leads_out(root, &folder) {
        return Ok(Vec::new());
    }
    let Ok(entries) = std::fs::read_dir(&folder) else { return Ok(Vec::new()) };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> =
        names.filter_map(|name| name.strip_suffix(".md").map(str::to_owned)).collect();
    names.sort();
    let mut all = Vec::new();
    for name in names {
        if let Some(text) = text_file::read(&folder.join(format!("{name}.md")), FILE_LIMIT)? {
            let file = format!("{PROJECT_DIR}/{FOLDER}/{name}.md");
            all.push(SpecTemplate::read(&name, Some(file), &text));
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_ones_have_their_sections_with_guidance() {
        let expected: [(&str, &[&str]); 4] = [
            (
                "spec",
                &[
                    "1 Problem Statement",
                    "2 Requirements",
                    "2.1 Functional",
                    "2.2 Non-Functional",
                    "3 Features",
                    "4 Data Model",
                    "5 Constraints",
                    "6 Acceptance Criteria",
                ],
            ),
            (
                "architecture",
                &[
                    "1 Overview",
                    "2 Components",
                    "2.1 Component Interactions",
                    "3 Data Model",
                    "4 Integrations",
                    "5 Deployment",
                    "6 Security",
                ],
            ),
            (
                "api",
                &[
                    "1 Overview",
                    "2 Authentication",
                    "3 Endpoints",
                    "3.1 Resource",
                    "3.2 Action",
                    "4 Data Types",
                    "5 Error Handling",
                ],
            ),
            ("mvp", &["1 Problem", "2 MVP Features", "3 Technical Stack", "4 Data Model"]),
        ];
        for ((name, text), (expected_name, sections)) in BUILT_IN.into_iter().zip(expected) {
            let template = SpecTemplate::read(name, None, text);
            let found: Vec<String> = template
                .sections
                .iter()
                .map(|section| format!("{} {}", section.number, section.title))
                .collect();
            assert_eq!(
                (name, found.as_slice()),
                (expected_name, &sections.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()[..])
            );
            assert!(template.sections.iter().all(|section| !section.guidance.is_empty()), "{name}");
            assert!(!template.description.is_empty() && template.title != name, "{name}");
        }
    }
}
