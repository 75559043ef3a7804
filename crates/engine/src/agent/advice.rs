//! What an agent's trouble means and what to do about it: one place for every agent and every sort of trouble.

use loopwright_agents::adapter;
use loopwright_domain::{AgentProblem, ErrorCode, Fault, NextAction, ProblemKind};

/// An agent's trouble as a fault: its code, what the agent says, and what to do.
#[must_use]
pub fn fault(agent: &str, problem: &AgentProblem) -> Fault {
    let own = adapter(agent).and_then(|adapter| adapter.advice(problem.kind));
    let hint = own.unwrap_or_else(|| general(problem.kind).to_owned());
    let fault = Fault::new(code(problem.kind), problem.message.trim_end_matches('.'));
    let fault = if hint.is_empty() { fault } else { fault.hint(hint) };
    match step(problem.kind) {
        Some((action, text)) => fault.next(action, text),
        None => fault,
    }
}

/// The code for a sort of trouble.
#[must_use]
pub const fn code(kind: ProblemKind) -> ErrorCode {
    match kind {
        ProblemKind::Login => ErrorCode::AgentLogin,
        ProblemKind::UsageLimit | ProblemKind::RateLimit => ErrorCode::AgentLimit,
        ProblemKind::Overload | ProblemKind::Connection => ErrorCode::AgentOverload,
        ProblemKind::Billing => ErrorCode::AgentBilling,
        ProblemKind::Permission => ErrorCode::AgentPermission,
        ProblemKind::UntrustedFolder => ErrorCode::AgentFolder,
        ProblemKind::Root => ErrorCode::AgentRoot,
        ProblemKind::BadOption => ErrorCode::AgentOption,
        ProblemKind::TurnLimit | ProblemKind::BudgetLimit | ProblemKind::Output | ProblemKind::Other => {
            ErrorCode::AgentFailed
        }
    }
}

/// What can be done about it with Loopwright itself.
const fn step(kind: ProblemKind) -> Option<(NextAction, &'static str)> {
    match kind {
        ProblemKind::UsageLimit | ProblemKind::RateLimit | ProblemKind::Overload | ProblemKind::Billing => {
            Some((NextAction::ChooseAgent, "Choose another agent"))
        }
        ProblemKind::Permission => Some((NextAction::RaiseAutomation, "Allow it everything for this run")),
        ProblemKind::Output => Some((NextAction::ListIterations, "See the names of its files")),
        ProblemKind::BadOption | ProblemKind::Other => {
            Some((NextAction::InspectAgents, "Look at the agents that are installed"))
        }
        _ => None,
    }
}

const fn general(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::Login => "Log in with the agent's own program, or set its key.",
        ProblemKind::UsageLimit => "Wait for its reset.",
        ProblemKind::RateLimit => "Wait a little.",
        ProblemKind::Overload => "Try again later.",
        ProblemKind::Connection => "Look at your network, then try again.",
        ProblemKind::Billing => "Add money or credits to the account.",
        ProblemKind::Permission => "Allow more in the agent's own settings.",
        ProblemKind::TurnLimit => "Raise the turns in the agent's own settings, or give it smaller tasks.",
        ProblemKind::BudgetLimit => "Raise the money in the agent's own settings, or give it smaller tasks.",
        ProblemKind::UntrustedFolder => "Start the agent by hand in this folder once, and trust it.",
        ProblemKind::Root => "Set sandbox = \"on\" in your own settings, or work as another user.",
        ProblemKind::BadOption => "Look at the arguments in your settings, and at the agent's version.",
        ProblemKind::Output => "Look at its output.",
        ProblemKind::Other => "",
    }
}

#[cfg(test)]
mod tests {
    use loopwright_agents::adapters;

    use super::*;

    #[test]
    fn every_trouble_of_every_agent_has_a_code_and_advice() {
        for name in adapters().iter().map(|adapter| adapter.name).chain(["mine"]) {
            for kind in ProblemKind::ALL {
                let problem = AgentProblem { kind: *kind, message: "It failed.".into(), status: None };
                let fault = fault(name, &problem);
                assert!(fault.code.as_str().starts_with("agent."), "{name} {kind}");
                assert_eq!(fault.message, "It failed", "{name} {kind}");
                let hint_ends = fault.hint.as_deref().is_none_or(|hint| hint.ends_with('.'));
                let advised = fault.hint.is_some() || !fault.next.is_empty();
                assert!(hint_ends && advised, "{name} {kind}");
            }
        }
        let login = AgentProblem { kind: ProblemKind::Login, message: "401".into(), status: Some(401) };
        assert!(fault("codex", &login).hint.unwrap().contains("codex login"));
    }
}
