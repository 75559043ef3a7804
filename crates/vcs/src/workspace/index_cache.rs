//! The private index as it is kept from one process to the next, so that nobody hashes all files again.
//!
//! It lies beside the private folders under a name of its own for each work tree. What belongs to it is written beside it
//! and names it by its checksum: a pair that does not fit together is not used.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::private_git_dir::{Identity, Private, Taken, identity_of};
use crate::limited_read::read;
use crate::oid::Oid;
use crate::repository::Repository;
use crate::system;

/// What is written by another version is made anew.
const VERSION: u32 = 1;
const INDEX: &str = "index";
const ABOUT: &str = "index.json";
const LARGEST_ABOUT: u64 = 16 * 1024 * 1024;

/// What belongs to a kept index.
#[derive(Serialize, Deserialize)]
struct About {
    version: u32,
    /// The last bytes of the index, which are git's own checksum of it.
    checksum: Vec<u8>,
    /// The settings it was made with.
    settings: String,
    work_tree: PathBuf,
    /// The user's index as it was last seen.
    index: Option<Vec<String>>,
    index_tree: Oid,
    followed: Oid,
    plain: bool,
    converts: bool,
    submodules: Vec<Vec<u8>>,
    absent: Option<String>,
}

/// Where the index of a work tree is kept.
pub(super) fn folder_for(repository: &Repository, parent: &Path) -> PathBuf {
    let digest = Sha256::digest(system::text_for_git(&repository.git_dir));
    let name: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    parent.join(format!("kept-{name}"))
}

impl Private {
    /// Takes over the index that an earlier process kept, if there is one and it fits.
    pub(super) fn load_kept(&mut self, repository: &Repository) -> Option<Taken> {
        let settings = self.settings()?.to_owned();
        let about = read(&self.kept_folder().join(ABOUT), LARGEST_ABOUT).ok()?;
        let about: About = serde_json::from_slice(&about).ok()?;
        let fits = about.version == VERSION
            && about.settings == settings
            && about.work_tree == repository.work_tree
            && !about.checksum.is_empty();
        if !fits {
            return None;
        }
        let index = self.file(INDEX);
        let _ = fs::remove_file(&index);
        share(&self.kept_folder().join(INDEX), &index).ok()?;
        if checksum(&index, about.checksum.len()).ok()? != about.checksum {
            let _ = fs::remove_file(&index);
            return None;
        }
        self.saved = identity_of(&index);
        let numbers =
            |words: Vec<String>| words.iter().map(|word| word.parse().ok()).collect::<Option<Vec<i128>>>();
        Some(Taken {
            index: about.index.map_or(Some(None), |words| numbers(words).map(Some))?,
            index_tree: about.index_tree,
            followed: about.followed,
            plain: about.plain,
            converts: about.converts,
            submodules: about.submodules,
            absent: about.absent,
            tree: None,
            last: None,
        })
    }

    /// Keeps the index for the processes to come, if it is another than last time. Trouble with that costs time only.
    pub(super) fn keep_index(&mut self, repository: &Repository, taken: &Taken, oid: usize) {
        let index = self.file(INDEX);
        let now: Identity = identity_of(&index);
        if now.is_none() || now == self.saved {
            return;
        }
        let kept = || -> io::Result<()> {
            let about = About {
                version: VERSION,
                checksum: checksum(&index, oid)?,
                settings: self.settings().unwrap_or_default().to_owned(),
                work_tree: repository.work_tree.clone(),
                index: taken.index.as_ref().map(|words| words.iter().map(ToString::to_string).collect()),
                index_tree: taken.index_tree.clone(),
                followed: taken.followed.clone(),
                plain: taken.plain,
                converts: taken.converts,
                submodules: taken.submodules.clone(),
                absent: taken.absent.clone(),
            };
            let draft = |name: &str| self.kept_folder().join(format!("{name}.{}.tmp", std::process::id()));
            let (one, two) = (draft(INDEX), draft(ABOUT));
            let _ = fs::remove_file(&one);
            share(&index, &one)?;
            fs::write(&two, serde_json::to_vec(&about)?)?;
            fs::rename(&one, self.kept_folder().join(INDEX))?;
            fs::rename(&two, self.kept_folder().join(ABOUT))
        };
        if kept().is_ok() {
            self.saved = identity_of(&index);
        }
    }

    /// Drops what was kept: it names objects that are gone.
    pub(super) fn forget_kept(&mut self) {
        let _ = fs::remove_file(self.kept_folder().join(ABOUT));
        let _ = fs::remove_file(self.file(INDEX));
        self.saved = None;
    }
}

/// Gives an index a second name; git never writes into one but puts another in its place. Where files cannot have two
/// names it is copied.
fn share(from: &Path, to: &Path) -> io::Result<()> {
    if fs::hard_link(from, to).is_ok() { Ok(()) } else { copy_index(from, to) }
}

/// Copies an index so that it looks as old as it is. Git takes a file whose time is not before the index's for possibly
/// changed; with a copy that looked newer, a change within the second of the index would be missed.
pub(super) fn copy_index(from: &Path, to: &Path) -> io::Result<()> {
    // Asked for before the content: an index that is written meanwhile must look older than it is, never newer.
    let modified = from.metadata()?.modified()?;
    fs::copy(from, to)?;
    fs::File::options().write(true).open(to)?.set_modified(modified)
}

fn checksum(index: &Path, length: usize) -> io::Result<Vec<u8>> {
    let mut file = fs::File::open(index)?;
    file.seek(SeekFrom::End(-i64::try_from(length).unwrap_or(i64::MAX)))?;
    let mut bytes = Vec::with_capacity(length);
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
