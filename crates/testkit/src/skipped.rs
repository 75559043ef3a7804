//! Tests that cannot be run on this machine say so, and are counted.

use std::io::Write as _;

/// Notes that the current test is not run here, and why. `cargo xtask test` counts these lines. They are written past
/// the test runner, which shows nothing that a passing test printed.
pub fn skipped(reason: &str) {
    let line = format!("\ntest skipped: {reason}\n");
    // Nobody may be listening any more; the test itself is over.
    let _ = std::io::stdout().lock().write_all(line.as_bytes());
}
