//! A gate in the terminal of the run that reached it: what it is about, and the decision right there.

use std::io::Write;
use std::path::PathBuf;

use loopwright_domain::{Fault, GateDecision, GateId, GateKind, Origin};
use loopwright_engine::Project;
use loopwright_engine::editor::edit_files;
use loopwright_engine::gate::GateAnswer;
use loopwright_engine::pager::{PagedText, page};

use super::decide;
use super::show::ShownGate;
use crate::commands::run::{PATCH_LIMIT, coloured_patch};
use crate::context::Context;
use crate::output::{self, BAD, HEADING, say, styled};
use crate::prompt;

/// Whether the run may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands) enum AfterGate {
    /// Everything that waited is decided.
    Decided,
    /// The person left it open.
    Open,
}

/// Shows each open gate and asks until it is decided or left open.
pub(in crate::commands) fn ask_inline(context: &Context, project: &Project) -> Result<AfterGate, Fault> {
    loop {
        let inbox = context.wait(project.gates().inbox())?;
        let Some(summary) = inbox.open.first() else { return Ok(AfterGate::Decided) };
        say!("");
        if ask_about(context, project, summary.id)? == AfterGate::Open {
            return Ok(AfterGate::Open);
        }
    }
}

fn ask_about(context: &Context, project: &Project, gate: GateId) -> Result<AfterGate, Fault> {
    let shown = ShownGate::read(context, project, gate)?;
    shown.tell_subject();
    loop {
        let choices = choices(&shown);
        let words: Vec<String> = choices.iter().map(|(key, word)| format!("[{key}]{word}")).collect();
        let answer = prompt::line(&format!("{} ", styled(HEADING, words.join("  "))));
        let Some(answer) = answer else { return Ok(AfterGate::Open) };
        let key = answer.trim().chars().next().map(|key| key.to_ascii_lowercase());
        let Some(key) = key.filter(|key| choices.iter().any(|(known, _)| known == key)) else { continue };
        let decided = match key {
            'd' => {
                show_diff(context, project, &shown)?;
                continue;
            }
            'e' => edit(context, project, &shown)?,
            'a' => approve(context, project, &shown)?,
            'r' | 's' => match prompt::line("Reason, for the next attempt: ") {
                Some(reason) if !reason.trim().is_empty() => {
                    let reason = reason.trim().to_owned();
                    let decision = if key == 's' {
                        GateDecision::Skip { reason }
                    } else {
                        GateDecision::Reject { reason }
                    };
                    decide_on(context, project, &shown, &decision)?
                }
                _ => false,
            },
            _ => return Ok(AfterGate::Open),
        };
        if decided {
            return Ok(AfterGate::Decided);
        }
    }
}

/// What can be done at this gate, by the letter of its word.
fn choices(shown: &ShownGate) -> Vec<(char, &'static str)> {
    let mut choices = vec![('a', "pprove")];
    if shown.diff.is_some() {
        choices.push(('d', "iff"));
    }
    if shown.detail.gate.kind == GateKind::Work {
        choices.push(('e', "dit"));
    }
    if shown.detail.gate.kind != GateKind::Review {
        choices.push(('r', "eject"));
    }
    if shown.detail.gate.task.is_some() {
        choices.push(('s', "kip task"));
    }
    choices.push(('q', "uit, decide later"));
    choices
}

/// What is committed is what was shown: the tree goes along.
fn decide_on(
    context: &Context,
    project: &Project,
    shown: &ShownGate,
    decision: &GateDecision,
) -> Result<bool, Fault> {
    let gate = &shown.detail.gate;
    let answer = context.wait(project.gates().decide(gate.id, gate.tree.as_deref(), decision, Origin::Cli));
    told(context, project, shown, answer)
}

fn approve(context: &Context, project: &Project, shown: &ShownGate) -> Result<bool, Fault> {
    let gate = &shown.detail.gate;
    if shown.detail.left_out.is_empty() {
        return decide_on(context, project, shown, &GateDecision::Approve);
    }
    let question =
        "The commit would lack files that the checks may have used: [i]nclude them, [l]eave them out? ";
    let include = match prompt::line(question).as_deref().map(str::trim) {
        Some("i") => {
            let left = shown.detail.left_out.iter().filter(|left| left.can_be_included);
            left.map(|left| left.path.clone()).collect()
        }
        Some("l") => Vec::new(),
        _ => return Ok(false),
    };
    let answer = context.wait(project.gates().approve_with_left_out(
        gate.id,
        gate.tree.as_deref(),
        &GateDecision::Approve,
        &include,
        Origin::Cli,
    ));
    told(context, project, shown, answer)
}

/// Opens the changed files in the person's editor, and approves them as they are left: they are checked again first.
fn edit(context: &Context, project: &Project, shown: &ShownGate) -> Result<bool, Fault> {
    let root = &project.layout().root;
    let changed = shown.diff.iter().flat_map(|diff| &diff.files);
    let files: Vec<PathBuf> =
        changed.map(|file| root.join(&file.path)).filter(|path| path.is_file()).collect();
    edit_files(&context.host, root, &files)?;
    if !prompt::agree("Check and approve the files as they are now?") {
        return Ok(false);
    }
    decide_on(context, project, shown, &GateDecision::ApproveWithEdits)
}

/// Tells what became of a decision. A gate that is still open is asked about again.
fn told(
    context: &Context,
    project: &Project,
    shown: &ShownGate,
    answer: Result<GateAnswer, Fault>,
) -> Result<bool, Fault> {
    let gate = shown.detail.gate.id;
    match answer {
        Ok(answer) => {
            let open = matches!(answer, GateAnswer::ChecksFailed { .. });
            decide::tell_outcome(&answer);
            Ok(!open)
        }
        Err(fault) => {
            output::tell(&fault);
            let inbox = context.wait(project.gates().inbox())?;
            let still_open = inbox.open.iter().any(|open| open.id == gate);
            if !still_open {
                say!("{}", styled(BAD, "The gate was replaced: look again."));
            }
            Ok(!still_open)
        }
    }
}

/// The whole change, in the pager where there is one.
pub(super) fn show_diff(context: &Context, project: &Project, shown: &ShownGate) -> Result<(), Fault> {
    let Some(comparison) = shown.detail.comparison else { return Ok(()) };
    let changes = context.wait(project.iterations().changes(comparison, PATCH_LIMIT))?;
    let coloured = coloured_patch(&changes.patch.text);
    let text = PagedText { plain: &changes.patch.text, coloured: &coloured };
    if !prompt::interactive() {
        output::bytes(&changes.patch.text);
    } else if !page(&context.host, text)? {
        let _unseen = output::stdout().write_all(coloured.as_bytes());
    }
    Ok(())
}
