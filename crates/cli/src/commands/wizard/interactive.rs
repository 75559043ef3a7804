//! A wizard at the terminal: one phase after the other, each looked at before it is accepted.

use loopwright_domain::wizard::{Assumption, FormShape, PhaseState, WizardEdit, WizardId, WizardPhase};
use loopwright_domain::{ErrorCode, Fault};
use loopwright_engine::editor::edit_text;
use loopwright_engine::wizard::{PhaseRequest, WizardView, Wizards, form_json, read_json};

use super::automatic::{ask, try_checks};
use super::{Done, Manner, print};
use crate::context::Context;
use crate::output::{self, BAD, CARE, plain, plain_text, say, styled};
use crate::prompt;

/// What a person wants next.
enum Next {
    /// Look at the phase again.
    Again,
    /// Go on: to the next phase, or to the one that was gone back to.
    On,
    Quit,
}

pub(super) fn run(
    context: &Context,
    wizards: &Wizards<'_>,
    id: &WizardId,
    manner: &Manner,
) -> Result<Done, Fault> {
    loop {
        let view = wizards.show(id)?;
        let Some(phase) = view.wizard.first_unaccepted() else { return Ok(Done::All) };
        if phase > manner.until {
            return Ok(Done::Until);
        }
        wizards.edit(id, &WizardEdit::LookAt { phase }, None)?;
        match self::phase(context, wizards, id, phase)? {
            Next::Quit => return Ok(Done::Left),
            Next::On | Next::Again => {}
        }
    }
}

fn phase(context: &Context, wizards: &Wizards<'_>, id: &WizardId, phase: WizardPhase) -> Result<Next, Fault> {
    let view = wizards.show(id)?;
    let record = view.wizard.record(phase);
    // What is there is brought up to date on request only.
    let ready = record.answered
        || record.state == PhaseState::OutOfDate
        || phase == WizardPhase::IterationMode
        || !phase.asks_agent();
    if view.wizard.agent.is_some() && !ready {
        told(ask(context, wizards, id, phase, &PhaseRequest::default()));
    }
    loop {
        let view = wizards.show(id)?;
        show(context, wizards, &view, phase)?;
        match step(context, wizards, &view, phase) {
            Ok(Next::Again) => {}
            Ok(next) => return Ok(next),
            Err(fault) => output::tell(&fault),
        }
    }
}

/// What goes wrong in one step is told, and the phase is looked at again: everything is saved.
fn told(result: Result<WizardView, Fault>) {
    if let Err(fault) = result {
        output::tell(&fault);
    }
}

fn show(
    context: &Context,
    wizards: &Wizards<'_>,
    view: &WizardView,
    phase: WizardPhase,
) -> Result<(), Fault> {
    if phase == WizardPhase::Launch {
        print::launch(&context.wait(wizards.launch_summary(&view.wizard.id))?);
        return Ok(());
    }
    print::form(view, phase);
    print::assumptions(view, phase);
    let record = view.wizard.record(phase);
    if record.state == PhaseState::OutOfDate {
        say!("\n  {} what is here is kept", styled(CARE, "Something before this phase changed:"));
    }
    if let Some(trouble) = &record.trouble {
        say!("\n  {} {}", styled(BAD, "Failed:"), plain(&trouble.fault.message));
        if let Some(file) = &trouble.answer_file {
            say!("  Its answer: {}", plain(file));
        }
    }
    if !record.proposal.changes.is_empty() {
        say!("\n  The last run would change:");
        print::changes(view, phase);
    }
    Ok(())
}

