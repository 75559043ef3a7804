//! What the system itself keeps about the programs of a job, and no program can take off again.
//!
//! - The mark: a hard limit of the time that real-time tasks may take without a pause. Nobody else sets it, it is never
//!   reached, and it is inherited whatever a program does to its environment, session or namespaces. It can be made
//!   smaller, but only root can take it away.
//! - For programs in a sandbox: sockets that have a name and no file are out of reach unless they were made in there.

use std::io;

use nix::libc;

/// Real-time tasks of a job may run for as many microseconds: longer than the machine lives.
const MARK: libc::rlim_t = 0x3fff_ffff_ffff_4c57;

/// The first version of the system's facility that keeps such sockets apart.
const SCOPES_SINCE: libc::c_long = 6;
/// Asks for that version.
const VERSION: libc::c_uint = 1;
const ABSTRACT_SOCKETS: u64 = 1;

/// What the system is asked to keep a program from; as its own header has it.
#[repr(C)]
struct Ruleset {
    files: u64,
    network: u64,
    scopes: u64,
}

/// Marks this process and all that it will ever start. To be called between fork and exec.
#[expect(
    unsafe_code,
    reason = "the safe wrapper is behind a feature of a library that brings more than this"
)]
pub(crate) fn mark() -> io::Result<()> {
    if is_marked() {
        return Ok(());
    }
    let limit = libc::rlimit { rlim_cur: MARK, rlim_max: MARK };
    // SAFETY: the call reads one structure that is there, and is async-signal-safe.
    match unsafe { libc::setrlimit(libc::RLIMIT_RTTIME, &raw const limit) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Whether this process descends from a job, over however many steps.
#[expect(
    unsafe_code,
    reason = "the safe wrapper is behind a feature of a library that brings more than this"
)]
pub(crate) fn is_marked() -> bool {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the call writes one structure that is there, and is async-signal-safe.
    let asked = unsafe { libc::getrlimit(libc::RLIMIT_RTTIME, &raw mut limit) } == 0;
    asked && limit.rlim_max != libc::RLIM_INFINITY
}

/// Puts sockets that have no file out of reach of this process and all that it starts, where the system can: Linux 6.12
/// and later. Gives up rights to become another user, as every program in a sandbox does. To be called between fork and
/// exec.
#[expect(unsafe_code, reason = "there is no safe wrapper of these calls")]
pub(crate) fn leave_abstract_sockets() {
    let nothing: *const Ruleset = std::ptr::null();
    // SAFETY: without a structure the call only tells its version. A system that does not know it refuses.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, nothing, 0_usize, VERSION) };
    if version < SCOPES_SINCE {
        return;
    }
    let ruleset = Ruleset { files: 0, network: 0, scopes: ABSTRACT_SOCKETS };
    // SAFETY: the structure is there and as long as is said; the file that is opened is closed again.
    unsafe {
        let size = size_of::<Ruleset>();
        let file = libc::syscall(libc::SYS_landlock_create_ruleset, &raw const ruleset, size, 0);
        if file < 0 {
            return;
        }
        let _ = libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        let _ = libc::syscall(libc::SYS_landlock_restrict_self, file, 0);
        let _ = libc::syscall(libc::SYS_close, file);
    }
}
