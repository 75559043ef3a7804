//! What one argument may be on Windows.

/// The most bytes one argument or variable may have. A whole command line has 32,767 characters; some are left for
/// the program and its options.
pub(crate) const ARGUMENT_LIMIT: usize = 30 * 1024;
