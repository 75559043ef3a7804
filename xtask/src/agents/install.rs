//! Installs the real CLIs into the user's cache: exactly the versions that the project's lock files name, once.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::failure::{Context, Failure, Outcome};
use crate::fingerprint::{Fingerprint, stamp_matches, write_stamp};
use crate::folders;
use crate::programs::{self, Version, npm, version_of};
use crate::workspace::Workspace;

/// CLIs that are installed together: a folder below `tests/agents-cli` with their lock file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    /// Those of every test run.
    Usual,
    /// Others from npm.
    More,
    /// Others from PyPI.
    Python,
}

/// Programs that npm leaves unfinished without lifecycle scripts, and the one file of theirs that finishes them. It
/// only puts the system's own binary in place.
const FINISHERS: &[(&str, &str)] =
    &[("@anthropic-ai/claude-code", "install.cjs"), ("opencode-ai", "postinstall.mjs")];

/// The versions of Python that aider runs on.
const PYTHON: Range<Version> = Version([3, 10, 0])..Version([3, 13, 0]);

impl Set {
    fn folder(self) -> &'static str {
        match self {
            Self::Usual => "usual",
            Self::More | Self::Python => "more",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Usual => "usual",
            Self::More => "more",
            Self::Python => "python",
        }
    }

    /// The files that say what is to be installed.
    fn locks(self) -> &'static [&'static str] {
        match self {
            Self::Usual | Self::More => &["package.json", "package-lock.json", ".npmrc"],
            Self::Python => &["requirements.txt"],
        }
    }

    fn digest(self, sources: &Path) -> String {
        let mut fingerprint = Fingerprint::new();
        self.locks().iter().for_each(|name| fingerprint.add_file(&sources.join(name)));
        fingerprint.text()
    }
}

/// Makes sure that a set is there; gives the folder with its programs.
pub(super) fn ensure(workspace: &Workspace, set: Set) -> Outcome<PathBuf> {
    let sources = workspace.root.join("tests").join("agents-cli").join(set.folder());
    let digest = set.digest(&sources);
    let shelf = folders::cache()?.join("agents");
    let place = shelf.join(format!("{}-{digest}", set.name()));
    let stamp = place.join(".complete");
    if !stamp_matches(&stamp, &digest) {
        install(workspace, set, &sources, &place)?;
        if !workspace.dry_run {
            write_stamp(&stamp, &digest)?;
            forget_older(&shelf, set, &place)?;
        }
    }
    Ok(programs_in(set, &place))
}

fn install(workspace: &Workspace, set: Set, sources: &Path, place: &Path) -> Outcome {
    if workspace.dry_run {
        eprintln!("$ install the agent CLIs of {} into {}", sources.display(), place.display());
        return Ok(());
    }
    fs::create_dir_all(place).context(format!("cannot create {}", place.display()))?;
    for name in set.locks() {
        fs::copy(sources.join(name), place.join(name)).context(format!("cannot copy {name}"))?;
    }
    match set {
        Set::Usual | Set::More => from_npm(workspace, place),
        Set::Python => from_pypi(workspace, place),
    }
}

fn from_npm(workspace: &Workspace, place: &Path) -> Outcome {
    if programs::find(npm()).is_none() {
        return Err(Failure::new("npm is missing. Install Node.js with npm, then try again."));
    }
    workspace.step(npm()).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).dir(place).run()?;
    for (package, file) in FINISHERS {
        let folder = place.join("node_modules").join(package);
        if folder.is_dir() {
            workspace.step("node").arg(file).dir(folder).run()?;
        }
    }
    Ok(())
}

fn from_pypi(workspace: &Workspace, place: &Path) -> Outcome {
    // A name on the search path may be a stand-in that starts nothing, so its version is asked for.
    let fits = |name: &&&str| version_of(name).is_some_and(|found| PYTHON.contains(&found));
    let python = ["python3", "python3.12", "python3.11", "python3.10"].iter().find(fits);
    let python = python.ok_or_else(|| {
        let wanted = format!("Python {} or newer, below {}", PYTHON.start, PYTHON.end);
        Failure::new(format!("{wanted}, is missing. Install it, then try again."))
    })?;
    workspace.step(python).args(["-m", "venv", "venv"]).dir(place).run()?;
    let options = ["-m", "pip", "install", "--quiet", "--requirement", "requirements.txt"];
    workspace.step(programs_in(Set::Python, place).join("python")).args(options).dir(place).run()
}

fn programs_in(set: Set, place: &Path) -> PathBuf {
    match set {
        Set::Usual | Set::More => place.join("node_modules").join(".bin"),
        Set::Python => place.join("venv").join(if cfg!(windows) { "Scripts" } else { "bin" }),
    }
}

/// Removes what older lock files named: a set is large.
fn forget_older(shelf: &Path, set: Set, place: &Path) -> Outcome {
    let doing = || format!("cannot tidy {}", shelf.display());
    for entry in fs::read_dir(shelf).context(doing())? {
        let entry = entry.context(doing())?;
        let is_older = entry.file_name().to_string_lossy().starts_with(&format!("{}-", set.name()));
        if is_older && entry.path() != place {
            fs::remove_dir_all(entry.path()).context(doing())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn only_older_folders_of_the_same_set_are_forgotten() {
        let scratch = Scratch::new("agents").unwrap();
        let shelf = scratch.path();
        for name in ["usual-1", "usual-2", "more-1"] {
            fs::create_dir(shelf.join(name)).unwrap();
        }
        forget_older(shelf, Set::Usual, &shelf.join("usual-2")).unwrap();
        let left = |name: &str| shelf.join(name).exists();
        assert!(!left("usual-1") && left("usual-2") && left("more-1"));
    }

    #[test]
    fn another_lock_file_is_another_digest() {
        let scratch = Scratch::new("lock").unwrap();
        let before = Set::Usual.digest(scratch.path());
        fs::write(scratch.path().join("package-lock.json"), "{}").unwrap();
        assert_ne!(Set::Usual.digest(scratch.path()), before);
        assert_eq!(Set::Python.digest(scratch.path()), Set::Python.digest(scratch.path()));
    }
}
