//! Edits while a run waits at a gate: told as they happen, so that nobody decides about files that are others by then.

use std::time::{Duration, Instant};

use loopwright_domain::{Fault, Gate, GateId, GateKind};
use loopwright_vcs::Oid;

use crate::dispatch::dispatcher::Dispatcher;
use crate::display_text::shown_path;
use crate::project::Project;

/// How often the files are looked at …
const APART: Duration = Duration::from_secs(1);
/// … and as many times longer than that took, where there are very many.
const SPARE: u32 = 20;
/// How many paths are named before the rest is counted.
const NAMED: usize = 5;

/// As many changed files are named.
const EDITED: usize = 100;

/// What a person has changed at the gate that a run waits at.
#[derive(Clone, Debug, Default)]
pub(crate) struct GateEditWatch {
    gate: Option<GateId>,
    files: Vec<String>,
    /// When to look again.
    next: Option<Instant>,
}

impl Dispatcher<'_> {
    /// Looks, now and then, whether the files are still as an open gate shows them. True when they have become others
    /// since the last time, which is told.
    pub(crate) async fn notices_edits(&mut self, gate: &Gate) -> Result<bool, Fault> {
        let begun = Instant::now();
        if gate.kind != GateKind::Work || self.edits_at_gate.next.is_some_and(|next| begun < next) {
            return Ok(false);
        }
        // That they cannot be looked at now is no reason to stop waiting: the decision looks again.
        let files = edited_since(self.project, gate).await.unwrap_or_default();
        let next = Some(Instant::now() + APART.max(begun.elapsed() * SPARE));
        let before =
            std::mem::replace(&mut self.edits_at_gate, GateEditWatch { gate: Some(gate.id), files, next });
        let now = &self.edits_at_gate;
        if now.files.is_empty() || (before.gate == now.gate && before.files == now.files) {
            return Ok(false);
        }
        let shown = now.files.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = match now.files.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message = format!(
            "changed since gate {} was opened: {shown}{more}. What it shows is out of date: look again, or approve with \
             your edits",
            gate.id.0
        );
        self.warn(Some(gate.iteration), message).await?;
        Ok(true)
    }
}

/// The files that are no longer as a gate shows them.
pub(crate) async fn edited_since(project: &Project, gate: &Gate) -> Result<Vec<String>, Fault> {
    let Some(tree) = shown_tree(gate) else { return Ok(Vec::new()) };
    let run = project.runs().find(Some(gate.run)).await?;
    let starting_tree = project.starting_tree(Some(&run));
    let files = project.workspace().await?.changed_since(&tree).await?;
    let files = files.iter().filter(|path| !starting_tree.is_own(path));
    Ok(files.take(EDITED).map(|path| shown_path(path)).collect())
}

/// The tree that a decision is bound to; none for a gate that is not about files.
pub(crate) fn shown_tree(gate: &Gate) -> Option<Oid> {
    match gate.kind {
        GateKind::Work => gate.tree.as_deref().and_then(Oid::parse),
        GateKind::Plan | GateKind::Review => None,
    }
}
