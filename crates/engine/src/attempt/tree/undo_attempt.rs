//! Taking an attempt's work back: it is kept under a reference of its own, and the files become what they were before
//! it. What somebody else changed or committed meanwhile is left and told; and because a person who works in the same
//! folder cannot be told from an agent, every file that is put back is named.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;
use loopwright_domain::event::NAMED_FILES;
use loopwright_domain::{Event, FailureCause, Fault, Iteration, IterationId, Outcome};
use loopwright_transcript::IterationFiles;
use loopwright_vcs::{Checkpoint, CheckpointName, Oid, OutsideKind, Produced, Restored, Workspace};

use crate::attempt::tree::shared_repository;
use crate::attempt::tree::work_tree::{WorkTree, label};
use crate::attempt::unit::Attempt;
use crate::crash;
use crate::display_text::shown_path;

/// How many paths are named in a message before the rest is counted.
const NAMED: usize = 5;

/// Where the work of an attempt that was put back is kept.
pub(crate) fn attempt_reference(iteration: IterationId) -> String {
    format!("refs/loopwright/attempts/{iteration}")
}

/// What putting files back came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RestoredFiles {
    /// What a person should know.
    pub(crate) notes: Vec<String>,
    /// The files by their names; none when there was nothing to do.
    pub(crate) event: Option<Event>,
    /// Files that are not as they were before.
    pub(crate) left: Vec<String>,
}

impl Attempt<'_> {
    /// Writes down what was judged, then puts the files back.
    pub(crate) async fn take_back(
        &mut self,
        iteration: &mut Iteration,
        (outcome, cause): (Outcome, Option<FailureCause>),
    ) -> Result<RestoredFiles, Fault> {
        iteration.outcome = Some(outcome);
        iteration.cause = cause;
        crash::point("judged.before");
        self.write(iteration, &[], Vec::new()).await?;
        crash::point("judged.after");
        let state_dir = &self.project.layout().state_dir;
        let taken_off = shared_repository::take_off(state_dir, &self.tree, iteration).await?;
        let files = self.project.iterations().files(iteration);
        let back = self.tree.put_back_all(&files, iteration, state_dir).await?;
        for note in taken_off.into_iter().chain(back.notes.iter().cloned()) {
            self.warn(Some(iteration.id), note).await?;
        }
        Ok(back)
    }
}

impl WorkTree {
    /// Puts back the files and what is outside of snapshots. What an attempt made or changed there goes first, for it may
    /// be in the way; what it deleted comes last, when the folders above are there again.
    pub(crate) async fn put_back_all(
        &self,
        files: &IterationFiles,
        iteration: &mut Iteration,
        state_dir: &Path,
    ) -> Result<RestoredFiles, Fault> {
        let outside = self.outside_changes(files, iteration).await?;
        let (gone, present): (Vec<_>, Vec<_>) =
            outside.into_iter().partition(|change| change.kind == OutsideKind::Deleted);
        let (mut notes, mut left) = self.put_back_outside(&present, files, iteration).await?;
        let back = self.put_back(iteration, state_dir).await?;
        let (last, unrestored) = self.put_back_outside(&gone, files, iteration).await?;
        notes.extend(last.into_iter().chain(back.notes));
        left.extend(unrestored.into_iter().chain(back.left));
        Ok(RestoredFiles { notes, left, event: back.event })
    }

    /// Puts the files back as they were before an iteration. Where nothing was saved or nothing changed, nothing is done.
    /// Doing it twice changes nothing.
    pub(crate) async fn put_back(
        &self,
        iteration: &mut Iteration,
        state_dir: &Path,
    ) -> Result<RestoredFiles, Fault> {
        let Some(workspace) = self.workspace() else { return Ok(RestoredFiles::default()) };
        let Some(before) = self.checkpoint_of(iteration).await? else { return Ok(RestoredFiles::default()) };
        let now = workspace.snapshot().await?;
        let after = iteration.tree_after.as_deref().and_then(Oid::parse).unwrap_or_else(|| now.tree.clone());
        iteration.tree_before = Some(before.snapshot.tree.as_str().to_owned());
        iteration.tree_after = Some(after.as_str().to_owned());
        if after == before.snapshot.tree && now.index_tree == before.snapshot.index_tree {
            return Ok(RestoredFiles::default());
        }
        workspace.keep_attempt_tree(iteration.id, &after).await?;
        crash::point("attempt.kept");
        let staged = shared_repository::staged(state_dir, iteration, now.index_tree);
        let back = restore(workspace, iteration, &before, Produced { tree: after, staged }).await?;
        crash::point("attempt.restored");
        iteration.restored = true;
        Ok(back)
    }

    /// The checkpoint that was taken before an iteration, also when that was not written down any more.
    pub(crate) async fn checkpoint_of(&self, iteration: &Iteration) -> Result<Option<Checkpoint>, Fault> {
        let Some(workspace) = self.workspace() else { return Ok(None) };
        let found = workspace.find_checkpoint(&CheckpointName::new(iteration.run, label(iteration))?).await?;
        match (found, iteration.checkpoint.as_deref().and_then(Oid::parse)) {
            (Some(found), _) => Ok(Some(found)),
            (None, Some(commit)) => Ok(Some(workspace.load_checkpoint(&commit).await?)),
            (None, None) => Ok(None),
        }
    }
}

async fn restore(
    workspace: &Workspace,
    iteration: &Iteration,
    before: &Checkpoint,
    produced: Produced,
) -> Result<RestoredFiles, Fault> {
    let since = iteration.started_at.parse::<Timestamp>().ok().map(SystemTime::from);
    let plan = workspace.plan_restore(before, produced, since).await?;
    let safety = CheckpointName::new(iteration.run, format!("safety-{}", label(iteration)))?;
    let restored = workspace.restore(&plan, &safety).await?;
    let mut notes = Vec::new();
    if !restored.left.is_empty() {
        let left = restored.left.iter().map(|conflict| conflict.path.as_path());
        notes.push(format!("not put back, because they are not as the attempt left them: {}", named(left)));
    }
    if !plan.owned.is_empty() {
        let owned = plan.owned.iter().map(PathBuf::as_path);
        notes.push(format!("left as they were committed or staged meanwhile: {}", named(owned)));
    }
    if !restored.index_restored {
        notes.push("git's index was locked and still knows of the attempt's work".to_owned());
    }
    if plan.head_moved && plan.owned.is_empty() {
        notes.push("HEAD moved while the attempt went on: what was committed stays on the branch".to_owned());
    }
    let left = restored.left.iter().map(|conflict| shown_path(&conflict.path)).collect();
    Ok(RestoredFiles { notes, event: put_back_event(iteration.id, &restored), left })
}

/// Which files were put back; none when there are none.
fn put_back_event(iteration: IterationId, restored: &Restored) -> Option<Event> {
    let count = restored.deleted.len() + restored.written.len();
    let names = |paths: &[PathBuf]| -> Vec<String> {
        paths.iter().take(NAMED_FILES).map(|path| shown_path(path)).collect()
    };
    let (removed, restored) = (names(&restored.deleted), names(&restored.written));
    let more = u32::try_from(count - removed.len() - restored.len()).unwrap_or(u32::MAX);
    let kept = attempt_reference(iteration);
    (count > 0).then_some(Event::FilesPutBack { iteration, removed, restored, more, kept })
}

fn named<'a>(paths: impl ExactSizeIterator<Item = &'a Path>) -> String {
    let count = paths.len();
    let names: Vec<String> = paths.take(NAMED).map(shown_path).collect();
    match count.saturating_sub(NAMED) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
