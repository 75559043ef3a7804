//! Finding where a check runs and the program it runs.

use std::path::{Path, PathBuf};

use loopwright_domain::{ErrorCode, Fault};

use super::model::CheckCommand;
use crate::host::Host;

/// The folder a check runs in: inside the project, links followed.
pub(super) fn folder(root: &Path, command: &CheckCommand) -> Result<PathBuf, Fault> {
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

/// The program of a check: on the search path, or by a path from its folder that stays in the project.
pub(super) fn find(
    host: &Host,
    root: &Path,
    folder: &Path,
    command: &CheckCommand,
) -> Result<PathBuf, Fault> {
    let name = command.argv.first().map(String::as_str).unwrap_or_default();
    let missing = |place: &str| {
        Fault::new(ErrorCode::ProcessSpawn, format!("the program \"{name}\" was not found {place}"))
            .hint("Install it, or correct \"command\" in .loopwright/config.toml.")
    };
    if Path::new(name).is_absolute() || !name.contains(std::path::is_separator) {
        return host.find_program(name).ok_or_else(|| missing("on the search path"));
    }
    let program = dunce::canonicalize(folder.join(name)).map_err(|_| missing("in the project"))?;
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
