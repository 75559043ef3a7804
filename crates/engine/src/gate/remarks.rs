//! Remarks on lines of a change. They go into the next prompt when the work is rejected.

use loopwright_domain::{ErrorCode, Fault, Gate, GateId, LineComment};

use super::model::GateDetail;
use crate::project::ProjectGates;

/// The longest remark, and the longest line that is quoted with it.
const LONGEST: usize = 4_000;
const LONGEST_LINE: usize = 400;
/// As many remarks as one gate holds.
const MOST: usize = 200;

impl ProjectGates<'_> {
    /// Adds a remark to an open gate.
    ///
    /// # Errors
    /// There is no such gate, it has been decided, the remark is empty or too long, or an agent asks.
    pub async fn comment(self, id: GateId, comment: &LineComment) -> Result<GateDetail, Fault> {
        self.project.require_person("remark on its own work")?;
        let gate = self.find(id).await?;
        let comment = tidied(comment, &gate)?;
        match self.project.store().comment_gate(id, &comment).await? {
            Some(_) => self.detail(id).await,
            None => Err(self.decided(id).await?),
        }
    }

    /// Takes a remark back.
    ///
    /// # Errors
    /// There is no such gate or remark, the gate has been decided, or an agent asks.
    pub async fn uncomment(self, id: GateId, comment: u32) -> Result<GateDetail, Fault> {
        self.project.require_person("take a remark back")?;
        let gate = self.find(id).await?;
        if !gate.comments.iter().any(|one| one.id == comment) {
            return Err(Fault::new(ErrorCode::UsageInvalid, "there is no such remark")
                .hint("It may have been taken back already. Look at the gate again."));
        }
        if self.project.store().uncomment_gate(id, comment).await? {
            return self.detail(id).await;
        }
        Err(self.decided(id).await?)
    }
}

fn tidied(comment: &LineComment, gate: &Gate) -> Result<LineComment, Fault> {
    let text = comment.text.trim();
    let path = comment.path.trim();
    let invalid = |message: &str, hint: &str| Err(Fault::new(ErrorCode::UsageInvalid, message).hint(hint));
    if text.is_empty() || path.is_empty() {
        return invalid("a remark needs a file and some words", "Say what should be different.");
    }
    if text.chars().count() > LONGEST {
        return invalid("the remark is too long", "Keep it below 4,000 characters.");
    }
    if gate.comments.len() >= MOST {
        return invalid("this gate has too many remarks", "Say the rest in the reason of the rejection.");
    }
    Ok(LineComment {
        id: 0,
        path: path.to_owned(),
        line: comment.line.filter(|line| *line > 0),
        old_side: comment.old_side,
        quoted: comment.quoted.chars().take(LONGEST_LINE).collect(),
        text: text.to_owned(),
    })
}
