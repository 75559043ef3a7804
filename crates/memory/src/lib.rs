//! What failed, and by which pattern it is known.
//!
//! [`classify`] reads what a command printed and names the cause: the pattern, the line that says so, and the file it is
//! about. Patterns are told apart by rules over single lines; the first real error wins over what only follows from it.
#![deny(missing_docs)]
#![deny(clippy::indexing_slicing)]

mod classify;
mod location;
mod own_patterns;
mod pattern;
mod rules;

pub use classify::{classify, classify_with};
pub use own_patterns::OwnPatterns;
pub use pattern::{PATTERNS, Pattern, pattern};
