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
    shell.project(window.label()).await?.gates().inbox().await
}

/// One gate in full.
#[tauri::command]
#[specta::specta]
pub(crate) async fn gate<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: GateId,
) -> Result<GateDetail, Fault> {
    shell.project(window.label()).await?.gates().detail(id).await
}

/// Decides. `tree` is the one that was shown: nothing is decided when the gate is about another one by now. It may be
/// missing only where a gate is about no tree.
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
    shell.project(window.label()).await?.gates().decide(id, tree.as_deref(), &decision, Origin::App).await
}

/// Approves, and decides about what the commit would lack: `include` goes in, the rest stays out.
#[tauri::command]
#[specta::specta]
pub(crate) async fn approve_with_left_out<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: GateId,
    tree: Option<String>,
    decision: GateDecision,
    include: Vec<String>,
) -> Result<GateAnswer, Fault> {
    bounded(tree.as_deref().unwrap_or_default())?;
    for path in &include {
        bounded(path)?;
    }
    let project = shell.project(window.label()).await?;
    project.gates().approve_with_left_out(id, tree.as_deref(), &decision, &include, Origin::App).await
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
    shell.project(window.label()).await?.gates().comment(id, &comment).await
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
    shell.project(window.label()).await?.gates().uncomment(id, comment).await
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
    project.gates().revert_work(iteration, Origin::App).await?;
    project.gates().about(iteration).await
}

fn bounded(text: &str) -> Result<(), Fault> {
    if text.len() <= LONGEST_TEXT {
        return Ok(());
    }
    Err(Fault::new(ErrorCode::UsageInvalid, "this text is too long").hint("Say it in fewer words."))
}
