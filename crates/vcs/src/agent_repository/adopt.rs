//! Taking over what an agent committed in its own git folder.
//!
//! The folder is an agent's: nothing in it is obeyed. Its HEAD and references are read as text, its objects through a
//! configuration of our own, and what is taken over is packed, checked object by object on the way in, and only then
//! named by a reference.

use std::collections::BTreeSet;
use std::path::Path;

use super::{AgentRepository, BASE, MOUNT_POINTS};
use crate::error::VcsError;
use crate::git::Call;
use crate::head::{Position, position};
use crate::oid::Oid;
use crate::repository::Repository;
use crate::system;
use crate::workspace::{Memory, Workspace};

/// Where commits are kept that did not become part of a branch.
const KEPT: &str = "refs/loopwright/commits";
/// As much as the commits of one agent may take, packed.
const PACK_LIMIT: usize = 512 * 1024 * 1024;
/// As many commits as are looked at.
const MOST_COMMITS: usize = 1_000;

/// One commit of an agent's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentCommit {
    /// The commit.
    pub commit: Oid,
    /// Its tree.
    pub tree: Oid,
    /// The first line of its message.
    pub subject: String,
    /// All of its message.
    pub message: String,
}

/// What an agent committed since its git folder was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentCommits {
    /// Where its HEAD stands.
    pub tip: Oid,
    /// The oldest first; at most a thousand.
    pub commits: Vec<AgentCommit>,
    /// Whether the branch only has to be moved forward: it is the one that was checked out, what was there is part of the
    /// new history, which has no merges and is not longer than what is looked at.
    pub fast_forward: bool,
}

impl AgentRepository {
    /// Where the agent's HEAD stands; none where it cannot be told.
    #[must_use]
    pub fn head(&self) -> Option<Position> {
        let own = self.git_dir();
        position(&Repository {
            work_tree: self.repository.work_tree.clone(),
            git_dir: own.clone(),
            common_dir: own,
            project: self.repository.project.clone(),
        })
    }

    /// Whether something can be shown in it: an agent may have put links in the way.
    pub(super) fn is_whole(&self) -> bool {
        let is_folder = |path: &Path| path.symlink_metadata().is_ok_and(|found| found.is_dir());
        let git = self.git_dir();
        MOUNT_POINTS.iter().all(|point| {
            let mut path = git.clone();
            Path::new(point).components().all(|part| {
                path.push(part);
                is_folder(&path)
            })
        })
    }
}

impl Workspace {
    /// What an agent committed. None when that is nothing.
    ///
    /// # Errors
    /// Objects are missing or damaged, or git fails.
    pub async fn agent_commits(&self, own: &AgentRepository) -> Result<Option<AgentCommits>, VcsError> {
        let base = own.base();
        let Some(head) = own.head() else { return Ok(None) };
        let Some(tip) = head.commit.clone().filter(|tip| base.commit.as_ref() != Some(tip)) else {
            return Ok(None);
        };
        let memory = self.remembered().await?;
        let mut args = vec![
            "--no-pager".to_owned(),
            "log".to_owned(),
            "-z".to_owned(),
            "--reverse".to_owned(),
            "--no-show-signature".to_owned(),
            "--no-color".to_owned(),
            format!("--max-count={MOST_COMMITS}"),
            "--format=%H%n%T%n%P%n%s%n%B".to_owned(),
            tip.to_string(),
        ];
        args.extend(base.commit.iter().map(|commit| format!("^{commit}")));
        args.push("--".to_owned());
        let output = self.git().run(self.among_both(&memory, own, &args)).await?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut before = base.commit.as_ref().map(|oid| oid.as_str().to_owned()).unwrap_or_default();
        let mut is_line = true;
        let mut commits = Vec::new();
        for record in text.split('\0').filter(|record| !record.trim().is_empty()) {
            let mut lines = record.splitn(5, '\n');
            let mut next = || lines.next().unwrap_or_default().to_owned();
            let (commit, tree, parents, subject, message) = (next(), next(), next(), next(), next());
            is_line &= parents == before;
            before.clone_from(&commit);
            let (Some(commit), Some(tree)) = (Oid::parse(&commit), Oid::parse(&tree)) else {
                return Err(VcsError::Unexpected { command: "git log" });
            };
            commits.push(AgentCommit { commit, tree, subject, message });
        }
        if commits.is_empty() {
            // It stands at an older commit: nothing is new.
            return Ok(None);
        }
        let fast_forward = is_line && head.branch == base.branch && before == tip.as_str();
        Ok(Some(AgentCommits { tip, commits, fast_forward }))
    }

