//! What a run has left in the files without committing it, and what is therefore nobody's uncommitted work.

use std::path::{Path, PathBuf};

use loopwright_domain::{Fault, Run};
use loopwright_vcs::Oid;

use super::options::RunOptions;
use super::tree::Tree;
use crate::project::Project;

/// What a run has left in the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Left {
    /// All files as the run last knew them.
    pub(crate) tree: Option<Oid>,
    /// The file that says where things stand, as git calls it: the run writes it last, and nobody else's work is in it.
    handoff: Option<PathBuf>,
}

impl Left {
    /// Whether a file, as git calls it, is the run's own.
    pub(crate) fn is_own(&self, path: &Path) -> bool {
        self.handoff.as_deref() == Some(path)
    }
}

impl Project {
    /// What a run has left in the files; nothing where there was none.
    pub(crate) fn left_by(&self, run: Option<&Run>) -> Left {
        let Some(run) = run else { return Left::default() };
        let options: Option<RunOptions> = serde_json::from_str(&run.options).ok();
        let handoff = options.and_then(|options| options.tasks?.handoff);
        let tree = run.tree.as_deref().and_then(Oid::parse);
        Left { tree, handoff: handoff.and_then(|file| self.as_git_calls(Path::new(&file))) }
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
    pub(crate) async fn know_files(&self, tree: &Tree) -> Result<Option<String>, Fault> {
        let Some(mut run) = self.store().latest_run().await? else { return Ok(None) };
        let Some(snapshot) = tree.snapshot().await? else { return Ok(None) };
        run.tree = Some(snapshot.tree.as_str().to_owned());
        let entry = loopwright_store::Entry { run: Some(&run), ..loopwright_store::Entry::default() };
        self.store().journal(&self.host().timestamp(), entry).await?;
        Ok(run.tree)
    }
}
