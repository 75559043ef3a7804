//! Finding where a check runs and the program it runs.

use std::path::{Path, PathBuf};

use loopwright_domain::{ErrorCode, Fault};

use loopwright_config::Host;
use loopwright_config::check::{Check, CheckCommand, CheckWork};

/// The folder a check runs in: inside the project, links followed.
pub(crate) fn folder(root: &Path, command: &CheckCommand) -> Result<PathBuf, Fault> {
    let missing = || {
        Fault::new(ErrorCode::ProcessSpawn, format!("its folder \"{}\" does not exist", command.dir))
            .hint("Make the folder, or correct \"dir\" in .loopwright/config.toml.")
    };
    let folder = dunce::canonicalize(root.join(&command.dir)).map_err(|_| missing())?;
    if !folder.is_dir() {
        return Err(missing());
    }
    inside(root, &folder, &format!("its folder \"{}\"", command.dir))?;
    Ok(folder)
}

/// The program that a command would start, if it can be found.
#[must_use]
pub fn program_of(host: &Host, root: &Path, command: &CheckCommand) -> Option<PathBuf> {
    find(host, root, &folder(root, command).ok()?, command).ok()
}

/// Why a check cannot start on this machine as it is: its program is neither on the search path nor a part of the
/// project. None when it can, or when it is the project's own to bring the program.
#[must_use]
pub fn missing_program(host: &Host, root: &Path, check: &Check) -> Option<Fault> {
    let CheckWork::Command(command) = &check.work else { return None };
    let folder = folder(root, command).unwrap_or_else(|_| root.to_owned());
    let fault = find(host, root, &folder, command).err()?;
    (fault.code == ErrorCode::CheckProgram).then_some(fault)
}

/// The program of a check: on the search path, or by a path from its folder that stays in the project. Only one that
/// the project cannot bring itself is missing by [`ErrorCode::CheckProgram`].
pub(crate) fn find(
    host: &Host,
    root: &Path,
    folder: &Path,
    command: &CheckCommand,
) -> Result<PathBuf, Fault> {
    let name = command.argv.first().map(String::as_str).unwrap_or_default();
    let missing = |code: ErrorCode, place: &str| {
        Fault::new(code, format!("the program \"{name}\" was not found {place}"))
            .hint("Install it, or correct \"command\" in .loopwright/config.toml.")
    };
    if Path::new(name).is_absolute() && Path::new(name).starts_with(root) {
        return host
            .find_program_of_project(name)
            .ok_or_else(|| missing(ErrorCode::ProcessSpawn, "in the project"));
    }
    if Path::new(name).is_absolute() || !name.contains(std::path::is_separator) {
        let place = if Path::new(name).is_absolute() { "there" } else { "on the search path" };
        return host.find_program_of_project(name).ok_or_else(|| missing(ErrorCode::CheckProgram, place));
    }
    let program = dunce::canonicalize(folder.join(name))
        .map_err(|_| missing(ErrorCode::ProcessSpawn, "in the project"))?;
    inside(root, &program, &format!("the program \"{name}\""))?;
    Ok(program)
}

fn inside(root: &Path, path: &Path, what: &str) -> Result<(), Fault> {
    if path.starts_with(root) {
        return Ok(());
    }
    Err(Fault::new(ErrorCode::ProcessSpawn, format!("{what} leads out of the project"))
        .hint("Name something inside the project folder, or a program on the search path."))
}
