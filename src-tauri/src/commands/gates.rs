//! Gates: what waits for a person, and the answer.

use loopwright_domain::{ErrorCode, Fault, GateDecision, GateId, IterationId, LineComment, Origin};
use loopwright_engine::gate::{GateAnswer, GateDetail, GateInbox};
use tauri::{Runtime, State, WebviewWindow};

use crate::shell::Shell;

/// The longest text a window may hand over: reasons and remarks are far shorter.
const LONGEST_TEXT: usize = 64 * 1024;

/// What waits for a person, and what was decided lately.
#[tauri::command]
#[specta::specta]
pub(crate) async fn gates<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<GateInbox, Fault> {
    shell.project(window.label()).await?.gates().await
}

/// One gate in full.
#[tauri::command]
#[specta::specta]
pub(crate) async fn gate<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: GateId,
) -> Result<GateDetail, Fault> {
    shell.project(window.label()).await?.gate(id).await
}

/// Decides. `tree` is the one that was shown: nothing is decided when the gate is about another one by now.
#[tauri::command]
#[specta::specta]
pub(crate) async fn decide_gate<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: GateId,
    tree: Option<String>,
    decision: GateDecision,
) -> Result<GateAnswer, Fault> {
    if let GateDecision::Reject { reason } | GateDecision::Skip { reason } = &decision {
        bounded(reason)?;
    }
    bounded(tree.as_deref().unwrap_or_default())?;
    shell.project(window.label()).await?.decide_gate(id, tree.as_deref(), &decision, Origin::App).await
}

/// Remarks on a line.
#[tauri::command]
#[specta::specta]
pub(crate) async fn comment_gate<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: GateId,
    comment: LineComment,
) -> Result<GateDetail, Fault> {
    for text in [&comment.path, &comment.quoted, &comment.text] {
        bounded(text)?;
    }
    shell.project(window.label()).await?.comment_gate(id, &comment).await
}

/// Takes a remark back.
#[tauri::command]
#[specta::specta]
pub(crate) async fn uncomment_gate<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: GateId,
    comment: u32,
) -> Result<GateDetail, Fault> {
    shell.project(window.label()).await?.uncomment_gate(id, comment).await
}

/// Reverts the commit of an iteration and puts its task back into the queue.
#[tauri::command]
#[specta::specta]
pub(crate) async fn revert_work<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    iteration: IterationId,
) -> Result<GateDetail, Fault> {
    let project = shell.project(window.label()).await?;
    project.revert_work(iteration, Origin::App).await?;
    project.gate_about(iteration).await
}

fn bounded(text: &str) -> Result<(), Fault> {
    if text.len() <= LONGEST_TEXT {
        return Ok(());
    }
    Err(Fault::new(ErrorCode::UsageInvalid, "this text is too long").hint("Say it in fewer words."))
}
