//! Making sure of a commit after it was made: that it is ours, and that it stands where it was to stand.

use super::commit::{CommitRequest, moved};
use super::commit_hooks::HookFolder;
use super::{Memory, Workspace};
use crate::error::VcsError;
use crate::limited_read::read;
use crate::oid::Oid;

/// As much of the list of HEAD's moves as holds the last one.
const MOVES_LIMIT: u64 = 64 * 1024 * 1024;
/// How many commits may have been made on top of ours by the time it is looked for.
const DEPTH: &str = "--max-count=50";

/// A commit that was made.
pub(super) struct Made {
    pub(super) commit: Oid,
    pub(super) tree: Oid,
}

/// A commit as it is listed.
struct Listed {
    commit: Oid,
    parent: Option<Oid>,
    tree: Oid,
    message: String,
}

impl Workspace {
    /// Finds the commit that was just made. One that came to stand on top of somebody else's, or in which a hook changed
    /// something afterwards, is taken back, as long as nothing stands on it.
    pub(super) async fn verify_commit(
        &self,
        memory: &Memory,
        request: &CommitRequest,
        hooks: &HookFolder,
        tree: Oid,
        output: &str,
    ) -> Result<Made, VcsError> {
        let head = self.state_now(memory).await?.head;
        let unexpected = || VcsError::Unexpected { command: "git commit" };
        if !hooks.runs
            && let Some(commit) = &head.commit
            && self.last_move() == Some((request.expected.commit.clone(), commit.clone()))
        {
            return Ok(Made { commit: commit.clone(), tree });
        }
        let listed = self.newest_commits(memory).await?;
        let ours =
            listed.iter().find(|listed| request.is_message(&listed.message)).or_else(|| listed.first());
        let ours = ours.ok_or_else(unexpected)?;
        let is_last = head.commit.as_ref() == Some(&ours.commit);
        if ours.parent != request.expected.commit {
            if let Some(parent) = ours.parent.as_ref().filter(|_| is_last) {
                self.take_back(memory, &ours.commit, parent).await?;
            }
            return Err(moved(&request.expected, &head));
        }
        if ours.tree != tree
            && let Some(parent) = ours.parent.as_ref().filter(|_| is_last)
        {
            self.take_back(memory, &ours.commit, parent).await?;
            let (hook, output) = ("post-commit".to_owned(), output.to_owned());
            return Err(VcsError::HookEdited { hook, tree: ours.tree.clone(), output });
        }
        Ok(Made { commit: ours.commit.clone(), tree: ours.tree.clone() })
    }

    async fn take_back(&self, memory: &Memory, commit: &Oid, parent: &Oid) -> Result<(), VcsError> {
        let back = ["update-ref", "-m", "loopwright: take back", "HEAD", parent.as_str(), commit.as_str()];
        self.git_run(self.inspecting(memory, &back)).await
    }

    /// The newest commits of the current branch, the last one first.
    async fn newest_commits(&self, memory: &Memory) -> Result<Vec<Listed>, VcsError> {
        let format = "--format=%H%n%P%n%T%n%B";
        let args =
            ["--no-pager", "log", "-z", "--first-parent", "--no-show-signature", DEPTH, format, "HEAD", "--"];
        let output = self.git.run(self.inspecting(memory, &args)).await?;
        let text = String::from_utf8_lossy(&output.stdout);
        let records = text.split('\0').filter(|record| !record.is_empty());
        records.map(parse).collect::<Option<_>>().ok_or(VcsError::Unexpected { command: "git log" })
    }

    /// From where to where HEAD moved last, when git keeps a list of that.
    fn last_move(&self) -> Option<(Option<Oid>, Oid)> {
        let moves = read(&self.repository.git_dir.join("logs/HEAD"), MOVES_LIMIT).ok()?;
        let line = moves.strip_suffix(b"\n")?.rsplit(|byte| *byte == b'\n').next()?;
        let mut words = line.split(|byte| *byte == b' ');
        let old = Oid::parse_or_zeros(words.next()?)?;
        Some((old, Oid::from_line(words.next()?)?))
    }
}

fn parse(record: &str) -> Option<Listed> {
    let mut lines = record.splitn(4, '\n');
    let commit = Oid::parse(lines.next()?)?;
    let parent = lines.next()?.split(' ').next().and_then(Oid::parse);
    Some(Listed { commit, parent, tree: Oid::parse(lines.next()?)?, message: lines.next()?.to_owned() })
}
