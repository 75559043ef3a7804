//! Trust: collects everything a folder would make Loopwright execute, and remembers what a person agreed to.

use std::collections::BTreeMap;

use loopwright_domain::digest::sha256_hex;
use loopwright_domain::{ErrorCode, Executable, Fault, NextAction, Origin, TrustDigest, TrustState};
use loopwright_vcs::Finding;
use serde::{Deserialize, Serialize};

use crate::check::Check;
use crate::config::Config;
use crate::file::HarnessCommand;
use crate::host::Host;
use crate::known_projects::{ProjectRecord, Registry};
use crate::layout::{Layout, PROJECT_DIR};
use crate::text_file;

/// The rehearsal scenario inside a project; it can name commands, so trust covers it.
const SCENARIO_FILE: &str = "rehearsal.toml";
const SCENARIO_LIMIT: u64 = 4 * 1024 * 1024;

/// What a folder would execute, and whether it may.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct TrustReport {
    /// Whether commands may run now.
    pub state: TrustState,
    /// The digest of all that would be executed; a decision is bound to it.
    pub digest: TrustDigest,
    /// Everything Loopwright would execute on this folder's word.
    pub executables: Vec<Executable>,
    /// What else lies in the folder that other programs would execute.
    pub findings: Vec<Finding>,
}

/// What a folder would execute and whether a person has agreed to exactly that, without what else lies in it.
///
/// # Errors
/// The hooks or the scenario of the folder cannot be read.
pub fn judgement(host: &Host, layout: &Layout, config: &Config) -> Result<TrustReport, Fault> {
    judged(Registry::of(host).find(&layout.root).as_ref(), layout, config)
}

/// The same, by the user's record of the project where somebody has read it already.
///
/// # Errors
/// The hooks or the scenario of the folder cannot be read.
pub fn judged(
    record: Option<&ProjectRecord>,
    layout: &Layout,
    config: &Config,
) -> Result<TrustReport, Fault> {
    let executables = executables(layout, config)?;
    let trusted = record.and_then(|record| record.trust.as_ref()).map(|trust| &trust.digest);
    Ok(TrustReport {
        state: TrustState::judge(&executables, trusted),
        digest: TrustDigest::of(&executables),
        executables,
        findings: Vec::new(),
    })
}

/// Everything in the folder that Loopwright would execute.
///
/// # Errors
/// The hooks or the scenario of the folder cannot be read.
pub fn executables(layout: &Layout, config: &Config) -> Result<Vec<Executable>, Fault> {
    let mut list: Vec<Executable> = config.checks.iter().filter_map(check).collect();
    let own = config.harnesses.iter().filter_map(|(name, harness)| Some((name, harness.of_project()?)));
    list.extend(own.map(|(name, command)| harness_command(name, command)));
    list.extend(scenario(layout)?);
    list.extend(hooks(layout)?);
    Ok(list)
}

/// What a git hook is called among executables.
pub(crate) const HOOK: &str = "git hook";

/// The git hooks that a commit would execute.
pub(crate) fn hooks(layout: &Layout) -> Result<Vec<Executable>, Fault> {
    let Some(repository) = &layout.repository else { return Ok(Vec::new()) };
    let executable = |hook: loopwright_vcs::Hook| Executable {
        kind: HOOK.into(),
        name: hook.name,
        command: hook.path.display().to_string(),
        fingerprint: hook.sha256,
    };
    Ok(loopwright_vcs::hooks(repository)?.into_iter().map(executable).collect())
}

/// A check that runs a command. One that is switched off or built in executes nothing of the folder.
#[must_use]
pub fn check(check: &Check) -> Option<Executable> {
    let command = check.executes()?;
    let place =
        if command.dir == "." { "the project folder".to_owned() } else { format!("{:?}", command.dir) };
    let codes = |codes: &[i32]| codes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
    let warns = match command.warn.as_slice() {
        [] => String::new(),
        warn => format!(", with a warning with exit {}", codes(warn)),
    };
    let passes = codes(&command.success);
    Some(Executable {
        kind: "check".into(),
        name: check.name.clone(),
        command: command.text.clone(),
        fingerprint: format!("in {place}, passes with exit {passes}{warns}{}", variables(&command.env)),
    })
}

