//! `loopwright approve` and `reject`.

use std::process::ExitCode;

use loopwright_domain::{ErrorCode, Fault, GateDecision, GateId, LineComment, Origin};
use loopwright_engine::Project;
use loopwright_engine::gate::GateAnswer;
use serde::Serialize;

use super::show::ShownGate;
use crate::args::{ApproveArgs, RejectArgs, Remark};
use crate::context::Context;
use crate::output::{self, BAD, GOOD, QUIET, plain, say, styled};
use crate::prompt;

/// What became of a decision, as a document.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct AnsweredGate {
    gate: GateId,
    answer: GateAnswer,
}

pub(in crate::commands) fn approve(context: &Context, args: &ApproveArgs) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    project.require_person("approve work")?;
    let gate = super::find(context, &project, args.gate)?;
    let shown = ShownGate::read(context, &project, gate)?;
    let decision = if args.with_edits { GateDecision::ApproveWithEdits } else { GateDecision::Approve };
    // What a person has not looked at is not approved.
    let tree = match &args.tree {
        Some(tree) => Some(tree.clone()),
        None => {
            if !args.yes {
                ask(&shown)?;
            }
            shown.detail.gate.tree.clone()
        }
    };
    let tree = tree.as_deref();
    let answer = match included(args, &shown) {
        Some(include) => context.wait(project.gates().approve_with_left_out(
            gate,
            tree,
            &decision,
            &include,
            Origin::Cli,
        ))?,
        None => context.wait(project.gates().decide(gate, tree, &decision, Origin::Cli))?,
    };
    tell(context, &project, gate, answer)
}

/// What of the files that are left out is to be in the commit; none when nothing was said about them.
fn included(args: &ApproveArgs, shown: &ShownGate) -> Option<Vec<String>> {
    let all =
        || shown.detail.left_out.iter().filter(|left| left.can_be_included).map(|left| left.path.clone());
    match (args.include_all, args.leave_out, args.include.is_empty()) {
        (true, _, _) => Some(all().collect()),
        (_, true, _) => Some(Vec::new()),
        (_, _, false) => Some(args.include.clone()),
        _ => None,
    }
}

fn ask(shown: &ShownGate) -> Result<(), Fault> {
    if !prompt::interactive() {
        return Err(Fault::new(ErrorCode::UsageInvalid, "nobody can be asked whether this is approved").hint(
            "Look at it with \"loopwright gate show\", then approve exactly that with --tree ID, or with --yes.",
        ));
    }
    shown.tell();
    if prompt::agree("Approve this?") {
        return Ok(());
    }
    Err(Fault::new(ErrorCode::ConfirmationDeclined, "nothing was approved")
        .hint("\"loopwright reject --reason …\" says what should be different."))
}

pub(in crate::commands) fn reject(context: &Context, args: &RejectArgs) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let gate = super::find(context, &project, args.gate)?;
    for remark in &args.comments {
        let comment = comment(context, &project, gate, remark)?;
        context.wait(project.gates().comment(gate, &comment))?;
    }
    let reason = args.reason.clone();
    let decision = if args.skip { GateDecision::Skip { reason } } else { GateDecision::Reject { reason } };
    let answer = context.wait(project.gates().decide(gate, args.tree.as_deref(), &decision, Origin::Cli))?;
    tell(context, &project, gate, answer)
}

/// A remark with the line it is about, as far as that is part of the change.
fn comment(
    context: &Context,
    project: &Project,
    gate: GateId,
    remark: &Remark,
) -> Result<LineComment, Fault> {
    let detail = context.wait(project.gates().detail(gate))?;
    let diff = detail
        .comparison
        .map(|comparison| context.wait(project.iterations().diff_file(comparison, &remark.file)));
    let file = diff.transpose()?;
    let lines = || file.iter().flat_map(|file| &file.hunks).flat_map(|hunk| &hunk.lines);
    let number = |line: &loopwright_engine::run::DiffLine| if remark.old_side { line.old } else { line.new };
    let quoted = lines().find(|line| remark.line.is_some() && number(line) == remark.line);
    Ok(LineComment {
        id: 0,
        path: remark.file.clone(),
        line: remark.line,
        old_side: remark.old_side,
        quoted: quoted.map(|line| line.text.clone()).unwrap_or_default(),
        text: remark.text.clone(),
    })
}

fn tell(context: &Context, project: &Project, gate: GateId, answer: GateAnswer) -> Result<ExitCode, Fault> {
    let failed = matches!(answer, GateAnswer::ChecksFailed { .. });
    let code = if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    if context.json {
        output::json(&AnsweredGate { gate, answer })?;
        return Ok(code);
    }
    let told = answer == GateAnswer::Told;
    let put_back = matches!(answer, GateAnswer::PutBack { .. });
    tell_outcome(&answer);
    if failed {
        return Ok(code);
    }
    if !told {
        tell_next(context, project, gate, put_back)?;
    }
    Ok(code)
}

/// What became of a decision, in words.
pub(super) fn tell_outcome(answer: &GateAnswer) {
    match answer {
        GateAnswer::Told => say!("{} the run that waits carries it out.", styled(GOOD, "Decided:")),
        GateAnswer::Committed { commit: Some(commit) } => {
            say!("{} {}", styled(GOOD, "Approved and committed:"), styled(QUIET, commit));
        }
        GateAnswer::Committed { commit: None } => say!("{}", styled(GOOD, "Approved.")),
        GateAnswer::PutBack { kept, left } => {
            if left.is_empty() {
                say!("{} the files are as they were before the work.", styled(GOOD, "Rejected:"));
            } else {
                let names: Vec<String> = left.iter().map(|name| plain(name)).collect();
                say!("{} the work is taken out of the files.", styled(GOOD, "Rejected:"));
                say!(
                    "  Left, because they were changed after the gate was opened or are in no snapshot: {}.",
                    names.join(", ")
                );
            }
            if let Some(kept) = kept {
                say!("  The work is kept at {}.", styled(QUIET, kept));
            }
        }
        GateAnswer::HookEditsPutBack { left } => {
            say!("{} what the commit hook changed is put back.", styled(GOOD, "Rejected:"));
            if !left.is_empty() {
                let names: Vec<String> = left.iter().map(|name| plain(name)).collect();
                say!("  Left, because they were changed after the gate was opened: {}.", names.join(", "));
            }
            say!("  The wave is not committed yet: change the hook, then go on with \"loopwright resume\".");
        }
        GateAnswer::Kept => {
            say!(
                "{} the work stays in the files; the next iteration is told why.",
                styled(GOOD, "Rejected:")
            );
        }
        GateAnswer::ChecksFailed { checks, output } => {
            let names: Vec<String> = checks.iter().map(|name| plain(name)).collect();
            say!("{} {}. The gate is still open.", styled(BAD, "Your edits do not pass:"), names.join(", "));
            for line in output.lines() {
                say!("  {}", plain(line));
            }
        }
    }
}

/// Where a decision was carried out here, somebody has to go on.
fn tell_next(context: &Context, project: &Project, gate: GateId, put_back: bool) -> Result<(), Fault> {
    let detail = context.wait(project.gates().detail(gate))?;
    match (detail.run.status.is_over(), detail.task) {
        (false, _) => say!("  \"loopwright resume\" goes on with the run."),
        (true, Some(task)) if put_back => say!("  \"loopwright begin {}\" begins anew.", task.id.0),
        (true, None) => {
            if let Some(message) = &detail.run.message {
                say!("  The run is over: {}.", plain(message));
            }
        }
        (true, _) => {}
    }
    Ok(())
}
