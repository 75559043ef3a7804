//! Checks that a program embedding the engine brings along.

use std::fmt;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use loopwright_domain::{Fault, Issue};

/// A result that is on its way.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T, Fault>> + Send + 'a>>;

/// A check written in Rust by whoever uses the engine as a library.
///
/// It fails when it finds an issue of severity error, and is broken when it gives a fault. It is dropped when its time
/// is over or the round is stopped, so it must not block.
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
