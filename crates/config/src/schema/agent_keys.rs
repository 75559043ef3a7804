//! The keys about agents: who works, what happens at limits and outages, and their sandbox.

use loopwright_domain::OnLimit;

use super::typed::SandboxMode;
use super::{Default, Group, KeySpec, Scope};
use crate::value::ValueKind;

const BOTH: &[Scope] = &[Scope::Project, Scope::User];
/// A project must not open its own sandbox.
const USER: &[Scope] = &[Scope::User];

pub(super) const ROLE_BUILD: KeySpec = KeySpec {
    key: "role.build",
    title: "Agent that builds",
    help: "Which agent works on tasks and prompts, as \"agent\" or \"agent/model\". Empty: the agent above.",
    group: Group::Agent,
    kind: ValueKind::Text,
    scopes: BOTH,
    default: Default::Text(""),
};
pub(super) const ROLE_WIZARD: KeySpec = KeySpec {
    key: "role.wizard",
    title: "Agent of the wizard",
    help: "Which agent helps to write the spec. Empty: the agent above.",
    group: Group::Agent,
    kind: ValueKind::Text,
    scopes: BOTH,
    default: Default::Text(""),
};
pub(super) const ROLE_LEARN: KeySpec = KeySpec {
    key: "role.learn",
    title: "Agent that learns",
    help: "Which agent writes down what was learned at a task, where the one that worked did not, as \"agent\" or \"agent/model\". A cheap model will do. Empty: a rule does it.",
    group: Group::Agent,
    kind: ValueKind::Text,
    scopes: BOTH,
    default: Default::Text(""),
};
pub(super) const ON_LIMIT: KeySpec = KeySpec {
    key: "on_limit",
    title: "At a usage limit",
    help: "What to do when an agent's account is used up for now: wait for its reset, stop, or fall back to another agent.",
    group: Group::Agent,
    kind: ValueKind::Choice(OnLimit::WORDS),
    scopes: BOTH,
    default: Default::Text("wait"),
};
pub(super) const FALLBACK: KeySpec = KeySpec {
    key: "fallback",
    title: "Other agents",
    help: "Who takes over at a limit or an outage, in this order, as \"agent\" or \"agent/model\". The first one comes back when it can.",
    group: Group::Agent,
    kind: ValueKind::List,
    scopes: BOTH,
    default: Default::EmptyList,
};
pub(super) const ESCALATION: KeySpec = KeySpec {
    key: "escalation",
    title: "Stronger agents",
    help: "Who takes over when the same task fails again and again, from weaker to stronger, as \"agent\" or \"agent/model\".",
    group: Group::Agent,
    kind: ValueKind::List,
    scopes: BOTH,
    default: Default::EmptyList,
};
pub(super) const ESCALATE_AFTER: KeySpec = KeySpec {
    key: "escalate_after",
    title: "Failures before a stronger agent",
    help: "After how many failed attempts at the same task the next stronger agent is taken.",
    group: Group::Agent,
    kind: ValueKind::Count,
    scopes: BOTH,
    default: Default::Text("2"),
};
pub(super) const LIMIT_MARGIN: KeySpec = KeySpec {
    key: "limit.margin",
    title: "Margin after a limit",
    help: "How long to wait beyond the time at which a limit is lifted.",
    group: Group::Agent,
    kind: ValueKind::Time,
    scopes: BOTH,
    default: Default::Text("1m"),
};
pub(super) const LIMIT_RECHECK: KeySpec = KeySpec {
    key: "limit.recheck",
    title: "Looking again",
    help: "How often to look again at a limit whose end is not known; empty for not by itself.",
    group: Group::Agent,
    kind: ValueKind::Time,
    scopes: BOTH,
    default: Default::Text("15m"),
};
pub(super) const OVERLOAD_MAX_WAIT: KeySpec = KeySpec {
    key: "overload.max_wait",
    title: "Longest wait at an outage",
    help: "How long at most to wait before an overloaded service is tried again.",
    group: Group::Agent,
    kind: ValueKind::Time,
    scopes: BOTH,
    default: Default::Text("10m"),
};
pub(super) const SANDBOX: KeySpec = KeySpec {
    key: "sandbox",
    title: "Sandbox",
    help: "Whether agents can write only in the project and in their own folders. Auto: where this machine can do it.",
    group: Group::Agent,
    kind: ValueKind::Choice(SandboxMode::WORDS),
    scopes: USER,
    default: Default::Text("auto"),
};
pub(super) const SANDBOX_NETWORK: KeySpec = KeySpec {
    key: "sandbox_network",
    title: "Network in the sandbox",
    help: "Whether agents in the sandbox reach the network. Their model is reached over it too.",
    group: Group::Agent,
    kind: ValueKind::Switch,
    scopes: USER,
    default: Default::Text("true"),
};
pub(super) const SANDBOX_WRITE: KeySpec = KeySpec {
    key: "sandbox_write",
    title: "Folders open to the sandbox",
    help: "More folders that agents in the sandbox may write in, as full paths.",
    group: Group::Agent,
    kind: ValueKind::List,
    scopes: USER,
    default: Default::EmptyList,
};
