//! What a launch would do: decisions, the first prompt, a forecast, and what will need a person.

use std::path::Path;

use loopwright_config::Layout;
use loopwright_domain::wizard::launch::{PastIteration, forecast};
use loopwright_domain::wizard::{
    CheckTrialOutcome, LaunchSummary, ModeChoice, Wizard, WizardId, WizardPhase, mode, tasks, trial,
};
use loopwright_domain::{Fault, Origin, RunKind, TaskSize, estimate_tokens};

use super::Wizards;
use super::apply::ProposedCommands;
use super::view::name;
use crate::prepare::request::{Request, RunRequest, TaskSelection};
use crate::project::Project;

/// How many earlier iterations a forecast looks at.
const PAST: u32 = 200;

impl Wizards<'_> {
    /// What was decided, what a run would take, and what will need a person. Nothing is written.
    ///
    /// # Errors
    /// There is no such wizard.
    pub async fn launch_summary(&self, id: &WizardId) -> Result<LaunchSummary, Fault> {
        let wizard = self.read(id)?;
        let planned = tasks::layout(wizard.form(WizardPhase::TaskReview));
        let generated = wizard.form(WizardPhase::Generate);
        let sizes: Vec<TaskSize> = planned.tasks.iter().map(|task| task.size).collect();
        let choice = mode::choice(wizard.form(WizardPhase::IterationMode));
        let checks = trial::planned(wizard.form(WizardPhase::BuildTest));
        let mut problems = Vec::new();
        if let Some(open) = wizard.first_unaccepted().filter(|phase| *phase != WizardPhase::Launch) {
            problems.push(format!("{} is not accepted.", open.label()));
        }
        let first_prompt = match problems.is_empty() {
            true => self.first_prompt(&wizard).await.unwrap_or_else(|fault| {
                problems.push(fault.message);
                String::new()
            }),
            false => String::new(),
        };
        let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let of_size = |size: &TaskSize| (*size, count(sizes.iter().filter(|one| *one == size).count()));
        Ok(LaunchSummary {
            ready: problems.is_empty(),
            problems,
            project_name: name(&wizard),
            folder: wizard.folder.clone(),
            sections: count(generated.items("sections").len()),
            terms: count(generated.items("terms").len()),
            tasks: count(sizes.len()),
            sizes: TaskSize::ALL.iter().map(of_size).filter(|(_, number)| *number > 0).collect(),
            waves: count(planned.waves.len()),
            quality: tasks::quality(generated, wizard.form(WizardPhase::TaskReview)).score,
            needs_person: needs_person(&wizard, &choice),
            checks: checks.into_iter().filter(|check| check.used).collect(),
            protected: wizard
                .form(WizardPhase::BuildTest)
                .items("protected")
                .iter()
                .map(|item| item.text("path").to_owned())
                .collect(),
            mode: choice,
            assumptions: count(wizard.assumptions().len()),
            forecast: forecast(&sizes, &self.past(&wizard).await),
            first_prompt_tokens: estimate_tokens(&first_prompt),
            first_prompt,
            spent: wizard.usage,
        })
    }

    /// The prompt of the first task, composed in a throw-away project with the same plan.
    async fn first_prompt(&self, wizard: &Wizard) -> Result<String, Fault> {
        let folder = tempfile::tempdir_in(&self.host.temp_dir).map_err(|error| {
            Fault::caused(loopwright_domain::ErrorCode::IoFailed, "cannot make a folder", &error)
        })?;
        let mut host = self.host.clone();
        host.data_dir = folder.path().join("data");
        let root = folder.path().join("project");
        let copy = Wizard { folder: root.display().to_string(), ..wizard.clone() };
        std::fs::create_dir_all(&root)
            .map_err(|error| loopwright_config::text_file::io_fault("make", &root, &error))?;
        let copy = Wizard { folder: loopwright_config::folder(&root)?.display().to_string(), ..copy };
        let project = Wizards::of(&host).write(&copy, Origin::Cli, ProposedCommands::Agreed).await?;
        let request = RunRequest::new(Request::Tasks(TaskSelection::default()));
        let prepared = match project.runs().prepare(&request) {
            Ok(prepared) => prepared,
            // The agent need not be here yet to see what it would be told.
            Err(_) => project.runs().prepare(&request.command("true"))?,
        };
        let dry = project.runs().dry_run(prepared).await?;
        project.close().await?;
        Ok(dry.prompt)
    }

    /// Earlier iterations of the project, when there is one.
    async fn past(&self, wizard: &Wizard) -> Vec<PastIteration> {
        let Ok(layout) = Layout::find(Path::new(&wizard.folder)) else { return Vec::new() };
        let Ok(project) = Project::open_layout(self.host, layout).await else { return Vec::new() };
        let mut past = Vec::new();
        let runs = project.store().runs(20, None).await.unwrap_or_default();
        for run in runs.into_iter().filter(|run| run.kind == RunKind::Run) {
            let iterations = project.store().last_iterations(run.id, PAST).await.unwrap_or_default();
            past.extend(iterations.iter().filter(|one| one.outcome.is_some()).map(|one| PastIteration {
                tokens: one.usage.tokens(),
                cost_micros: one.usage.cost_micros,
                time_ms: one.elapsed_ms,
            }));
        }
        let _ = project.close().await;
        past
    }
}

fn needs_person(wizard: &Wizard, choice: &ModeChoice) -> Vec<String> {
    let mut needs = Vec::new();
    match choice.review.as_str() {
        "review_each" => needs.push("Every task waits for your approval before it is committed.".to_owned()),
        "autonomous" => {}
        every => {
            let number = every.rsplit(':').next().unwrap_or("5");
            needs.push(format!("After every {number} finished tasks the run waits for your review."));
        }
    }
    needs.push(
        "Changes to tests, checks and protected files, and large changes, wait for your approval.".to_owned(),
    );
    let missing = wizard.trials.iter().filter(|trial| trial.outcome == CheckTrialOutcome::CannotRun);
    for trial in missing {
        needs.push(format!("\"{}\" cannot run here: install what it needs before you start.", trial.command));
    }
    if choice.automation == "manual" {
        needs.push("Each iteration starts only when you say so.".to_owned());
    }
    let assumptions = wizard.assumptions().len();
    if assumptions > 0 {
        needs.push(format!("{assumptions} things were supposed and nobody said them: look through them."));
    }
    needs
}
