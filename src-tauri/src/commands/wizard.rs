//! The wizard: from an idea, documents or code to a plan that can be run. A project's window sees the wizards of its
//! own folder only.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use loopwright_domain::wizard::{
    FormShape, LaunchSummary, PlannedCheck, WizardEdit, WizardId, WizardPhase, WizardScope, WizardStatus,
    trial,
};
use loopwright_domain::{ErrorCode, Fault, Origin};
use loopwright_engine::run::{Earlier, Request, RunRequest, TaskSelection};
use loopwright_engine::spec::{SpecTemplate, templates_in};
use loopwright_engine::wizard::{
    NewWizard, PhaseRequest, ProposedCommands, WizardSummary, WizardUpdate, WizardView, Wizards, shapes,
};
use loopwright_engine::{Host, Project};
use tauri::ipc::Channel;
use tauri::{Manager as _, Runtime, State, WebviewWindow};

use super::{confirmed, waiting};
use crate::dto::{StartWizard, WizardDone};
use crate::runs::{self, Work};
use crate::shell::Shell;
use crate::{folder, windows};

/// The longest text that a page hands over at once, in bytes.
const LONGEST_TEXT: usize = 1024 * 1024;
/// As many documents as can be added at once.
const MOST_DOCUMENTS: usize = 100;

/// What the forms of all phases hold.
#[tauri::command]
#[specta::specta]
pub(crate) async fn wizard_shapes<R: Runtime>(_window: WebviewWindow<R>) -> Result<Vec<FormShape>, Fault> {
    Ok(shapes())
}

/// The templates for a spec: those of the folder, and those built in.
#[tauri::command]
#[specta::specta]
pub(crate) async fn wizard_templates<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<Vec<SpecTemplate>, Fault> {
    let root = shell.shown(window.label()).map_or_else(PathBuf::new, |(root, _)| root);
    waiting(move || templates_in(&root)).await?
}

/// The wizards that are not finished: on the start page all, else those of the window's folder.
#[tauri::command]
#[specta::specta]
pub(crate) async fn wizards<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<Vec<WizardSummary>, Fault> {
    let (host, own) = (shell.host().clone(), shell.shown(window.label()));
    waiting(move || match own {
        Some((root, _)) => Wizards::of(&host).open_in(&root),
        None => {
            let mut all = Wizards::of(&host).list()?;
            all.retain(|one| one.status != WizardStatus::Applied);
            Ok(all)
        }
    })
    .await?
}

/// A wizard as it stands.
#[tauri::command]
#[specta::specta]
pub(crate) async fn wizard<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: WizardId,
) -> Result<WizardView, Fault> {
    own(&window, &shell, &id).await
}

/// Begins a wizard. Nothing is written into its folder.
#[tauri::command]
#[specta::specta]
pub(crate) async fn new_wizard<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    start: StartWizard,
) -> Result<WizardView, Fault> {
    not_longer(&start.idea)?;
    let folder = match shell.shown(window.label()) {
        Some((root, _)) => root,
        None => folder::named(shell.host(), &start.folder)?,
    };
    let new = NewWizard {
        documents: documents(&shell, Some(&folder), &start.documents)?,
        folder,
        scope: Some(WizardScope::Project),
        idea: start.idea,
        from_code: start.from_code,
        template: Some(start.template).filter(|name| !name.is_empty()),
        agent: start.agent,
        ..NewWizard::default()
    };
    let begun = with_wizards(&shell, move |wizards| wizards.create(&new)).await?;
    Wizards::of(shell.host()).note_project(&begun.wizard.id).await
}

/// Does what a person asks for in a wizard that was seen at a revision, and saves it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn edit_wizard<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: WizardId,
    edit: WizardEdit,
    seen: Option<u32>,
) -> Result<WizardView, Fault> {
    own(&window, &shell, &id).await?;
    with_wizards(&shell, move |wizards| wizards.edit(&id, &edit, seen)).await
}

