//! Every plain key: what it is called, what it means, what it takes, what it is when nobody sets it.

use std::time::Duration;

use loopwright_domain::{Automation, BaselineMode, CommitMode, OnLimit, ReviewMode};

use super::agent_keys;
use super::editors;
use super::typed::{DirtyMode, Key, LogLevel, SandboxMode, StateErrorMode, Theme};
use super::{Default, Group, KeySpec, Scope};
use crate::value::ValueKind;

const BOTH: &[Scope] = &[Scope::Project, Scope::User];

/// The table and its typed keys, from one list.
macro_rules! keys {
    ($($name:ident: $type:ty = $spec:expr;)*) => {
        /// Every plain key. Tables with names of the user's own (`harness.<name>`, `checks`) are in [`super::tables`].
        pub const KEYS: &[KeySpec] = &[$($spec),*];

        /// The keys by which settings are read.
        pub mod key {
            use super::*;

            $(
                #[doc = concat!("Read as `", stringify!($type), "`.")]
                pub const $name: Key<$type> = Key::of(&$spec);
            )*
        }

        /// Whether a value can be read as the type of its key.
        #[cfg(test)]
        pub(super) fn is_readable(name: &str, value: &crate::value::Value) -> bool {
            $(if key::$name.name() == name {
                return <$type as super::typed::SettingValue>::read(value).is_some();
            })*
            false
        }
    };
}

