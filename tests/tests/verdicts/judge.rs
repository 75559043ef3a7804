//! What has to hold after every command, whatever the scenario.

use std::collections::BTreeSet;

use loopwright_testkit::Output;
use serde_json::Value;

use crate::clone;
use crate::machine::Machine;
use crate::scenario::{Layout, Scenario, Verb};
use crate::world::{World, run as git};

/// Words that claim a good end.
const CLAIMS: &[&str] =
    &["all work is done", "All work is done", "all required checks pass", "All required checks pass"];
/// Words that claim that the files are as before.
const PUT_BACK: &[&str] = &["files are as they were"];

/// What a command is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It carries the run: start and resume.
    Run,
    /// It decides about a gate.
    Decision,
    /// Anything else.
    Other,
}

impl Kind {
    pub(crate) fn of(args: &[String]) -> Self {
        match args.first().map(String::as_str) {
            Some("run" | "loop" | "fix" | "resume") => Self::Run,
            Some("approve" | "reject") => Self::Decision,
            _ => Self::Other,
        }
    }
}

/// A command that was given, and the world around it.
pub(crate) struct Played<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) scenario: &'a Scenario,
    pub(crate) kind: Kind,
    pub(crate) output: &'a Output,
    /// Before the first command.
    pub(crate) begin: &'a World,
    /// Before the work that is judged.
    pub(crate) before: &'a World,
    pub(crate) after: &'a World,
}

impl Played<'_> {
    /// Whether work lies there that nobody has decided about.
    pub(crate) fn waits(&self) -> bool {
        (self.kind == Kind::Run && self.output.code == 5)
            || (self.kind == Kind::Decision && self.output.code != 0)
    }

    /// Whether the process was made to vanish: somebody has to go on.
    pub(crate) fn vanished(&self) -> bool {
        self.scenario.crash.is_some() && self.output.code == -1
    }

    fn is_done(&self) -> bool {
        self.kind == Kind::Run && self.output.code == 0
    }

    fn says(&self, words: &str) -> bool {
        self.output.stdout.contains(words) || self.output.stderr.contains(words)
    }
}

/// What is wrong.
pub(crate) fn judge(played: &Played<'_>) -> Vec<String> {
    let mut wrong = Vec::new();
    if played.says("panicked") || played.output.code == 134 || played.output.code == 101 {
        wrong.push("it panicked".to_owned());
    }
    let begin = played.begin.losses(
        played.after,
        &played.machine.sandbox,
        &played.machine.project,
        &played.scenario.moves,
    );
    // What a user did between two steps is no loss.
    let before = played.before.losses(
        played.after,
        &played.machine.sandbox,
        &played.machine.project,
        &played.scenario.moves,
    );
    wrong.extend(begin.into_iter().filter(|loss| before.contains(loss)));
    wrong.extend(files(played));
    wrong.extend(match record(played) {
        Ok(wrong) => wrong,
        Err(problem) => vec![problem],
    });
    if played.is_done() {
        wrong.extend(clone::fails(played.machine, played.scenario));
    }
    if PUT_BACK.iter().any(|words| played.says(words)) {
        let meant = |path: &String| played.scenario.touches.iter().any(|one| one == path);
        let changed: Vec<String> =
            played.before.changed(played.after).into_iter().filter(|path| !meant(path)).collect();
        if !changed.is_empty() {
            wrong.push(format!("\"the files are as they were\", but these are not: {changed:?}"));
        }
    }
    wrong
}

/// The user's own files are untouched, a failed task leaves nothing behind, and a commit holds what it says.
fn files(played: &Played<'_>) -> Vec<String> {
    let Played { scenario, before, after, .. } = played;
    let meant = |path: &String| {
        scenario.touches.iter().any(|one| one == path || (one.ends_with('/') && path.starts_with(&**one)))
    };
    let changed: BTreeSet<String> = before.changed(after).into_iter().filter(|path| !meant(path)).collect();
    let mut wrong = Vec::new();
    if !before.git {
        return wrong;
    }
    for path in changed.intersection(&before.untracked) {
        if git(
            &played.machine.sandbox,
            &played.machine.project,
            &["cat-file", "-e", &format!("HEAD:./{path}")],
        )
        .is_none()
        {
            wrong.push(format!("the user's own {path} was changed or removed"));
        } else {
            wrong.push(format!("the user's own {path} is in a commit"));
        }
    }
    let over = played.kind == Kind::Run && !matches!(played.output.code, 5 | 2) && !played.vanished();
    if scenario.verb != Verb::Run || !over {
        return wrong;
    }
    let uncommitted = scenario.args.windows(2).any(|pair| pair[0] == "--commit" && pair[1] == "none");
    let open = git(
        &played.machine.sandbox,
        &played.machine.project,
        &["status", "--porcelain", "--untracked-files=all", "--", "."],
    );
    let left: Vec<String> =
        open.unwrap_or_default().lines().filter_map(|line| line.get(3..)).map(str::to_owned).collect();
    let prefix = if scenario.layout == Layout::Subfolder { "app/" } else { "" };
    for path in left {
        let path = path.strip_prefix(prefix).unwrap_or(&path).to_owned();
        if changed.contains(&path) && !(uncommitted && played.is_done()) {
            wrong.push(format!("{path} is left behind, and no commit holds it"));
        }
    }
    wrong
}

