//! Writing the plan of a wizard into its project. What is about to be done is saved first, and every step can be done
//! again: a wizard that was cut off in between is completed by applying it once more.

use std::path::Path;

use loopwright_config::{FILE_LIMIT, Layout, PROJECT_FILE, check_edit, settings, text_file, trust};
use loopwright_domain::wizard::{
    Wizard, WizardId, WizardPhase, WizardScope, WizardStatus, mode, tasks, trial,
};
use loopwright_domain::{
    ErrorCode, Event, Fault, NextAction, OnLimit, Origin, Section, SectionId, TaskDraft, TaskId,
};
use loopwright_store::{NewTask, PlanApplication, PutSection};

use super::Wizards;
use super::checks::draft_of;
use super::view::name;
use crate::agent::choose;
use crate::project::Project;
use crate::setup::create::NewProject;
use crate::{config, crash};

/// The places at which a crash test cuts applying off.
pub const APPLY_CRASH_POINTS: &[&str] =
    &["wizard.begun", "wizard.created", "wizard.planned", "wizard.configured", "wizard.applied"];

/// Whether a person has agreed to the commands a plan brings, which an agent or the folder may have proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProposedCommands {
    /// Each was seen and accepted: they are trusted as a person's own settings are.
    Agreed,
    /// Nobody looked: they are written down, and ask for trust before anything starts them.
    NotAgreed,
}

impl Wizards<'_> {
    /// Writes the plan into the project, which is made where there is none: settings and checks, sections, terms and
    /// tasks. What is in the project already stays. Called again after it was cut off, it completes what is missing;
    /// called again afterwards it changes nothing.
    ///
    /// # Errors
    /// A phase is not accepted, or something cannot be written.
    pub async fn apply(
        &self,
        id: &WizardId,
        origin: Origin,
        commands: ProposedCommands,
    ) -> Result<Project, Fault> {
        trust::require_person("write a plan")?;
        let mut held = self.hold(id)?;
        if held.wizard.status == WizardStatus::Open {
            if !held.wizard.is_complete() {
                let open = held.wizard.first_unaccepted().map_or("a phase", WizardPhase::label);
                return Err(Fault::new(ErrorCode::UsageInvalid, format!("{open} is not accepted"))
                    .next(NextAction::AcceptPhase, "Accept every phase first")
                    .next(NextAction::AcceptAllPhases, "Accept all of them at once"));
            }
            // What cannot be written is told before anything is.
            self.settings_of(&held.wizard)?;
            held.wizard.status = WizardStatus::Applying;
            held.save(self.host.timestamp())?;
        }
        crash::point("wizard.begun");
        let wizard = held.wizard.clone();
        let project = self.write(&wizard, origin, commands).await?;
        if held.wizard.status != WizardStatus::Applied {
            held.wizard.status = WizardStatus::Applied;
            held.save(self.host.timestamp())?;
        }
        crash::point("wizard.applied");
        Ok(project)
    }

    /// The settings that a plan would write, as text of the project's file.
    fn settings_of(&self, wizard: &Wizard) -> Result<String, Fault> {
        if wizard.scope == WizardScope::Spec {
            return Ok(String::new());
        }
        let folder = Path::new(&wizard.folder);
        let layout = Layout::find(folder).ok().filter(|layout| layout.root == folder);
        let file = layout.map(|layout| layout.config_file());
        let before = file.as_deref().map(|file| text_file::read(file, FILE_LIMIT)).transpose()?.flatten();
        let config = config::Config::load(self.host, file.as_deref());
        config_text(&before.unwrap_or_default(), wizard, &config, choose(self.host, &config).name.as_deref())
    }

    /// Notes the run that was started from a wizard.
    ///
    /// # Errors
    /// There is none, or it cannot be saved.
    pub fn started(&self, id: &WizardId, run: loopwright_domain::RunId) -> Result<(), Fault> {
        let mut held = self.hold(id)?;
        held.wizard.run = Some(run);
        held.save(self.host.timestamp())
    }

    /// Every step of it looks at what is there.
    pub(super) async fn write(
        &self,
        wizard: &Wizard,
        origin: Origin,
        commands: ProposedCommands,
    ) -> Result<Project, Fault> {
        let folder = Path::new(&wizard.folder);
        let project = match Layout::find(folder) {
            Ok(layout) if layout.root == folder || wizard.scope == WizardScope::Spec => {
                Project::open_layout(self.host, layout).await?
            }
            _ => {
                let new = NewProject { name: name(wizard), git: true, checks: Vec::new() };
                Project::create(self.host, folder, &new, origin).await?
            }
        };
        crash::point("wizard.created");
        write_plan(&project, wizard, origin).await?;
        crash::point("wizard.planned");
        if wizard.scope == WizardScope::Project {
            write_config(&project, wizard, origin, commands).await?;
        }
        crash::point("wizard.configured");
        Ok(project)
    }
}

