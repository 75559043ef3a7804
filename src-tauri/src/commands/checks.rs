//! The checks of the calling window's project.

use std::sync::Arc;

use loopwright_domain::{CheckResult, ErrorCode, Fault, Origin};
use loopwright_engine::check::{CheckDraft, CheckUpdate, ChecksReport};
use loopwright_engine::{Project, require_person};
use tauri::ipc::Channel;
use tauri::{Runtime, State, WebviewWindow};

use super::{confirmed, waiting};
use crate::checking::{Teller, presentable, question};
use crate::confirmation::suggested_checks;
use crate::shell::Shell;

/// All checks, how they went last and how they have been going.
#[tauri::command]
#[specta::specta]
pub(crate) async fn checks<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<ChecksReport, Fault> {
    shell.project(window.label()).await?.checks().report().await
}

/// Runs checks now: the ones named, or all that are on. Tells meanwhile what happens. While a run works in the project
/// this is refused: its checks and these would work on the same files and disturb each other.
#[tauri::command]
#[specta::specta]
pub(crate) async fn run_checks<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    names: Vec<String>,
    channel: Channel<CheckUpdate>,
) -> Result<Vec<CheckResult>, Fault> {
    let project = shell.project(window.label()).await?;
    let mut round = shell.rounds().begin(window.label())?;
    let looked = Arc::clone(&project);
    if let Some(holder) = waiting(move || looked.runs().live()).await? {
        let message = format!("\"{}\" is at work in this project and runs the checks itself", holder.what);
        return Err(Fault::new(ErrorCode::RunLocked, message)
            .hint("Wait until it has ended, or look at its checks under Iterations."));
    }
    project.checks().run(&names, &mut Teller(channel), &mut round.stop).await
}

/// Stops the checks that this window runs.
#[tauri::command]
#[specta::specta]
pub(crate) async fn stop_checks<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<(), Fault> {
    shell.rounds().stop(window.label());
    Ok(())
}

/// Adds a check, or changes the one with the name `old`. A command line is asked about in a native dialog.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_check<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    old: Option<String>,
    draft: CheckDraft,
) -> Result<ChecksReport, Fault> {
    let project = shell.project(window.label()).await?;
    agreed(&window, &shell, &project, old.as_deref(), &draft).await?;
    project.checks().save(old.as_deref(), &draft, Origin::App).await?;
    project.checks().report().await
}

/// Adds suggested checks by name, as the folder suggests them now. Their commands are asked about in a native dialog: they
/// run what the folder's files say.
#[tauri::command]
#[specta::specta]
pub(crate) async fn add_suggested_checks<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    names: Vec<String>,
) -> Result<ChecksReport, Fault> {
    let project = shell.project(window.label()).await?;
    require_person("change checks")?;
    let shown = project.checks().pick_suggested(&names)?;
    if let Some(question) = suggested_checks(&shown, &project.layout().root) {
        confirmed(&window, &shell, question, "Nothing was changed.").await?;
    }
    if project.checks().pick_suggested(&names)? != shown {
        return Err(Fault::new(ErrorCode::TrustChanged, "the folder suggests other commands by now")
            .hint("Look at them again, then decide."));
    }
    project.checks().add_suggested(&names, Origin::App).await?;
    project.checks().report().await
}

/// Takes a check out of the configuration.
#[tauri::command]
#[specta::specta]
pub(crate) async fn remove_check<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    name: String,
) -> Result<ChecksReport, Fault> {
    let project = shell.project(window.label()).await?;
    project.checks().remove(&name, Origin::App).await?;
    project.checks().report().await
}

/// Switches a check on or off. A command that is switched on is asked about in a native dialog: while it was off,
/// nobody had to trust it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn enable_check<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    name: String,
    enabled: bool,
) -> Result<ChecksReport, Fault> {
    let project = shell.project(window.label()).await?;
    let draft = CheckDraft { enabled, ..project.checks().draft(&name)? };
    agreed(&window, &shell, &project, Some(&name), &draft).await?;
    project.checks().enable(&name, enabled, Origin::App).await?;
    project.checks().report().await
}

/// Moves a check to another place in the order, counted from 0.
#[tauri::command]
#[specta::specta]
pub(crate) async fn move_check<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    name: String,
    to: u32,
) -> Result<ChecksReport, Fault> {
    let project = shell.project(window.label()).await?;
    project.checks().change_order(&name, to, Origin::App).await?;
    project.checks().report().await
}

/// Asks the person about what a draft would execute and the check does not execute now. What is right and executes
/// nothing new is not asked about.
async fn agreed<R: Runtime>(
    window: &WebviewWindow<R>,
    shell: &Shell,
    project: &Project,
    old: Option<&str>,
    draft: &CheckDraft,
) -> Result<(), Fault> {
    require_person("change checks")?;
    presentable(draft)?;
    let Some(executable) = project.checks().preview(old, draft)? else { return Ok(()) };
    let question = question(&executable, &project.layout().root);
    confirmed(window, shell, question, "Nothing was changed.").await?;
    if project.checks().preview(old, draft)?.as_ref() == Some(&executable) {
        return Ok(());
    }
    let message = "the check was changed in the file while you were looking; nothing was saved";
    Err(Fault::new(ErrorCode::TrustChanged, message).hint("Look at it again, then decide."))
}
