//! Making an agent's git folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{AgentRepository, AgentRepositoryOptions, BASE, BORROWED, GIT, MOUNT_POINTS, config};
use crate::error::VcsError;
use crate::head::Position;
use crate::limited_read::read;
use crate::oid::{ObjectFormat, Oid};
use crate::references::References;
use crate::repository::Repository;
use crate::system;
use crate::workspace::{Memory, Workspace};

/// Folders that are there from the beginning.
const FOLDERS: &[&str] =
    &["objects/info", "objects/pack", "refs/heads", "refs/tags", "hooks", "info", "logs"];
/// What is copied from the folder that all work trees share.
const SHARED_FILES: &[&str] =
    &["shallow", "info/exclude", "info/attributes", "info/grafts", "logs/refs/stash"];
/// What is copied from the folder of the work tree itself.
const OWN_FILES: &[&str] = &["index", "info/sparse-checkout", "logs/HEAD", "ORIG_HEAD", "FETCH_HEAD"];
/// The part of an index that several may share begins with this.
const SHARED_INDEX: &str = "sharedindex.";
/// How many repositories can borrow from each other in a row; git's own limit.
const BORROWING_DEPTH: usize = 5;
/// Larger than any list of folders to borrow from.
const ALTERNATES_LIMIT: u64 = 64 * 1024;
/// Larger than the note about where a repository stood.
const BASE_LIMIT: u64 = 64 * 1024;
/// Lists references as [`References::of_listing`] reads them.
const LISTING: &[&str] = &["for-each-ref", "--format=%(objectname) %(refname) %(symref)"];
/// Lists the entries of the stash, the newest first: object, name, mail address, time, message.
const STASH: &[&str] = &[
    "--no-pager",
    "log",
    "--walk-reflogs",
    "--no-show-signature",
    "--no-color",
    "--date=raw",
    "-z",
    "--format=%H%n%gn <%ge>%n%gd%n%gs",
    "refs/stash",
    "--",
];

impl Workspace {
    /// Makes a git folder of an agent's own in `folder`, in the place of what is there. It holds what the repository holds
    /// now; the repository is only read.
    ///
    /// # Errors
    /// A file cannot be read or written, or git fails. Then nothing is left at `folder`.
    pub async fn create_agent_repository(
        &self,
        folder: &Path,
        options: AgentRepositoryOptions,
    ) -> Result<AgentRepository, VcsError> {
        let memory = self.remembered().await?;
        let base = self.state_now(&memory).await?.head;
        let repository = self.repository();
        let (references, stash) = self.references(&memory).await?;
        let borrowed = borrowed(&repository.common_dir.join("objects"));
        let content = Content {
            head: &base,
            config: config::text(memory.profile(), options),
            references: &references,
            stash,
            borrowed: &borrowed,
        };
        let _ = fs::remove_dir_all(folder);
        let written = content.write(&folder.join(GIT), repository).and_then(|()| {
            let text = serde_json::to_vec(&base)?;
            // The last: without it the folder is not used again.
            put(&folder.join(BASE), &text)
        });
        if let Err(error) = written {
            let _ = fs::remove_dir_all(folder);
            return Err(VcsError::file(folder, &error));
        }
        Ok(AgentRepository { folder: folder.to_owned(), repository: repository.clone(), base, borrowed })
    }

    /// The agent's git folder that an earlier call made in `folder`; none when there is no whole one.
    #[must_use]
    pub fn find_agent_repository(&self, folder: &Path) -> Option<AgentRepository> {
        let base = serde_json::from_slice(&read(&folder.join(BASE), BASE_LIMIT).ok()?).ok()?;
        folder.join(GIT).join("HEAD").symlink_metadata().ok()?;
        let repository = self.repository().clone();
        let borrowed = borrowed(&repository.common_dir.join("objects"));
        let found = AgentRepository { folder: folder.to_owned(), repository, base, borrowed };
        found.is_whole().then_some(found)
    }

    /// The references, and the stash's entries where they are not in a file.
    async fn references(&self, memory: &Memory) -> Result<(References, Option<Vec<u8>>), VcsError> {
        if !memory.profile().reftable {
            return Ok((References::of_files(&self.repository().common_dir), None));
        }
        let listing = self.git().run(self.inspecting(memory, LISTING)).await?;
        let references = References::of_listing(&listing.stdout);
        if !references.has_stash() {
            return Ok((references, None));
        }
        let entries = self.git().run(self.inspecting(memory, STASH)).await?;
        Ok((references, Some(stash_log(&entries.stdout, memory.profile().format))))
    }
}

/// What is written into the folder, besides files that are copied.
struct Content<'a> {
    head: &'a Position,
    config: Vec<u8>,
    references: &'a References,
    stash: Option<Vec<u8>>,
    borrowed: &'a [PathBuf],
}

impl Content<'_> {
    fn write(&self, folder: &Path, repository: &Repository) -> io::Result<()> {
        system::create_private_folder(folder)?;
        for name in FOLDERS.iter().chain(MOUNT_POINTS) {
            fs::create_dir_all(folder.join(name))?;
        }
        for name in SHARED_FILES {
            copy(&repository.common_dir.join(name), &folder.join(name))?;
        }
        for name in OWN_FILES {
            copy(&repository.git_dir.join(name), &folder.join(name))?;
        }
        copy_shared_indexes(&repository.git_dir, folder)?;
        if let Some(branch) = &self.head.branch {
            let log = Path::new("logs").join(full_name(branch));
            copy(&repository.common_dir.join(&log), &folder.join(&log))?;
        }
        if let Some(stash) = &self.stash {
            put(&folder.join("logs/refs/stash"), stash)?;
        }
        put(&folder.join("objects/info/alternates"), &alternates(self.borrowed))?;
        put(&folder.join("packed-refs"), &self.references.packed())?;
        for (name, target) in self.references.symbolic() {
            let Some(name) = system::text_from_git(name.to_vec()) else { continue };
            put(&folder.join(name), &[b"ref: ", target, b"\n"].concat())?;
        }
        put(&folder.join("config"), &self.config)?;
        // The last, because it makes a folder a repository.
        put(&folder.join("HEAD"), head_file(self.head).as_bytes())
    }
}

