//! What one argument may be on Unix.

/// The most bytes one argument or variable may have. Linux allows 128 KiB with the closing NUL, and others more.
pub(crate) const ARGUMENT_LIMIT: usize = 128 * 1024 - 1;