async fn write_plan(project: &Project, wizard: &Wizard, origin: Origin) -> Result<(), Fault> {
    let store = project.store();
    let generated = wizard.form(WizardPhase::Generate);
    let planned = tasks::sections(generated);
    let there = store.sections().await?;
    let by_hand = there.iter().filter(|stored| stored.section.file.is_none());
    let top = |number: &str| number.split('.').next().and_then(|part| part.parse::<u32>().ok());
    let shift = by_hand.clone().filter_map(|stored| top(&stored.section.number)).max().unwrap_or(0);
    let first = u32::try_from(by_hand.count()).unwrap_or(u32::MAX);
    let sections: Vec<Section> = planned
        .iter()
        .map(|section| Section {
            id: SectionId(0),
            number: shifted(&section.number, shift),
            title: section.title.clone(),
            level: section.level,
            content: section.content.trim_end().to_owned(),
            file: None,
            words: u32::try_from(section.content.split_whitespace().count()).unwrap_or(u32::MAX),
        })
        .collect();
    // Where a section stands, its parent is known by its place, counted from 1.
    let numbered: Vec<Section> =
        (1..).zip(&sections).map(|(id, one)| Section { id: SectionId(id), ..one.clone() }).collect();
    let parents = loopwright_domain::section::parents(&numbered);
    let put: Vec<PutSection> = (first..)
        .zip(sections)
        .zip(parents)
        .map(|((position, section), under)| PutSection { id: None, position, section, edited: false, under })
        .collect();
    let new: Vec<NewTask> = match wizard.scope {
        WizardScope::Spec => Vec::new(),
        WizardScope::Project => {
            tasks::drafts(wizard.form(WizardPhase::TaskReview), &planned).into_iter().map(new_task).collect()
        }
    };
    let application = PlanApplication {
        at: &project.host().timestamp(),
        wizard: &wizard.id.0,
        sections: &put,
        terms: &tasks::terms(generated),
        tasks: &new,
        origin,
    };
    store.apply_plan(application).await?;
    Ok(())
}

/// A draft whose dependencies are places becomes a task that is added together with the others.
fn new_task(mut draft: TaskDraft) -> NewTask {
    let places = std::mem::take(&mut draft.depends_on);
    let after = places.into_iter().filter_map(|TaskId(place)| (place as usize).checked_sub(1)).collect();
    NewTask { draft: draft.tidied(), after }
}

/// A dotted number behind those that are there already.
fn shifted(number: &str, shift: u32) -> String {
    let (first, rest) = number.split_once('.').map_or((number, None), |(first, rest)| (first, Some(rest)));
    let first = first.parse::<u32>().map_or_else(|_| first.to_owned(), |first| (first + shift).to_string());
    rest.map_or(first.clone(), |rest| format!("{first}.{rest}"))
}

