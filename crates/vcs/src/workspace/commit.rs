//! Committing what an attempt changed, with the user's own hooks and signing.
//!
//! The commit is built in an index of its own: HEAD's tree and exactly the attempt's changes. The user's index follows
//! for just those paths.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::changes::Difference;
use super::commit_check::Made;
use super::commit_hooks::HookFolder;
use super::run_start::RunStart;
use super::{Memory, Workspace, shown_path};
use crate::commit_subject::subject;
use crate::error::VcsError;
use crate::head::Position;
use crate::oid::Oid;
use crate::secrets::{is_own_state, is_secret};

/// How long hooks and signing may take together, unless told otherwise.
const COMMIT_TIMEOUT: Duration = Duration::from_secs(300);

/// What to commit.
#[derive(Clone, Debug)]
pub struct CommitRequest {
    /// The tree before the attempt.
    pub from: Oid,
    /// The tree after it.
    pub to: Oid,
    /// Earlier pieces of work that are committed with it: the trees before and after each, the oldest first. Where two
    /// changed the same file, the later one has it.
    pub earlier: Vec<(Oid, Oid)>,
    /// The first line of the message; made short if need be.
    pub subject: String,
    /// The rest of the message; may be empty.
    pub body: String,
    /// Names and values at the end of the message.
    pub trailers: Vec<(String, String)>,
    /// Where HEAD has to be.
    pub expected: Position,
    /// What the commit's processes carry in their environment, so that they can be found if we are gone.
    pub marker: Option<String>,
    /// Whether the user's hooks run. The folder has to be trusted.
    pub hooks: bool,
    /// How long hooks and signing may take.
    pub timeout: Duration,
}

impl CommitRequest {
    /// A commit of what changed from one tree to another, with hooks.
    #[must_use]
    pub fn new(from: Oid, to: Oid, subject: impl Into<String>, expected: Position) -> Self {
        Self {
            from,
            to,
            earlier: Vec::new(),
            subject: subject.into(),
            body: String::new(),
            trailers: Vec::new(),
            expected,
            marker: None,
            hooks: true,
            timeout: COMMIT_TIMEOUT,
        }
    }

    /// Commits earlier pieces of work with it.
    #[must_use]
    pub fn after(mut self, earlier: Vec<(Oid, Oid)>) -> Self {
        self.earlier = earlier;
        self
    }

    /// Adds a trailer.
    #[must_use]
    pub fn trailer(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.trailers.push((name.into(), value.into()));
        self
    }

    /// Marks the commit's processes.
    #[must_use]
    pub fn marker(mut self, marker: impl Into<String>) -> Self {
        self.marker = Some(marker.into());
        self
    }

    /// The whole message.
    pub(super) fn message(&self) -> String {
        let first = subject(&self.subject);
        let mut message = if first.is_empty() { "Work by Loopwright".to_owned() } else { first };
        message.push('\n');
        if !self.body.trim().is_empty() {
            message.push_str(&format!("\n{}\n", self.body.trim()));
        }
        for (index, (name, value)) in self.trailers.iter().enumerate() {
            let gap = if index == 0 { "\n" } else { "" };
            let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
            message.push_str(&format!("{gap}{name}: {value}\n"));
        }
        message
    }

    /// Whether a commit's message is this one, even if a hook has added to it.
    pub(super) fn is_message(&self, found: &str) -> bool {
        let message = self.message();
        found.trim() == message.trim()
            || message
                .lines()
                .filter(|line| !line.is_empty())
                .all(|line| found.lines().any(|other| other == line))
    }
}

/// What was committed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Committed {
    /// The new commit.
    pub commit: Oid,
    /// Its tree.
    pub tree: Oid,
    /// The files that differ in it from the commit before.
    pub files: Vec<PathBuf>,
    /// Files that the attempt changed and that are not in it, because by their names they hold secrets.
    pub excluded: Vec<PathBuf>,
    /// Whether the user's index knows of the commit; it does not when it was locked all the time.
    pub index_updated: bool,
    /// What hooks printed.
    pub output: String,
}

/// An attempt's changes, ready to be put into an index.
pub(super) struct Work {
    /// The paths.
    pub(super) names: Vec<Vec<u8>>,
    /// What became of them; empty where the private index holds it already.
    pub(super) kept: Vec<Difference>,
    excluded: Vec<PathBuf>,
}

impl Work {
    fn of(differences: Vec<Difference>, start: &RunStart) -> Self {
        let mut work = Self { names: Vec::new(), kept: Vec::new(), excluded: Vec::new() };
        for difference in differences {
            if is_own_state(&difference.name) {
                continue;
            }
            // That a secret is gone may be committed, and one that a person wants to have in.
            if difference.new.is_some() && is_secret(&difference.name) && !start.includes(&difference.name) {
                work.excluded.push(shown_path(&difference.name));
            } else {
                work.names.push(difference.name.clone());
                work.kept.push(difference);
            }
        }
        work
    }
}