fn step(
    context: &Context,
    wizards: &Wizards<'_>,
    view: &WizardView,
    phase: WizardPhase,
) -> Result<Next, Fault> {
    let id = &view.wizard.id;
    let has_changes = !view.wizard.record(phase).proposal.changes.is_empty();
    let edit = |edit: WizardEdit| wizards.edit(id, &edit, None).map(|_| Next::Again);
    let Some(line) = prompt::ask(&question(view, phase, has_changes)) else { return Ok(Next::Quit) };
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
    let rest = rest.trim();
    match word {
        "a" | "accept" => wizards.edit(id, &WizardEdit::Accept { phase }, None).map(|_| Next::On),
        "e" | "edit" => by_editor(context, wizards, view, phase).map(|()| Next::Again),
        "r" | "run" => {
            let path = (!rest.is_empty()).then(|| path(view, phase, rest));
            ask(context, wizards, id, phase, &PhaseRequest { path, request: None }).map(|_| Next::Again)
        }
        "c" | "change" if !rest.is_empty() => {
            let request = PhaseRequest { path: None, request: Some(rest.to_owned()) };
            ask(context, wizards, id, phase, &request).map(|_| Next::Again)
        }
        "y" | "take" => edit(WizardEdit::TakeChanges { phase, numbers: numbers(rest) }),
        "n" | "leave" => edit(WizardEdit::LeaveChanges { phase, numbers: numbers(rest) }),
        "b" | "back" => {
            let before = phase.earlier().last().unwrap_or(WizardPhase::Vision);
            let to = if rest.is_empty() { before } else { super::phase_named(rest)? };
            wizards.edit(id, &WizardEdit::GoBack { phase: to }, None).map(|_| Next::On)
        }
        "m" | "merge" => edit(WizardEdit::MergeFinding { item: finding(view, rest)? }),
        "d" | "dismiss" => {
            let (number, reason) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            edit(WizardEdit::DismissFinding { item: finding(view, number)?, reason: reason.to_owned() })
        }
        "t" | "try" if phase == WizardPhase::BuildTest => {
            try_checks(context, wizards, id).map(|_| Next::Again)
        }
        "k" | "keep" => edit(WizardEdit::Keep { phase }),
        "l" | "lock" if !rest.is_empty() => {
            edit(WizardEdit::Lock { phase, path: path(view, phase, rest), locked: true })
        }
        "u" | "unlock" if !rest.is_empty() => {
            edit(WizardEdit::Lock { phase, path: path(view, phase, rest), locked: false })
        }
        "ok" => edit(WizardEdit::ConfirmAssumption { phase, path: assumption(view, phase, rest)?.path }),
        "ask" => {
            let assumed = assumption(view, phase, rest)?;
            let before = view.wizard.input.questions.len();
            let asking = WizardEdit::AskAssumption { phase, path: assumed.path, question: None };
            let view = wizards.edit(id, &asking, None)?;
            match view.wizard.input.questions.get(before) {
                Some(asked) => question_answered(wizards, id, &asked.question).map(|()| Next::Again),
                None => Ok(Next::Again),
            }
        }
        "split" | "join" | "after" | "cut" if phase == WizardPhase::TaskReview => {
            edit(task_edit(view, word, rest)?)
        }
        "p" | "prompt" => prompt_step(context, wizards, view, phase, rest).map(|()| Next::Again),
        "q" | "quit" => Ok(Next::Quit),
        _ => {
            let fault = Fault::new(ErrorCode::UsageInvalid, format!("\"{}\" is none of these", plain(&line)));
            Err(fault.hint("Type one of the letters, and what belongs to it."))
        }
    }
}

fn question(view: &WizardView, phase: WizardPhase, has_changes: bool) -> String {
    let mut words = vec!["a accept", "e edit"];
    if view.wizard.agent.is_some() && phase.asks_agent() {
        words.extend(["r [FIELD] run again", "c WORDS ask for a change"]);
    }
    if view.wizard.record(phase).state == PhaseState::OutOfDate {
        words.push("k keep as it is");
    }
    if view.assumptions.iter().any(|one| one.phase == phase) {
        words.extend(["ok N right", "ask N make it a question"]);
    }
    if phase.asks_agent() {
        words.push("l|u FIELD lock, unlock");
    }
    if has_changes {
        words.extend(["y [N…] take changes", "n [N…] leave them"]);
    }
    match phase {
        WizardPhase::Gaps => words.extend(["m N merge", "d N REASON dismiss"]),
        WizardPhase::TaskReview => {
            words.extend(["split N A | B", "join N INTO", "after N M", "cut N M"]);
        }
        WizardPhase::BuildTest => words.push("t try the checks"),
        _ => {}
    }
    words.extend(["b [PHASE] back", "p [edit|usual] prompt", "q quit"]);
    format!("\n{}\n{}> ", words.join(" · "), phase.label())
}

fn numbers(text: &str) -> Option<Vec<u32>> {
    let numbers: Vec<u32> = text.split([' ', ',']).filter_map(|word| word.trim().parse().ok()).collect();
    (!numbers.is_empty()).then_some(numbers)
}

