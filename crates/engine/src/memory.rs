//! Memory: what failed, what fixed it, what was learned, what goes into prompts, and what it all costs.

mod figures;
mod learning;
mod solution;

use loopwright_domain::memory::citation::citations;
use loopwright_domain::{
    ErrorCode, Fault, ItemState, IterationId, PromptChoice, PromptItem, PromptItemKind, PromptPreview, TaskId,
};
use loopwright_transcript::{EntryKind, IterationFiles, OutputFilter, OutputSource, OutputTarget};

pub use learning::LearningQuery;
pub use solution::{ExportedSolution, ImportedSolutions, SolutionExport};

use crate::project::ProjectMemory;

/// As many of an agent's messages as are looked through.
const MESSAGES: u32 = 500;

impl ProjectMemory<'_> {
    /// The next prompt of a task, taken apart: of the one that a run would take first, where none is named. Choices that
    /// are not remembered yet may be given in place of those that are. Starts nothing.
    ///
    /// # Errors
    /// There is no such task, or none that can start; the folder is not trusted; or no agent is chosen.
    pub async fn preview(
        &self,
        task: Option<TaskId>,
        choices: Option<&[PromptChoice]>,
    ) -> Result<PromptPreview, Fault> {
        self.project.take_over_learnings().await;
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
        self.cite(iteration, &mut preview).await;
        Ok(preview)
    }

    /// Counts in how many of the agent's messages the words of each item come up again. Without a transcript nothing is
    /// counted.
    async fn cite(&self, iteration: IterationId, preview: &mut PromptPreview) {
        let target = OutputTarget { iteration, source: OutputSource::Transcript };
        let filter = OutputFilter { kinds: vec![EntryKind::Message] };
        let Ok(page) = self.project.output().page(target, &filter, 0, MESSAGES).await else { return };
        let messages: Vec<&str> = page.entries.iter().map(|entry| entry.text.as_str()).collect();
        if messages.is_empty() {
            return;
        }
        let there =
            |item: &&mut PromptItem| item.state != ItemState::Out && item.kind != PromptItemKind::Rules;
        let mut items: Vec<&mut PromptItem> = preview.items.iter_mut().filter(there).collect();
        let counts = {
            let texts: Vec<&str> = items.iter().map(|item| item.text.as_str()).collect();
            citations(&texts, &messages)
        };
        for (item, count) in items.iter_mut().zip(counts) {
            item.cited = Some(count);
        }
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
