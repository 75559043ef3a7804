//! The CLI archive: the two programs, licences, completions and manual pages, nothing to install.

use std::path::PathBuf;

use super::{COMPLETIONS, MANUAL, OWN_LICENCES, SIDE_PROGRAMS, THIRD_PARTY, copy, dist, staging};
use crate::failure::Outcome;
use crate::fingerprint::files_below;
use crate::scratch::Scratch;
use crate::workspace::{Profile, VERSION, Workspace, executable};

/// Packs the archive into `dist/`.
pub(super) fn make(workspace: &Workspace, triple: &str) -> Outcome<PathBuf> {
    let name = format!("loopwright-cli-{VERSION}-{triple}");
    let scratch = Scratch::new("archive")?;
    let folder = scratch.path().join(&name);
    for program in SIDE_PROGRAMS {
        copy(&workspace.built(Profile::Release, program), &folder.join(executable(program)))?;
    }
    for licence in OWN_LICENCES {
        copy(&workspace.root.join(licence), &folder.join(licence))?;
    }
    copy(&staging(workspace).join(THIRD_PARTY), &folder.join(THIRD_PARTY))?;
    for (_, file) in COMPLETIONS {
        let staged = staging(workspace).join("completions").join(file);
        copy(&staged, &folder.join("completions").join(file))?;
    }
    for page in files_below(&staging(workspace).join(MANUAL), &[])? {
        copy(&page, &folder.join(MANUAL).join(page.file_name().unwrap_or_default()))?;
    }
    let archive = dist(workspace).join(format!("{name}.tar.gz"));
    let owner: &[&str] = if cfg!(target_os = "linux") { &["--owner=0", "--group=0"] } else { &[] };
    workspace
        .step("tar")
        .args(owner)
        .arg("-czf")
        .arg(&archive)
        .arg("-C")
        .arg(scratch.path())
        .arg(name)
        .run()?;
    Ok(archive)
}