/// A path as people write it: fields and lists by their names or labels, items by their numbers, as in
/// `features/2/description`.
fn path(view: &WizardView, phase: WizardPhase, text: &str) -> String {
    let shape = FormShape::of(phase);
    let fields = shape.fields.iter().map(|field| (field.label, field.name));
    let mut labels = fields.chain(shape.lists.iter().map(|list| (list.label, list.name)));
    if let Some((_, name)) = labels.find(|(label, _)| label.eq_ignore_ascii_case(text)) {
        return name.to_owned();
    }
    let mut parts: Vec<&str> = text.split('/').collect();
    let items = parts.first().map(|list| view.wizard.form(phase).items(list)).unwrap_or_default();
    let number = parts.get(1).and_then(|part| part.parse::<usize>().ok()?.checked_sub(1));
    if let (Some(item), Some(part)) = (number.and_then(|number| items.get(number)), parts.get_mut(1)) {
        *part = &item.id;
    }
    parts.join("/")
}

/// The assumption with a number, as the phase lists them.
fn assumption(view: &WizardView, phase: WizardPhase, number: &str) -> Result<Assumption, Fault> {
    let mut of_phase = view.assumptions.iter().filter(|one| one.phase == phase);
    let place = number.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    place.and_then(|place| of_phase.nth(place)).cloned().ok_or_else(|| {
        Fault::new(ErrorCode::UsageInvalid, format!("there is no assumption {}", plain(number)))
    })
}

/// Asks a question and keeps the answer; without one it stays open.
pub(super) fn question_answered(wizards: &Wizards<'_>, id: &WizardId, question: &str) -> Result<(), Fault> {
    let answer = prompt::ask(&format!("{}\n> ", plain(question))).unwrap_or_default();
    if answer.is_empty() {
        return Ok(());
    }
    let edit = WizardEdit::AnswerQuestion { question: question.to_owned(), answer };
    wizards.edit(id, &edit, None).map(drop)
}

/// What is done to tasks, which are named by their numbers.
fn task_edit(view: &WizardView, word: &str, rest: &str) -> Result<WizardEdit, Fault> {
    let (first, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let item = task(view, first)?;
    Ok(match word {
        "split" => WizardEdit::SplitTask { item, titles: rest.split('|').map(str::to_owned).collect() },
        "join" => WizardEdit::MergeTasks { into: task(view, rest)?, item },
        "after" => WizardEdit::Depend { item, on: task(view, rest)? },
        _ => WizardEdit::Undepend { item, on: task(view, rest)? },
    })
}

fn task(view: &WizardView, number: &str) -> Result<String, Fault> {
    let wanted = number.trim().parse::<u32>().ok();
    let found = view.tasks.tasks.iter().find(|task| Some(task.number) == wanted);
    found
        .map(|task| task.item.clone())
        .ok_or_else(|| Fault::new(ErrorCode::UsageInvalid, format!("there is no task {}", plain(number))))
}

/// Shows the prompt, lets the person write it, or goes back to the usual one.
fn prompt_step(
    context: &Context,
    wizards: &Wizards<'_>,
    view: &WizardView,
    phase: WizardPhase,
    rest: &str,
) -> Result<(), Fault> {
    let own = match rest {
        "edit" => {
            let now = view.wizard.record(phase).prompt.as_ref().unwrap_or(&view.prompt);
            Some(edit_text(&context.host, &format!("{}.md", phase.as_str()), now)?)
        }
        "usual" => None,
        _ => {
            say!("{}", plain_text(&view.prompt));
            return Ok(());
        }
    };
    wizards.edit(&view.wizard.id, &WizardEdit::SetPrompt { phase, prompt: own }, None).map(drop)
}

/// The finding with a number, as the phase lists them.
fn finding(view: &WizardView, number: &str) -> Result<String, Fault> {
    let place = number.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let items = view.wizard.form(WizardPhase::Gaps).items("findings");
    place
        .and_then(|place| items.get(place))
        .map(|item| item.id.clone())
        .ok_or_else(|| Fault::new(ErrorCode::UsageInvalid, format!("there is no finding {}", plain(number))))
}

/// Lets the person edit the phase in their editor; they may try again when it cannot be understood.
fn by_editor(
    context: &Context,
    wizards: &Wizards<'_>,
    view: &WizardView,
    phase: WizardPhase,
) -> Result<(), Fault> {
    let json = form_json(&view.wizard, phase);
    let mut text = serde_json::to_string_pretty(&json)
        .map_err(|error| Fault::caused(ErrorCode::Internal, "cannot write JSON", &error))?;
    loop {
        text = edit_text(&context.host, &format!("{}.json", phase.as_str()), &text)?;
        let filled = read_json(&text).and_then(|given| wizards.fill_in(&view.wizard.id, phase, &given));
        match filled {
            Ok(_) => return Ok(()),
            Err(fault) => {
                output::tell(&fault);
                if !prompt::agree("Edit it again?") {
                    return Err(fault);
                }
            }
        }
    }
}