impl Workspace {
    /// Commits what changed from one tree to another, on top of HEAD. None when there is nothing to commit.
    ///
    /// Runs the user's hooks, filters and signing, so the folder has to be trusted. Files of other work, and what the
    /// user has staged, are not in the commit. Secrets and Loopwright's own state never are.
    ///
    /// # Errors
    /// HEAD is not where it has to be, a hook refuses, does not end, makes another tree of it or changes tracked files,
    /// the commit cannot be signed, or git fails. Then nothing was committed.
    pub async fn commit(&self, request: &CommitRequest) -> Result<Option<Committed>, VcsError> {
        let mut memory = self.remembered().await?;
        self.expect_position(&memory, &request.expected).await?;
        let head_tree = match &request.expected.commit {
            Some(head) => Some(self.tree_of(&mut memory, head).await?),
            None => None,
        };
        self.see_index(&mut memory, false).await?;
        let simple = self.simple_work(&memory, request, head_tree.as_ref());
        let is_simple = simple.is_some();
        let work = match simple {
            Some(work) => work,
            None => Work::of(self.all_differences(&memory, request).await?, &memory.private.start),
        };
        if work.names.is_empty() {
            return Ok(None);
        }
        let tree = if is_simple {
            self.copy_index_for_commit(&memory)?;
            request.to.clone()
        } else {
            self.build_index_for_commit(&memory, request, &work).await?
        };
        if head_tree.as_ref() == Some(&tree) {
            return Ok(None);
        }
        let hooks = HookFolder::of(&self.repository, &memory.profile, request.hooks);
        let hooks = hooks.guarding(&self.repository, &memory, &tree)?;
        let output = self.run_commit(&memory, request, &hooks).await?;
        let Made { commit, tree } = self.verify_commit(&memory, request, &hooks, tree, &output).await?;
        memory.head_tree = Some((commit.clone(), tree.clone()));
        let was_clean = head_tree.is_some() && memory.index_tree() == head_tree.as_ref();
        let names: BTreeSet<&[u8]> = work.names.iter().map(|name| &**name).collect();
        let files = names.iter().map(|name| shown_path(name)).collect();
        // What a hook staged after the tree was read is not in the commit, and not for the user's index.
        let replace = is_simple && !hooks.about_message;
        let index_updated = self.follow_commit(&mut memory, replace, names, was_clean, &tree).await;
        Ok(Some(Committed { commit, tree, files, excluded: work.excluded, index_updated, output }))
    }

    /// What all pieces of work changed together, each file once.
    async fn all_differences(
        &self,
        memory: &Memory,
        request: &CommitRequest,
    ) -> Result<Vec<Difference>, VcsError> {
        let mut all: BTreeMap<Vec<u8>, Difference> = BTreeMap::new();
        let own = (request.from.clone(), request.to.clone());
        for (from, to) in request.earlier.iter().chain([&own]) {
            for difference in self.differences(memory, from, to).await? {
                all.insert(difference.name.clone(), difference);
            }
        }
        Ok(all.into_values().collect())
    }

    async fn expect_position(&self, memory: &Memory, expected: &Position) -> Result<(), VcsError> {
        let found = self.calm_state(memory).await?.head;
        if found == *expected {
            return Ok(());
        }
        Err(moved(expected, &found))
    }

    /// The work, when the private index as it is holds what is to be committed: nothing was changed or staged before
    /// the attempt, the attempt is the last thing that was recorded, and git stores files as they are.
    fn simple_work(&self, memory: &Memory, request: &CommitRequest, head_tree: Option<&Oid>) -> Option<Work> {
        let taken = memory.private.taken.as_ref()?;
        let last = taken.last.as_ref()?;
        let is_simple = request.earlier.is_empty()
            && taken.plain
            && !taken.converts
            && head_tree == Some(&request.from)
            && taken.index_tree == request.from
            && taken.tree.as_ref() == Some(&request.to)
            && (&last.from, &last.to) == (&request.from, &request.to)
            && !last.names.iter().any(|name| is_secret(name) || is_own_state(name))
            && self.index_identity() == taken.index;
        is_simple.then(|| Work { names: last.names.clone(), kept: Vec::new(), excluded: Vec::new() })
    }
}

/// Says where HEAD is instead of where it should be.
pub(super) fn moved(expected: &Position, found: &Position) -> VcsError {
    let words = |position: &Position| {
        let branch = position.branch.as_deref().unwrap_or("no branch");
        let commit = position.commit.as_ref().map_or("no commit", Oid::short);
        format!("{commit} on {branch}")
    };
    VcsError::HeadMoved { expected: words(expected), found: words(found) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_has_one_subject_a_body_and_trailers() {
        let oid = Oid::parse(&"1".repeat(40)).unwrap();
        let nowhere = Position { branch: None, commit: None };
        let mut request = CommitRequest::new(oid.clone(), oid, "  add\ttea\nmore", nowhere)
            .trailer("Loopwright-Run", "r1")
            .trailer("Loopwright-Iteration", "i\n2");
        assert_eq!(request.message(), "add tea\n\nLoopwright-Run: r1\nLoopwright-Iteration: i 2\n");
        request.body = "\nwhy\n".into();
        request.subject.clear();
        assert_eq!(
            request.message(),
            "Work by Loopwright\n\nwhy\n\nLoopwright-Run: r1\nLoopwright-Iteration: i 2\n"
        );
    }
}
