//! What the built-in checks ask about the work tree.

use loopwright_config::check::Pending;

/// A file that is not as it was at the base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// Its path from the project folder, with forward slashes.
    pub path: String,
    /// The numbers of its new lines, counted from 1, rising.
    pub added: Vec<u32>,
}

/// Knows what changed since the base: a run's checkpoint, or the last commit.
pub trait DiffSource: Send + Sync {
    /// The files that are new or changed since the base and still there, by path.
    fn changed(&self) -> Pending<'_, Vec<ChangedFile>>;

    /// The files that differ from the last commit, by path; none while a run works, whose changes are committed
    /// only after the checks.
    fn uncommitted(&self) -> Pending<'_, Option<Vec<String>>>;
}
