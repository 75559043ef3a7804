//! A repository that an agent shares with its user: what must not get lost is recorded before, and compared after.
//!
//! Only losses are put back: references that are gone or rewound, stashed changes that are gone, flags, hooks and
//! settings that hide work or execute something. What was added is told and left. References go back by
//! compare-and-swap, and what is taken away is kept in the record's folder.

pub(crate) mod files;
mod links;
mod put_back;
mod remove_commits;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::VcsError;
use crate::git_locks;
use crate::head::Position;
use crate::limited_read::read;
use crate::oid::Oid;
use crate::references::References;
use crate::workspace::{Memory, Workspace};
pub use put_back::PutBack;
pub use remove_commits::TakenOff;

/// The reflog's word for what an agent does, from its environment: by it a user's commits are told from an agent's.
pub const AGENT_REFLOG_ACTION: &str = "loopwright-agent";

/// The record itself, in its folder.
const RECORD: &str = "record.json";
/// The index as it was, in the same folder.
const INDEX: &str = "index";
/// A longer record is none of ours.
const RECORD_LIMIT: u64 = 256 * 1024 * 1024;
/// Where everything is pinned that an agent could make unreachable.
const PINS: &str = "refs/loopwright/pins";
/// References that are none of the user's own work.
const IGNORED: &[&str] =
    &["refs/remotes/", "refs/stash", "refs/loopwright/", "refs/bisect/", "refs/worktree/"];
/// Lists references as [`References::of_listing`] reads them.
const LISTING: &[&str] = &["for-each-ref", "--format=%(objectname) %(refname) %(symref)"];
/// Lists the entries of the stash, the newest first.
const STASH: &[&str] = &[
    "--no-pager",
    "log",
    "--walk-reflogs",
    "--no-show-signature",
    "--no-color",
    "-z",
    "--format=%H%n%gs",
    "refs/stash",
    "--",
];

/// Lists what was said about each move of HEAD, the newest first.
const HEAD_LOG: &[&str] = &[
    "--no-pager",
    "log",
    "--walk-reflogs",
    "--no-show-signature",
    "--no-color",
    "-z",
    "--format=%gs",
    "HEAD",
    "--",
];

/// What a repository was before an agent got it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepositoryRecord {
    /// Where HEAD stood.
    head: Position,
    /// The user's references and what they named.
    refs: BTreeMap<String, Oid>,
    /// The entries of the stash, the newest first, with their messages.
    stash: Vec<(Oid, String)>,
    /// Files that git obeys, by their names; none for those that were not there.
    files: BTreeMap<String, Option<files::Content>>,
    /// Links in the place of folders of git's, with where they lead.
    #[serde(default)]
    links: BTreeMap<String, PathBuf>,
    /// Locks that were there already.
    locks: BTreeSet<String>,
    /// How long the log of HEAD was: in bytes, or where git keeps it in tables the number of its entries.
    head_log: u64,
}

impl RepositoryRecord {
    /// The record in a folder; none when there is no whole one.
    #[must_use]
    pub fn find(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&read(&folder.join(RECORD), RECORD_LIMIT).ok()?).ok()
    }

    /// Where HEAD stood.
    #[must_use]
    pub const fn head(&self) -> &Position {
        &self.head
    }

    /// Whether there was a file that leads git to another folder.
    #[must_use]
    pub fn had_commondir(&self) -> bool {
        self.files.get(files::COMMONDIR).is_some_and(Option::is_some)
    }
}

