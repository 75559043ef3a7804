//! A person's edits at a gate that do not pass the checks. Whoever asked for them to be approved may be another process
//! than the one that checks them, so what failed is kept in a file.

use std::fs;
use std::path::Path;

use loopwright_domain::CheckResult;
use serde::{Deserialize, Serialize};

use loopwright_config::text_file::private_file;

/// The checks that a person's edits did not pass; empty when all of them pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RefusedEdits {
    /// Their names.
    pub(crate) checks: Vec<String>,
    /// The end of what they printed, each below its name.
    pub(crate) output: String,
}

impl RefusedEdits {
    /// Those of a round of checks.
    pub(crate) fn of(results: &[CheckResult]) -> Self {
        let failed = || results.iter().filter(|result| result.required && result.failed());
        let output = failed().map(|result| {
            let exit = result.exit_code.map(|code| format!(" (exit {code})")).unwrap_or_default();
            let problem = result.problem.as_deref().unwrap_or_default();
            let said = [problem, result.excerpt.trim_end()].into_iter().filter(|text| !text.is_empty());
            let said: String = said.map(|text| format!("{text}\n")).collect();
            format!(
                "{}{exit}:\n{}",
                result.name,
                if said.is_empty() { "it printed nothing\n" } else { &said }
            )
        });
        Self { checks: failed().map(|result| result.name.clone()).collect(), output: output.collect() }
    }

    /// Keeps them for whoever asked. That they cannot be kept stops nothing: they are told as a warning too.
    pub(crate) fn keep(&self, path: &Path) {
        let kept = private_file(path).map(|file| serde_json::to_writer(file, self).is_ok());
        if !kept.is_ok_and(|written| written) {
            tracing::warn!("what a person's edits did not pass cannot be kept in {}", path.display());
        }
    }

    /// Those that were kept last.
    pub(crate) fn find(path: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }
}