/// Writes checks and settings into the project's file, in one go. Checks with a name or command that is there already
/// are left out.
async fn write_config(
    project: &Project,
    wizard: &Wizard,
    origin: Origin,
    commands: ProposedCommands,
) -> Result<(), Fault> {
    let file = project.layout().config_file();
    let before = text_file::read(&file, FILE_LIMIT)?.unwrap_or_default();
    let config = project.config();
    let trusted = project.trust_judgement(&config)?.state.may_run();
    let usual = choose(project.host(), &config).name;
    let after = config_text(&before, wizard, &config, usual.as_deref())?;
    if after == before {
        return Ok(());
    }
    text_file::write_inside(&project.layout().root, &file, &after)?;
    let event = Event::ConfigChanged { key: "checks".into(), value: None, origin };
    project.store().append(&project.host().timestamp(), &event).await?;
    if trusted && commands == ProposedCommands::Agreed {
        project.trust_own_work(origin).await?;
    }
    Ok(())
}

/// A project's file with what a wizard decided. The agent that builds unless somebody says otherwise is not written down.
fn config_text(
    before: &str,
    wizard: &Wizard,
    config: &config::Config,
    usual: Option<&str>,
) -> Result<String, Fault> {
    let mut text = before.to_owned();
    let choice = mode::choice(wizard.form(WizardPhase::IterationMode));
    let number = |value: Option<u32>| value.unwrap_or(0).to_string();
    let mut values: Vec<(&str, String)> = vec![
        ("mode", choice.review.clone()),
        ("loop.automation", choice.automation.clone()),
        ("loop.max_cost", number(choice.max_cost)),
        ("loop.max_runtime", choice.max_hours.map_or_else(|| "0".to_owned(), |hours| format!("{hours}h"))),
        (
            "loop.max_tokens",
            choice
                .max_tokens
                .map_or_else(|| "0".to_owned(), |millions| format!("{}", u64::from(millions) * 1_000_000)),
        ),
        ("run.max_iterations", choice.max_iterations.to_string()),
        ("run.max_attempts", choice.max_attempts.to_string()),
    ];
    let is_cli = |agent: &String| agent != super::phase::API;
    if let Some(agent) = choice.agent.filter(is_cli)
        && (Some(agent.as_str()) != usual || choice.model.is_some())
    {
        values.push(("role.build", choice.model.map_or(agent.clone(), |model| format!("{agent}/{model}"))));
    }
    if let Some(planner) = choice.planner.filter(is_cli).filter(|agent| Some(agent.as_str()) != usual) {
        values.push(("role.wizard", planner));
    }
    if !choice.fallback.is_empty() {
        values.push(("on_limit", OnLimit::Fallback.as_str().to_owned()));
        values.push(("fallback", choice.fallback.join("\n")));
    }
    let known = config.value(config::key::GATE_PROTECTED);
    let items = wizard.form(WizardPhase::BuildTest).items("protected").iter();
    let new: Vec<String> =
        items.map(|item| item.text("path").to_owned()).filter(|path| !known.contains(path)).collect();
    if !new.is_empty() {
        values.push(("gate.protected", [known, new].concat().join("\n")));
    }
    for (key, value) in values {
        if !is_usual(key, &value) {
            text = settings::changed_text(&text, key, &value)?;
        }
    }
    let there = check_edit::drafts(&text);
    for check in trial::planned(wizard.form(WizardPhase::BuildTest)).iter().filter(|check| check.used) {
        let known = there.iter().any(|one| one.name == check.name || one.command == check.command);
        if !known && !check.command.trim().is_empty() {
            text = check_edit::add(PROJECT_FILE, &text, &draft_of(check), None)?;
        }
    }
    Ok(text)
}

/// Whether a setting would be the same without being written down.
fn is_usual(key: &str, value: &str) -> bool {
    config::schema::find(key)
        .is_some_and(|spec| spec.kind.parse(value).is_ok_and(|value| value == spec.default_value()))
}