/// Exit code, words and the record agree.
fn record(played: &Played<'_>) -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    let code = played.output.code;
    let status = played.machine.ask(&["status", "--json"])?;
    let run = &status["run"];
    let tasks = status["tasks"].as_array().cloned().unwrap_or_default();
    let gates = played.machine.ask(&["gate", "list", "--json"])?["open"].as_array().map_or(0, Vec::len);
    let worked_on = played.vanished() || played.scenario.works_by_hand();
    for task in tasks.iter().filter(|task| task["status"] == "in_progress" && !worked_on) {
        wrong.push(format!("task {} is in_progress, and nobody works", task["id"]));
    }
    let waiting = tasks.iter().filter(|task| task["status"] == "awaiting_approval").count();
    if waiting > gates && code != 5 {
        wrong.push(format!("{waiting} tasks await approval at {gates} gates"));
    }
    if run.is_null() {
        if played.kind == Kind::Run && !matches!(code, 1 | 2) && !played.vanished() {
            wrong.push(format!("it ended with {code}, and there is no run"));
        }
        return Ok(wrong);
    }
    let shown = played.machine.ask(&["show", "--json"])?;
    let shown = shown.get("run").filter(|run| run.is_object()).unwrap_or(&shown);
    for field in ["status", "exit_reason", "completed"] {
        if shown.get(field).is_some() && shown[field] != run[field] {
            wrong.push(format!("status has {field} {} and show has {}", run[field], shown[field]));
        }
    }
    if played.kind == Kind::Run && code != 2 && !played.vanished() {
        wrong.extend(ending(played, run, &tasks, gates));
    }
    wrong.extend(commits(played, run));
    Ok(wrong)
}

fn ending(played: &Played<'_>, run: &Value, tasks: &[Value], gates: usize) -> Vec<String> {
    let mut wrong = Vec::new();
    let code = played.output.code;
    let status = run["status"].as_str().unwrap_or("none");
    let fits: &[&str] = match code {
        0 => &["completed"],
        1 => &["aborted", "interrupted"],
        3 => &["aborted", "interrupted", "paused", "waiting", "exhausted", "stopped"],
        4 => &["aborted", "blocked", "waiting"],
        5 => &["waiting", "paused"],
        130 | 143 => &["interrupted", "cancelled"],
        _ => &[],
    };
    if !fits.contains(&status) {
        wrong.push(format!("it ended with {code}, and the run is {status} ({})", run["exit_reason"]));
    }
    if run["completed"] != Value::Bool(code == 0) {
        wrong.push(format!("it ended with {code}, and completed is {}", run["completed"]));
    }
    if code != 0 {
        wrong.extend(
            CLAIMS
                .iter()
                .filter(|words| played.says(words))
                .map(|words| format!("it ended with {code} and said \"{words}\"")),
        );
    }
    let one_task = played.scenario.args.iter().any(|word| matches!(&**word, "--task" | "--wave" | "--tag"));
    if code == 0 && played.scenario.verb == Verb::Run && !one_task {
        for task in tasks.iter().filter(|task| !matches!(task["status"].as_str(), Some("done" | "cancelled")))
        {
            wrong.push(format!("it ended with 0, and task {} is {}", task["id"], task["status"]));
        }
    }
    if code == 0 && gates > 0 {
        wrong.push(format!("it ended with 0, and {gates} gates are open"));
    }
    if code == 5 && gates == 0 && run["message"].as_str().unwrap_or_default().is_empty() {
        wrong.push("it waits, and neither a gate nor a message says for what".to_owned());
    }
    wrong
}

/// The commits that are written down are there, and HEAD holds them.
fn commits(played: &Played<'_>, run: &Value) -> Vec<String> {
    let Machine { sandbox, project, .. } = played.machine;
    let all = run["iteration_summaries"].as_array().cloned().unwrap_or_default();
    let recorded = all.iter().filter_map(|one| one["commit"].as_str());
    let lost = recorded
        .filter(|commit| git(sandbox, project, &["merge-base", "--is-ancestor", commit, "HEAD"]).is_none());
    let mut wrong: Vec<String> =
        lost.map(|commit| format!("{commit} is recorded, and HEAD does not hold it")).collect();
    for one in &all {
        let worked = one["outcome"] == "succeeded";
        if worked && one["exit_code"].as_i64().is_some_and(|code| code != 0) {
            wrong.push(format!(
                "iteration {} succeeded with exit code {}",
                one["iteration"], one["exit_code"]
            ));
        }
    }
    wrong
}
