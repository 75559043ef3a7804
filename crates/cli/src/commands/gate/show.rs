//! How gates look on the terminal.

use loopwright_domain::{
    CheckStatus, Fault, GateId, GateKind, GateReason, GateStatus, LineComment, RiskFlag, RiskKind,
};
use loopwright_engine::Project;
use loopwright_engine::gate::{GateDetail, GateInbox, GateSummary, ReviewedWork};
use loopwright_engine::run::DiffReport;
use loopwright_engine::run::report::RED_BEFORE;
use serde::Serialize;

use crate::commands::run::show_files;
use crate::context::Context;
use crate::output::{BAD, CARE, GOOD, HEADING, QUIET, count, plain, plain_text, say, styled};

/// As much of a commit's id as tells it from others.
const SHORT: usize = 7;
/// As many edited files as are named.
const NAMED: usize = 10;

/// A gate with the files that changed.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct ShownGate {
    #[serde(flatten)]
    pub(super) detail: GateDetail,
    pub(super) diff: Option<DiffReport>,
}

impl ShownGate {
    pub(super) fn read(context: &Context, project: &Project, gate: GateId) -> Result<Self, Fault> {
        let detail = context.wait(project.gates().detail(gate))?;
        let diff = match detail.comparison {
            Some(comparison) => Some(context.wait(project.iterations().diff_files(comparison))?),
            None => None,
        };
        Ok(Self { detail, diff })
    }

    /// All of it, with the commands by which it is decided.
    pub(super) fn tell(&self) {
        self.tell_subject();
        self.tell_next();
    }

    /// What the gate is about.
    pub(super) fn tell_subject(&self) {
        let GateDetail { gate, task, .. } = &self.detail;
        let about = match (task, gate.kind) {
            (_, GateKind::Review) => "review of finished tasks".to_owned(),
            (Some(task), _) => format!("{} {}", task.id, plain(&task.draft.title)),
            (None, _) => plain(&self.detail.run.title),
        };
        say!(
            "{}  {}",
            styled(HEADING, format!("Gate {}: {about}", gate.id)),
            styled(QUIET, status(gate.status))
        );
        say!("  {}", why(&gate.reasons, gate.kind, !self.detail.checks.is_empty()));
        if !gate.summary.trim().is_empty() {
            let title = if gate.kind == GateKind::Plan { "Plan" } else { "The agent says" };
            text(title, &gate.summary);
        }
        if let Some(task) = task
            && !task.draft.acceptance.is_empty()
        {
            let criteria: Vec<String> = task.draft.acceptance.iter().map(|one| format!("- {one}")).collect();
            text("Done when", &criteria.join("\n"));
        }
        if !self.detail.satisfied_by.is_empty() {
            text("Satisfied already by", &self.detail.satisfied_by.join("\n"));
        }
        flags(&gate.flags);
        self.tell_checks();
        if let Some(diff) = &self.diff {
            say!("\n{}", styled(HEADING, "Changed"));
            show_files(diff);
        }
        work(&self.detail.work);
        remarks(&gate.comments);
    }

    fn tell_checks(&self) {
        if self.detail.checks.is_empty() {
            if self.detail.gate.kind == GateKind::Work {
                say!("\n{}", styled(CARE, "No check has looked at this."));
            }
            return;
        }
        say!("\n{}", styled(HEADING, "Checks"));
        for check in &self.detail.checks {
            let mark = match check.status {
                CheckStatus::Passed => styled(GOOD, "✓"),
                CheckStatus::Skipped | CheckStatus::Stopped => styled(CARE, "·"),
                _ => styled(BAD, "✗"),
            };
            let before = match check.red_before {
                Some(true) => format!("  {RED_BEFORE}"),
                Some(false) => "  green before this run".to_owned(),
                None => String::new(),
            };
            say!("  {mark} {}{}", plain(&check.name), styled(QUIET, before));
        }
    }

    fn tell_next(&self) {
        let GateDetail { gate, edited, .. } = &self.detail;
        if gate.status != GateStatus::Open {
            return;
        }
        say!("");
        if !edited.is_empty() {
            let names: Vec<String> = edited.iter().take(NAMED).map(|path| plain(path)).collect();
            let edited = count(edited.len(), "file was", "files were");
            say!("{}", styled(CARE, format!("{edited} edited since: {}", names.join(", "))));
            say!("  \"loopwright approve {} --with-edits\" checks and commits them too.", gate.id);
        }
        let id = gate.id;
        if !self.detail.left_out.is_empty() {
            say!(
                "{}",
                styled(CARE, "The commit would lack what the checks may have used. Approve it with one of")
            );
            say!(
                "  --include PATH   that is in it, too\n  --include-all    all of it is\n  --leave-out      none of it is"
            );
        }
        match (gate.kind, &gate.tree) {
            (GateKind::Review, _) => {
                say!(
                    "  loopwright revert COMMIT   takes work back\n  loopwright approve {id}       ends the review"
                );
            }
            (GateKind::Work, Some(tree)) => {
                say!("  loopwright approve {id} --tree {tree}\n  loopwright reject {id} --reason \"…\"");
                if gate.task.is_none() {
                    say!(
                        "  {}",
                        styled(QUIET, "Rejected work stays in the files: the next iteration is told why.")
                    );
                }
            }
            _ => say!("  loopwright approve {id}\n  loopwright reject {id} --reason \"…\""),
        }
    }
}

