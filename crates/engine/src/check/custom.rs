//! Checks that a program embedding the engine brings along.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use loopwright_domain::Issue;

use super::diff::Pending;

/// A check written in Rust by whoever uses the engine as a library.
///
/// It fails when it finds an issue of severity error, and is broken when it gives a fault. It is dropped when its time
/// is over or the round is stopped, so it must not block.
///
/// ```
/// use std::path::Path;
/// use std::sync::Arc;
///
/// use loopwright_domain::{CheckStatus, Issue, Severity};
/// use loopwright_engine::Host;
/// use loopwright_engine::check::{Check, CheckMode, CheckRunner, CustomCheck, Pending};
///
/// struct HasReadme;
///
/// impl CustomCheck for HasReadme {
///     fn run<'a>(&'a self, project: &'a Path) -> Pending<'a, Vec<Issue>> {
///         Box::pin(async move {
///             let message = "there is no README.md".to_owned();
///             let issue = Issue { severity: Severity::Error, file: None, line: None, message };
///             Ok(if project.join("README.md").exists() { Vec::new() } else { vec![issue] })
///         })
///     }
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// # let folder = tempfile::tempdir()?;
/// let host = Host::in_folder(folder.path(), std::env::var_os("PATH").unwrap_or_default());
/// let checks = [Check::custom("readme", 0, Arc::new(HasReadme))];
/// let (_keep, mut stop) = tokio::sync::watch::channel(false);
/// let runner = CheckRunner::new(&host, folder.path(), [], "an-id-of-this-round");
/// let results = runner.run(&checks, CheckMode::All, &mut (), &mut stop, None).await;
/// assert_eq!(results[0].status, CheckStatus::Failed);
/// # Ok::<_, std::io::Error>(()) })?;
/// # Ok::<_, std::io::Error>(())
/// ```
pub trait CustomCheck: Send + Sync {
    /// Looks at the project and gives what it found.
    fn run<'a>(&'a self, project: &'a Path) -> Pending<'a, Vec<Issue>>;
}

/// A custom check as a part of a [`Check`](super::Check). Two are the same when they are one.
#[derive(Clone)]
pub struct Custom(pub Arc<dyn CustomCheck>);

impl fmt::Debug for Custom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Custom(..)")
    }
}

impl PartialEq for Custom {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Custom {}
