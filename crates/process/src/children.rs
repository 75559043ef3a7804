//! The programs this process has started and still waits for.
//!
//! On Linux orphans of a job become children of this process and have to be waited for here, but the children
//! that something else waits for must not be taken from it. Both look the same to the system, hence this list.

use std::collections::BTreeSet;
use std::io;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use crate::identity::ProcessIdentity;

static WAITED_FOR: LazyLock<Mutex<BTreeSet<u32>>> = LazyLock::new(Mutex::default);

/// The variable of programs that this process starts and lets go: editors, a run in the background. Their orphans come
/// back to this process too, and are nobody's business.
const LET_GO: &str = "LOOPWRIGHT_LET_GO";

/// What that variable says: which process let them go.
static WHO: LazyLock<String> = LazyLock::new(|| {
    let own = std::process::id();
    ProcessIdentity::of(own).map_or_else(|| own.to_string(), |own| format!("{}-{}", own.pid, own.started))
});

/// Marks a program that is to live on by itself.
pub(crate) fn let_go(command: &mut std::process::Command) {
    command.env(LET_GO, WHO.as_str());
}

/// Whether a process with this environment comes from a program that was let go.
pub(crate) fn was_let_go(environment: &[u8]) -> bool {
    let value =
        |variable: &[u8]| variable.strip_prefix(LET_GO.as_bytes())?.strip_prefix(b"=").map(<[u8]>::to_vec);
    environment.split(|byte| *byte == 0).filter_map(value).any(|value| value == WHO.as_bytes())
}

/// Whether nothing but this process is waited for: then an orphan without a mark can only be its.
pub(crate) fn waits_only_for(pid: u32) -> bool {
    list().iter().all(|one| *one == pid)
}

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
