//! What a person can choose from when starting a run, and what would be taken unasked.

use loopwright_config::{Config, key};
use loopwright_domain::{Automation, Fault, TrustState};
use serde::Serialize;

use crate::agent::{self, SandboxReport};
use crate::attempt::tree::starting_tree::StartingTree;
use crate::attempt::tree::work_tree::WorkTree;
use crate::launch::AgentOptions;
use crate::launch::harness;
use crate::prepare::options::counted as counted_setting;
use crate::procedure::{self, Origin, Summary};
use crate::project::ProjectRuns;
use crate::run_lock::Holder;
use crate::settings;
use crate::watch::run_state::RunSummary;

/// An agent to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct HarnessChoice {
    /// The name it is chosen by.
    pub name: String,
    /// What people call it.
    pub label: String,
    /// Whether it follows a script and is no agent.
    pub scripted: bool,
    /// Whether it was driven by Loopwright's own tests; others are called by their documented options.
    pub tested: bool,
    /// Why it cannot be used now; none when it can.
    pub problem: Option<Fault>,
}

/// A procedure to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct ProcedureChoice {
    /// The name it is chosen by.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// What it does, in one line.
    pub summary: String,
    /// Whether it is the project's own.
    pub own: bool,
    /// How many iterations it asks for.
    pub max_iterations: Option<u32>,
    /// The completion promise it asks for.
    pub promise: Option<String>,
    /// The agent it asks for.
    pub harness: Option<String>,
    /// Why it cannot be used.
    pub problem: Option<Fault>,
}

/// What a run takes unless told otherwise, as the settings hold it. Times and money are written as in the settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct StartDefaults {
    /// How many iterations a loop over a prompt takes; 0 is without end.
    pub loop_iterations: u32,
    /// How many iterations mending takes.
    pub fix_iterations: u32,
    /// How many failures in a row stop it.
    pub failure_threshold: u32,
    /// How many iterations without any change stop it.
    pub no_progress: u32,
    /// How long it may work.
    pub max_runtime: String,
    /// How much it may cost.
    pub max_cost: String,
    /// How many tokens it may use.
    pub max_tokens: String,
    /// How long one agent may take.
    pub timeout: String,
    /// How much the agent may do.
    pub automation: Automation,
    /// The completion promise.
    pub promise: String,
    /// Whether each good iteration is committed.
    pub auto_commit: bool,
    /// Whether it works on a branch of its own.
    pub create_branch: bool,
}

/// Everything the start panel offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct RunChoices {
    /// The agents: those that can be used first, and scripted ones after real ones.
    pub harnesses: Vec<HarnessChoice>,
    /// The one that is taken unless told otherwise.
    pub harness: Option<String>,
    /// The sandbox it would have.
    pub sandbox: SandboxReport,
    /// The procedures.
    pub procedures: Vec<ProcedureChoice>,
    /// What is taken unless told otherwise.
    pub defaults: StartDefaults,
    /// How many checks are on.
    pub checks: u32,
    /// How many of them are required.
    pub required_checks: u32,
    /// How many files differ both from the last commit and from what the last run left; none where git has no answer.
    pub uncommitted: Option<u32>,
    /// Whether the folder may run anything.
    pub trust: TrustState,
    /// An earlier run that was stopped and can be resumed.
    pub earlier: Option<RunSummary>,
    /// Who works here now.
    pub live: Option<Holder>,
}