keys! {
    NAME: String = KeySpec {
        key: "name",
        title: "Name",
        help: "What the project is called. Empty: the folder's name.",
        group: Group::Project,
        kind: ValueKind::Text,
        scopes: &[Scope::Project],
        default: Default::Text(""),
    };
    SPEC_FILES: Vec<String> = KeySpec {
        key: "spec_files",
        title: "Spec files",
        help: "Documents that say what to build, as paths from the project folder.",
        group: Group::Project,
        kind: ValueKind::List,
        scopes: &[Scope::Project],
        default: Default::EmptyList,
    };
    DEFAULT_HARNESS: String = KeySpec {
        key: "default_harness",
        title: "Agent",
        help: "Which agent does the work. Empty: the only one installed, else you are asked.",
        group: Group::Agent,
        kind: ValueKind::Text,
        scopes: BOTH,
        default: Default::Text(""),
    };
    ROLE_BUILD: String = agent_keys::ROLE_BUILD;
    ROLE_WIZARD: String = agent_keys::ROLE_WIZARD;
    ROLE_LEARN: String = agent_keys::ROLE_LEARN;
    ON_LIMIT: OnLimit = agent_keys::ON_LIMIT;
    FALLBACK: Vec<String> = agent_keys::FALLBACK;
    ESCALATION: Vec<String> = agent_keys::ESCALATION;
    ESCALATE_AFTER: u64 = agent_keys::ESCALATE_AFTER;
    LIMIT_MARGIN: Option<Duration> = agent_keys::LIMIT_MARGIN;
    LIMIT_RECHECK: Option<Duration> = agent_keys::LIMIT_RECHECK;
    OVERLOAD_MAX_WAIT: Option<Duration> = agent_keys::OVERLOAD_MAX_WAIT;
    SANDBOX: SandboxMode = agent_keys::SANDBOX;
    SANDBOX_NETWORK: bool = agent_keys::SANDBOX_NETWORK;
    SANDBOX_WRITE: Vec<String> = agent_keys::SANDBOX_WRITE;
    LOOP_MAX_ITERATIONS: u64 = KeySpec {
        key: "loop.max_iterations",
        title: "Iterations",
        help: "How often a loop starts the agent; 0 is without end. A procedure may have its own number.",
        group: Group::Loop,
        kind: ValueKind::Count,
        scopes: BOTH,
        default: Default::Text("20"),
    };
    FIX_MAX_ITERATIONS: u64 = KeySpec {
        key: "fix.max_iterations",
        title: "Iterations of fix",
        help: "How often \"fix\" starts the agent; 0 is without end.",
        group: Group::Loop,
        kind: ValueKind::Count,
        scopes: BOTH,
        default: Default::Text("100"),
    };
    RUN_MAX_ITERATIONS: u64 = KeySpec {
        key: "run.max_iterations",
        title: "Iterations of run",
        help: "How often a run over tasks starts the agent in all; 0 is without end.",
        group: Group::Loop,
        kind: ValueKind::Count,
        scopes: BOTH,
        default: Default::Text("100"),
    };
    RUN_MAX_ATTEMPTS: u64 = KeySpec {
        key: "run.max_attempts",
        title: "Attempts per task",
        help: "A task is blocked after this many failed attempts in one run.",
        group: Group::Loop,
        kind: ValueKind::Count,
        scopes: BOTH,
        default: Default::Text("3"),
    };
    RUN_MAX_TOTAL_FAILURES: u64 = KeySpec {
        key: "run.max_total_failures",
        title: "Failures per task",
        help: "A task is blocked after this many failures over all runs; 0 never.",
        group: Group::Loop,
        kind: ValueKind::Count,
        scopes: BOTH,
        default: Default::Text("10"),
    };
    RUN_REQUIRE_SIGNAL: bool = KeySpec {
        key: "run.require_signal",
        title: "Completion signal",
        help: "Whether an agent has to say that a task is done before it counts as done.",
        group: Group::Loop,
        kind: ValueKind::Switch,
        scopes: BOTH,
        default: Default::Text("true"),
    };
    RUN_COMMIT: CommitMode = KeySpec {
        key: "run.commit",
        title: "Commits of run",
        help: "When a run over tasks commits: each task, each wave, each iteration, or none.",
        group: Group::Git,
        kind: ValueKind::Choice(CommitMode::WORDS),
        scopes: BOTH,
        default: Default::Text("task"),
    };
    RUN_MAX_SPEC_TOKENS: u64 = KeySpec {
        key: "run.max_spec_tokens",
        title: "Size of documents",
        help: "A warning is given when the documents handed along with a task are more tokens than this; 0 never.",
        group: Group::Loop,
        kind: ValueKind::Count,
        scopes: BOTH,
        default: Default::Text("5000"),
    };
    RUN_CONTEXT_TOKENS: u64 = KeySpec {
        key: "run.context_tokens",
        title: "Context of a task",
        help: "How many tokens of sections, earlier attempts and memory a task's prompt may hold; 0 is without limit.",
        group: Group::Loop,
        kind: ValueKind::Count,
        scopes: BOTH,
        default: Default::Text("8000"),
    };
    RUN_INCLUDE_TASK: bool = KeySpec {
        key: "run.include_task",
        title: "Task in the prompt",
        help: "Whether the task itself is part of its prompt.",
        group: Group::Loop,
        kind: ValueKind::Switch,
        scopes: BOTH,
        default: Default::Text("true"),
    };
    RUN_INCLUDE_PLAN_SECTION: bool = KeySpec {
        key: "run.include_plan_section",
        title: "Plan in the prompt",
        help: "Whether the plan's section for the task is part of its prompt.",
        group: Group::Loop,
        kind: ValueKind::Switch,
        scopes: BOTH,
        default: Default::Text("true"),
    };
    RUN_SPEC_TEMPLATE: String = KeySpec {
        key: "run.spec_template",
        title: "Prompt template",
        help: "How task, plan and documents are put together: {task}, {plan} and {specs} are filled in. Empty: one after another.",
        group: Group::Loop,
        kind: ValueKind::Text,
        scopes: BOTH,
        default: Default::Text(""),
    };
    LOOP_FAILURE_THRESHOLD: u64 = KeySpec {
        key: "loop.failure_threshold",
        title: "Failures in a row",
        help: "A run stops after this many failed iterations one after another; 0 never.",
        group: Group::Loop,
        kind: ValueKind::Count,
        scopes: BOTH,
        default: Default::Text("3"),
    };
    LOOP_NO_PROGRESS: u64 = KeySpec {
        key: "loop.no_progress",
        title: "Iterations without progress",
        help: "A run stops after this many iterations that change neither the files nor what fails; 0 never.",
        group: Group::Loop,
        kind: ValueKind::Count,
        scopes: BOTH,
        default: Default::Text("3"),
    };
    LOOP_MAX_RUNTIME: Option<Duration> = KeySpec {
        key: "loop.max_runtime",
        title: "Time limit of a run",
        help: "How long a run may work. Empty: no limit.",
        group: Group::Loop,
        kind: ValueKind::Time,
        scopes: BOTH,
        default: Default::Text("8h"),
    };
    LOOP_MAX_COST: Option<u64> = KeySpec {
        key: "loop.max_cost",
        title: "Cost limit of a run",
        help: "How many US dollars a run may cost. Empty: no limit.",
        group: Group::Loop,
        kind: ValueKind::Money,
        scopes: BOTH,
        default: Default::Text("25"),
    };
    LOOP_MAX_TOKENS: u64 = KeySpec {
        key: "loop.max_tokens",
        title: "Token limit of a run",
        help: "How many tokens a run may use; 0 is without limit.",
        group: Group::Loop,
        kind: ValueKind::Count,
        scopes: BOTH,
        default: Default::Text("20000000"),
    };
    LOOP_COMPLETION_PROMISE: String = KeySpec {
        key: "loop.completion_promise",
        title: "Completion promise",
        help: "The word an agent puts between promise tags when it is done. Empty: an agent that ends well ends the loop.",
        group: Group::Loop,
        kind: ValueKind::Text,
        scopes: BOTH,
        default: Default::Text("COMPLETE"),
    };
    LOOP_PLAIN_PROMISE: bool = KeySpec {
        key: "loop.plain_promise",
        title: "Plain promise",
        help: "Whether the word alone on a line counts too.",
        group: Group::Loop,
        kind: ValueKind::Switch,
        scopes: BOTH,
        default: Default::Text("false"),
    };
    LOOP_INCLUDE_ITERATION_CONTEXT: bool = KeySpec {
        key: "loop.include_iteration_context",
        title: "Iteration context",
        help: "Whether the agent is told from the second iteration on which one it is.",
        group: Group::Loop,
        kind: ValueKind::Switch,
        scopes: BOTH,
        default: Default::Text("true"),
    };
    LOOP_TOKEN_BUDGET: u64 = KeySpec {
        key: "loop.token_budget",
        title: "Prompt budget",
        help: "A prompt of more tokens than this is warned about and sent all the same; 0 never warns.",
        group: Group::Loop,
        kind: ValueKind::Count,
        scopes: BOTH,
        default: Default::Text("100000"),
    };
    LOOP_AUTOMATION: Automation = KeySpec {
        key: "loop.automation",
        title: "Automation",
        help: "How much the agent may do: manual, plan, auto or yolo.",
        group: Group::Agent,
        kind: ValueKind::Choice(Automation::WORDS),
        scopes: BOTH,
        default: Default::Text("auto"),
    };
    AGENT_TIMEOUT: Option<Duration> = KeySpec {
        key: "agent.timeout",
        title: "Time per iteration",
        help: "How long one agent may work. Empty: no limit.",
        group: Group::Agent,
        kind: ValueKind::Time,
        scopes: BOTH,
        default: Default::Text(""),
    };
    AGENT_IDLE_TIMEOUT: Option<Duration> = KeySpec {
        key: "agent.idle_timeout",
        title: "Silence",
        help: "How long an agent may say nothing. Empty: no limit.",
        group: Group::Agent,
        kind: ValueKind::Time,
        scopes: BOTH,
        default: Default::Text("30m"),
    };
    AGENT_START_TIMEOUT: Option<Duration> = KeySpec {
        key: "agent.start_timeout",
        title: "Time to begin",
        help: "How long an agent may take to say anything at all. Empty: no limit.",
        group: Group::Agent,
        kind: ValueKind::Time,
        scopes: BOTH,
        default: Default::Text("15m"),
    };
    AGENT_INTERRUPT_GRACE: Option<Duration> = KeySpec {
        key: "agent.interrupt_grace",
        title: "Grace",
        help: "How long an agent may go on after the first Ctrl-C.",
        group: Group::Agent,
        kind: ValueKind::Time,
        scopes: BOTH,
        default: Default::Text("10s"),
    };
    LOOP_BASELINE: BaselineMode = KeySpec {
        key: "loop.baseline",
        title: "Checks before the first agent",
        help: "Run the required checks once before the first agent and tell what fails already; skip them; or require that they pass.",
        group: Group::Loop,
        kind: ValueKind::Choice(BaselineMode::WORDS),
        scopes: BOTH,
        default: Default::Text("run"),
    };
    LOOP_DIRTY: DirtyMode = KeySpec {
        key: "loop.dirty",
        title: "Uncommitted work",
        help: "What to do when the tree has uncommitted changes: stop, or include them in the first checkpoint.",
        group: Group::Git,
        kind: ValueKind::Choice(DirtyMode::WORDS),
        scopes: BOTH,
        default: Default::Text("stop"),
    };
    LOOP_ON_STATE_ERROR: StateErrorMode = KeySpec {
        key: "loop.on_state_error",
        title: "State that cannot be written",
        help: "Whether a run holds or goes on. Auto: loop and fix go on and say so, run holds.",
        group: Group::Loop,
        kind: ValueKind::Choice(StateErrorMode::WORDS),
        scopes: BOTH,
        default: Default::Text("auto"),
    };
    GIT_CHECKPOINTS: bool = KeySpec {
        key: "git.checkpoints",
        title: "Checkpoints",
        help: "Whether the tree is saved before every agent.",
        group: Group::Git,
        kind: ValueKind::Switch,
        scopes: BOTH,
        default: Default::Text("true"),
    };
    GIT_AUTO_COMMIT: bool = KeySpec {
        key: "git.auto_commit",
        title: "Commit each iteration",
        help: "Whether loop and fix commit the work of each good iteration.",
        group: Group::Git,
        kind: ValueKind::Switch,
        scopes: BOTH,
        default: Default::Text("false"),
    };
    GIT_COMMIT_TEMPLATE: String = KeySpec {
        key: "git.commit_template",
        title: "Commit message",
        help: "The message of such a commit. {iteration}, {max}, {timestamp}, {date}, {run}, {title} and {harness} are filled in.",
        group: Group::Git,
        kind: ValueKind::Text,
        scopes: BOTH,
        default: Default::Text("loop: iteration {iteration}"),
    };
    GIT_CREATE_BRANCH: bool = KeySpec {
        key: "git.create_branch",
        title: "New branch",
        help: "Whether a run works on a branch of its own.",
        group: Group::Git,
        kind: ValueKind::Switch,
        scopes: BOTH,
        default: Default::Text("false"),
    };
    GIT_BRANCH_TEMPLATE: String = KeySpec {
        key: "git.branch_template",
        title: "Branch name",
        help: "The name of that branch.",
        group: Group::Git,
        kind: ValueKind::Text,
        scopes: BOTH,
        default: Default::Text("loop/{timestamp}"),
    };
    GIT_AGENT_PUSH: bool = KeySpec {
        key: "git.agent_push",
        title: "Agents may push",
        help: "Whether remotes have an address that agents in the sandbox can push to.",
        group: Group::Git,
        kind: ValueKind::Switch,
        scopes: BOTH,
        default: Default::Text("false"),
    };
    LOG_LEVEL: LogLevel = KeySpec {
        key: "log.level",
        title: "Log level",
        help: "How much is written to the log files: error, warn, info or debug.",
        group: Group::Loop,
        kind: ValueKind::Choice(LogLevel::WORDS),
        scopes: BOTH,
        default: Default::Text("info"),
    };
    MODE: ReviewMode = KeySpec {
        key: "mode",
        title: "Review mode",
        help: "When a person looks before work is committed: autonomous, review_each, or review_every:N.",
        group: Group::Gates,
        kind: ValueKind::Mode,
        scopes: BOTH,
        default: Default::Text("autonomous"),
    };
    GATE_PROTECTED: Vec<String> = KeySpec {
        key: "gate.protected",
        title: "Protected paths",
        help: "A change to a file matching one of these patterns always waits for approval.",
        group: Group::Gates,
        kind: ValueKind::Globs,
        scopes: BOTH,
        default: Default::EmptyList,
    };
    GATE_ALWAYS: Vec<String> = KeySpec {
        key: "gate.always",
        title: "Risks that need approval",
        help: "Changes that wait for a person in every mode. Taking one out is a risk.",
        group: Group::Gates,
        kind: ValueKind::Choices(&[
            "tests_deleted",
            "tests_weakened",
            "checks_edited",
            "protected_path",
            "large_diff",
            "secret",
            "left_out",
        ]),
        scopes: BOTH,
        default: Default::All,
    };
    GATE_MAX_LINES: u64 = KeySpec {
        key: "gate.max_lines",
        title: "Large changes",
        help: "A change of more lines than this waits for approval; 0 never.",
        group: Group::Gates,
        kind: ValueKind::Count,
        scopes: BOTH,
        default: Default::Text("800"),
    };
    APP_NOTIFICATIONS: bool = KeySpec {
        key: "app.notifications",
        title: "Notifications",
        help: "Whether the app tells you when a run ends, fails or needs you while its window is not in front.",
        group: Group::App,
        kind: ValueKind::Switch,
        scopes: &[Scope::User],
        default: Default::Text("true"),
    };
    APP_KEEP_AWAKE: bool = KeySpec {
        key: "app.keep_awake",
        title: "Keep awake",
        help: "Whether the app keeps the computer from falling asleep while a run works. The display may turn off.",
        group: Group::App,
        kind: ValueKind::Switch,
        scopes: &[Scope::User],
        default: Default::Text("true"),
    };
    NOTIFY_COMMAND: String = KeySpec {
        key: "notify.command",
        title: "Notify command",
        help: "A command that is started when a run at the command line opens a gate, blocks a task, reaches a limit, fails or is done. It gets JSON on standard input.",
        group: Group::App,
        kind: ValueKind::Text,
        scopes: &[Scope::User],
        default: Default::Text(""),
    };
    APP_EDITOR: String = KeySpec {
        key: "app.editor",
        title: "Editor",
        help: "What files are opened in. Auto: the first known editor that is installed; system: what your desktop takes for the file.",
        group: Group::App,
        kind: ValueKind::Choice(editors::CHOICES),
        scopes: &[Scope::User],
        default: Default::Text("auto"),
    };
    UI_THEME: Theme = KeySpec {
        key: "ui.theme",
        title: "Theme",
        help: "Light, dark, or as the system is set.",
        group: Group::Appearance,
        kind: ValueKind::Choice(Theme::WORDS),
        scopes: &[Scope::User],
        default: Default::Text("system"),
    };
}