pub(super) fn list(inbox: &GateInbox) {
    if inbox.open.is_empty() {
        say!("Nothing waits for you.");
    } else {
        say!("{}", styled(HEADING, count(inbox.open.len(), "gate waits for you", "gates wait for you")));
        inbox.open.iter().for_each(line);
    }
    if !inbox.decided.is_empty() {
        say!("\n{}", styled(HEADING, "Decided lately"));
        inbox.decided.iter().for_each(line);
    }
}

fn line(gate: &GateSummary) {
    let task = gate.task.map(|task| format!("{task} ")).unwrap_or_default();
    let size = match gate.kind {
        GateKind::Work => {
            format!("  {}, +{} -{}", count(gate.files as usize, "file", "files"), gate.added, gate.removed)
        }
        GateKind::Plan => "  a plan".to_owned(),
        GateKind::Review => String::new(),
    };
    let status =
        if gate.status == GateStatus::Open { String::new() } else { format!("  {}", status(gate.status)) };
    say!(
        "  {:>3}  {task}{}{}",
        gate.id.to_string(),
        plain(&gate.title),
        styled(QUIET, format!("{size}{status}"))
    );
    let mut kinds: Vec<&str> = gate.flags.iter().map(|flag| risk(flag.kind)).collect();
    kinds.dedup();
    if gate.status == GateStatus::Open && !kinds.is_empty() {
        say!("       {}", styled(CARE, kinds.join(", ")));
    }
}

const fn status(status: GateStatus) -> &'static str {
    match status {
        GateStatus::Open => "waits for you",
        GateStatus::Approved => "approved",
        GateStatus::Rejected => "rejected",
        GateStatus::Skipped => "put aside",
        GateStatus::Replaced => "no longer asked about",
    }
}

fn why(reasons: &[GateReason], kind: GateKind, checked: bool) -> String {
    let words: Vec<&str> = reasons
        .iter()
        .map(|reason| match (reason, kind) {
            (GateReason::Mode, GateKind::Review) => "you look back after so many tasks",
            (GateReason::Mode, _) => "you look at every piece of work",
            (GateReason::Risk, _) => "the change is risky",
            (GateReason::Unproven, _) if checked => {
                "checks that failed pass now although no file changed: something else decides about them"
            }
            (GateReason::Unproven, _) => {
                "nothing shows that the work is done: no file changed and no check says anything"
            }
            (GateReason::AlreadySatisfied, _) => {
                "no file changed, and the agent names what satisfies the work already"
            }
            (GateReason::WrongCheck, _) => "the agent says that a check is wrong",
            (GateReason::Plan, _) => "the agent made a plan first",
            (GateReason::MisplacedClaim, _) => {
                "the agent said again that it is done, and not on the last line of its last message"
            }
            (GateReason::Commits, _) => "there are commits on your branch that Loopwright did not make",
        })
        .collect();
    styled(QUIET, format!("Asked because {}.", words.join(", and ")))
}

/// A kind of risk in words.
const fn risk(kind: RiskKind) -> &'static str {
    match kind {
        RiskKind::TestsDeleted => "tests deleted",
        RiskKind::TestsWeakened => "tests weakened",
        RiskKind::ChecksEdited => "checks edited",
        RiskKind::ProtectedPath => "protected path",
        RiskKind::LargeDiff => "large change",
        RiskKind::Secret => "secret",
        RiskKind::LeftOut => "left out",
    }
}

fn flags(flags: &[RiskFlag]) {
    if flags.is_empty() {
        return;
    }
    say!("\n{}", styled(HEADING, "Risky"));
    for flag in flags {
        let place = match (&flag.path, flag.line) {
            (Some(path), Some(line)) => format!("{}:{line}: ", plain(path)),
            (Some(path), None) => format!("{}: ", plain(path)),
            (None, _) => String::new(),
        };
        say!("  {} {place}{}", styled(CARE, format!("{}:", risk(flag.kind))), plain(&flag.detail));
    }
}

fn work(work: &[ReviewedWork]) {
    if work.is_empty() {
        return;
    }
    say!("\n{}", styled(HEADING, "Finished"));
    for one in work {
        let task = one.task.map(|task| format!("{task} ")).unwrap_or_default();
        // What shares its commit is named by its iteration.
        let shared = work.iter().filter(|other| other.commit == one.commit).count() > 1;
        let commit: String = match shared {
            true => one.iteration.to_string(),
            false => one.commit.chars().take(SHORT).collect(),
        };
        let reverted = if one.reverted { styled(CARE, "  reverted") } else { String::new() };
        say!("  {} {task}{}{reverted}", styled(QUIET, commit), plain(&one.title));
    }
}

fn remarks(comments: &[LineComment]) {
    if comments.is_empty() {
        return;
    }
    say!("\n{}", styled(HEADING, "Your remarks"));
    for comment in comments {
        let line = comment.line.map(|line| format!(":{line}")).unwrap_or_default();
        say!("  {}{line}: {}", plain(&comment.path), plain(&comment.text));
    }
}

fn text(title: &str, text: &str) {
    say!("\n{}", styled(HEADING, title));
    plain_text(text).trim_end().lines().for_each(|line| say!("{}", format!("  {line}").trim_end()));
}
