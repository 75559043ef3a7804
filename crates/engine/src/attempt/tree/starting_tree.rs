//! What a run has left in the files without committing it, and what is therefore nobody's uncommitted work.

use std::path::{Path, PathBuf};

use loopwright_config::text_file;
use loopwright_domain::{Fault, Run};
use loopwright_store::Entry;
use loopwright_vcs::Oid;

use crate::attempt::tree::work_tree::WorkTree;
use crate::prepare::options::RunOptions;
use crate::project::Project;

/// Where is written what the files are after a run that is over: the run and the tree.
const AFTER: &str = "after-run";
/// A longer note is none of ours.
const LONGEST_NOTE: u64 = 1_000;

/// What a run has left in the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StartingTree {
    /// All files as the run last knew them.
    pub(crate) tree: Option<Oid>,
    /// The file that says where things stand, as git calls it: the run writes it last, and nobody else's work is in it.
    handoff: Option<PathBuf>,
}

impl StartingTree {
    /// Whether a file, as git calls it, is the run's own.
    pub(crate) fn is_own(&self, path: &Path) -> bool {
        self.handoff.as_deref() == Some(path)
    }
}

impl Project {
    /// What a run has left in the files; nothing where there was none.
    pub(crate) fn starting_tree(&self, run: Option<&Run>) -> StartingTree {
        let Some(run) = run else { return StartingTree::default() };
        let options: Option<RunOptions> = serde_json::from_str(&run.options).ok();
        let handoff = options.and_then(|options| options.tasks?.handoff);
        let tree = self.tree_after_run(run).or_else(|| run.tree.as_deref().and_then(Oid::parse));
        StartingTree { tree, handoff: handoff.and_then(|file| self.as_git_calls(Path::new(&file))) }
    }

    /// A file named from the project folder as git calls it; none outside of the repository.
    fn as_git_calls(&self, file: &Path) -> Option<PathBuf> {
        let repository = self.layout().repository.as_ref()?;
        let path = self.layout().root.join(file);
        // The file itself may be a link; git knows it by its own name.
        let folder = dunce::canonicalize(path.parent()?).ok()?;
        let work_tree = dunce::canonicalize(&repository.work_tree).ok()?;
        Some(folder.strip_prefix(work_tree).ok()?.join(path.file_name()?))
    }

    /// Lets the last run know the files as they are, after a change of our own: so that the next run does not take it
    /// for somebody's uncommitted work. Returns the tree.
    pub(crate) async fn know_files(&self, tree: &WorkTree) -> Result<Option<String>, Fault> {
        let Some(mut run) = self.store().latest_run().await? else { return Ok(None) };
        let Some(snapshot) = tree.snapshot().await? else { return Ok(None) };
        let known = snapshot.tree.as_str().to_owned();
        if run.status.is_over() {
            // What is written about a run that is over never changes again.
            let note = format!("{} {known}\n", run.id);
            text_file::write(&self.layout().state_dir.join(AFTER), &note)?;
        } else {
            run.tree = Some(known.clone());
            let entry = Entry { run: Some(&run), ..Entry::default() };
            self.store().journal(&self.host().timestamp(), entry).await?;
        }
        Ok(Some(known))
    }

    /// The files after a change of our own that came when the run was over.
    fn tree_after_run(&self, run: &Run) -> Option<Oid> {
        let note = text_file::read(&self.layout().state_dir.join(AFTER), LONGEST_NOTE).ok()??;
        let (id, tree) = note.trim_end().split_once(' ')?;
        (run.status.is_over() && id == run.id.to_string()).then(|| Oid::parse(tree)).flatten()
    }
}
