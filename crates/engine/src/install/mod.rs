//! `loopwright install`: tells agents that work here by themselves how Loopwright is used: a block in AGENTS.md and in
//! other files of that kind, and slash commands for Claude Code.

mod block;
mod commands;
mod files;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use loopwright_config::{Layout, text_file, trust};
use loopwright_domain::{ErrorCode, Fault};
use serde::{Deserialize, Serialize};

use block::BlockPosition;

/// The file that most agents read.
const FILE: &str = "AGENTS.md";
/// Files of the same kind that single agents read; looked through when everything is removed.
const OTHERS: [&str; 2] = ["CLAUDE.md", "GEMINI.md"];
const FILE_LIMIT: u64 = 1024 * 1024;

const GUIDE: &str = "\
## Loopwright

This project is checked by Loopwright. The commands:

- `loopwright check` runs all checks; exit 0 means that every required one passes.
- `loopwright check --prompt` prints the work list: what fails, worst first, in a stable order.
- `loopwright loop --prompt TEXT` and `loopwright fix` let an agent work again and again, a fresh one each time.

How to work:

1. Run `loopwright check --prompt`.
2. Take ONE item, the first one you can mend.
3. Mend its cause completely; leave checks and tests as strict as they are.
4. Run `loopwright check` again, then stop.

When Loopwright started you:

- Work on the one task of the prompt, and do not commit: Loopwright checks and commits.
- End with `loopwright signal complete \"WHAT YOU DID\"`, or with `loopwright signal blocked \"REASON\"` when you need a
  person. Where you have the tools `report_complete` and `report_blocked`, use those.
- `loopwright signal learning --category CATEGORY \"TEXT\"` records what others should know.";

/// What to install.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstallRequest {
    /// Files that get the guide besides AGENTS.md, named from the project's folder.
    pub files: Vec<PathBuf>,
    /// Whether Claude Code gets its slash commands.
    pub commands: bool,
    /// Whether everything is taken away instead: the guide from all files that have it, and the commands.
    pub remove: bool,
    /// Whether nothing is written.
    pub dry_run: bool,
}

/// What was done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// There was no file.
    Created,
    /// The guide was added, or an older one was replaced.
    Updated,
    /// It is there as it should be.
    Unchanged,
    /// The guide was taken out; the rest of the file stays.
    TakenOut,
    /// The whole file was Loopwright's and was removed.
    Removed,
    /// Somebody made it their own: it is left as it is.
    Kept,
}

/// What `install` did to one file, or would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Installed {
    /// The file, named from the project's folder.
    pub file: PathBuf,
    /// What was done to it.
    pub change: Change,
    /// The file's text now; none when it is gone.
    pub text: Option<String>,
}

/// Puts the guide between its two marks into AGENTS.md and the files that were asked for, and the slash commands beside
/// them; or takes all of it away again. Everything else stays, byte for byte. All files are looked at before the first
/// is written.
///
/// # Errors
/// An agent asks; a file leads out of the project, is read-only or no text; its marks are broken; or it cannot be read or written.
pub fn install(layout: &Layout, request: &InstallRequest) -> Result<Vec<Installed>, Fault> {
    let root = &layout.root;
    let mut planned = Vec::new();
    for file in guide_files(root, request)? {
        let text = text_file::read(&root.join(&file), FILE_LIMIT)?;
        planned.extend(plan_guide(file, text, request.remove)?);
    }
    if request.commands || request.remove {
        for (file, ours) in commands::all() {
            let Some(file) = place_of(root, &file, request.remove)? else { continue };
            let text = text_file::read(&root.join(&file), FILE_LIMIT)?;
            planned.extend(plan_command(file, text, ours, request.remove));
        }
    }
    let changed = || planned.iter().filter(|it| !matches!(it.change, Change::Unchanged | Change::Kept));
    changed().try_for_each(|it| refuse_protected(root, &it.file))?;
    if !request.dry_run && changed().next().is_some() {
        trust::require_person("change files through install")?;
        changed().try_for_each(|it| carry_out(root, it))?;
    }
    Ok(planned)
}

