//! What prompts of the calling window's project are made of.

use loopwright_domain::{ErrorCode, Fault, IterationId, PromptChoice, PromptPreview, TaskId};
use tauri::{Runtime, State, WebviewWindow};

use crate::shell::Shell;

/// As many choices as a task's prompts can have.
const MOST_CHOICES: usize = 1000;

/// The next prompt of a task: with these choices, or with those that are kept for it. Nothing is kept.
#[tauri::command]
#[specta::specta]
pub(crate) async fn preview_prompt<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    task: TaskId,
    choices: Option<Vec<PromptChoice>>,
) -> Result<PromptPreview, Fault> {
    let project = shell.project(window.label()).await?;
    project.memory().preview(Some(task), choices.as_deref()).await
}

/// Remembers choices for a task's prompts in place of earlier ones, and shows the next prompt with them.
#[tauri::command]
#[specta::specta]
pub(crate) async fn keep_prompt_choices<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    task: TaskId,
    choices: Vec<PromptChoice>,
) -> Result<PromptPreview, Fault> {
    let project = shell.project(window.label()).await?;
    if choices.len() > MOST_CHOICES {
        return Err(Fault::new(ErrorCode::UsageInvalid, "these are too many choices for one prompt"));
    }
    project.memory().set_prompt_choices(task, &choices).await?;
    project.memory().preview(Some(task), None).await
}

/// The prompt that an iteration was asked with, taken apart; none where only its text was kept.
#[tauri::command]
#[specta::specta]
pub(crate) async fn prompt_of<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    iteration: IterationId,
) -> Result<Option<PromptPreview>, Fault> {
    match shell.project(window.label()).await?.memory().prompt_of(iteration).await {
        Ok(preview) => Ok(Some(preview)),
        Err(fault) if fault.code == ErrorCode::IterationNotFound => Ok(None),
        Err(fault) => Err(fault),
    }
}
