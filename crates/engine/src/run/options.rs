//! What a run is started with: everything resolved, so that a resumed run works by the same rules.

use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use loopwright_domain::{ErrorCode, Fault, Goal, Limits, OnLimit, OutageRules, RunKind, TaskId};
use serde::{Deserialize, Serialize};

use super::fence::Fence;
use super::prompt::ContextItem;
use super::tasks::TaskRules;
use crate::agent::builder;
use crate::config::value::parse_money;
use crate::config::{Config, HarnessCommand};

/// What a person asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// One prompt, again and again.
    Prompt(String),
    /// One procedure, again and again.
    Procedure(String),
    /// The failing checks, with something a person adds.
    Fix(Option<String>),
    /// The pending tasks, wave by wave.
    Tasks(TaskSelection),
}

/// Which tasks a run is over, and what is handed along with each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct TaskSelection {
    /// Only those of this group.
    pub tag: Option<String>,
    /// Only this one.
    pub task: Option<TaskId>,
    /// Only those of this wave.
    pub wave: Option<u32>,
    /// A plan whose section for the task is handed along.
    pub plan: Option<String>,
    /// Documents that are handed along whole.
    pub spec_files: Vec<String>,
    /// A command that is run as one more check.
    pub verify: Option<String>,
    /// Where to write where things stand when the run ends.
    pub handoff: Option<String>,
}

/// What a person asks for, with what is not a setting. Settings (limits, times, promise, git) come from the
/// configuration, whose strongest layer are flags: [`RunRequest::set`].
#[derive(Clone, Debug)]
pub struct RunRequest {
    /// The work.
    pub request: Request,
    /// What is handed along.
    pub context: Vec<ContextItem>,
    /// The agent by name; none takes the configured one.
    pub harness: Option<String>,
    /// A command line instead of a named agent, split by shell words and never given to a shell.
    pub command: Option<String>,
    /// How that command takes its prompt.
    pub prompt_mode: Option<String>,
    /// What it prints.
    pub output_format: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// Where the agent works, inside the project.
    pub working_dir: Option<PathBuf>,
    /// Settings for this run only.
    pub settings: Vec<(String, String)>,
}

impl RunRequest {
    /// A request with nothing but the work.
    #[must_use]
    pub fn new(request: Request) -> Self {
        Self {
            request,
            context: Vec::new(),
            harness: None,
            command: None,
            prompt_mode: None,
            output_format: None,
            model: None,
            working_dir: None,
            settings: Vec::new(),
        }
    }

    /// A loop over one prompt.
    #[must_use]
    pub fn prompt(text: impl Into<String>) -> Self {
        Self::new(Request::Prompt(text.into()))
    }

    /// A loop over a procedure.
    #[must_use]
    pub fn procedure(name: impl Into<String>) -> Self {
        Self::new(Request::Procedure(name.into()))
    }

    /// A run that mends failing checks.
    #[must_use]
    pub fn fix() -> Self {
        Self::new(Request::Fix(None))
    }

    /// Chooses an agent by name.
    #[must_use]
    pub fn harness(mut self, name: impl Into<String>) -> Self {
        self.harness = Some(name.into());
        self
    }

    /// Uses a command line as the agent.
    #[must_use]
    pub fn command(mut self, command: impl Into<String>) -> Self {
        self.command = Some(command.into());
        self
    }

    /// Sets a setting for this run only, as `--config` does.
    #[must_use]
    pub fn set(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.settings.push((key.into(), value.into()));
        self
    }

    /// The kind of run this is.
    #[must_use]
    pub const fn kind(&self) -> RunKind {
        match self.request {
            Request::Fix(_) => RunKind::Fix,
            Request::Tasks(_) => RunKind::Run,
            _ => RunKind::Loop,
        }
    }
}

/// How the agent is started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct AgentOptions {
    /// Its name.
    pub name: String,
    /// The command line, when it is not a named agent's.
    pub command: Option<String>,
    /// How it takes its prompt.
    pub prompt_mode: Option<String>,
    /// What it prints.
    pub output_format: Option<String>,
    /// The model.
    pub model: Option<String>,
}

