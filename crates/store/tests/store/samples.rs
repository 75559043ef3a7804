//! Runs, iterations and results for the tests: plain ones, and any ones.

use loopwright_domain::{
    AgentFacts, AgentProblem, Baseline, BaselineCheck, CheckResult, CheckStatus, Claim, EndCause, ErrorCode,
    ExitReason, FailureCause, Hold, Issue, Iteration, Limits, Origin, Outcome, Phase, ProblemKind, Progress,
    Run, RunId, RunKind, RunStatus, SandboxState, Severity, Usage, WaitReason,
};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use crate::support::NOW;

pub(crate) fn run_id(number: u64) -> RunId {
    RunId::from_parts(number, [7; 10])
}

/// A run that has just begun.
pub(crate) fn new_run(number: u64) -> Run {
    Run {
        id: run_id(number),
        kind: RunKind::Loop,
        title: format!("run {number}"),
        procedure: None,
        harness: "rehearsal".into(),
        status: RunStatus::Running,
        waiting: None,
        reason: None,
        code: None,
        message: None,
        limits: Limits::default(),
        progress: Progress::default(),
        goal: true,
        origin: Origin::Cli,
        started_at: NOW.into(),
        last_iteration_at: None,
        ended_at: None,
        head: None,
        tree: None,
        baseline: None,
        start_tree: None,
        approved_tree: None,
        holds: Vec::new(),
        options: "{}".into(),
    }
}

/// The iteration of this number in a run, before anything happened. Ids are of their own in each run.
pub(crate) fn planned(run: &Run, number: u32, attempt: u32) -> Iteration {
    let id = format!("{}{number:08x}{attempt:04x}", &run.id.to_string()[..24]);
    Iteration::planned(id.parse().unwrap(), run.id, number, attempt, NOW.into())
}

pub(crate) fn check(name: &str, position: u32, status: CheckStatus) -> CheckResult {
    CheckResult {
        name: name.into(),
        position,
        required: true,
        status,
        exit_code: Some(0),
        elapsed_ms: 12,
        issues: Vec::new(),
        excerpt: String::new(),
        problem: None,
        code: None,
        red_before: None,
    }
}

fn text() -> impl Strategy<Value = String> {
    any::<String>()
}

fn maybe() -> impl Strategy<Value = Option<String>> {
    any::<Option<String>>()
}

/// Any count that SQLite holds exactly.
fn count() -> impl Strategy<Value = u64> {
    0..=u64::try_from(i64::MAX).unwrap()
}

fn any_usage() -> impl Strategy<Value = Usage> {
    (any::<[u64; 4]>(), any::<Option<u64>>(), any::<bool>()).prop_map(
        |([input, output, cache_read, cache_write], cost_micros, estimated)| Usage {
            input,
            output,
            cache_read,
            cache_write,
            cost_micros,
            estimated,
        },
    )
}

fn any_limits() -> impl Strategy<Value = Limits> {
    (any::<[u32; 3]>(), any::<[Option<u64>; 3]>()).prop_map(|(counts, amounts)| Limits {
        max_iterations: counts[0],
        failure_threshold: counts[1],
        no_progress: counts[2],
        max_runtime_ms: amounts[0],
        max_cost_micros: amounts[1],
        max_tokens: amounts[2],
    })
}

fn any_progress() -> impl Strategy<Value = Progress> {
    (any::<[u32; 3]>(), any::<u64>(), any_usage()).prop_map(|(counts, worked_ms, usage)| Progress {
        iteration: counts[0],
        consecutive_failures: counts[1],
        unchanged: counts[2],
        worked_ms,
        usage,
    })
}

fn any_code() -> impl Strategy<Value = Option<ErrorCode>> {
    option::of(select(ErrorCode::ALL))
}

fn any_hold() -> impl Strategy<Value = Hold> {
    let words = (text(), text(), text());
    (select(ProblemKind::ALL), any_code(), words, maybe(), any::<u32>()).prop_map(
        |(kind, code, (agent, message, since), until, tries)| Hold {
            agent,
            kind,
            code,
            message,
            since,
            until,
            tries,
        },
    )
}

