//! `loopwright status`.

use std::collections::HashMap;
use std::process::ExitCode;

use loopwright_domain::{ExitReason, Fault, ReviewMode, RunStatus, Task, TaskId, TaskStatus, TrustState};
use loopwright_engine::config::{Config, key};
use loopwright_engine::run::RunView;
use loopwright_engine::{GitSummary, Look, Overview, progress};
use serde::Serialize;

use super::run::show_run;
use super::task::task_format;
use crate::context::Context;
use crate::output::{self, CARE, GOOD, HEADING, QUIET, count, plain, say, styled};

const BAR: u32 = 12;

pub(super) fn run(context: &Context, changes: bool) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let look = if changes { Look::Ask } else { Look::Files };
    let mut overview = context.wait(project.overview(look))?;
    for envelope in &mut overview.activity {
        envelope.event = envelope.event.clone().counted_from_one();
    }
    let run = context.wait(project.runs().view(None))?;
    if context.json {
        output::json(&Status { overview: &overview, run })?;
    } else {
        let in_git = project.layout().repository.is_some();
        tell(&overview, &project.config(), waiting_gates(&overview, run.as_ref()), in_git);
        if let Some(run) = run {
            say!("");
            show_run(&run, &overview.tasks);
        }
    }
    Ok(overview.problems.first().map_or(ExitCode::SUCCESS, |fault| ExitCode::from(fault.kind.exit_code())))
}

/// The overview with the last run beside it.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct Status<'a> {
    #[serde(flatten)]
    overview: &'a Overview,
    run: Option<RunView>,
}

/// What is said where nothing is known of git.
const fn no_git(in_git: bool) -> &'static str {
    if in_git { "the repository cannot be read" } else { "not in a git repository" }
}

fn tell(overview: &Overview, config: &Config, waiting: usize, in_git: bool) {
    let sample = if overview.project.sample { styled(CARE, "  sample project") } else { String::new() };
    say!("{}{sample}", styled(HEADING, plain(&overview.project.name)));
    let line = |title: &str, text: String| say!("  {} {text}", styled(QUIET, format!("{title:<7}")));
    line("Folder", plain(&overview.project.path));
    line("Git", overview.project.git.as_ref().map_or_else(|| no_git(in_git).to_owned(), git));
    line("Trust", trust(overview));
    line("Agent", agent(overview));
    line("Checks", checks(overview));
    line("Gates", gates(overview, config));
    if waiting > 0 {
        let waiting = count(waiting, "gate waits for you", "gates wait for you");
        line("", format!("{}: loopwright gate list", styled(CARE, waiting)));
    }
    let spec: Vec<String> = overview.spec_files.iter().map(|file| plain(&file.path)).collect();
    if !spec.is_empty() {
        line("Spec", spec.join(", "));
    }
    waves(overview);
    for problem in &overview.problems {
        say!("");
        output::tell(problem);
    }
}

fn git(git: &GitSummary) -> String {
    let place = match (&git.branch, &git.head) {
        (Some(branch), Some(head)) => format!("{} at {head}", plain(branch)),
        (Some(branch), None) => format!("{}, no commit yet", plain(branch)),
        (None, Some(head)) => format!("detached at {head}"),
        (None, None) => "no commit yet".to_owned(),
    };
    let changed = match git.changed {
        Some(0) => ", clean".to_owned(),
        Some(number) => format!(", {} changed", count(number as usize, "file", "files")),
        None => String::new(),
    };
    let operation = git.operation.as_ref().map(|name| styled(CARE, format!(", {name} under way")));
    format!("{place}{changed}{}", operation.unwrap_or_default())
}

fn trust(overview: &Overview) -> String {
    match overview.trust.state {
        TrustState::NotNeeded => "nothing to trust".to_owned(),
        TrustState::Trusted => styled(GOOD, "trusted"),
        TrustState::Untrusted => format!("{}: see \"loopwright trust\"", styled(CARE, "not trusted yet")),
        TrustState::Changed => {
            format!("{}: see \"loopwright trust\"", styled(CARE, "changed since you trusted it"))
        }
    }
}

fn agent(overview: &Overview) -> String {
    let scripted = if overview.agent.scripted { " (scripted, not an AI)" } else { "" };
    let problem =
        overview.agent.problem.as_ref().map(|fault| styled(CARE, format!(": {}", plain(&fault.message))));
    format!("{}{scripted}{}", plain(&overview.agent.label), problem.unwrap_or_default())
}

fn checks(overview: &Overview) -> String {
    if overview.checks.is_empty() {
        return "none".to_owned();
    }
    let name = |check: &loopwright_engine::CheckSummary| {
        let optional = if check.required { "" } else { " (optional)" };
        format!("{}{optional}", plain(&check.name))
    };
    overview.checks.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// How many gates are open, from what is known already.
fn waiting_gates(overview: &Overview, run: Option<&RunView>) -> usize {
    let tasks = overview.tasks.iter().filter(|task| task.status == TaskStatus::AwaitingApproval).count();
    // A look back is about no single task.
    let looks_back = run.is_some_and(|run| {
        run.status == RunStatus::Waiting && run.exit_reason == Some(ExitReason::NeedsPerson)
    });
    tasks.max(usize::from(looks_back))
}

fn gates(overview: &Overview, config: &Config) -> String {
    let stops = match overview.mode {
        ReviewMode::Autonomous => None,
        ReviewMode::Each => Some("after each task".to_owned()),
        ReviewMode::Every(number) => Some(format!("after every {number} tasks")),
    };
    let protected: Vec<String> = overview.protected.iter().map(|pattern| plain(pattern)).collect();
    let changes = (!protected.is_empty()).then(|| format!("for changes to {}", protected.join(", ")));
    let watches_risks = !config.value(key::GATE_ALWAYS).is_empty();
    let risks = watches_risks.then(|| "for risky changes".to_owned());
    let all: Vec<String> = [stops, risks, changes].into_iter().flatten().collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

fn waves(overview: &Overview) {
    if overview.tasks.is_empty() {
        say!("\n{}", styled(QUIET, progress(&overview.tasks)));
        return;
    }
    let tasks: HashMap<TaskId, &Task> = overview.tasks.iter().map(|task| (task.id, task)).collect();
    for wave in &overview.waves {
        let name = styled(HEADING, format!("Wave {}", wave.number));
        let bar = task_format::bar(wave.done, wave.total, BAR);
        say!("\n{name}  {bar}  {}/{}", wave.done, wave.total);
        for task in wave.tasks.iter().filter_map(|id| tasks.get(id)) {
            let title = plain(&task.draft.title);
            say!("  {} {:>4} {title}{}", task_format::mark(task.status), task.id.to_string(), needs(task));
        }
    }
    say!("\n{}", progress(&overview.tasks));
}

fn needs(task: &Task) -> String {
    match task.draft.depends_on.as_slice() {
        [] => String::new(),
        _ if task.status == TaskStatus::Done => String::new(),
        on => styled(QUIET, format!("  after {}", task_format::ids(on))),
    }
}
