//! Memory: what failed, what fixed it, what was learned, what goes into prompts, and what it all costs.

mod figures;
mod learning;
mod solution;

use loopwright_domain::{ErrorCode, Fault, IterationId, PromptChoice, PromptPreview, TaskId};
use loopwright_transcript::IterationFiles;

pub use learning::LearningQuery;
pub use solution::{ExportedSolution, ImportedSolutions, SolutionExport};

use crate::project::ProjectMemory;

impl ProjectMemory<'_> {
    /// The next prompt of a task, taken apart: of the one that a run would take first, where none is named. Choices that
    /// are not remembered yet may be given in place of those that are. Starts and writes nothing.
    ///
    /// # Errors
    /// There is no such task, or none that can start; the folder is not trusted; or no agent is chosen.
    pub async fn preview(
        &self,
        task: Option<TaskId>,
        choices: Option<&[PromptChoice]>,
    ) -> Result<PromptPreview, Fault> {
        self.project.runs().preview(task, choices).await
    }

    /// The prompt of a past iteration, taken apart.
    ///
    /// # Errors
    /// There is no such iteration, or it was of an older version or of no task: then only its text is kept.
    pub async fn prompt_of(&self, iteration: IterationId) -> Result<PromptPreview, Fault> {
        let found = self.project.store().iteration(iteration).await?;
        let found = found.ok_or_else(|| {
            Fault::new(ErrorCode::IterationNotFound, format!("there is no iteration {iteration}"))
        })?;
        let files = IterationFiles::of(&self.project.layout().state_dir, &found);
        let none = || {
            Fault::new(ErrorCode::IterationNotFound, "what this prompt was made of is not kept")
                .hint("Only its text is.")
        };
        let text = std::fs::read_to_string(files.prompt_items()).map_err(|_| none())?;
        let mut preview: PromptPreview = serde_json::from_str(&text).map_err(|_| none())?;
        preview.iteration = Some(iteration);
        preview.prompt = std::fs::read_to_string(files.prompt()).unwrap_or_default();
        Ok(preview)
    }

    /// What a person chose for the prompts of a task: items that are out, in, or pinned.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn prompt_choices(&self, task: TaskId) -> Result<Vec<PromptChoice>, Fault> {
        Ok(self.project.store().prompt_choices(task).await?)
    }

    /// Remembers choices for all further prompts of a task, in place of those that were remembered. None at all is a
    /// reset.
    ///
    /// # Errors
    /// There is no such task, an agent asks, or the state cannot be written.
    pub async fn set_prompt_choices(&self, task: TaskId, choices: &[PromptChoice]) -> Result<(), Fault> {
        self.project.require_person("choose what goes into prompts")?;
        Ok(self.project.store().set_prompt_choices(task, choices).await?)
    }
}
