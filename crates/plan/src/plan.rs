//! The plan of one project: what its methods work on, and who may change it.

use loopwright_config::{Host, Layout};
use loopwright_domain::Fault;
use loopwright_store::Store;

/// Decides whether whoever asks may change the plan. An agent may not: it says what it did, and the run decides.
pub trait Authority: Send + Sync {
    /// Refuses an action to everybody but a person.
    ///
    /// # Errors
    /// No person asks.
    fn require_person(&self, action: &str) -> Result<(), Fault>;
}

/// A project's spec and tasks.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    host: &'a Host,
    layout: &'a Layout,
    store: &'a Store,
    authority: &'a dyn Authority,
}

impl<'a> Plan<'a> {
    /// The plan of a project that is open.
    #[must_use]
    pub const fn new(
        host: &'a Host,
        layout: &'a Layout,
        store: &'a Store,
        authority: &'a dyn Authority,
    ) -> Self {
        Self { host, layout, store, authority }
    }

    pub(crate) const fn host(&self) -> &'a Host {
        self.host
    }

    pub(crate) const fn layout(&self) -> &'a Layout {
        self.layout
    }

    pub(crate) const fn store(&self) -> &'a Store {
        self.store
    }

    pub(crate) fn require_person(&self, action: &str) -> Result<(), Fault> {
        self.authority.require_person(action)
    }
}
