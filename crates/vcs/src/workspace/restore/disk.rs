//! Looking at single files of the work tree, and writing them.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::super::changes::Entry;
use super::super::scan::passes_link;
use super::super::{Memory, Workspace, path_of};
use super::{EXECUTABLE, LINK};
use crate::error::VcsError;
use crate::system;
use crate::workspace::folders::parent;

/// The mode of a plain file.
const FILE: &str = "100644";

static COUNTER: AtomicU32 = AtomicU32::new(0);

/// What lies at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::workspace) enum PathEntry {
    /// Nothing, or nothing that belongs to this path: it leads through a link.
    Nothing,
    /// A folder.
    Folder,
    /// A file or a link.
    Entry(Entry),
    /// Something that cannot be saved or read.
    Other,
}

impl PathEntry {
    /// Whether this is what git would record so. A folder in the place of a file that is gone counts as nothing.
    pub(super) fn is(&self, entry: Option<&Entry>) -> bool {
        match (self, entry) {
            (Self::Nothing | Self::Folder, None) => true,
            (Self::Entry(found), Some(entry)) => found == entry,
            _ => false,
        }
    }
}

impl Workspace {
    /// What lies at a path now, read and hashed.
    pub(in crate::workspace) fn found(&self, memory: &Memory, name: &[u8]) -> PathEntry {
        if passes_link(&self.repository.work_tree, parent(name)) {
            return PathEntry::Nothing;
        }
        let Some(path) = self.on_disk(name) else { return PathEntry::Nothing };
        let Ok(metadata) = path.symlink_metadata() else { return PathEntry::Nothing };
        if metadata.is_dir() {
            return PathEntry::Folder;
        }
        let read = || -> io::Result<Option<Entry>> {
            let format = memory.profile.format;
            if metadata.is_symlink() {
                let oid = format.blob(&system::read_link(&path)?);
                return Ok(Some(Entry { mode: LINK.to_owned(), oid }));
            }
            if !metadata.is_file() {
                return Ok(None);
            }
            let executable = memory.profile.keeps_modes() && system::owner_may_execute(&metadata);
            let mode = if executable { EXECUTABLE } else { FILE };
            let oid = format.blob_of(system::open(&path)?, metadata.len())?;
            Ok(oid.map(|oid| Entry { mode: mode.to_owned(), oid }))
        };
        read().ok().flatten().map_or(PathEntry::Other, PathEntry::Entry)
    }

    /// The same for whoever only asks about files.
    pub(in crate::workspace) fn current_entry(
        &self,
        memory: &Memory,
        name: &[u8],
    ) -> Result<Option<Entry>, VcsError> {
        match self.found(memory, name) {
            PathEntry::Entry(entry) => Ok(Some(entry)),
            PathEntry::Nothing | PathEntry::Folder => Ok(None),
            PathEntry::Other => Err(VcsError::FileMoved { path: super::shown_path(name) }),
        }
    }
}

/// Writes a file elsewhere and then puts it in its place, so that nobody ever sees half of it. `scratch` is a folder
/// of our own; if that is on another disk, the file is written beside its place.
pub(super) fn write(
    work_tree: &Path,
    name: &[u8],
    entry: &Entry,
    content: &[u8],
    scratch: &Path,
) -> io::Result<()> {
    let path = work_tree.join(path_of(name).ok_or(io::ErrorKind::InvalidInput)?);
    let folder = make_folders(work_tree, name)?;
    let before = path.symlink_metadata().ok();
    if before.as_ref().is_some_and(Metadata::is_dir) {
        // Only an empty one goes.
        fs::remove_dir(&path)?;
    }
    match write_by_way_of(scratch, &path, before.as_ref(), entry, content) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            write_by_way_of(&folder, &path, before.as_ref(), entry, content)
        }
        written => written,
    }
}

fn write_by_way_of(
    folder: &Path,
    path: &Path,
    before: Option<&Metadata>,
    entry: &Entry,
    content: &[u8],
) -> io::Result<()> {
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    let draft = folder.join(format!(".loopwright-{}-{number}.tmp", std::process::id()));
    let written = (|| {
        if entry.mode == LINK {
            system::create_link(content, &draft)?;
        } else {
            let mut file = File::create_new(&draft)?;
            file.write_all(content)?;
            drop(file);
            if let Some(before) = before.filter(|before| before.is_file()) {
                system::copy_permissions(before, &draft)?;
            }
            system::set_executable(&draft, entry.mode == EXECUTABLE)?;
        }
        fs::rename(&draft, path)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&draft);
    }
    written
}

/// Makes the folders above a path. None of them may be a link.
pub(in crate::workspace) fn make_folders(work_tree: &Path, name: &[u8]) -> io::Result<PathBuf> {
    let mut folder = work_tree.to_owned();
    let above = path_of(parent(name)).ok_or(io::ErrorKind::InvalidInput)?;
    for part in above.components() {
        folder.push(part);
        match folder.symlink_metadata() {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(io::ErrorKind::NotADirectory.into()),
            Err(_) => fs::create_dir(&folder)?,
        }
    }
    Ok(folder)
}