    /// Brings the objects of an agent's commits over, each checked, and keeps them under a name of their own. Returns the
    /// reference.
    ///
    /// # Errors
    /// An object is damaged or missing, there is too much, or git fails. Then nothing is named.
    pub async fn keep_agent_commits(
        &self,
        own: &AgentRepository,
        commits: &AgentCommits,
        label: &str,
    ) -> Result<String, VcsError> {
        let memory = self.remembered().await?;
        self.import(&memory, own, commits).await?;
        let reference = format!("{KEPT}/{label}");
        let args = ["update-ref", "--no-deref", &reference, commits.tip.as_str()];
        self.git().run(self.inspecting(&memory, &args)).await?;
        Ok(reference)
    }

    /// Whether commits that were brought over hold what no snapshot does: files that were ignored when the run began, in any
    /// of them, or files at their tip that the tree `checked` lacks.
    ///
    /// # Errors
    /// Git fails.
    pub async fn holds_unchecked_files(
        &self,
        own: &AgentRepository,
        commits: &AgentCommits,
        checked: &Oid,
    ) -> Result<bool, VcsError> {
        let memory = self.remembered().await?;
        let written = async |from: &str, to: &str, kinds: &str| -> Result<Vec<Vec<u8>>, VcsError> {
            let args = ["diff-tree", "-r", "--no-renames", kinds, "--name-only", "-z", from, to, "--"];
            let output = self.git().run(self.inspecting(&memory, &args)).await?;
            let names = output.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty());
            Ok(names.map(<[u8]>::to_vec).collect())
        };
        if !written(checked.as_str(), commits.tip.as_str(), "--diff-filter=A").await?.is_empty() {
            return Ok(true);
        }
        let empty = memory.profile().format.empty_tree();
        let mut before = own.base().commit.as_ref().unwrap_or(&empty);
        for commit in &commits.commits {
            let names = written(before.as_str(), commit.tree.as_str(), "--diff-filter=d").await?;
            if names.iter().any(|name| memory.ignored_at_start(name)) {
                return Ok(true);
            }
            before = &commit.tree;
        }
        Ok(false)
    }

    /// Moves the branch forward to an agent's commits, if it still stands where the agent began. The user's index follows,
    /// but for what the user has staged. Doing it again does nothing more. Returns whether the index knows of it.
    ///
    /// # Errors
    /// The branch has moved or is not the same ([`VcsError::HeadMoved`]), an object is damaged or missing, or git fails.
    /// Then the branch is as it was.
    pub async fn adopt_agent_commits(
        &self,
        own: &mut AgentRepository,
        commits: &AgentCommits,
    ) -> Result<bool, VcsError> {
        let memory = self.remembered().await?;
        let base = own.base().clone();
        let adopted = Position { branch: base.branch.clone(), commit: Some(commits.tip.clone()) };
        let now = self.state_now(&memory).await?.head;
        if now != base && now != adopted {
            return Err(self.moved(&base, &now));
        }
        self.import(&memory, own, commits).await?;
        let names = self.names_that_follow(&memory, &base, &commits.tip).await?;
        if now == base {
            let message = format!("loopwright: adopt {} commits of an agent", commits.commits.len());
            let reference = match &base.branch {
                Some(branch) => super::create::full_name(branch),
                None => "HEAD".to_owned(),
            };
            let old = base
                .commit
                .as_ref()
                .map_or_else(|| Oid::zeros(memory.profile().format), |oid| oid.as_str().to_owned());
            let args = ["update-ref", "--no-deref", "-m", &message, &reference, commits.tip.as_str(), &old];
            if let Err(error) = self.git().run(self.inspecting(&memory, &args)).await {
                let now = self.state_now(&memory).await?.head;
                return Err(if now == base { error } else { self.moved(&base, &now) });
            }
        }
        let follows = self.reset_names(&memory, &names).await;
        drop(memory);
        own.rest_on(adopted)?;
        Ok(follows)
    }

    /// A call that finds the objects of the repository and of the agent, and obeys neither's configuration.
    fn among_both(&self, memory: &Memory, own: &AgentRepository, args: &[String]) -> Call {
        let mut call = self.private_call(memory, args);
        let objects = system::text_for_git(&own.git_dir().join("objects"));
        let mut quoted = vec![b'"'];
        for byte in objects {
            if matches!(byte, b'"' | b'\\') {
                quoted.push(b'\\');
            }
            quoted.push(byte);
        }
        quoted.push(b'"');
        if let Some(quoted) = system::text_from_git(quoted) {
            call.set("GIT_ALTERNATE_OBJECT_DIRECTORIES", quoted);
        }
        call
    }

    /// Brings objects over. What is there already is not brought again.
    async fn import(
        &self,
        memory: &Memory,
        own: &AgentRepository,
        commits: &AgentCommits,
    ) -> Result<(), VcsError> {
        let args = ["pack-objects", "--revs", "--stdout", "--quiet"].map(str::to_owned);
        let mut pack = self.among_both(memory, own, &args);
        pack.input = format!("{}\n", commits.tip).into_bytes();
        for base in own.base().commit.iter() {
            pack.input.extend(format!("^{base}\n").into_bytes());
        }
        pack.output_limit = PACK_LIMIT;
        let packed = self.git().run(pack).await?;
        if packed.truncated() {
            return Err(VcsError::Unexpected { command: "git pack-objects" });
        }
        // Where objects are left elsewhere, not all that is named is there.
        let check = if memory.profile().partial { "--fsck-objects" } else { "--strict" };
        let args = ["index-pack", check, "--stdin"].map(str::to_owned);
        let mut check = self.private_call(memory, &args);
        check.input = packed.stdout;
        self.git().run(check).await.map(drop)
    }

    /// The paths that differ between two commits and that the user has not staged something else for.
    async fn names_that_follow(
        &self,
        memory: &Memory,
        base: &Position,
        tip: &Oid,
    ) -> Result<BTreeSet<Vec<u8>>, VcsError> {
        let empty = memory.profile().format.empty_tree();
        let from = base.commit.as_ref().unwrap_or(&empty).as_str();
        let listed = async |args: &[&str]| -> Result<BTreeSet<Vec<u8>>, VcsError> {
            let output = self.git().run(self.inspecting(memory, args)).await?;
            let names = output.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty());
            Ok(names.map(<[u8]>::to_vec).collect())
        };
        let staged =
            listed(&["diff-index", "--cached", "--no-renames", "--name-only", "-z", from, "--"]).await?;
        let changed =
            listed(&["diff-tree", "-r", "--no-renames", "--name-only", "-z", from, tip.as_str()]).await?;
        Ok(changed.difference(&staged).cloned().collect())
    }
}

impl AgentRepository {
    /// Takes note that the repository stands elsewhere now, where the agent's folder stands too.
    fn rest_on(&mut self, base: Position) -> Result<(), VcsError> {
        let path = self.folder.join(BASE);
        let text = serde_json::to_vec(&base).map_err(|error| VcsError::file(&path, &error.into()))?;
        std::fs::write(&path, text).map_err(|error| VcsError::file(&path, &error))?;
        self.base = base;
        Ok(())
    }
}
