//! Closing a window whose run this app works on: the person says what becomes of the run, the window goes at once, and
//! the run is brought to where it can be left or handed over.

use std::time::Duration;

use loopwright_domain::{ErrorCode, ExitReason, Fault, RunId, RunStatus};
use loopwright_engine::Project;
use loopwright_engine::run::RunSummary;
use tauri::{AppHandle, Manager as _, Runtime};
use tauri_specta::Event as _;

use crate::blocking::waiting;
use crate::desktop::Choice;
use crate::dto::OpenFailed;
use crate::run_dto::{CloseAsked, CloseChoice};
use crate::runs::OwnRun;
use crate::shell::Shell;
use crate::windows;

/// How long a page has to show the question. One that does not is asked over natively.
const PAGE_TIME: Duration = Duration::from_millis(1500);

/// Whether a window that is asked to close has to stay for now: one whose run this app works on stays until the person
/// has said what becomes of it, and is asked about that. Every other one may go, since nothing ends with it.
pub fn holds_back<R: Runtime>(app: &AppHandle<R>, label: &str) -> bool {
    let shell = app.state::<Shell>();
    let Some(run) = shell.runs().of_window(label) else { return false };
    if shell.closing().ask(label) {
        let (app, label) = (app.clone(), label.to_owned());
        tauri::async_runtime::spawn(async move { ask(&app, &label, &run).await });
    }
    true
}

/// The page shows the question.
pub(crate) fn shown(shell: &Shell, window: &str) {
    shell.closing().shown(window);
}

/// Lets the page ask, and asks natively where the page does not.
async fn ask<R: Runtime>(app: &AppHandle<R>, label: &str, own: &OwnRun) {
    let shell = app.state::<Shell>();
    let state = match shell.project(label).await {
        Ok(project) => project.runs().state(own.id).await.ok().flatten(),
        Err(_) => None,
    };
    // A run that has not begun or holds anyway has nothing to lose.
    let works = state.filter(|state| own.id.is_some() && state.run.status != RunStatus::Paused);
    let Some(state) = works else {
        return carry_out(app, label, CloseChoice::StopNow).await;
    };
    let question = native_question(&state.run);
    let asked = CloseAsked { run: state.run, own: true }.emit_to(app, windows::target(label));
    if asked.is_ok() {
        tokio::time::sleep(PAGE_TIME).await;
    }
    if shell.closing().is_unanswered(label) {
        let (desktop, window) = (shell.desktop(), label.to_owned());
        let answer = waiting(move || desktop.choose(&window, &question)).await.ok().flatten();
        let choice = match answer {
            Some(0) => CloseChoice::KeepRunning,
            Some(_) => CloseChoice::StopNow,
            None => CloseChoice::Stay,
        };
        carry_out(app, label, choice).await;
    }
}

fn native_question(run: &RunSummary) -> Choice {
    Choice {
        title: "A run is going on in this window".to_owned(),
        text: format!("\"{}\" can go on in the background, or stop now and be resumed later.", run.title),
        answers: ["Keep running".to_owned(), "Stop now".to_owned()],
    }
}

/// Does what the person chose. The window goes at once; it comes back when that cannot be done.
pub(crate) async fn carry_out<R: Runtime>(app: &AppHandle<R>, label: &str, choice: CloseChoice) {
    let shell = app.state::<Shell>();
    let Some(window) = app.get_webview_window(label) else { return };
    if choice == CloseChoice::Stay {
        return shell.closing().forget(label);
    }
    if !shell.closing().leave(label) {
        return;
    }
    if choice != CloseChoice::StopNow {
        windows::to_background(app, label);
    }
    // A window that cannot be hidden goes a little later.
    let _still_seen = window.hide();
    let left = leave(&shell, label, choice).await;
    if choice != CloseChoice::KeepRunning || left.is_err() {
        windows::from_background(app, label);
    }
    match left {
        // Somebody may have opened it again meanwhile.
        Ok(()) if shell.closing().is_leaving(label) => {
            windows::let_go(app, label);
            let _gone = window.destroy();
        }
        Ok(()) => {}
        Err(fault) => {
            windows::focus(&window);
            let _gone = OpenFailed { fault }.emit_to(app, windows::target(label));
        }
    }
}

/// Brings the window's run to where it can be left, and hands it over when it is to go on.
async fn leave(shell: &Shell, label: &str, choice: CloseChoice) -> Result<(), Fault> {
    let Some(own) = shell.runs().of_window(label) else { return Ok(()) };
    if choice == CloseChoice::StopNow {
        own.stop_now();
    } else {
        own.stop.stop_after_iteration();
    }
    shell.runs().rest(Some(label)).await;
    match (choice, own.id) {
        (CloseChoice::KeepRunning, Some(id)) if !shell.runs().is_ending() => {
            hand_over(shell, label, id).await
        }
        _ => Ok(()),
    }
}

/// Lets the bundled CLI go on with a run that was stopped for it.
async fn hand_over(shell: &Shell, label: &str, id: RunId) -> Result<(), Fault> {
    let project = shell.project(label).await?;
    let run = project.runs().find(Some(id)).await?;
    // It may have come to its end just then, or wait for a person: there is nothing to go on with.
    if (run.status, run.reason) != (RunStatus::Interrupted, Some(ExitReason::Interrupted)) {
        return Ok(());
    }
    let (desktop, host, root) = (shell.desktop(), shell.host().clone(), project.layout().root.clone());
    let pid = waiting(move || desktop.keep_running(&host, &root, id)).await??;
    if lives_on(&project, id, pid).await? { Ok(()) } else { Err(not_handed_over()) }
}

/// Whether a process works on the run now, or has brought it to its end already.
async fn lives_on(project: &Project, id: RunId, pid: u32) -> Result<bool, Fault> {
    if project.runs().live().is_some_and(|holder| holder.pid == pid) {
        return Ok(true);
    }
    let run = project.runs().find(Some(id)).await?;
    Ok(run.status.is_over() || run.reason != Some(ExitReason::Interrupted))
}

fn not_handed_over() -> Fault {
    Fault::new(ErrorCode::ProcessSpawn, "the run could not be handed over and was stopped")
        .hint("Nothing is lost: resume it here.")
}