impl AgentOptions {
    /// The agent as it is written in settings: `claude`, or `claude/opus` with a model.
    #[must_use]
    pub fn spec(&self) -> String {
        match &self.model {
            Some(model) => format!("{}/{model}", self.name),
            None => self.name.clone(),
        }
    }

    /// An agent as it is written in settings.
    pub(crate) fn named(config: &Config, spec: &str) -> Self {
        let (name, model) = match spec.split_once('/') {
            Some((name, model)) => (name, Some(model.to_owned())),
            None => (spec, None),
        };
        let own = config.harnesses.get(name).map(|harness| harness.command.clone()).unwrap_or_default();
        Self {
            name: name.to_owned(),
            command: None,
            prompt_mode: own.prompt_mode,
            output_format: own.output_format,
            model: model.or(own.model),
        }
    }
}

/// How long an agent may take, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Times {
    /// In all.
    #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
    pub wall_ms: Option<u64>,
    /// Without saying anything.
    #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
    pub idle_ms: Option<u64>,
    /// Until it says anything.
    #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
    pub start_ms: Option<u64>,
    /// After the first Ctrl-C.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub grace_ms: u64,
}

/// What is done with git.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct GitOptions {
    /// Whether the tree is saved before every agent.
    pub checkpoints: bool,
    /// Whether each good iteration is committed.
    pub auto_commit: bool,
    /// The message of such a commit.
    pub commit_template: String,
    /// Whether the run works on a branch of its own.
    pub create_branch: bool,
    /// The name of that branch.
    pub branch_template: String,
}

/// Everything a run works by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct RunOptions {
    /// The prompt, or what a person adds to the failing checks.
    pub prompt: Option<String>,
    /// The procedure.
    pub procedure: Option<String>,
    /// The tasks, in a run over tasks.
    #[serde(default)]
    pub tasks: Option<TaskSelection>,
    /// What a run over tasks works by.
    #[serde(default)]
    pub rules: Option<TaskRules>,
    /// What is handed along.
    pub context: Vec<ContextItem>,
    /// The agent.
    pub agent: AgentOptions,
    /// What may stop the run.
    pub limits: Limits,
    /// What ends it well.
    pub goal: Goal,
    /// The completion promise.
    pub promise: Option<String>,
    /// Whether the promised word alone on a line counts.
    pub plain_promise: bool,
    /// Whether the agent is told which iteration it is.
    pub include_iteration_context: bool,
    /// Prompts larger than this are warned about; 0 never.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub token_budget: u64,
    /// How much the agent may do.
    pub automation: String,
    /// How long an agent may take.
    pub times: Times,
    /// What to do at limits and outages.
    #[serde(default)]
    pub outages: OutageRules,
    /// What is done with git.
    pub git: GitOptions,
    /// Whether uncommitted work is taken in.
    pub include_dirty: bool,
    /// Where the agent works, from the project folder.
    pub working_dir: Option<String>,
    /// Whether the run holds when its state cannot be written.
    pub hold_on_state_error: bool,
    /// The sandbox that was asked for when it began; none in runs of older versions.
    #[serde(default)]
    pub fence: Option<Fence>,
}

/// What a procedure says about its own runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcedureDefaults {
    /// How many iterations.
    pub max_iterations: Option<u32>,
    /// The completion promise.
    pub promise: Option<String>,
    /// The agent.
    pub harness: Option<String>,
    /// How long an agent may take.
    pub timeout: Option<Duration>,
}

