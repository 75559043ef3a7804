//! Settings and the doctor. In a project's window they include the project's; on the start page only the user's.

use std::sync::Arc;

use loopwright_domain::{ErrorCode, Fault, Origin};
use loopwright_engine::config::{Scope, schema, unknown_key};
use loopwright_engine::settings::{self as engine, Change, SettingsReport};
use loopwright_engine::{DoctorReport, Project, examine, require_person};
use tauri::{Manager as _, Runtime, State, WebviewWindow};

use super::confirmed;
use crate::background::Background;
use crate::dto::{OwnAgent, SetAgentProgram, SetSetting};
use crate::shell::Shell;
use crate::{confirmation, program, theme};

const LONGEST_VALUE: usize = 64 * 1024;

/// All settings with value and origin.
#[tauri::command]
#[specta::specta]
pub(crate) async fn settings<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<SettingsReport, Fault> {
    let project = own_project(&window, &shell).await?;
    Ok(report(&shell, project.as_deref()))
}

/// Changes or removes one plain setting; what opens the sandbox only after the person has agreed in a native dialog.
/// Anything that names a program is refused here.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_setting<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    request: SetSetting,
) -> Result<SettingsReport, Fault> {
    if schema::find(&request.key).is_none() {
        return Err(unknown_key(&request.key));
    }
    if request.value.as_ref().is_some_and(|value| value.len() > LONGEST_VALUE) {
        return Err(Fault::new(ErrorCode::ConfigBadValue, "the value is too long").hint("Use a shorter one."));
    }
    let change = Change { scope: request.scope, key: &request.key, value: request.value.as_deref() };
    if let Some(question) = confirmation::setting(change.key, change.value) {
        confirmed(&window, &shell, question, "Nothing was changed.").await?;
    }
    let report = write(&window, &shell, &change).await?;
    if request.key == theme::KEY.name() {
        theme::apply(window.app_handle(), shell.host());
    }
    if let Some(background) = window.try_state::<Background>() {
        background.settings_changed();
    }
    Ok(report)
}

/// Sets the program that is started for an agent, for this user, after the person has agreed in a native dialog.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_agent_program<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    request: SetAgentProgram,
) -> Result<SettingsReport, Fault> {
    let agent = program::agent(&request.name)?;
    let value = program::checked(&request.program)?;
    let question = program::question(&agent, value);
    confirmed(&window, &shell, question, "Nothing was changed.").await?;
    let key = engine::program_key(agent.name);
    write(&window, &shell, &Change { scope: Scope::User, key: &key, value }).await
}

/// Adds or changes an agent of the user's own, after the person has agreed in a native dialog.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_own_agent<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    request: OwnAgent,
) -> Result<SettingsReport, Fault> {
    let (question, changes) = program::own_agent(&request)?;
    confirmed(&window, &shell, question, "Nothing was changed.").await?;
    let mut report = None;
    for (key, value) in &changes {
        report = Some(write(&window, &shell, &Change { scope: Scope::User, key, value: Some(value) }).await?);
    }
    report.ok_or_else(|| Fault::new(ErrorCode::Internal, "an agent has nothing to write"))
}

/// Looks at the machine and the window's project, and says what to fix.
#[tauri::command]
#[specta::specta]
pub(crate) async fn doctor<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<DoctorReport, Fault> {
    let project = shell.project(window.label()).await;
    let host = project.as_ref().map_or_else(|_| shell.host(), |project| project.host());
    Ok(examine(host, project.as_deref()).await)
}

async fn write<R: Runtime>(
    window: &WebviewWindow<R>,
    shell: &Shell,
    change: &Change<'_>,
) -> Result<SettingsReport, Fault> {
    let project = own_project(window, shell).await?;
    match &project {
        Some(project) => project.change_setting(change, Origin::App).await?,
        None => {
            require_person("change settings")?;
            engine::write(shell.host(), None, change)?;
        }
    }
    Ok(report(shell, project.as_deref()))
}

/// The window's project; none on the start page.
pub(super) async fn own_project<R: Runtime>(
    window: &WebviewWindow<R>,
    shell: &Shell,
) -> Result<Option<Arc<Project>>, Fault> {
    match shell.shown(window.label()) {
        Some(_) => shell.project(window.label()).await.map(Some),
        None => Ok(None),
    }
}

fn report(shell: &Shell, project: Option<&Project>) -> SettingsReport {
    engine::report(shell.host(), project.map(Project::layout))
}
