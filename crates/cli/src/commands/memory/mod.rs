//! `loopwright failure` and `loopwright pattern`: what made attempts fail.

mod failure;
mod pattern;

pub(super) use failure::run as run_failure;
pub(super) use pattern::run as run_pattern;

use loopwright_domain::{ErrorCode, Fault};
use loopwright_engine::failure::Pattern;

use crate::output::plain;

/// A file and line as people write them.
fn place(file: Option<&str>, line: Option<u32>) -> Option<String> {
    let file = plain(file?);
    Some(line.map_or_else(|| file.clone(), |line| format!("{file}:{line}")))
}

/// The pattern of this name.
fn known(name: &str) -> Result<&'static Pattern, Fault> {
    loopwright_engine::failure::pattern(name).ok_or_else(|| {
        Fault::new(ErrorCode::PatternNotFound, format!("there is no pattern \"{}\"", plain(name)))
            .hint("\"loopwright pattern list\" shows them")
    })
}
