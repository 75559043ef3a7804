//! `cargo xtask app`: opens the app on the sample project, or plays it in the terminal.

use std::path::{Path, PathBuf};

use crate::failure::Outcome;
use crate::setup::{self, Need};
use crate::workspace::{Profile, Workspace};
use crate::{cargo, display, folders, ui};

/// Builds what is needed and opens the sample project, or `folder` when one is given.
pub(crate) fn run(workspace: &Workspace, folder: Option<&Path>) -> Outcome {
    if display::is_there() { in_a_window(workspace, folder) } else { in_the_terminal(workspace, folder) }
}

fn in_a_window(workspace: &Workspace, folder: Option<&Path>) -> Outcome {
    setup::ensure(workspace, &[Need::Build, Need::Window])?;
    ui::build(workspace)?;
    cargo::build_whole(workspace)?;
    let project = project(workspace, folder)?;
    workspace.step(workspace.built(Profile::Dev, "loopwright-app")).arg(project).run()
}

fn in_the_terminal(workspace: &Workspace, folder: Option<&Path>) -> Outcome {
    println!("There is no display here, so no window can open. The terminal shows the project instead.");
    setup::ensure(workspace, &[Need::Build])?;
    cargo::build_headless(workspace, Profile::Dev)?;
    let cli = || workspace.step(workspace.built(Profile::Dev, "loopwright"));
    let Some(folder) = folder else {
        return cli().args(["demo", "--yes"]).arg(sample()?).run();
    };
    cli().arg("status").dir(absolute(folder)).run()
}

/// The folder to show: the given one, or the sample project, which is created on first use.
fn project(workspace: &Workspace, folder: Option<&Path>) -> Outcome<PathBuf> {
    if let Some(folder) = folder {
        return Ok(absolute(folder));
    }
    let sample = sample()?;
    workspace
        .step(workspace.built(Profile::Dev, "loopwright"))
        .args(["demo", "--existing-ok"])
        .arg(&sample)
        .run()?;
    Ok(sample)
}

/// Where the sample project of `cargo xtask app` is.
fn sample() -> Outcome<PathBuf> {
    Ok(folders::data()?.join("sample"))
}

fn absolute(folder: &Path) -> PathBuf {
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf())
}