/// The files that have the guide or shall have it, each once. For removal that is every file that has it.
fn guide_files(root: &Path, request: &InstallRequest) -> Result<Vec<PathBuf>, Fault> {
    let mut files = Vec::new();
    files.extend(place_of(root, Path::new(FILE), request.remove)?);
    for file in &request.files {
        let inside = file.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !inside || file.as_os_str().is_empty() {
            let message = format!("{} is not a file of this project", file.display());
            return Err(Fault::new(ErrorCode::UsageInvalid, message)
                .hint("Name it from the project's folder, for example CLAUDE.md."));
        }
        let plain: PathBuf = file.components().filter(|part| *part != Component::CurDir).collect();
        files.push(files::followed(root, &plain)?);
    }
    if request.remove {
        files.extend(OTHERS.iter().filter_map(|file| files::followed(root, Path::new(file)).ok()));
        files.extend(files::with_guide(root));
    }
    let mut seen = BTreeSet::new();
    files.retain(|file| seen.insert(file.clone()));
    Ok(files)
}

/// The file that a name of ours stands for. Nothing of ours is where a link leads out of the project: for removal there
/// is none then.
fn place_of(root: &Path, file: &Path, remove: bool) -> Result<Option<PathBuf>, Fault> {
    match files::followed(root, file) {
        Err(_) if remove => Ok(None),
        place => place.map(Some),
    }
}

/// A file is replaced, not written into, so the system would not mind that it is write-protected.
fn refuse_protected(root: &Path, file: &Path) -> Result<(), Fault> {
    let protected = fs::metadata(root.join(file)).is_ok_and(|found| found.permissions().readonly());
    if protected {
        let message = format!("{} is write-protected", file.display());
        return Err(Fault::new(ErrorCode::IoFailed, message).hint("Allow writing to it first."));
    }
    Ok(())
}

fn plan_guide(file: PathBuf, text: Option<String>, remove: bool) -> Result<Option<Installed>, Fault> {
    let before = text.as_deref().unwrap_or_default();
    if let BlockPosition::Broken(line) = block::find(before) {
        return Err(Fault::new(
            ErrorCode::UsageInvalid,
            "the marks of Loopwright's block do not make one block",
        )
        .hint(format!("Remove the lines with {} and {}, then try again.", block::BEGIN, block::END))
        .at(file.display().to_string(), Some(line)));
    }
    if remove {
        return Ok(block::take(before).map(|rest| match block::is_alone(before) {
            true => Installed { file, change: Change::Removed, text: None },
            false => Installed { file, change: Change::TakenOut, text: Some(rest) },
        }));
    }
    let (change, text) = match &text {
        None => (Change::Created, Some(block::alone(GUIDE))),
        Some(before) => match block::put(before, GUIDE) {
            Some(after) if after == *before => (Change::Unchanged, Some(after)),
            after => (Change::Updated, after),
        },
    };
    Ok(Some(Installed { file, change, text }))
}

fn plan_command(file: PathBuf, text: Option<String>, ours: String, remove: bool) -> Option<Installed> {
    let own = text.as_deref().is_some_and(commands::is_unchanged);
    let (change, text) = match (text, remove) {
        (None, true) => return None,
        (None, false) => (Change::Created, Some(ours)),
        (Some(text), _) if !own => (Change::Kept, Some(text)),
        (Some(_), true) => (Change::Removed, None),
        (Some(text), false) if commands::same(&text, &ours) => (Change::Unchanged, Some(text)),
        (Some(_), false) => (Change::Updated, Some(ours)),
    };
    Some(Installed { file, change, text })
}

fn carry_out(root: &Path, planned: &Installed) -> Result<(), Fault> {
    let path = root.join(&planned.file);
    match &planned.text {
        Some(text) => text_file::write(&path, text),
        None => {
            fs::remove_file(&path).map_err(|error| text_file::io_fault("remove", &path, &error))?;
            remove_empty_folders(root, &path);
            Ok(())
        }
    }
}

/// Removes the folders that a removed file leaves empty, below the project's own.
fn remove_empty_folders(root: &Path, path: &Path) {
    for folder in path.ancestors().skip(1).take_while(|folder| *folder != root) {
        if fs::remove_dir(folder).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
