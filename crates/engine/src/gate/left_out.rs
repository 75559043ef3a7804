//! Deciding about what the commit of shown work lacks and a check may have used: it goes into the commit, or stays out.

use std::path::Path;

use loopwright_domain::{
    ErrorCode, Fault, Gate, GateDecision, GateId, GateStatus, NextAction, Origin, RiskFlag, RiskKind,
};
use loopwright_vcs::{Oid, Workspace};

use super::model::{GateAnswer, LeftOutFile};
use crate::dispatch::gate::edit_watch::shown_tree;
use crate::project::ProjectGates;

impl ProjectGates<'_> {
    /// Approves work and decides about all that its commit would lack: `include` goes in, the rest stays out. With
    /// anything to go in the work is checked again first, like a person's edits.
    ///
    /// # Errors
    /// Something of `include` is not left out or cannot be included; and as [`ProjectGates::decide`].
    pub async fn approve_with_left_out(
        self,
        id: GateId,
        tree: Option<&str>,
        decision: &GateDecision,
        include: &[String],
        origin: Origin,
    ) -> Result<GateAnswer, Fault> {
        self.project.require_person("decide at a gate")?;
        let gate = self.find(id).await?;
        let shown = tree.is_none_or(|tree| Some(tree) == gate.tree.as_deref());
        let approves = decision.status() == GateStatus::Approved;
        if gate.status == GateStatus::Open && shown && approves {
            if *decision == GateDecision::Approve {
                self.require_unchanged(&gate).await?;
            }
            self.decide_left_out(&gate, include).await?;
        }
        let decision = match decision {
            GateDecision::Approve if !include.is_empty() => &GateDecision::ApproveWithEdits,
            decision => decision,
        };
        self.decide(id, tree, decision, origin).await
    }

    async fn decide_left_out(self, gate: &Gate, include: &[String]) -> Result<(), Fault> {
        let workspace = self.project.workspace().await?;
        let left_out = self.left_out_at(gate).await?;
        let mut included = Vec::new();
        for path in include {
            let path = path.trim_start_matches("./").trim_end_matches('/');
            let found = left_out.iter().find(|left| Path::new(path).starts_with(&left.path));
            let refusal = match found {
                None => format!("{path} is not among what is left out"),
                Some(left) if !left.can_be_included => format!("git cannot have {path}"),
                Some(_) => {
                    included.push(Path::new(path));
                    continue;
                }
            };
            return Err(Fault::new(ErrorCode::UsageInvalid, refusal)
                .next(NextAction::ShowGate, "See what is left out"));
        }
        let others: Vec<&Path> = left_out
            .iter()
            .map(|left| Path::new(&left.path))
            .filter(|path| !included.iter().any(|included| included.starts_with(path)))
            .collect();
        if !included.is_empty() {
            workspace.include(&included).await?;
        }
        if !others.is_empty() {
            workspace.accept_left_out(&others).await?;
        }
        Ok(())
    }

    /// What the commit of a gate's work would lack, as the gate says.
    pub(super) async fn left_out_at(self, gate: &Gate) -> Result<Vec<LeftOutFile>, Fault> {
        if !gate.flags.iter().any(may_be_left_out) {
            return Ok(Vec::new());
        }
        let Some(tree) = shown_tree(gate) else { return Ok(Vec::new()) };
        let workspace = self.project.workspace().await?;
        let mut left_out = Vec::new();
        for flag in left_out_flags(&workspace, &tree, &gate.flags).await? {
            let Some(path) = flag.path else { continue };
            let place = workspace.repository().work_tree.join(&path);
            let can_be_included = match place.symlink_metadata() {
                Ok(found) if found.is_dir() => has_entries(&place),
                Ok(found) => found.is_file() || found.is_symlink(),
                Err(_) => false,
            };
            left_out.push(LeftOutFile { path, detail: flag.detail, can_be_included });
        }
        Ok(left_out)
    }

    /// Refuses to approve work as long as nobody has said what becomes of what its commit lacks.
    pub(super) async fn require_left_out_decided(self, gate: &Gate) -> Result<(), Fault> {
        let left_out = self.left_out_at(gate).await?;
        if left_out.is_empty() {
            return Ok(());
        }
        let paths: Vec<&Path> = left_out.iter().map(|left| Path::new(&left.path)).collect();
        let open = self.project.workspace().await?.undecided(&paths).await?.len();
        if open == 0 {
            return Ok(());
        }
        let names: Vec<&str> = left_out.iter().map(|left| left.path.as_str()).collect();
        Err(Fault::new(
            ErrorCode::UsageInvalid,
            format!("the commit would lack what the checks may have used: {}", names.join(", ")),
        )
        .next(NextAction::IncludeFiles, "Say which of them are to be in it")
        .next(NextAction::LeaveFilesOut, "Approve it without them"))
    }
}

/// The flags about what a tree does not have.
pub(super) async fn left_out_flags(
    workspace: &Workspace,
    tree: &Oid,
    flags: &[RiskFlag],
) -> Result<Vec<RiskFlag>, Fault> {
    let mut left_out = Vec::new();
    for flag in flags.iter().filter(|flag| may_be_left_out(flag)) {
        if let Some(path) = &flag.path
            && !workspace.has_path(tree, path).await?
        {
            left_out.push(flag.clone());
        }
    }
    Ok(left_out)
}

fn may_be_left_out(flag: &RiskFlag) -> bool {
    matches!(flag.kind, RiskKind::LeftOut | RiskKind::Secret) && flag.path.is_some() && flag.line.is_none()
}

fn has_entries(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
}
