//! `loopwright new`, `loopwright spec wizard` and `loopwright wizard`.

mod answers;
mod automatic;
mod begin;
mod interactive;
mod print;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser as _;
use loopwright_domain::wizard::{PhaseState, WizardId, WizardPhase, WizardScope, WizardStatus};
use loopwright_domain::{ErrorCode, Fault, Origin, Usage};
use loopwright_engine::wizard::{ProposedCommands, WizardView, Wizards};
use serde::Serialize;

use crate::args::{Cli, NewArgs, WizardArgs, WizardCommand};
use crate::context::Context;
use crate::output::{self, HEADING, QUIET, count, plain, say, styled};
use crate::prompt;

/// A phase waits for a person.
const WAITING: u8 = 5;

/// How a wizard is carried on by this call.
#[derive(Clone, Debug)]
pub(super) struct Manner {
    pub(super) yes: bool,
    /// Whether the commands that are proposed may be started: a person looked at each, or said so beforehand.
    pub(super) commands: ProposedCommands,
    /// The last phase to be worked on.
    pub(super) until: WizardPhase,
    pub(super) start: bool,
    pub(super) answers: answers::Answers,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct PhaseLine {
    phase: WizardPhase,
    state: PhaseState,
}

/// What `wizard discard --json` prints.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct Discarded<'a> {
    /// The wizard that is gone.
    discarded: &'a str,
}

/// What `new --json` prints.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct WizardOutcome<'a> {
    wizard: &'a WizardId,
    name: &'a str,
    folder: &'a str,
    status: WizardStatus,
    current: WizardPhase,
    phases: Vec<PhaseLine>,
    assumptions: usize,
    quality: Option<u32>,
    usage: Usage,
}

pub(super) fn new(context: &Context, args: &NewArgs) -> Result<ExitCode, Fault> {
    let until = match args.until.as_deref() {
        Some(text) => Some(phase_named(text)?),
        None => None,
    };
    drive(context, &args.wizard, args.name.as_deref(), WizardScope::Project, until, args.start)
}

pub(super) fn spec(context: &Context, args: &WizardArgs) -> Result<ExitCode, Fault> {
    drive(context, args, None, WizardScope::Spec, None, false)
}

fn drive(
    context: &Context,
    args: &WizardArgs,
    name: Option<&str>,
    scope: WizardScope,
    until: Option<WizardPhase>,
    start: bool,
) -> Result<ExitCode, Fault> {
    let wizards = Wizards::of(&context.host);
    let answers = answers::Answers::read(context, args.answers.as_deref())?;
    let view = begin::begin(context, &wizards, args, name, scope, &answers)?;
    let until = until.unwrap_or(WizardPhase::Launch).min(view.wizard.scope.last());
    let person = !args.yes && args.answers.is_none() && !context.json && prompt::interactive();
    let commands = if person || args.trust { ProposedCommands::Agreed } else { ProposedCommands::NotAgreed };
    let manner = Manner { yes: args.yes, commands, until, start, answers };
    let id = view.wizard.id.clone();
    if view.wizard.status != WizardStatus::Open {
        // Cut off while it was written, or done before: writing completes what is missing.
        return finish(context, &wizards, &id, &manner);
    }
    let done = match person {
        true => interactive::run(context, &wizards, &id, &manner)?,
        false => automatic::run(context, &wizards, &id, &manner)?,
    };
    match done {
        Done::All => finish(context, &wizards, &id, &manner),
        Done::Until => told(context, &wizards.show(&id)?, ExitCode::SUCCESS),
        Done::Left => told(context, &wizards.show(&id)?, ExitCode::SUCCESS),
        Done::Waits => told(context, &wizards.show(&id)?, ExitCode::from(WAITING)),
    }
}

/// How far it came.
pub(super) enum Done {
    /// Every phase is accepted.
    All,
    /// The phase to stop after is accepted.
    Until,
    /// A person left.
    Left,
    /// A phase waits to be accepted.
    Waits,
}

/// Writes the plan, and starts the run if that was asked for.
fn finish(
    context: &Context,
    wizards: &Wizards<'_>,
    id: &WizardId,
    manner: &Manner,
) -> Result<ExitCode, Fault> {
    let project = context.wait(wizards.apply(id, Origin::Cli, manner.commands))?;
    let root = project.layout().root.clone();
    context.wait(project.close())?;
    let view = wizards.show(id)?;
    if !manner.start || view.wizard.scope == WizardScope::Spec {
        return told(context, &view, ExitCode::SUCCESS);
    }
    told(context, &view, ExitCode::SUCCESS)?;
    let mut line = vec!["loopwright".to_owned(), "-C".to_owned(), root.display().to_string()];
    line.extend(context.json.then(|| "--json".to_owned()));
    for (key, value) in &context.host.flags {
        line.extend(["-c".to_owned(), format!("{key}={value}")]);
    }
    line.push("run".to_owned());
    let cli = Cli::try_parse_from(line)
        .map_err(|error| Fault::caused(ErrorCode::Internal, "cannot start the run", &error))?;
    super::run(cli)
}