fn harness_command(name: &str, harness: &HarnessCommand) -> Executable {
    let program = harness.command.as_deref().unwrap_or(name);
    let words = std::iter::once(program).chain(harness.args.iter().map(String::as_str));
    Executable {
        kind: "agent".into(),
        name: name.to_owned(),
        command: shell_words::join(words),
        fingerprint: format!(
            "{}{}{}",
            variables(&harness.env),
            harness.prompt_env.iter().map(|name| format!(", prompt in {name:?}")).collect::<String>(),
            harness.credentials.iter().map(|name| format!(", sees {name:?}")).collect::<String>(),
        ),
    }
}

/// Variables as they are shown and digested; quoting keeps names and values apart.
fn variables(env: &BTreeMap<String, String>) -> String {
    env.iter().map(|(name, value)| format!(", with {name:?}={value:?}")).collect()
}

fn scenario(layout: &Layout) -> Result<Option<Executable>, Fault> {
    let path = layout.root.join(PROJECT_DIR).join(SCENARIO_FILE);
    let Some(text) = text_file::read(&path, SCENARIO_LIMIT)? else { return Ok(None) };
    Ok(Some(Executable {
        kind: "rehearsal scenario".into(),
        name: SCENARIO_FILE.into(),
        command: format!("{PROJECT_DIR}/{SCENARIO_FILE}"),
        fingerprint: sha256_hex(text.as_bytes()),
    }))
}

/// Refuses what only a person may do when it is asked for inside an agent's process tree.
///
/// # Errors
/// This process descends from an agent that Loopwright started.
pub fn require_person(action: &str) -> Result<(), Fault> {
    match loopwright_process::agent_ancestry() {
        None => Ok(()),
        Some(iteration) => Err(Fault::new(
            ErrorCode::AgentForbidden,
            format!("an agent may not {action} (iteration {iteration})"),
        )
        .hint("A person can do it in their own terminal or in the app.")),
    }
}

/// The refusal for a program that a run has started, whatever it is.
#[must_use]
pub fn not_a_person(action: &str) -> Fault {
    Fault::new(ErrorCode::AgentForbidden, format!("a program that a run has started may not {action}"))
        .hint("A person can do it in their own terminal or in the app.")
}

/// The refusal when commands would have to run and the folder is not trusted.
#[must_use]
pub fn refusal(state: TrustState) -> Fault {
    let message = match state {
        TrustState::Changed => "what this folder would execute has changed since you trusted it",
        _ => "this folder would execute commands that you have not trusted yet",
    };
    Fault::new(ErrorCode::TrustRequired, message)
        .hint("Read them before you trust them.")
        .next(NextAction::ReadTrust, "Read them")
        .next(NextAction::TrustFolder, "Trust them")
}

/// Checks that what a person saw is what is there.
///
/// # Errors
/// It is something else: a person has to look again.
pub fn same(shown: &TrustDigest, found: &TrustDigest) -> Result<(), Fault> {
    if shown == found {
        return Ok(());
    }
    Err(Fault::new(ErrorCode::TrustChanged, "the folder changed while you were looking; nothing was trusted")
        .hint("Look at the list again, then decide."))
}

/// What else in the folder other programs would execute.
#[must_use]
pub fn findings(layout: &Layout) -> Vec<Finding> {
    loopwright_vcs::findings(&layout.root, layout.repository.as_ref())
}

/// A trust record for the registry.
#[must_use]
pub fn record(digest: TrustDigest, at: String, origin: Origin) -> crate::known_projects::TrustRecord {
    crate::known_projects::TrustRecord { digest, at, origin }
}
