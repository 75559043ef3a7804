//! Files outside of snapshots, as they were at the last checkpoint: ignored ones, very large ones, those with secrets,
//! repositories inside this one. Small files and links are saved, so that what an attempt overwrote or deleted can be put
//! back. What compilers and package managers make is not looked at. Nothing is read or written through a link: an agent
//! that puts one in the place of a folder must not reach what it leads to.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::folders::parent;
use super::private_git_dir::{Identity, identity_of};
use super::restore::make_folders;
use super::scan::{Scan, SkipReason, passes_link};
use super::{Workspace, path_of, shown_path};
use crate::error::VcsError;
use crate::limited_read::read;
use crate::system;

/// Where the list is kept, and the folder of the saved contents.
const LIST: &str = "outside";
const CONTENTS: &str = "outside-contents";
const LARGEST_LIST: u64 = 64 * 1024 * 1024;
/// Larger files are not saved.
const LARGEST_SAVED: u64 = 1024 * 1024;
/// As many bytes as are saved at one checkpoint.
const MOST_SAVED: u64 = 32 * 1024 * 1024;
/// What the name of a saved content begins with when it is where a link leads.
const SAVED_LINK: &str = "link-";

/// What became of a file outside of snapshots since the last checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutsideKind {
    /// It was not there.
    Made,
    /// It has another content.
    Changed,
    /// It is gone.
    Deleted,
}

/// A file or folder outside of snapshots that is not as it was at the last checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutsideChange {
    /// The path, counted from the work tree.
    pub path: PathBuf,
    /// Why no snapshot has it.
    pub why: SkipReason,
    /// What became of it.
    pub kind: OutsideKind,
    /// Whether its former content was saved.
    pub saved: bool,
    /// Changes whenever the file is written to or replaced.
    mark: String,
}

/// What came of putting one file back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutsideOutcome {
    /// It has its former content. What the attempt made of it, if it was there, was moved.
    Restored(PathBuf),
    /// It was made by the attempt and moved out of the work tree.
    Moved(PathBuf),
    /// It is left as it is.
    Left(PathBuf),
}

/// A file as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Was {
    mark: String,
    why: SkipReason,
    /// The name of its saved content: a digest, see [`content_name`].
    saved: Option<String>,
    /// Whether it was there when the run began.
    at_start: bool,
}

/// All that was outside of snapshots at the last checkpoint.
#[derive(Debug, Default)]
pub(super) struct Outside {
    files: BTreeMap<Vec<u8>, Was>,
    /// Whether there were more ignored files than anybody looked at.
    partial: bool,
    known: bool,
    read_from: Identity,
}

impl Outside {
    pub(super) fn load(folder: &Path) -> Self {
        let path = folder.join(LIST);
        let mut outside = Self { read_from: identity_of(&path), ..Self::default() };
        let bytes = read(&path, LARGEST_LIST).unwrap_or_default();
        let mut records = bytes.split(|byte| *byte == 0);
        let Some(head) = records.next().filter(|head| head.starts_with(b"outside ")) else { return outside };
        outside.known = true;
        outside.partial = head.ends_with(b"partial");
        while let (Some(about), Some(name)) = (records.next(), records.next()) {
            if let Some(was) = Was::parse(about) {
                outside.files.insert(name.to_vec(), was);
            }
        }
        outside
    }

    /// Whether nobody has written anything since it was read.
    pub(super) fn is_current(&self, folder: &Path) -> bool {
        self.read_from == identity_of(&folder.join(LIST))
    }

    /// Whether this was there when the run began.
    pub(super) fn was_at_start(&self, path: &Path) -> bool {
        let name = system::text_for_git(path);
        let was = |name: &[u8]| self.files.get(name).is_some_and(|was| was.at_start);
        was(&name) || was(&[&name[..], b"/"].concat())
    }

