//! Starting, steering and following the runs of the calling window's project.

use std::sync::Arc;

use loopwright_domain::{ControlKind, EventSeq, Fault, Origin, RunId};
use loopwright_engine::Project;
use loopwright_engine::run::{ControlOutcome, DryRun, Earlier, RunChoices, RunState, RunSummary, RunUpdate};
use tauri::ipc::Channel;
use tauri::{Manager as _, Runtime, State, WebviewWindow};

use super::confirmed;
use crate::exit;
use crate::run_dto::{CloseChoice, StartRun};
use crate::runs::{self, Work};
use crate::shell::Shell;

/// More runs than this are not told at once.
const MOST_RUNS: u32 = 500;

/// What can be chosen when starting a run, and what would be taken unasked.
#[tauri::command]
#[specta::specta]
pub(crate) async fn run_choices<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<RunChoices, Fault> {
    shell.project(window.label()).await?.runs().choices().await
}

/// What a run would do first: its command line and its prompt. Nothing is started.
#[tauri::command]
#[specta::specta]
pub(crate) async fn preview_run<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    request: StartRun,
) -> Result<DryRun, Fault> {
    let project = shell.project(window.label()).await?;
    let prepared = project.runs().prepare(&runs::resolve(request)?)?;
    project.runs().dry_run(prepared).await
}

/// Starts a run in this app. Answers as soon as the run has begun, or says why it cannot.
#[tauri::command]
#[specta::specta]
pub(crate) async fn start_run<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    request: StartRun,
) -> Result<RunId, Fault> {
    let project = shell.project(window.label()).await?;
    let earlier = if request.leave_earlier { Earlier::Leave } else { Earlier::Ask };
    let request = runs::resolve(request)?;
    let prepared = project.runs().prepare(&request)?;
    if let Some(question) = runs::confirm_risk(&prepared) {
        confirmed(&window, &shell, question, "Nothing was started.").await?;
    }
    let agreed = prepared.digest()?;
    begin(&window, &shell, &project, Work::Start { request: Box::new(request), earlier, agreed }).await
}

/// Goes on with a run that was stopped: the live process is told, else this app takes it up.
#[tauri::command]
#[specta::specta]
pub(crate) async fn resume_run<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    run: Option<RunId>,
) -> Result<RunId, Fault> {
    let project = shell.project(window.label()).await?;
    let id = project.runs().resumable(run).await?.id;
    if project.runs().live().is_some() && project.runs().resumable(None).await?.id == id {
        project.runs().ask(ControlKind::Resume, Origin::App).await?;
        return Ok(id);
    }
    begin(&window, &shell, &project, Work::Resume(id)).await
}

async fn begin<R: Runtime>(
    window: &WebviewWindow<R>,
    shell: &Shell,
    project: &Arc<Project>,
    work: Work,
) -> Result<RunId, Fault> {
    shell.rounds().require_none(window.label())?;
    let root = project.layout().root.clone();
    let begun = shell.runs().begin(window.label(), shell.host(), root, work).await?;
    shell.wake_following(window.label());
    Ok(begun)
}

/// Asks the project's run to pause, to pause after this iteration, or to end for good, whoever works on it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn ask_run<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    kind: ControlKind,
) -> Result<ControlOutcome, Fault> {
    let asked = shell.project(window.label()).await?.runs().ask(kind, Origin::App).await?;
    shell.wake_following(window.label());
    Ok(asked)
}

/// A run as it is now; the newest one without an id. None when there was never one.
#[tauri::command]
#[specta::specta]
pub(crate) async fn run_state<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    run: Option<RunId>,
) -> Result<Option<RunState>, Fault> {
    shell.project(window.label()).await?.runs().state(run).await
}

/// The runs before one, the newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn runs<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    before: Option<RunId>,
    limit: u32,
) -> Result<Vec<RunSummary>, Fault> {
    let project = shell.project(window.label()).await?;
    let found = project.runs().list(limit.min(MOST_RUNS), before).await?;
    // Only the newest run of all can have a process that works on it.
    let live = before.is_none() && project.runs().live().is_some();
    let seen = |(place, run)| RunSummary::new(run, live && place == 0);
    Ok(found.iter().enumerate().map(seen).collect())
}

/// Tells the page in batches what happens from a place in history on: state, events and output. A page has one such
/// channel; a new one takes the place of the one before.
#[tauri::command]
#[specta::specta]
pub(crate) async fn follow<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    after: EventSeq,
    channel: Channel<Vec<RunUpdate>>,
) -> Result<(), Fault> {
    let project = shell.project(window.label()).await?;
    shell.keep_following(window.label(), runs::follow(&project, after, channel));
    Ok(())
}

/// The person's answer to the question what becomes of the run when the window closes.
#[tauri::command]
#[specta::specta]
pub(crate) async fn close_window<R: Runtime>(
    window: WebviewWindow<R>,
    _shell: State<'_, Shell>,
    choice: CloseChoice,
) -> Result<(), Fault> {
    let (app, label) = (window.app_handle().clone(), window.label().to_owned());
    // The page goes out of sight; nobody waits for this.
    tauri::async_runtime::spawn(async move { exit::carry_out(&app, &label, choice).await });
    Ok(())
}

/// The page says that it shows the question; without this the shell asks in a native dialog.
#[tauri::command]
#[specta::specta]
pub(crate) async fn close_asked_shown<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<(), Fault> {
    exit::shown(&shell, window.label());
    Ok(())
}
