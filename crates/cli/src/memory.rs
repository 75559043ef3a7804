//! How this program gets its memory.

/// Has the C library take memory from the system in larger pieces. By itself it asks for a few kilobytes at a time in
/// every thread but the first, and reading the state takes sixty such requests, a fiftieth of the time of `status`. What is
/// not used of a piece costs nothing.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the C library has no other way to be told within the program")]
pub(crate) fn take_large_pieces() {
    use nix::libc::{M_TOP_PAD, mallopt};
    const PIECE: i32 = 1024 * 1024;
    // SAFETY: there is no other thread yet, and the call touches nothing but the allocator's own settings.
    unsafe { mallopt(M_TOP_PAD, PIECE) };
}

/// Other systems do so by themselves.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) const fn take_large_pieces() {}