/// Adds documents: of the folder, chosen in a native dialog, or dropped on the window.
#[tauri::command]
#[specta::specta]
pub(crate) async fn add_wizard_documents<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: WizardId,
    paths: Vec<String>,
) -> Result<WizardView, Fault> {
    let known = own(&window, &shell, &id).await?;
    let paths = documents(&shell, Some(Path::new(&known.wizard.folder)), &paths)?;
    with_wizards(&shell, move |wizards| wizards.add_documents(&id, &paths)).await
}

/// Surveys the code in the folder, or forgets the survey.
#[tauri::command]
#[specta::specta]
pub(crate) async fn survey_code<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: WizardId,
    wanted: bool,
) -> Result<WizardView, Fault> {
    own(&window, &shell, &id).await?;
    with_wizards(&shell, move |wizards| wizards.survey_code(&id, wanted)).await
}

/// Lets the agent fill in a phase, run it again or change it, and tells meanwhile what happens. The agent only reads.
#[tauri::command]
#[specta::specta]
pub(crate) async fn run_wizard_phase<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: WizardId,
    phase: WizardPhase,
    request: PhaseRequest,
    channel: Channel<WizardUpdate>,
) -> Result<WizardView, Fault> {
    request.request.as_deref().map_or(Ok(()), not_longer)?;
    own(&window, &shell, &id).await?;
    let at_work = shell.wizards().begin(window.label(), &id)?;
    // A page that has gone away is told nothing.
    let mut tell = |update: WizardUpdate| drop(channel.send(update));
    let stop = at_work.stop.clone();
    Wizards::of(shell.host()).run_phase(&id, phase, &request, &mut tell, stop).await
}

/// Stops the agent that works on a wizard.
#[tauri::command]
#[specta::specta]
pub(crate) async fn stop_wizard<R: Runtime>(
    _window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: WizardId,
) -> Result<(), Fault> {
    shell.wizards().stop(&id);
    Ok(())
}

/// Runs proposed checks once each. Commands that nobody agreed to yet are asked about in a native dialog.
#[tauri::command]
#[specta::specta]
pub(crate) async fn try_wizard_checks<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: WizardId,
    items: Option<Vec<String>>,
    channel: Channel<WizardUpdate>,
) -> Result<WizardView, Fault> {
    let known = own(&window, &shell, &id).await?;
    let mut checks = planned(&known);
    checks.retain(|check| items.as_ref().is_none_or(|items| items.contains(&check.item)));
    agreed(&window, &shell, &checks, &known.wizard.folder, "No check was run.").await?;
    let _at_work = shell.wizards().begin(window.label(), &id)?;
    let mut tell = |update: WizardUpdate| drop(channel.send(update));
    Wizards::of(shell.host()).try_checks(&id, items.as_deref(), &mut tell).await
}

/// What was decided, what a run would take, and what will need a person.
#[tauri::command]
#[specta::specta]
pub(crate) async fn wizard_launch<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: WizardId,
) -> Result<LaunchSummary, Fault> {
    own(&window, &shell, &id).await?;
    Wizards::of(shell.host()).launch_summary(&id).await
}

/// Writes the plan into the project, opens its window, and starts the run if that is wanted.
#[tauri::command]
#[specta::specta]
pub(crate) async fn apply_wizard<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: WizardId,
    start: bool,
) -> Result<WizardDone, Fault> {
    let known = own(&window, &shell, &id).await?;
    let mut checks = planned(&known);
    checks.retain(|check| check.used);
    agreed(&window, &shell, &checks, &known.wizard.folder, "Nothing was written.").await?;
    let project =
        Arc::new(Wizards::of(shell.host()).apply(&id, Origin::App, ProposedCommands::Agreed).await?);
    let root = project.layout().root.clone();
    let app = window.app_handle().clone();
    let opened = windows::open_project(&app, &root, Some(window.label())).await?;
    let run = if start { Some(begin(&window, &shell, &project).await?) } else { None };
    Ok(WizardDone { project: opened, run })
}