impl RunOptions {
    /// Resolves a request by the configuration: flags over the procedure over the project over the user over what
    /// is built in.
    ///
    /// # Errors
    /// The working folder is not inside the project, or the command line cannot be split.
    pub fn resolve(
        request: &RunRequest,
        config: &Config,
        procedure: &ProcedureDefaults,
    ) -> Result<Self, Fault> {
        let kind = request.kind();
        let promise = promise(request, config, procedure);
        let (prompt, name) = match &request.request {
            Request::Prompt(text) => (Some(text.clone()), None),
            Request::Procedure(name) => (None, Some(name.clone())),
            Request::Fix(extra) => (extra.clone(), None),
            Request::Tasks(_) => (None, None),
        };
        let goal = match (&request.request, &promise) {
            (Request::Fix(_), _) => Goal::Checks,
            (Request::Tasks(_), _) => Goal::Tasks,
            (_, Some(_)) => Goal::Promise,
            (Request::Procedure(_), None) => Goal::Iterations,
            (Request::Prompt(_), None) => Goal::ProcessSuccess,
        };
        Ok(Self {
            prompt,
            procedure: name,
            tasks: match &request.request {
                Request::Tasks(selection) => Some(selection.clone()),
                _ => None,
            },
            rules: matches!(&request.request, Request::Tasks(_)).then(|| TaskRules::of(config)),
            context: request.context.clone(),
            agent: agent(request, config, procedure)?,
            limits: limits(request, config, procedure),
            goal,
            promise,
            plain_promise: config.switch("loop.plain_promise"),
            include_iteration_context: config.switch("loop.include_iteration_context"),
            token_budget: config.count("loop.token_budget"),
            automation: config.text("loop.automation").to_owned(),
            times: times(config, procedure),
            outages: outages(config),
            git: GitOptions {
                checkpoints: config.switch("git.checkpoints"),
                auto_commit: config.switch("git.auto_commit"),
                commit_template: config.text("git.commit_template").to_owned(),
                create_branch: config.switch("git.create_branch"),
                branch_template: config.text("git.branch_template").to_owned(),
            },
            include_dirty: config.text("loop.dirty") == "include",
            working_dir: request.working_dir.as_deref().map(inside).transpose()?,
            hold_on_state_error: match config.text("loop.on_state_error") {
                "hold" => true,
                "continue" => false,
                _ => kind == RunKind::Run,
            },
            fence: Some(Fence::of(config)),
        })
    }
}

/// A flag beats the procedure, the procedure beats the files.
fn flagged(config: &Config, key: &str) -> bool {
    use crate::config::OriginLayer::{Env, Flag};
    config.get(key).is_some_and(|resolved| matches!(resolved.origin.layer, Flag | Env))
}

fn promise(request: &RunRequest, config: &Config, procedure: &ProcedureDefaults) -> Option<String> {
    let key = "loop.completion_promise";
    let configured = || Some(config.text(key).to_owned()).filter(|word| !word.trim().is_empty());
    match &request.request {
        Request::Fix(_) | Request::Tasks(_) => None,
        Request::Procedure(_) if !flagged(config, key) => procedure.promise.clone(),
        _ => configured(),
    }
}

fn limits(request: &RunRequest, config: &Config, procedure: &ProcedureDefaults) -> Limits {
    let count = |key: &str| u32::try_from(config.count(key)).unwrap_or(u32::MAX);
    let key = "loop.max_iterations";
    let max_iterations = match &request.request {
        Request::Fix(_) => count("fix.max_iterations"),
        Request::Tasks(_) => count("run.max_iterations"),
        Request::Prompt(_) => count(key),
        Request::Procedure(_) if flagged(config, key) => count(key),
        Request::Procedure(_) => {
            procedure.max_iterations.unwrap_or(if config.is_default(key) { 0 } else { count(key) })
        }
    };
    // Tasks have limits of their own; what counts in a row over different tasks counts only when somebody asks for it.
    let over_tasks = matches!(&request.request, Request::Tasks(_));
    let in_a_row = |key: &str| match over_tasks && !flagged(config, key) {
        true => 0,
        false => with_turns(config, key, count(key)),
    };
    Limits {
        max_iterations,
        failure_threshold: in_a_row("loop.failure_threshold"),
        no_progress: in_a_row("loop.no_progress"),
        max_runtime_ms: config.time("loop.max_runtime").map(millis),
        max_cost_micros: parse_money(config.text("loop.max_cost")),
        max_tokens: Some(config.count("loop.max_tokens")).filter(|tokens| *tokens > 0),
    }
}

