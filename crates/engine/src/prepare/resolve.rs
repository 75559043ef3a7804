//! Resolves what was asked for into everything a run works by. Executes and writes nothing.

use loopwright_config::{TrustedCheck, TrustedConfig};
use loopwright_domain::{ErrorCode, Fault, NextAction, RunKind};
use loopwright_plan::spec::read_spec_files;

use crate::launch::harness;
use crate::prepare::options::{ProcedureDefaults, RunOptions};
use crate::prepare::prepared::Prepared;
use crate::prepare::request::{Request, RunRequest, TaskSelection};
use crate::prepare::source::Source;
use crate::procedure;
use crate::project::ProjectRuns;
use crate::sandbox::RunSandbox;

/// How much of a prompt is a run's title.
const TITLE: usize = 60;

impl ProjectRuns<'_> {
    /// Resolves a request: settings, agent, checks, procedure. Executes and writes nothing.
    ///
    /// # Errors
    /// Something in the configuration is wrong, the folder is not trusted, or the agent cannot be found.
    pub fn prepare(self, request: &RunRequest) -> Result<Prepared, Fault> {
        let config = self.project.take_trusted(self.project.config_with(&request.settings))?;
        let procedure = match &request.request {
            Request::Procedure(name) => Some(procedure::find(&self.project.layout().root, name)?),
            _ => None,
        };
        let defaults = procedure.as_ref().map(|procedure| ProcedureDefaults {
            max_iterations: procedure.max_iterations,
            promise: procedure.promise.clone(),
            harness: procedure.harness.clone(),
            timeout: procedure.timeout,
        });
        if let Request::Tasks(selection) = &request.request {
            // A document that is not there is told before anything is spent.
            let named: Vec<String> = selection.plan.iter().chain(&selection.spec_files).cloned().collect();
            read_spec_files(&self.project.layout().root, &named)?;
        }
        let options = RunOptions::resolve(request, &config, &defaults.unwrap_or_default())?;
        let text = match (&request.request, &procedure) {
            (Request::Prompt(text), _) => text.clone(),
            (_, Some(procedure)) => procedure::render(procedure),
            _ => String::new(),
        };
        if text.trim().is_empty() && request.kind() == RunKind::Loop {
            return Err(Fault::new(ErrorCode::UsageInvalid, "the prompt is empty")
                .next(NextAction::NamePrompt, "Say what to do"));
        }
        self.assemble(options, config, request.kind(), &text)
    }

    /// Puts together what options ask for: for a new run and for one that is resumed.
    pub(crate) fn assemble(
        self,
        mut options: RunOptions,
        config: TrustedConfig,
        kind: RunKind,
        text: &str,
    ) -> Result<Prepared, Fault> {
        let harness =
            harness::build(self.project.host(), &config, &self.project.layout().root, &options.agent)?;
        options.agent.name = harness.name().to_owned();
        let mut checks = config.trusted_checks();
        if let Some(command) = options.tasks.as_ref().and_then(|selection| selection.verify.as_deref()) {
            checks.extend(TrustedCheck::verifying(command, count(checks.len()))?);
        }
        if kind == RunKind::Fix && !checks.iter().any(|check| check.enabled && check.required) {
            return Err(Fault::new(ErrorCode::UsageInvalid, "there is no required check to mend")
                .next(NextAction::AddCheck, "Add one")
                .next(NextAction::SuggestChecks, "See those that are proposed"));
        }
        let source = Source::new(kind, &options, text);
        let title = match (&options.procedure, kind) {
            (Some(name), _) => name.clone(),
            (None, RunKind::Fix) => "fix failing checks".to_owned(),
            (None, RunKind::Run) => title_of_tasks(selection(&options)),
            _ => crate::report::preview(text.trim().lines().next().unwrap_or_default(), TITLE),
        };
        let title = self.project.secrets().redact(&title).into_owned();
        let sandbox =
            RunSandbox::find(self.project.host(), &config, Some(&self.project.layout().root)).demanded()?;
        harness::refuse_root(harness.as_ref(), options.automation, sandbox.state())?;
        let request = text.to_owned();
        Ok(Prepared { kind, title, options, harness, config, checks, source, request, sandbox })
    }
}

/// Options as they are kept with a run.
pub(crate) fn written(options: &RunOptions) -> Result<String, Fault> {
    serde_json::to_string(options)
        .map_err(|error| Fault::new(ErrorCode::Internal, error.to_string()).because(&error))
}

/// Which tasks a run is over; those of an older run are all.
pub(crate) fn selection(options: &RunOptions) -> &TaskSelection {
    static ALL: TaskSelection = TaskSelection {
        tag: None,
        task: None,
        wave: None,
        plan: None,
        spec_files: Vec::new(),
        verify: None,
        handoff: None,
    };
    options.tasks.as_ref().unwrap_or(&ALL)
}

pub(crate) fn title_of_tasks(selection: &TaskSelection) -> String {
    match selection {
        TaskSelection { task: Some(task), .. } => format!("task {task}"),
        TaskSelection { tag: Some(tag), wave: Some(wave), .. } => format!("wave {wave} of {tag}"),
        TaskSelection { tag: Some(tag), .. } => format!("tasks of {tag}"),
        TaskSelection { wave: Some(wave), .. } => format!("wave {wave}"),
        _ => "all tasks".to_owned(),
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
