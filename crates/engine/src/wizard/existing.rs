//! What the project in a wizard's folder has already: the plan adds to it, and repeats none of it.

use std::fmt::Write as _;
use std::path::Path;

use loopwright_config::Layout;
use loopwright_domain::Fault;
use loopwright_domain::wizard::{WizardId, WizardScope};

use super::Wizards;
use super::view::WizardView;
use crate::project::Project;

/// As many sections and tasks are named, each.
const MOST_NAMED: usize = 300;

impl Wizards<'_> {
    /// Takes the sections and tasks of the project in the folder over, so that agents are told of them. Where there is no
    /// project, nothing is.
    ///
    /// # Errors
    /// There is no such wizard, or the project's state cannot be read.
    pub async fn note_project(&self, id: &WizardId) -> Result<WizardView, Fault> {
        let wizard = self.read(id)?;
        let folder = Path::new(&wizard.folder);
        let of_folder = |layout: &Layout| layout.root == folder || wizard.scope == WizardScope::Spec;
        let plan = match Layout::find(folder)
            .ok()
            .filter(of_folder)
            .filter(|layout| layout.config_file().exists())
        {
            Some(layout) => planned_in(&Project::open_layout(self.host, layout).await?).await?,
            None => None,
        };
        if plan == wizard.input.plan {
            return self.show(id);
        }
        let mut held = self.hold(id)?;
        held.wizard.input.plan = plan;
        self.saved(held)
    }
}

/// The sections and tasks of a project as Markdown; none where there are none.
async fn planned_in(project: &Project) -> Result<Option<String>, Fault> {
    let (sections, tasks) = (project.spec().rows().await?, project.store().tasks().await?);
    let mut text = String::new();
    let mut list = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            let more = lines.len().saturating_sub(MOST_NAMED);
            let rest = if more > 0 { format!("\n- and {more} more") } else { String::new() };
            let shown = lines.into_iter().take(MOST_NAMED).collect::<Vec<_>>().join("\n");
            let _ = write!(text, "{title}:\n\n{shown}{rest}\n\n");
        }
    };
    list("Sections", sections.iter().map(|row| format!("- {} {}", row.number, row.title)).collect());
    let task = |task: &loopwright_domain::Task| format!("- {} ({})", task.draft.title, task.status);
    list("Tasks", tasks.iter().map(task).collect());
    Ok(Some(text.trim_end().to_owned()).filter(|text| !text.is_empty()))
}