    /// Writes down and saves what is outside of a snapshot. With `begins` a run begins.
    pub(super) fn record(
        &self,
        folder: &Path,
        work_tree: &Path,
        scan: &Scan,
        begins: bool,
    ) -> io::Result<()> {
        let contents = folder.join(CONTENTS);
        if begins {
            match fs::remove_dir_all(&contents) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        let known = |name: &[u8]| self.files.get(name).filter(|_| !begins);
        let mut room = MOST_SAVED;
        let mut files = BTreeMap::new();
        for (name, why) in &scan.outside {
            let Some(path) = path_of(name).map(|path| work_tree.join(path)) else { continue };
            let Ok(metadata) = path.symlink_metadata() else { continue };
            let mark = mark_of(&metadata);
            let before = known(name);
            let saved = match before.filter(|was| was.mark == mark) {
                Some(was) => was.saved.clone(),
                None if is_savable(&metadata) && metadata.len() <= LARGEST_SAVED.min(room) => {
                    room -= metadata.len();
                    save(&path, &metadata, &contents)
                }
                None => None,
            };
            let at_start = begins || before.is_some_and(|was| was.at_start);
            files.insert(name.clone(), Was { mark, why: *why, saved, at_start });
        }
        if self.known && !begins && files == self.files && self.partial == scan.partial {
            return Ok(());
        }
        let mut text = if scan.partial { b"outside partial\0".to_vec() } else { b"outside all\0".to_vec() };
        for (name, was) in &files {
            text.extend(was.text().into_bytes());
            text.push(0);
            text.extend_from_slice(name);
            text.push(0);
        }
        let draft = folder.join(format!("{LIST}.{}.tmp", std::process::id()));
        fs::write(&draft, text)?;
        fs::rename(draft, folder.join(LIST))
    }

    /// What became of what was outside, and what is new there.
    pub(super) fn changes(&self, work_tree: &Path, scan: &Scan) -> Vec<OutsideChange> {
        if !self.known {
            return Vec::new();
        }
        let mut changes = Vec::new();
        let mut tell = |name: &[u8], why, kind, saved, mark| {
            let name = name.strip_suffix(b"/").unwrap_or(name);
            changes.push(OutsideChange { path: shown_path(name), why, kind, saved, mark });
        };
        for (name, was) in &self.files {
            let Some(path) = path_of(name).map(|path| work_tree.join(path)) else { continue };
            let saved = was.saved.is_some();
            match found_at(work_tree, name, &path) {
                None => tell(name, was.why, OutsideKind::Deleted, saved, String::new()),
                Some(found) if found.is_dir() || mark_of(&found) == was.mark => {}
                Some(found) if saved && content_name(&path, &found).ok() == was.saved => {}
                Some(found) => tell(name, was.why, OutsideKind::Changed, saved, mark_of(&found)),
            }
        }
        let partial = self.partial || scan.partial;
        let is_made = |name: &Vec<u8>, why: SkipReason| {
            let is_unseen = partial && why == SkipReason::Ignored;
            !is_unseen && !self.files.contains_key(name)
        };
        for (name, why) in scan.outside.iter().filter(|(name, why)| is_made(name, **why)) {
            let found = path_of(name).and_then(|path| work_tree.join(path).symlink_metadata().ok());
            if let Some(found) = found {
                tell(name, *why, OutsideKind::Made, false, mark_of(&found));
            }
        }
        changes
    }

    /// Whether this is a folder of which only its files are known.
    fn was_folder(&self, name: &[u8]) -> bool {
        self.files.contains_key(&[name, b"/"].concat())
    }

    /// Where the former content of a file was saved.
    fn saved(&self, folder: &Path, path: &Path) -> Option<PathBuf> {
        let saved = self.files.get(&system::text_for_git(path))?.saved.as_ref()?;
        Some(folder.join(CONTENTS).join(saved))
    }
}

impl Was {
    fn text(&self) -> String {
        let saved = self.saved.as_deref().unwrap_or("-");
        format!("{} {} {saved} {}", u8::from(self.at_start), self.why.word(), self.mark)
    }

    fn parse(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?;
        let [at_start, why, saved, mark] = text.splitn(4, ' ').collect::<Vec<_>>().try_into().ok()?;
        let digest = saved.strip_prefix(SAVED_LINK).unwrap_or(saved);
        let is_digest = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        Some(Self {
            mark: mark.to_owned(),
            why: SkipReason::of_word(why)?,
            saved: is_digest.then(|| saved.to_owned()),
            at_start: at_start == "1",
        })
    }
}

impl Workspace {
    /// Where the content of a file outside of snapshots was saved at the last checkpoint. None when it was not.
    ///
    /// # Errors
    /// The repository is gone.
    pub async fn saved_outside(&self, path: &Path) -> Result<Option<PathBuf>, VcsError> {
        let memory = self.remembered().await?;
        Ok(memory.private.outside.saved(memory.private.kept_folder(), path))
    }

