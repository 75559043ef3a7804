//! What a run is started with: everything resolved, so that a resumed run works by the same rules.

use std::path::{Component, Path};
use std::time::Duration;

use loopwright_config::{Config, DirtyMode, HarnessCommand, Key, StateErrorMode, key};
use loopwright_domain::{
    Automation, BaselineMode, ErrorCode, Fault, Goal, Limits, OnLimit, OutageRules, RunKind,
};
use serde::{Deserialize, Serialize};

use crate::agent::builder;
use crate::launch::AgentOptions;
use crate::prepare::request::{Request, RunRequest, TaskSelection};
use crate::prepare::sandbox_options::SandboxOptions;
use crate::prepare::task_rules::TaskRules;
use loopwright_plan::spec::ContextItem;

/// When an agent is ended that takes too long, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct AgentTimeouts {
    /// After its start; none is without a limit.
    #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
    pub wall_ms: Option<u64>,
    /// After its last output; none is without a limit.
    #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
    pub idle_ms: Option<u64>,
    /// After its start, while it has printed nothing; none is without a limit.
    #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
    pub start_ms: Option<u64>,
    /// After the run was interrupted for the first time.
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
    /// Whether agents find remotes that can be pushed to.
    #[serde(default)]
    pub agent_push: bool,
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
    /// What a run over tasks works by, and the gates of any run.
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
    #[cfg_attr(feature = "specta", specta(type = String))]
    pub automation: Automation,
    /// How long an agent may take.
    pub times: AgentTimeouts,
    /// What to do at limits and outages.
    #[serde(default)]
    pub outages: OutageRules,
    /// What is done with git.
    pub git: GitOptions,
    /// What is done about the checks before the first agent.
    #[serde(default)]
    pub baseline: BaselineMode,
    /// Whether uncommitted work is taken in.
    pub include_dirty: bool,
    /// Where the agent works, from the project folder.
    pub working_dir: Option<String>,
    /// Whether the run holds when its state cannot be written.
    pub hold_on_state_error: bool,
    /// The sandbox that was asked for when it began; none in runs of older versions.
    #[serde(default, rename = "fence")]
    pub sandbox: Option<SandboxOptions>,
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
            rules: Some(TaskRules::of(config)),
            context: request.context.clone(),
            agent: agent(request, config, procedure)?,
            limits: limits(request, config, procedure),
            goal,
            promise,
            plain_promise: config.value(key::LOOP_PLAIN_PROMISE),
            include_iteration_context: config.value(key::LOOP_INCLUDE_ITERATION_CONTEXT),
            token_budget: config.value(key::LOOP_TOKEN_BUDGET),
            automation: config.value(key::LOOP_AUTOMATION),
            times: times(config, procedure),
            outages: outages(config),
            git: GitOptions {
                checkpoints: config.value(key::GIT_CHECKPOINTS),
                auto_commit: config.value(key::GIT_AUTO_COMMIT),
                commit_template: config.value(key::GIT_COMMIT_TEMPLATE),
                create_branch: config.value(key::GIT_CREATE_BRANCH),
                branch_template: config.value(key::GIT_BRANCH_TEMPLATE),
                agent_push: config.value(key::GIT_AGENT_PUSH),
            },
            baseline: config.value(key::LOOP_BASELINE),
            include_dirty: config.value(key::LOOP_DIRTY) == DirtyMode::Include,
            working_dir: request.working_dir.as_deref().map(inside).transpose()?,
            hold_on_state_error: match config.value(key::LOOP_ON_STATE_ERROR) {
                StateErrorMode::Hold => true,
                StateErrorMode::Continue => false,
                StateErrorMode::Auto => kind == RunKind::Run,
            },
            sandbox: Some(SandboxOptions::of(config)),
        })
    }
}

/// A flag beats the procedure, the procedure beats the files.
fn flagged<T>(config: &Config, key: Key<T>) -> bool {
    use loopwright_config::OriginLayer::{Env, Flag};
    matches!(config.layer(key), Flag | Env)
}

/// A number as far as it can count.
pub(crate) fn counted(config: &Config, key: Key<u64>) -> u32 {
    u32::try_from(config.value(key)).unwrap_or(u32::MAX)
}

fn promise(request: &RunRequest, config: &Config, procedure: &ProcedureDefaults) -> Option<String> {
    let key = key::LOOP_COMPLETION_PROMISE;
    let configured = || Some(config.value(key)).filter(|word| !word.trim().is_empty());
    match &request.request {
        Request::Fix(_) | Request::Tasks(_) => None,
        Request::Procedure(_) if !flagged(config, key) => procedure.promise.clone(),
        _ => configured(),
    }
}