fn any_agent() -> impl Strategy<Value = AgentFacts> {
    let problem = (select(ProblemKind::ALL), text(), any::<Option<u16>>())
        .prop_map(|(kind, message, status)| AgentProblem { kind, message, status });
    let names = (maybe(), maybe(), maybe());
    let told = (any::<Option<u32>>(), option::of(problem), any::<Vec<String>>(), any::<Vec<String>>());
    (names, told, any_code(), option::of(select(SandboxState::ALL))).prop_map(
        |((harness, model, session), (turns, problem, denied, satisfied_by), code, sandbox)| AgentFacts {
            harness,
            model,
            session,
            turns,
            problem,
            code,
            denied,
            satisfied_by,
            sandbox,
        },
    )
}

fn any_baseline() -> impl Strategy<Value = Baseline> {
    let check = (text(), any::<[bool; 2]>(), select(CheckStatus::ALL), maybe(), maybe()).prop_map(
        |(name, [required, cached], status, fingerprint, summary)| BaselineCheck {
            name,
            required,
            status,
            fingerprint,
            summary,
            cached,
        },
    );
    (maybe(), prop::collection::vec(check, 0..3)).prop_map(|(tree, checks)| Baseline { tree, checks })
}

prop_compose! {
    /// Any run with this id.
    pub(crate) fn any_run(id: RunId)(
        kind in select(RunKind::ALL),
        status in select(RunStatus::ALL),
        waiting in option::of(select(WaitReason::ALL)),
        (reason, code) in (option::of(select(ExitReason::ALL)), any_code()),
        texts in (text(), text(), text(), text()),
        names in (maybe(), maybe(), maybe(), maybe(), maybe(), maybe(), maybe(), maybe()),
        (limits, progress) in (any_limits(), any_progress()),
        goal in any::<bool>(),
        origin in select(&[Origin::Cli, Origin::App]),
        (holds, baseline) in (prop::collection::vec(any_hold(), 0..3), option::of(any_baseline())),
    ) -> Run {
        let (title, harness, started_at, options) = texts;
        let (procedure, message, last_iteration_at, ended_at, head, tree, start_tree, approved_tree) =
            names;
        Run {
            id, kind, title, procedure, harness, status, waiting, reason, code, message, limits, progress, goal,
            origin, started_at, last_iteration_at, ended_at, head, tree, start_tree,
            approved_tree, options, holds, baseline,
        }
    }
}

prop_compose! {
    /// Any iteration with the keys of this one.
    pub(crate) fn any_iteration(like: Iteration)(
        phase in select(Phase::ALL),
        outcome in option::of(select(Outcome::ALL)),
        cause in option::of(select(FailureCause::ALL)),
        end in option::of(select(EndCause::ALL)),
        claim in select(Claim::ALL),
        texts in (text(), text(), maybe(), maybe(), maybe(), maybe()),
        trees in (maybe(), maybe(), maybe(), maybe(), maybe()),
        counts in (count(), count(), count()),
        (pid, exit_code, exit_signal) in any::<(Option<u32>, Option<i32>, Option<i32>)>(),
        (promise_checked, usage) in (any::<bool>(), any_usage()),
        (failing, agent) in (any::<Vec<String>>(), any_agent()),
    ) -> Iteration {
        let (started_at, preview, message, ended_at, process_started, claim_text) = texts;
        let (head, checkpoint, tree_before, tree_after, commit) = trees;
        let (agent_ms, elapsed_ms, prompt_tokens) = counts;
        Iteration {
            phase, outcome, cause, end, claim, started_at, preview, message, ended_at, process_started, claim_text,
            head, checkpoint, tree_before, tree_after, commit, agent_ms, elapsed_ms, prompt_tokens, pid, exit_code,
            exit_signal, promise_checked, usage, failing, agent, ..like.clone()
        }
    }
}

fn any_issue() -> impl Strategy<Value = Issue> {
    (select(Severity::ALL), maybe(), any::<Option<u32>>(), text())
        .prop_map(|(severity, file, line, message)| Issue { severity, file, line, message })
}

prop_compose! {
    /// Any result of the check at this position.
    pub(crate) fn any_check(position: u32)(
        status in select(CheckStatus::ALL),
        (name, excerpt, problem) in (text(), text(), maybe()),
        (code, red_before) in (any_code(), any::<Option<bool>>()),
        required in any::<bool>(),
        exit_code in any::<Option<i32>>(),
        elapsed_ms in count(),
        issues in prop::collection::vec(any_issue(), 0..4),
    ) -> CheckResult {
        CheckResult {
            name, position, required, status, exit_code, elapsed_ms, issues, excerpt, problem, code, red_before,
        }
    }
}
