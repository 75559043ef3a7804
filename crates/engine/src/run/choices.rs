//! What a person can choose from when starting a run, and what would be taken unasked.

use loopwright_domain::{Automation, Fault, TrustState};
use serde::Serialize;

use super::harness;
use super::left::Left;
use super::lock::Holder;
use super::options::AgentOptions;
use super::state::RunSummary;
use super::tree::Tree;
use crate::agent::{self, SandboxReport};
use crate::config::Config;
use crate::procedure::{self, Origin, Summary};
use crate::project::Project;
use crate::settings;

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
    /// What would confine it.
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

impl Project {
    /// What can be chosen when starting a run here, and what would be taken unasked. Nothing is started.
    ///
    /// # Errors
    /// The state, or what the folder would execute, cannot be read.
    pub async fn run_choices(&self) -> Result<RunChoices, Fault> {
        let config = self.config();
        let live = self.live();
        let latest = self.store().latest_run().await?;
        let uncommitted = self.uncommitted(&self.left_by(latest.as_ref())).await;
        let earlier = latest.as_ref().filter(|run| live.is_none() && !run.status.is_over());
        let on = || config.checks.iter().filter(|check| check.enabled);
        Ok(RunChoices {
            harnesses: self.harness_choices(&config),
            harness: agent::choose(self.host(), &config).name,
            sandbox: agent::sandbox_report(self.host(), &config),
            procedures: self.procedure_choices(),
            defaults: StartDefaults::of(&config),
            checks: counted(on().count()),
            required_checks: counted(on().filter(|check| check.required).count()),
            uncommitted,
            trust: self.trust_report(&config)?.state,
            earlier: earlier.map(|run| RunSummary::new(run, false)),
            live,
        })
    }

    /// Where git cannot be asked, starting says why.
    async fn uncommitted(&self, left: &Left) -> Option<u32> {
        self.layout().repository.as_ref()?;
        let tree = Tree::open(self.host(), self.layout()).await.ok()?;
        tree.uncommitted(left).await.ok().map(|paths| counted(paths.len()))
    }

    fn harness_choices(&self, config: &Config) -> Vec<HarnessChoice> {
        let names = settings::agent_names(config).into_iter().filter(|name| !name.is_empty());
        let mut choices: Vec<HarnessChoice> = names.map(|name| self.harness_choice(config, name)).collect();
        choices.sort_by_key(|choice| (choice.problem.is_some(), choice.scripted));
        choices
    }

    fn harness_choice(&self, config: &Config, name: String) -> HarnessChoice {
        let found = agent::choose_named(self.host(), config, &name);
        let options = AgentOptions {
            name: name.clone(),
            command: None,
            prompt_mode: None,
            output_format: None,
            model: None,
        };
        let problem = harness::build(self.host(), config, &self.layout().root, &options).err();
        let tested = agent::known_agent(&name).is_none_or(|known| known.tested());
        HarnessChoice { name, label: found.label, scripted: found.scripted, tested, problem }
    }

    fn procedure_choices(&self) -> Vec<ProcedureChoice> {
        let root = &self.layout().root;
        procedure::procedures(Some(root)).into_iter().map(|summary| self.procedure_choice(summary)).collect()
    }

    fn procedure_choice(&self, summary: Summary) -> ProcedureChoice {
        let found = procedure::find(&self.layout().root, &summary.name).ok();
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
        let count = |key: &str| u32::try_from(config.count(key)).unwrap_or(u32::MAX);
        let text = |key: &str| config.text(key).to_owned();
        Self {
            loop_iterations: count("loop.max_iterations"),
            fix_iterations: count("fix.max_iterations"),
            failure_threshold: count("loop.failure_threshold"),
            no_progress: count("loop.no_progress"),
            max_runtime: text("loop.max_runtime"),
            max_cost: text("loop.max_cost"),
            max_tokens: text("loop.max_tokens"),
            timeout: text("agent.timeout"),
            automation: Automation::parse(config.text("loop.automation")).unwrap_or(Automation::Manual),
            promise: text("loop.completion_promise"),
            auto_commit: config.switch("git.auto_commit"),
            create_branch: config.switch("git.create_branch"),
        }
    }
}

fn counted(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