impl ProjectRuns<'_> {
    /// What can be chosen when starting a run here, and what would be taken unasked. Nothing is started.
    ///
    /// # Errors
    /// The state, or what the folder would execute, cannot be read.
    pub async fn choices(self) -> Result<RunChoices, Fault> {
        let config = self.project.config();
        let live = self.live();
        let latest = self.project.store().latest_run().await?;
        let trust = self.project.trust_report(&config)?.state;
        let uncommitted =
            self.uncommitted(&self.project.starting_tree(latest.as_ref()), trust.may_run()).await;
        let earlier = latest.as_ref().filter(|run| live.is_none() && !run.status.is_over());
        let on = || config.checks.iter().filter(|check| check.enabled);
        Ok(RunChoices {
            harnesses: self.harness_choices(&config),
            harness: agent::choose(self.project.host(), &config).name,
            sandbox: agent::sandbox_report(self.project.host(), &config),
            procedures: self.procedure_choices(),
            defaults: StartDefaults::of(&config),
            checks: counted(on().count()),
            required_checks: counted(on().filter(|check| check.required).count()),
            uncommitted,
            trust,
            earlier: earlier.map(|run| RunSummary::new(run, false)),
            live,
        })
    }

    /// Where git cannot be asked, starting says why.
    async fn uncommitted(self, left: &StartingTree, trusted: bool) -> Option<u32> {
        self.project.layout().repository.as_ref()?;
        let tree = WorkTree::open(self.project.host(), self.project.layout()).await.ok()?;
        tree.uncommitted(left, trusted).await.ok().map(|paths| counted(paths.len()))
    }

    fn harness_choices(self, config: &Config) -> Vec<HarnessChoice> {
        let names = settings::agent_names(config).into_iter().filter(|name| !name.is_empty());
        let mut choices: Vec<HarnessChoice> = names.map(|name| self.harness_choice(config, name)).collect();
        choices.sort_by_key(|choice| (choice.problem.is_some(), choice.scripted));
        choices
    }

    fn harness_choice(self, config: &Config, name: String) -> HarnessChoice {
        let found = agent::choose_named(self.project.host(), config, &name);
        let options = AgentOptions {
            name: name.clone(),
            command: None,
            prompt_mode: None,
            output_format: None,
            model: None,
        };
        let problem = harness::problem(self.project.host(), config, &self.project.layout().root, &options);
        let tested = agent::known_agent(&name).is_none_or(|known| known.tested());
        HarnessChoice { name, label: found.label, scripted: found.scripted, tested, problem }
    }

    fn procedure_choices(self) -> Vec<ProcedureChoice> {
        let root = &self.project.layout().root;
        procedure::procedures(Some(root)).into_iter().map(|summary| self.procedure_choice(summary)).collect()
    }

    fn procedure_choice(self, summary: Summary) -> ProcedureChoice {
        let found = procedure::find(&self.project.layout().root, &summary.name).ok();
        ProcedureChoice {
            max_iterations: found.as_ref().and_then(|found| found.max_iterations),
            promise: found.as_ref().and_then(|found| found.promise.clone()),
            harness: found.and_then(|found| found.harness),
            name: summary.name,
            title: summary.title,
            summary: summary.summary,
            own: summary.origin == Origin::Project,
            problem: summary.problem,
        }
    }
}

impl StartDefaults {
    fn of(config: &Config) -> Self {
        let count = |key| counted_setting(config, key);
        // Times and money are shown as they are written.
        let text = |name: &str| config.get(name).map(|known| known.value.to_text()).unwrap_or_default();
        Self {
            loop_iterations: count(key::LOOP_MAX_ITERATIONS),
            fix_iterations: count(key::FIX_MAX_ITERATIONS),
            failure_threshold: count(key::LOOP_FAILURE_THRESHOLD),
            no_progress: count(key::LOOP_NO_PROGRESS),
            max_runtime: text(key::LOOP_MAX_RUNTIME.name()),
            max_cost: text(key::LOOP_MAX_COST.name()),
            max_tokens: text(key::LOOP_MAX_TOKENS.name()),
            timeout: text(key::AGENT_TIMEOUT.name()),
            automation: config.value(key::LOOP_AUTOMATION),
            promise: text(key::LOOP_COMPLETION_PROMISE.name()),
            auto_commit: config.value(key::GIT_AUTO_COMMIT),
            create_branch: config.value(key::GIT_CREATE_BRANCH),
        }
    }
}

fn counted(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