fn limits(request: &RunRequest, config: &Config, procedure: &ProcedureDefaults) -> Limits {
    let count = |key| counted(config, key);
    let usual = key::LOOP_MAX_ITERATIONS;
    let max_iterations = match &request.request {
        Request::Fix(_) => count(key::FIX_MAX_ITERATIONS),
        Request::Tasks(_) => count(key::RUN_MAX_ITERATIONS),
        Request::Prompt(_) => count(usual),
        Request::Procedure(_) if flagged(config, usual) => count(usual),
        Request::Procedure(_) => {
            procedure.max_iterations.unwrap_or(if config.is_default(usual) { 0 } else { count(usual) })
        }
    };
    // Tasks have limits of their own; what counts in a row over different tasks counts only when somebody asks for it.
    let over_tasks = matches!(&request.request, Request::Tasks(_));
    let in_a_row = |key: Key<u64>| match over_tasks && !flagged(config, key) {
        true => 0,
        false => with_turns(config, key, count(key)),
    };
    Limits {
        max_iterations,
        failure_threshold: in_a_row(key::LOOP_FAILURE_THRESHOLD),
        no_progress: in_a_row(key::LOOP_NO_PROGRESS),
        max_runtime_ms: config.value(key::LOOP_MAX_RUNTIME).map(millis),
        max_cost_micros: config.value(key::LOOP_MAX_COST),
        max_tokens: Some(config.value(key::LOOP_MAX_TOKENS)).filter(|tokens| *tokens > 0),
    }
}

/// Takes one limit from the configuration, by the name of its setting; other settings are none.
pub(crate) fn take_limit(limits: &mut Limits, config: &Config, name: &str) {
    if name == key::LOOP_MAX_ITERATIONS.name() {
        limits.max_iterations = counted(config, key::LOOP_MAX_ITERATIONS);
    } else if name == key::LOOP_FAILURE_THRESHOLD.name() {
        limits.failure_threshold = counted(config, key::LOOP_FAILURE_THRESHOLD);
    } else if name == key::LOOP_MAX_RUNTIME.name() {
        limits.max_runtime_ms = config.value(key::LOOP_MAX_RUNTIME).map(millis);
    } else if name == key::LOOP_MAX_COST.name() {
        limits.max_cost_micros = config.value(key::LOOP_MAX_COST);
    } else if name == key::LOOP_MAX_TOKENS.name() {
        limits.max_tokens = Some(config.value(key::LOOP_MAX_TOKENS)).filter(|tokens| *tokens > 0);
    }
}

/// How often something may go wrong: unless somebody says how often, so often that every agent to which the work
/// escalates gets its turn.
pub(crate) fn with_turns(config: &Config, key: Key<u64>, usual: u32) -> u32 {
    let agents = u32::try_from(config.value(key::ESCALATION).len()).unwrap_or(u32::MAX);
    let each = counted(config, key::ESCALATE_AFTER);
    match config.is_default(key) && usual > 0 && agents > 0 {
        true => usual.max(each.saturating_mul(agents.saturating_add(1))),
        false => usual,
    }
}

fn times(config: &Config, procedure: &ProcedureDefaults) -> AgentTimeouts {
    let wall = config.value(key::AGENT_TIMEOUT);
    let wall = if flagged(config, key::AGENT_TIMEOUT) { wall } else { procedure.timeout.or(wall) };
    AgentTimeouts {
        wall_ms: wall.map(millis),
        idle_ms: config.value(key::AGENT_IDLE_TIMEOUT).map(millis),
        start_ms: config.value(key::AGENT_START_TIMEOUT).map(millis),
        grace_ms: config.value(key::AGENT_INTERRUPT_GRACE).map_or(0, millis),
    }
}

/// Whoever names other agents and does not say what to do at a limit wants them to take over.
fn outages(config: &Config) -> OutageRules {
    let time = |key: Key<Option<Duration>>| config.value(key).map_or(0, millis);
    // An agent goes by one name, with the model that its settings give it: it rests and works under that.
    let named = |key: Key<Vec<String>>| -> Vec<String> {
        config.value(key).iter().map(|spec| AgentOptions::named(config, spec).spec()).collect()
    };
    let fallback = named(key::FALLBACK);
    let on_limit = match config.value(key::ON_LIMIT) {
        _ if config.is_default(key::ON_LIMIT) && !fallback.is_empty() => OnLimit::Fallback,
        on_limit => on_limit,
    };
    OutageRules {
        on_limit,
        fallback,
        escalation: named(key::ESCALATION),
        escalate_after: counted(config, key::ESCALATE_AFTER),
        margin_ms: time(key::LIMIT_MARGIN),
        recheck_ms: time(key::LIMIT_RECHECK),
        max_wait_ms: time(key::OVERLOAD_MAX_WAIT),
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
            prompt_mode: request.prompt_mode,
            output_format: request.output_format,
            model: request.model.clone(),
        });
    }
    let name = request.harness.clone().or_else(|| match flagged(config, key::DEFAULT_HARNESS) {
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
        prompt_mode: request.prompt_mode.or_else(|| own.and_then(|own| own.prompt_mode)),
        output_format: request.output_format.or_else(|| own.and_then(|own| own.output_format)),
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
