//! `loopwright open`: hands over to the desktop app.

use std::path::PathBuf;
use std::process::ExitCode;

use loopwright_domain::{ErrorCode, Fault};
use loopwright_engine::Layout;
use loopwright_process::Command;
use serde::Serialize;

use crate::context::Context;
use crate::output::{self, say};

const APP: &str = "loopwright-app";

#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct OpenedApp {
    app: String,
    project: Option<String>,
}

pub(super) fn run(context: &Context, folder: Option<PathBuf>) -> Result<ExitCode, Fault> {
    let named = folder.is_some();
    let project = match Layout::find(&context.resolve(folder)) {
        Ok(layout) => Some(layout.root),
        Err(fault) if named || fault.code != ErrorCode::ProjectNotFound => return Err(fault),
        Err(_) => None,
    };
    let host = match &project {
        Some(root) => context.host.clone().around(root),
        None => context.host.clone(),
    };
    let app = host.find_program(APP).ok_or_else(|| {
        Fault::new(ErrorCode::AppMissing, "the desktop app is not installed")
            .hint("Install the loopwright package, or go on here: \"loopwright status\" shows the project.")
    })?;
    let mut command = Command { env: std::env::vars_os().collect(), ..Command::new(&app, &context.folder) };
    command.env.insert("PATH".into(), host.without_project(&host.search_path));
    loopwright_process::spawn_detached(command.args(project.clone()))?;
    let opened =
        OpenedApp { app: app.display().to_string(), project: project.map(|path| path.display().to_string()) };
    if context.json {
        return output::json(&opened);
    }
    match &opened.project {
        Some(project) => say!("Opening {project} in the app."),
        None => say!("Opening the app."),
    }
    Ok(ExitCode::SUCCESS)
}