    /// Puts back what an attempt did outside of snapshots, as far as that can be told: what it overwrote or deleted gets
    /// its saved content, and what it made moves to the folder `keep`. A file that is no longer as the attempt left it,
    /// one that was not saved, and new files that git ignores are left. Folders made after `since` are removed when they
    /// become empty.
    ///
    /// # Errors
    /// The repository is gone. Trouble with single files is told in the result.
    pub async fn put_back_outside(
        &self,
        changes: &[OutsideChange],
        keep: &Path,
        since: Option<SystemTime>,
    ) -> Result<Vec<OutsideOutcome>, VcsError> {
        let memory = self.remembered().await?;
        let work_tree = &self.repository.work_tree;
        let mut done = Vec::with_capacity(changes.len());
        for change in changes {
            let (path, name) = (work_tree.join(&change.path), system::text_for_git(&change.path));
            let found = found_at(work_tree, &name, &path);
            let now = found.as_ref().map(mark_of).unwrap_or_default();
            let saved = memory.private.outside.saved(memory.private.kept_folder(), &change.path);
            if change.kind == OutsideKind::Deleted && memory.private.outside.was_folder(&name) {
                let is_back = found.is_some_and(|found| found.is_dir())
                    || make_folders(work_tree, &[&name[..], b"/."].concat()).is_ok();
                done.extend((!is_back).then(|| OutsideOutcome::Left(change.path.clone())));
                continue;
            }
            if now != change.mark {
                // An earlier restore may have done it already.
                let is_back = match (&saved, change.kind) {
                    (_, OutsideKind::Made) => now.is_empty(),
                    (Some(saved), _) => found
                        .and_then(|found| content_name(&path, &found).ok())
                        .is_some_and(|content| saved.ends_with(content)),
                    (None, _) => false,
                };
                if !is_back {
                    done.push(OutsideOutcome::Left(change.path.clone()));
                }
                continue;
            }
            let kept = keep.join(&change.path);
            let moved = match change.kind {
                OutsideKind::Deleted => Ok(()),
                OutsideKind::Made if change.why == SkipReason::Ignored => {
                    Err(io::ErrorKind::Unsupported.into())
                }
                OutsideKind::Changed if saved.is_none() => Err(io::ErrorKind::Unsupported.into()),
                OutsideKind::Made | OutsideKind::Changed => move_file(&path, &kept),
            };
            done.push(match (moved, change.kind, saved) {
                (Ok(()), OutsideKind::Made, _) => {
                    self.remove_emptied_folders(&name, since);
                    OutsideOutcome::Moved(change.path.clone())
                }
                (Ok(()), _, Some(saved)) => match write_back(&saved, work_tree, &name, &path) {
                    Ok(()) => OutsideOutcome::Restored(change.path.clone()),
                    Err(_) => OutsideOutcome::Left(change.path.clone()),
                },
                _ => OutsideOutcome::Left(change.path.clone()),
            });
        }
        Ok(done)
    }
}

/// Moves a file or folder out of the work tree. A file also to another disk.
fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    if let Some(folder) = to.parent() {
        system::create_private_folder(folder)?;
    }
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices && from.symlink_metadata()?.is_file() => {
            fs::copy(from, to)?;
            fs::remove_file(from)
        }
        moved => moved,
    }
}

/// What lies at a path itself; nothing where a link stands in the place of a folder above it.
fn found_at(work_tree: &Path, name: &[u8], path: &Path) -> Option<fs::Metadata> {
    let above = parent(name.strip_suffix(b"/").unwrap_or(name));
    if passes_link(work_tree, above) { None } else { path.symlink_metadata().ok() }
}

fn is_savable(metadata: &fs::Metadata) -> bool {
    metadata.is_file() || metadata.is_symlink()
}

fn write_back(saved: &Path, work_tree: &Path, name: &[u8], path: &Path) -> io::Result<()> {
    make_folders(work_tree, name)?;
    let mut draft_name = path.file_name().unwrap_or_default().to_owned();
    draft_name.push(format!(".loopwright-{}.tmp", std::process::id()));
    let draft = path.with_file_name(draft_name);
    // A link of this name would be written through.
    let _ = fs::remove_file(&draft);
    let is_link = saved.file_name().is_some_and(|name| name.to_string_lossy().starts_with(SAVED_LINK));
    match is_link {
        true => system::create_link(&fs::read(saved)?, &draft)?,
        false => drop(fs::copy(saved, &draft)?),
    }
    fs::rename(&draft, path).inspect_err(|_| drop(fs::remove_file(&draft)))
}

/// Saves a file's content, or where a link leads. None when it cannot be read or saved.
fn save(path: &Path, metadata: &fs::Metadata, contents: &Path) -> Option<String> {
    let name = content_name(path, metadata).ok()?;
    let target = contents.join(&name);
    if target.exists() {
        return Some(name);
    }
    let saved = || -> io::Result<()> {
        system::create_private_folder(contents)?;
        let draft = contents.join(format!("{name}.{}.tmp", std::process::id()));
        match metadata.is_symlink() {
            true => fs::write(&draft, system::read_link(path)?)?,
            false => drop(fs::copy(path, &draft)?),
        }
        fs::rename(draft, &target)
    };
    saved().ok().map(|()| name)
}

/// The name under which a content is saved.
fn content_name(path: &Path, metadata: &fs::Metadata) -> io::Result<String> {
    if metadata.is_symlink() {
        return Ok(format!("{SAVED_LINK}{}", digest_of(&system::read_link(path)?[..])?));
    }
    if !metadata.is_file() {
        return Err(io::ErrorKind::Unsupported.into());
    }
    digest_of(system::open(path)?)
}

fn digest_of(content: impl Read) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut content = content.take(LARGEST_SAVED + 1);
    let mut buffer = [0; 16 * 1024];
    loop {
        match content.read(&mut buffer)? {
            0 => break,
            read => hasher.update(buffer.get(..read).unwrap_or_default()),
        }
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn mark_of(metadata: &fs::Metadata) -> String {
    let numbers: Vec<String> = system::identity(metadata).iter().map(ToString::to_string).collect();
    numbers.join(",")
}
