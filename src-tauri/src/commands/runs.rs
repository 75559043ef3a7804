//! Starting, steering and following the runs of the calling window's project.

use loopwright_domain::{ControlKind, EventSeq, Fault, RunId};
use loopwright_engine::run::{Asked, DryRun, RunChoices, RunState, RunSummary, RunUpdate};
use tauri::ipc::Channel;
use tauri::{Runtime, State, WebviewWindow};

use super::pending;
use crate::run_dto::{CloseChoice, StartRun};
use crate::shell::Shell;

/// What can be chosen when starting a run, and what would be taken unasked.
#[tauri::command]
#[specta::specta]
pub(crate) async fn run_choices<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<RunChoices, Fault> {
    pending(window, shell)
}

/// What a run would do first: its command line and its prompt. Nothing is started.
#[tauri::command]
#[specta::specta]
pub(crate) async fn preview_run<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    request: StartRun,
) -> Result<DryRun, Fault> {
    let _ = request;
    pending(window, shell)
}

/// Starts a run in this app. Answers as soon as the run has begun, or says why it cannot.
#[tauri::command]
#[specta::specta]
pub(crate) async fn start_run<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    request: StartRun,
) -> Result<RunId, Fault> {
    let _ = request;
    pending(window, shell)
}

/// Goes on with a run that was stopped: the live process is told, else this app takes it up.
#[tauri::command]
#[specta::specta]
pub(crate) async fn resume_run<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    run: Option<RunId>,
) -> Result<RunId, Fault> {
    let _ = run;
    pending(window, shell)
}

/// Asks the project's run to pause, to pause after this iteration, or to end for good, whoever works on it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn ask_run<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    kind: ControlKind,
) -> Result<Asked, Fault> {
    let _ = kind;
    pending(window, shell)
}

/// A run as it is now; the newest one without an id. None when there was never one.
#[tauri::command]
#[specta::specta]
pub(crate) async fn run_state<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    run: Option<RunId>,
) -> Result<Option<RunState>, Fault> {
    let _ = run;
    pending(window, shell)
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
    let _ = (before, limit);
    pending(window, shell)
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
    let _ = (after, channel);
    pending(window, shell)
}

/// The person's answer to the question what becomes of the run when the window closes.
#[tauri::command]
#[specta::specta]
pub(crate) async fn close_window<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    choice: CloseChoice,
) -> Result<(), Fault> {
    let _ = choice;
    pending(window, shell)
}

/// The page says that it shows the question; without this the shell asks in a native dialog.
#[tauri::command]
#[specta::specta]
pub(crate) async fn close_asked_shown<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<(), Fault> {
    pending(window, shell)
}
