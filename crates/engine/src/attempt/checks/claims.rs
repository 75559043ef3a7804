//! What an agent names as satisfying the work already, when it claims to be done.

use std::path::{Component, Path};

use loopwright_domain::change::named_in;
use loopwright_domain::{Claim, Iteration};

use crate::attempt::agent::signal::SignalReport;
use crate::attempt::unit::Attempt;

impl Attempt<'_> {
    /// What an agent that says it is done names as satisfying the work: by the signal, else in the words of its claim.
    pub(crate) fn satisfied_by(&self, iteration: &Iteration, said: &SignalReport) -> Vec<String> {
        if !matches!(iteration.claim, Claim::Promise | Claim::Signal) {
            return Vec::new();
        }
        let named = match said.satisfied_by() {
            [] => {
                let root = &self.project.layout().root;
                let is_check = |name: &str| self.checks.iter().any(|check| check.name == name);
                let is_file = |path: &str| is_file_in(root, path);
                named_in(iteration.claim_text.as_deref().unwrap_or_default(), is_check, is_file)
            }
            named => named.to_vec(),
        };
        named.iter().map(|name| self.secrets.redact(name).into_owned()).collect()
    }
}

/// Whether there is a file at this path inside a folder.
pub(crate) fn is_file_in(root: &Path, path: &str) -> bool {
    let plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    plain && root.join(path).is_file()
}