impl Workspace {
    /// Records the repository in a folder, and pins all that its references and its stash name under the name of a run.
    ///
    /// # Errors
    /// The record cannot be written, or git fails.
    pub async fn record_repository(&self, folder: &Path, run: &str) -> Result<RepositoryRecord, VcsError> {
        let memory = self.remembered().await?;
        let repository = self.repository();
        let record = RepositoryRecord {
            head: self.state_now(&memory).await?.head,
            refs: self.users_references(&memory).await?,
            stash: self.stash(&memory).await?,
            files: files::recorded(repository),
            links: links::links(repository),
            locks: git_locks::locks(repository),
            head_log: if memory.profile().reftable {
                u64::try_from(self.moves_of_head(&memory).await?.len()).unwrap_or(u64::MAX)
            } else {
                files::head_log(repository).metadata().map_or(0, |found| found.len())
            },
        };
        self.pin(&memory, &record, run).await?;
        let failed = |path: &Path, error: &std::io::Error| VcsError::file(path, error);
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
        let index = folder.join(INDEX);
        if repository.git_dir.join(INDEX).exists() {
            fs::copy(repository.git_dir.join(INDEX), &index).map_err(|error| failed(&index, &error))?;
        }
        let path = folder.join(RECORD);
        let text = serde_json::to_vec(&record).map_err(|error| failed(&path, &error.into()))?;
        fs::write(&path, text).map_err(|error| failed(&path, &error))?;
        Ok(record)
    }

    /// Removes what was pinned for a run.
    ///
    /// # Errors
    /// Git fails.
    pub async fn unpin(&self, run: &str) -> Result<(), VcsError> {
        let pins = self.refs(&format!("{PINS}/{run}/")).await?;
        self.delete_refs(&pins).await
    }

    async fn users_references(&self, memory: &Memory) -> Result<BTreeMap<String, Oid>, VcsError> {
        let found = if memory.profile().reftable {
            References::of_listing(&self.git().run(self.inspecting(memory, LISTING)).await?.stdout)
        } else {
            References::of_files(&self.repository().common_dir)
        };
        let named = found.objects().filter_map(|(name, oid)| {
            let name = std::str::from_utf8(name).ok()?;
            let is_ignored = IGNORED.iter().any(|prefix| name.starts_with(prefix));
            (!is_ignored).then(|| (name.to_owned(), oid.clone()))
        });
        Ok(named.collect())
    }

    async fn stash(&self, memory: &Memory) -> Result<Vec<(Oid, String)>, VcsError> {
        if self.reference_now(memory, "refs/stash").await?.is_none() {
            return Ok(Vec::new());
        }
        let output = self.git().run(self.inspecting(memory, STASH)).await?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let entries = text.split('\0').filter_map(|record| {
            let (oid, message) = record.split_once('\n')?;
            Some((Oid::parse(oid)?, message.trim_end().to_owned()))
        });
        Ok(entries.collect())
    }

    /// What the log of HEAD says about each of its moves, the newest first.
    async fn moves_of_head(&self, memory: &Memory) -> Result<Vec<Vec<u8>>, VcsError> {
        let finished = self.git().finish(self.inspecting(memory, HEAD_LOG)).await?;
        // It fails where there is no commit yet.
        let messages = finished.output.stdout.split(|byte| *byte == 0).filter(|message| !message.is_empty());
        Ok(if finished.exit.success() { messages.map(<[u8]>::to_vec).collect() } else { Vec::new() })
    }

    /// Keeps what could become unreachable, each object once.
    async fn pin(&self, memory: &Memory, record: &RepositoryRecord, run: &str) -> Result<(), VcsError> {
        let named = record.refs.values().chain(record.head.commit.iter());
        let all: BTreeSet<&Oid> = named.chain(record.stash.iter().map(|(oid, _)| oid)).collect();
        let folder: PathBuf = self.repository().common_dir.join(PINS).join(run);
        let mut input = Vec::new();
        for oid in all.into_iter().filter(|oid| !folder.join(oid.as_str()).exists()) {
            input.extend(format!("update {PINS}/{run}/{oid}\0{oid}\0\0").into_bytes());
        }
        if input.is_empty() {
            return Ok(());
        }
        let mut call = self.inspecting(memory, &["update-ref", "--no-deref", "--stdin", "-z"]);
        call.input = input;
        self.git().run(call).await.map(drop)
    }
}
