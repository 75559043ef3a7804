//! The programs this process has started and still waits for.
//!
//! On Linux orphans of a job become children of this process and have to be waited for here, but the children
//! that something else waits for must not be taken from it. Both look the same to the system, hence this list.

use std::collections::BTreeSet;
use std::io;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

static WAITED_FOR: LazyLock<Mutex<BTreeSet<u32>>> = LazyLock::new(Mutex::default);

/// Keeps a process on the list for as long as this lives.
#[derive(Debug)]
pub(crate) struct WaitedFor {
    pid: u32,
}

impl WaitedFor {
    /// Starts a process and puts it on the list before anybody can look at it.
    pub(crate) fn start<C>(
        spawn: impl FnOnce() -> io::Result<C>,
        id: impl FnOnce(&C) -> Option<u32>,
    ) -> io::Result<(C, Self)> {
        let mut list = list();
        let child = spawn()?;
        let pid = id(&child).unwrap_or_default();
        list.insert(pid);
        Ok((child, Self { pid }))
    }
}

impl Drop for WaitedFor {
    fn drop(&mut self) {
        list().remove(&self.pid);
    }
}

/// Calls `reap` for a process unless it is on the list.
pub(crate) fn unless_waited_for(pid: u32, reap: impl FnOnce(u32)) {
    let list = list();
    if !list.contains(&pid) {
        reap(pid);
    }
}

fn list() -> MutexGuard<'static, BTreeSet<u32>> {
    WAITED_FOR.lock().unwrap_or_else(PoisonError::into_inner)
}