fn told(context: &Context, view: &WizardView, code: ExitCode) -> Result<ExitCode, Fault> {
    let wizard = &view.wizard;
    if context.json {
        let phases =
            wizard.phases.values().map(|one| PhaseLine { phase: one.phase, state: one.state }).collect();
        output::json(&WizardOutcome {
            wizard: &wizard.id,
            name: &view.name,
            folder: &wizard.folder,
            status: wizard.status,
            current: wizard.current,
            phases,
            assumptions: view.assumptions.len(),
            quality: view.quality.score,
            usage: wizard.usage,
        })?;
        return Ok(code);
    }
    if wizard.status == WizardStatus::Applied {
        let folder = plain(&wizard.folder);
        say!("\n{} is planned, in {folder}", styled(HEADING, plain(&view.name)));
        let generated = wizard.form(WizardPhase::Generate);
        let (sections, terms) = (generated.items("sections").len(), generated.items("terms").len());
        say!("  {}, {}", count(sections, "section", "sections"), count(terms, "term", "terms"));
        if wizard.scope == WizardScope::Project {
            let (tasks, waves) = (view.tasks.tasks.len(), view.tasks.waves.len());
            say!("  {} in {}", count(tasks, "task", "tasks"), count(waves, "wave", "waves"));
            let here =
                std::fs::canonicalize(&context.folder).is_ok_and(|here| here.as_os_str() == folder.as_str());
            let place = if here { String::new() } else { format!(" -C \"{folder}\"") };
            say!("\nNext: loopwright{place} run");
        }
        return Ok(code);
    }
    let accepted = wizard.phases.values().filter(|one| one.state == PhaseState::Accepted).count();
    say!("\nSaved: {} of {} accepted.", accepted, count(wizard.scope.last().number(), "phase", "phases"));
    say!("Go on with: loopwright new --resume {}", wizard.id);
    Ok(code)
}

pub(super) fn phase_named(text: &str) -> Result<WizardPhase, Fault> {
    WizardPhase::find(text).ok_or_else(|| {
        let names: Vec<&str> = WizardPhase::ALL.iter().map(|phase| phase.as_str()).collect();
        Fault::new(ErrorCode::UsageInvalid, format!("there is no phase \"{text}\""))
            .hint(format!("Say a number from 1 to 9, or one of {}.", names.join(", ")))
    })
}

pub(super) fn run(context: &Context, command: &WizardCommand) -> Result<ExitCode, Fault> {
    let wizards = Wizards::of(&context.host);
    match command {
        WizardCommand::List => list(context, &wizards),
        WizardCommand::Show { id, phase } => {
            let view = wizards.show(&chosen(context, &wizards, id.as_deref())?)?;
            if context.json {
                return output::json(&view);
            }
            print::wizard(&view);
            if let Some(phase) = phase.as_deref() {
                print::form(&view, phase_named(phase)?);
            }
            Ok(ExitCode::SUCCESS)
        }
        WizardCommand::Discard { id } => {
            wizards.discard(&WizardId(id.clone()))?;
            if context.json {
                return output::json(&Discarded { discarded: id });
            }
            say!("Discarded {}", plain(id));
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn list(context: &Context, wizards: &Wizards<'_>) -> Result<ExitCode, Fault> {
    let all = wizards.list()?;
    if context.json {
        return output::json(&all);
    }
    if all.is_empty() {
        say!("There are no wizards. Begin one with \"loopwright new\".");
    }
    for one in all {
        let stands = match one.status {
            WizardStatus::Applied => "applied".to_owned(),
            WizardStatus::Applying => "being written; --resume completes it".to_owned(),
            WizardStatus::Open => {
                format!("{}, {} of {}", one.current.label(), one.accepted, one.scope.last().number())
            }
        };
        let folder = styled(QUIET, plain(&one.folder));
        say!("{}  {}  {stands}  {folder}", one.id, styled(HEADING, plain(&one.name)));
    }
    Ok(ExitCode::SUCCESS)
}

/// The wizard with an id, else the last one of the folder that is not applied, else the last one of it.
pub(super) fn chosen(context: &Context, wizards: &Wizards<'_>, id: Option<&str>) -> Result<WizardId, Fault> {
    if let Some(id) = id.filter(|id| !id.is_empty()) {
        return Ok(WizardId(id.to_owned()));
    }
    let here: PathBuf = context.folder.clone();
    if let Some(open) = wizards.open_in(&here)?.into_iter().next() {
        return Ok(open.id);
    }
    let folder = std::fs::canonicalize(&here).unwrap_or(here).display().to_string();
    let all = wizards.list()?;
    let inside = |one: &&loopwright_engine::wizard::WizardSummary| {
        std::path::Path::new(&one.folder).starts_with(&folder)
    };
    all.iter().find(inside).map(|one| one.id.clone()).ok_or_else(|| {
        Fault::new(ErrorCode::WizardNotFound, "there is no wizard for this folder")
            .hint("Begin one with \"loopwright new\"; \"loopwright wizard list\" shows all.")
    })
}