async fn begin<R: Runtime>(
    window: &WebviewWindow<R>,
    shell: &Shell,
    project: &Arc<Project>,
) -> Result<loopwright_domain::RunId, Fault> {
    let request = RunRequest::new(Request::Tasks(TaskSelection::default()));
    let prepared = project.runs().prepare(&request)?;
    if let Some(question) = runs::confirm_risk(&prepared) {
        confirmed(window, shell, question, "The plan is in the project; the run was not started.").await?;
    }
    let agreed = prepared.digest()?;
    let root = project.layout().root.clone();
    let label = windows::project_label(&root);
    let work = Work::Start { request: Box::new(request), earlier: Earlier::Ask, agreed };
    let run = shell.runs().begin(&label, shell.host(), root, work).await?;
    shell.wake_following(&label);
    Ok(run)
}

/// Throws a wizard away. What it has written into a project stays.
#[tauri::command]
#[specta::specta]
pub(crate) async fn discard_wizard<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: WizardId,
) -> Result<(), Fault> {
    own(&window, &shell, &id).await?;
    shell.wizards().stop(&id);
    with_wizards(&shell, move |wizards| wizards.discard(&id)).await
}

/// A wizard, if this window may see it.
async fn own<R: Runtime>(
    window: &WebviewWindow<R>,
    shell: &Shell,
    id: &WizardId,
) -> Result<WizardView, Fault> {
    let (shown, id) = (shell.shown(window.label()), id.clone());
    let known = with_wizards(shell, move |wizards| wizards.show(&id)).await?;
    match shown {
        Some((root, _)) if root != Path::new(&known.wizard.folder) => {
            Err(Fault::new(ErrorCode::UsageInvalid, "this wizard belongs to another folder"))
        }
        _ => Ok(known),
    }
}

async fn with_wizards<T: Send + 'static>(
    shell: &Shell,
    work: impl FnOnce(Wizards<'_>) -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    let host: Host = shell.host().clone();
    waiting(move || work(Wizards::of(&host))).await?
}

fn planned(known: &WizardView) -> Vec<PlannedCheck> {
    trial::planned(known.wizard.form(WizardPhase::BuildTest))
}

async fn agreed<R: Runtime>(
    window: &WebviewWindow<R>,
    shell: &Shell,
    checks: &[PlannedCheck],
    folder: &str,
    otherwise: &str,
) -> Result<(), Fault> {
    if let Some(question) = shell.wizards().question(checks, folder) {
        confirmed(window, shell, question, otherwise).await?;
    }
    shell.wizards().agree(checks, folder);
    Ok(())
}

/// Documents that a page may name: of the folder, chosen in a native dialog, or dropped on a window.
fn documents(shell: &Shell, root: Option<&Path>, paths: &[String]) -> Result<Vec<PathBuf>, Fault> {
    if paths.len() > MOST_DOCUMENTS {
        return Err(Fault::new(ErrorCode::UsageInvalid, "these are too many documents to add at once")
            .hint(format!("Choose {MOST_DOCUMENTS} at most.")));
    }
    let allowed = |path: &String| {
        let path = folder::named(shell.host(), path)?;
        let inside = root.is_some_and(|root| path.starts_with(root));
        if inside || shell.was_chosen(&path) {
            return Ok(path);
        }
        Err(Fault::new(ErrorCode::UsageInvalid, format!("{} was not chosen by you", path.display()))
            .hint("Choose it with Browse, or drop it on the window."))
    };
    paths.iter().map(allowed).collect()
}

fn not_longer(text: &str) -> Result<(), Fault> {
    if text.len() <= LONGEST_TEXT {
        return Ok(());
    }
    Err(Fault::new(ErrorCode::UsageInvalid, "the text is longer than 1 MiB")
        .hint("Add it as a document instead."))
}
