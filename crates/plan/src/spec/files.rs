//! Documents that are handed along with a task, and how a task's prompt is put together of them.

use std::path::Path;

use loopwright_config::text_file;
use loopwright_domain::{ErrorCode, Fault, template};
use serde::{Deserialize, Serialize};

/// Something a person hands along with the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct ContextItem {
    /// The file it came from, as the person named it; none for text.
    pub source: Option<String>,
    /// The text.
    pub text: String,
}

/// A document that is larger is not handed to an agent.
const FILE_LIMIT: u64 = 1024 * 1024;

/// Reads documents of the project, named from the project folder.
///
/// # Errors
/// Names the first one that is missing, no text, too large, or outside of the project.
pub fn read_spec_files(root: &Path, paths: &[String]) -> Result<Vec<ContextItem>, Fault> {
    let read =
        |path: &String| Ok(ContextItem { source: Some(path.clone()), text: read_document(root, path)? });
    paths.iter().map(read).collect()
}

/// Reads one document of the project.
pub(crate) fn read_document(root: &Path, path: &str) -> Result<String, Fault> {
    let bad = |reason: &str| Fault::new(ErrorCode::UsageInvalid, format!("{path} {reason}"));
    let full = root.join(path);
    if text_file::leads_out(root, &full) {
        return Err(
            bad("is outside of the project").hint("Copy it into the project folder, then name it there.")
        );
    }
    text_file::read(&full, FILE_LIMIT)?
        .ok_or_else(|| bad("does not exist").hint("Check the path; it counts from the project folder."))
}

/// Puts a task's texts together: by the template of `run.spec_template`, or one after another where it is empty.
///
/// # Errors
/// The template names something other than `{task}`, `{plan}` and `{specs}`.
pub fn fill_spec(template: &str, task: &str, plan: &str, specs: &str) -> Result<String, Fault> {
    if template.trim().is_empty() {
        let parts: Vec<&str> =
            [task, plan, specs].into_iter().filter(|part| !part.trim().is_empty()).collect();
        return Ok(parts.join("\n\n---\n\n"));
    }
    template::fill(template, &[("task", task), ("plan", plan), ("specs", specs)]).map_err(|unknown| {
        Fault::new(ErrorCode::ConfigBadValue, format!("run.spec_template: {unknown}"))
            .hint("It can hold {task}, {plan} and {specs}; write {{ and }} for braces.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_read_and_faults_say_what_is_wrong() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("project");
        std::fs::create_dir_all(root.join("docs")).unwrap();
        std::fs::write(root.join("docs/tea.md"), "# Tea\n").unwrap();
        std::fs::write(root.join("raw"), [0xff]).unwrap();
        std::fs::write(root.join("big"), vec![b'a'; 1024 * 1024 + 1]).unwrap();
        std::fs::write(folder.path().join("secret"), "s").unwrap();
        let read = |path: &str| read_spec_files(&root, &[path.to_owned()]);
        assert_eq!(read("docs/tea.md").unwrap()[0].text, "# Tea\n");
        assert_eq!(read("docs/../docs/tea.md").unwrap()[0].source.as_deref(), Some("docs/../docs/tea.md"));
        let cases = [
            ("missing.md", "does not exist"),
            ("raw", "is not UTF-8 text"),
            ("big", "is larger than"),
            ("docs", "is not a file"),
            ("../secret", "outside of the project"),
            ("../missing", "outside of the project"),
            ("/etc/hostname", "outside of the project"),
        ];
        for (path, expected) in cases {
            let fault = read(path).unwrap_err();
            assert!(fault.message.contains(expected), "{path}: {fault}");
        }
    }

    #[test]
    fn texts_are_put_together_by_the_template() {
        assert_eq!(fill_spec("", "T", "", "S").unwrap(), "T\n\n---\n\nS");
        assert_eq!(fill_spec("<{task}|{plan}|{specs}>", "{plan}", "P", "S").unwrap(), "<{plan}|P|S>");
        assert!(fill_spec("{tasks}", "", "", "").unwrap_err().message.contains("run.spec_template"));
    }
}