/// What HEAD says.
fn head_file(head: &Position) -> String {
    match (&head.branch, &head.commit) {
        (Some(branch), _) => format!("ref: {}\n", full_name(branch)),
        (None, Some(commit)) => format!("{commit}\n"),
        (None, None) => "ref: refs/heads/main\n".to_owned(),
    }
}

pub(super) fn full_name(branch: &str) -> String {
    if branch.starts_with("refs/") { branch.to_owned() } else { format!("refs/heads/{branch}") }
}

/// Copies a regular file, where there is one.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !from.symlink_metadata().is_ok_and(|found| found.is_file()) {
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    match fs::copy(from, to) {
        // Git replaces its files all the time.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !from.exists() => Ok(()),
        copied => copied.map(drop),
    }
}

fn copy_shared_indexes(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)?.flatten() {
        let name = entry.file_name();
        if name.as_encoded_bytes().starts_with(SHARED_INDEX.as_bytes()) {
            copy(&entry.path(), &to.join(&name))?;
        }
    }
    Ok(())
}

fn put(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, content)
}

/// The folders that objects are borrowed from, one in a line.
fn alternates(borrowed: &[PathBuf]) -> Vec<u8> {
    let mut text = format!("{BORROWED}\n").into_bytes();
    for folder in borrowed {
        let name = system::text_for_git(folder);
        let is_odd = name.contains(&b'\n') || name.starts_with(b"\"") || name.starts_with(b"#");
        if !is_odd {
            text.extend(name);
            text.push(b'\n');
        }
    }
    text
}

/// All folders elsewhere that a folder of objects borrows from.
fn borrowed(objects: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut layer = vec![objects.to_owned()];
    for _ in 0..BORROWING_DEPTH {
        let next: Vec<PathBuf> = layer.iter().flat_map(|objects| borrowed_directly(objects)).collect();
        layer = next.into_iter().filter(|folder| !found.contains(folder)).collect();
        found.extend(layer.iter().cloned());
    }
    found
}

fn borrowed_directly(objects: &Path) -> Vec<PathBuf> {
    let Ok(text) = read(&objects.join("info/alternates"), ALTERNATES_LIMIT) else { return Vec::new() };
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty() && !line.starts_with(b"#"));
    let paths = lines.filter_map(|line| system::text_from_git(line.to_vec()));
    paths.filter_map(|path| dunce::canonicalize(objects.join(path)).ok()).collect()
}

/// The stash's entries as git keeps them in a file: the oldest first, each with what was there before.
fn stash_log(entries: &[u8], format: ObjectFormat) -> Vec<u8> {
    let mut before = Oid::zeros(format);
    let mut log = Vec::new();
    let text = String::from_utf8_lossy(entries).into_owned();
    for record in text.split('\0').filter(|record| !record.is_empty()).rev() {
        let mut lines = record.splitn(4, '\n');
        let (Some(oid), Some(who), Some(at), Some(what)) =
            (lines.next(), lines.next(), lines.next(), lines.next())
        else {
            continue;
        };
        let time = at.split_once('{').and_then(|(_, rest)| rest.strip_suffix('}')).unwrap_or("0 +0000");
        log.extend(format!("{before} {oid} {who} {time}\t{}\n", what.replace('\n', " ")).into_bytes());
        oid.clone_into(&mut before);
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entries_of_a_stash_become_a_log() {
        let (one, two) = ("1".repeat(40), "2".repeat(40));
        let entries = format!(
            "{two}\nAda <a@x>\nstash@{{1700000001 +0100}}\nWIP on main: 2\0{one}\nAda <a@x>\nstash@{{1700000000 +0100}}\nWIP on main: 1\0"
        );
        let zeros = "0".repeat(40);
        let expected = format!(
            "{zeros} {one} Ada <a@x> 1700000000 +0100\tWIP on main: 1\n{one} {two} Ada <a@x> 1700000001 +0100\tWIP on main: 2\n"
        );
        let log = stash_log(entries.as_bytes(), ObjectFormat::Sha1);
        assert_eq!(String::from_utf8(log).unwrap(), expected);
        assert!(stash_log(b"garbage\0\n\n", ObjectFormat::Sha1).is_empty());
    }

    #[test]
    fn folders_that_others_borrow_from_are_followed_and_circles_end() {
        let folder = tempfile::tempdir().unwrap();
        let root = dunce::canonicalize(folder.path()).unwrap();
        for (name, lends) in [("a", "../b\n# x\n../missing\n"), ("b", "../c\n"), ("c", "../a\n")] {
            fs::create_dir_all(root.join(name).join("info")).unwrap();
            fs::write(root.join(name).join("info/alternates"), lends).unwrap();
        }
        assert_eq!(borrowed(&root.join("a")), ["b", "c", "a"].map(|name| root.join(name)));
        assert_eq!(borrowed(&root.join("missing")), Vec::<PathBuf>::new());
    }
}