/// How often something may go wrong: unless somebody says how often, so often that every agent to which the work
/// escalates gets its turn.
pub(super) fn with_turns(config: &Config, key: &str, usual: u32) -> u32 {
    let agents = u32::try_from(config.list("escalation").len()).unwrap_or(u32::MAX);
    let each = u32::try_from(config.count("escalate_after")).unwrap_or(u32::MAX);
    match config.is_default(key) && usual > 0 && agents > 0 {
        true => usual.max(each.saturating_mul(agents.saturating_add(1))),
        false => usual,
    }
}

fn times(config: &Config, procedure: &ProcedureDefaults) -> Times {
    let wall = config.time("agent.timeout");
    let wall = if flagged(config, "agent.timeout") { wall } else { procedure.timeout.or(wall) };
    Times {
        wall_ms: wall.map(millis),
        idle_ms: config.time("agent.idle_timeout").map(millis),
        start_ms: config.time("agent.start_timeout").map(millis),
        grace_ms: config.time("agent.interrupt_grace").map_or(0, millis),
    }
}

/// Whoever names other agents and does not say what to do at a limit wants them to take over.
fn outages(config: &Config) -> OutageRules {
    let time = |key: &str| config.time(key).map_or(0, millis);
    // An agent goes by one name, with the model that its settings give it: it rests and works under that.
    let named = |key: &str| -> Vec<String> {
        config.list(key).iter().map(|spec| AgentOptions::named(config, spec).spec()).collect()
    };
    let fallback = named("fallback");
    let on_limit = match OnLimit::parse(config.text("on_limit")) {
        _ if config.is_default("on_limit") && !fallback.is_empty() => OnLimit::Fallback,
        on_limit => on_limit.unwrap_or(OnLimit::Wait),
    };
    OutageRules {
        on_limit,
        fallback,
        escalation: named("escalation"),
        escalate_after: u32::try_from(config.count("escalate_after")).unwrap_or(u32::MAX),
        margin_ms: time("limit.margin"),
        recheck_ms: time("limit.recheck"),
        max_wait_ms: time("overload.max_wait"),
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn agent(
    request: &RunRequest,
    config: &Config,
    procedure: &ProcedureDefaults,
) -> Result<AgentOptions, Fault> {
    if let Some(command) = &request.command {
        let words = shell_words::split(command).ok().filter(|words| !words.is_empty());
        let program = words.and_then(|words| words.into_iter().next()).ok_or_else(|| {
            Fault::new(ErrorCode::UsageInvalid, "the command is not a program with its arguments")
                .hint("Close every quote, and name a program first.")
        })?;
        let name = Path::new(&program).file_stem().map(|name| name.to_string_lossy().into_owned());
        return Ok(AgentOptions {
            name: name.unwrap_or(program),
            command: Some(command.clone()),
            prompt_mode: request.prompt_mode.clone(),
            output_format: request.output_format.clone(),
            model: request.model.clone(),
        });
    }
    let name = request.harness.clone().or_else(|| match flagged(config, "default_harness") {
        true => None,
        false => procedure.harness.clone(),
    });
    // Whoever is named without a model of its own keeps the one of its settings.
    let (name, role_model) = match name {
        Some(name) => (name, None),
        None => builder(config),
    };
    let own: Option<&HarnessCommand> = config.harnesses.get(&name).map(|harness| &harness.command);
    let pick = |asked: &Option<String>, own: Option<&String>| asked.clone().or_else(|| own.cloned());
    Ok(AgentOptions {
        command: None,
        prompt_mode: pick(&request.prompt_mode, own.and_then(|own| own.prompt_mode.as_ref())),
        output_format: pick(&request.output_format, own.and_then(|own| own.output_format.as_ref())),
        model: pick(&request.model, role_model.as_ref().or_else(|| own.and_then(|own| own.model.as_ref()))),
        name,
    })
}

fn inside(path: &Path) -> Result<String, Fault> {
    let plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    plain.then(|| path.to_string_lossy().into_owned()).ok_or_else(|| {
        Fault::new(ErrorCode::UsageInvalid, format!("{} is not inside the project", path.display()))
            .hint("Name a folder of the project, from the project folder.")
    })
}
