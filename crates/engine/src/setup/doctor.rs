//! `doctor`: looks at the machine and the project, and says what to fix. Nothing in the project is executed.

use loopwright_checks::missing_program;
use loopwright_config::{Config, Host, TrustedConfig, trust};
use loopwright_domain::{Fault, LoginState, NextStep, SandboxState, TrustState};
use loopwright_vcs::{Limits, free_space};
use serde::{Deserialize, Serialize};

use crate::agent::{self, AgentCard};
use crate::project::Project;

const MIB: u64 = 1024 * 1024;

/// How a finding stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum Health {
    /// As it should be.
    Ok,
    /// Worth knowing.
    Warning,
    /// Has to be mended.
    Problem,
}

/// One thing doctor looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct DoctorFinding {
    /// What was looked at.
    pub name: String,
    /// How it stands.
    pub status: Health,
    /// What was seen.
    pub message: String,
    /// What to do, in words.
    pub hint: Option<String>,
    /// What to do, as actions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<NextStep>,
}

/// All that doctor saw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct DoctorReport {
    /// In the order looked at.
    pub findings: Vec<DoctorFinding>,
}

impl DoctorReport {
    /// The worst of all findings.
    #[must_use]
    pub fn worst(&self) -> Health {
        self.findings.iter().map(|finding| finding.status).max().unwrap_or(Health::Ok)
    }

    fn add(&mut self, name: &str, status: Health, message: impl Into<String>, hint: Option<String>) {
        let finding =
            DoctorFinding { name: name.to_owned(), status, message: message.into(), hint, next: Vec::new() };
        self.findings.push(finding);
    }

    /// A finding that a fault tells of, in other words than its own.
    fn add_fault(&mut self, name: &str, status: Health, message: impl Into<String>, fault: &Fault) {
        self.findings.push(DoctorFinding {
            name: name.to_owned(),
            status,
            message: message.into(),
            hint: fault.hint.clone(),
            next: fault.next.clone(),
        });
    }

    fn ok(&mut self, name: &str, message: impl Into<String>) {
        self.add(name, Health::Ok, message, None);
    }

    fn fault(&mut self, name: &str, fault: &Fault) {
        let place = fault.location.as_ref().map(|place| match place.line {
            Some(line) => format!("{}:{line}: ", place.file),
            None => String::new(),
        });
        let message = format!("{}{}", place.unwrap_or_default(), fault.message);
        self.add_fault(name, Health::Problem, message, fault);
    }
}

/// Looks at the machine and, when there is one, at the project.
pub async fn examine(host: &Host, project: Result<&Project, &Fault>) -> DoctorReport {
    let mut report = DoctorReport { findings: Vec::new() };
    git(host, &mut report).await;
    folders(host, &mut report);
    let own = project.ok().map_or_else(|| Config::load(host, None), Project::config);
    let asking = project.ok().and_then(|project| project.config_for_asking().ok());
    agents(host, &asking.unwrap_or_else(|| TrustedConfig::of_user(host)), &mut report).await;
    sandbox(host, &own, &mut report);
    match project {
        Ok(project) => examine_project(project, &mut report).await,
        Err(fault) if fault.code == loopwright_domain::ErrorCode::ProjectNotFound => {
            settings(&Config::load(host, None), &mut report);
            report.ok("Project", "none here");
        }
        Err(fault) => report.fault("Project", fault),
    }
    report
}

async fn git(host: &Host, report: &mut DoctorReport) {
    let looked = match host.git() {
        Ok(git) => git.version().await.map(|version| (git, version)),
        Err(error) => Err(error),
    };
    match looked {
        Ok((git, version)) => report.ok("Git", format!("{version} at {}", git.program().display())),
        Err(error) => report.fault("Git", &error.into()),
    }
}

fn folders(host: &Host, report: &mut DoctorReport) {
    for (name, folder) in [("Settings folder", &host.config_dir), ("Data folder", &host.data_dir)] {
        let probe = std::fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder));
        match probe {
            Ok(_) => report.ok(name, folder.display().to_string()),
            Err(error) => {
                report.fault(name, &loopwright_config::text_file::io_fault("write in", folder, &error))
            }
        }
    }
}

async fn agents(host: &Host, config: &TrustedConfig, report: &mut DoctorReport) {
    let found = agent::examine_agents(host, config).await;
    let mut missing = Vec::new();
    for card in &found.agents {
        match (&card.program, &card.problem) {
            (None, _) => missing.push(card.label.as_str()),
            (Some(_), Some(problem)) => report.fault(&title(card), problem),
            (Some(program), None) => {
                let status = if card.login == LoginState::LoggedOut { Health::Warning } else { Health::Ok };
                report.add(&title(card), status, agent_words(card, program), card.hints.first().cloned());
            }
        }
    }
    if !missing.is_empty() {
        report.ok("Other agents", format!("not installed: {}", missing.join(", ")));
    }
}

/// An agent's name, with what should be known about it wherever it shows.
fn title(card: &AgentCard) -> String {
    match (card.scripted, card.tested) {
        (true, _) => format!("{} (scripted)", card.label),
        (false, false) => format!("{} (untested)", card.label),
        (false, true) => card.label.clone(),
    }
}

fn agent_words(card: &AgentCard, program: &str) -> String {
    let version = card.version.as_ref().map(|version| format!("{version} "));
    let login = match (card.login, &card.login_detail) {
        (LoginState::LoggedIn, Some(detail)) => format!(", logged in ({detail})"),
        (LoginState::LoggedIn, None) => ", logged in".to_owned(),
        (LoginState::LoggedOut, _) => ", not logged in".to_owned(),
        (LoginState::Unknown, Some(detail)) => format!(", {detail}"),
        (LoginState::Unknown, None) => String::new(),
    };
    format!("{}at {program}{login}", version.unwrap_or_default())
}

fn sandbox(host: &Host, config: &Config, report: &mut DoctorReport) {
    let found = agent::sandbox_report(host, config);
    let status = match found.state {
        SandboxState::Unavailable => Health::Warning,
        SandboxState::Sandbox | SandboxState::Off => Health::Ok,
    };
    report.add("Sandbox", status, found.detail, None);
}

fn settings(config: &Config, report: &mut DoctorReport) {
    for problem in &config.problems {
        report.fault("Settings", problem);
    }
    if config.problems.is_empty() {
        report.ok("Settings", "all files can be read");
    }
}

/// Whether the program of each check can be found. Nothing is executed.
fn checks(project: &Project, config: &Config, report: &mut DoctorReport) {
    let mut found = true;
    for check in config.checks.iter().filter(|check| check.enabled) {
        if let Some(fault) = missing_program(project.host(), &project.layout().root, check) {
            found = false;
            let status = if check.required { Health::Problem } else { Health::Warning };
            report.add_fault("Checks", status, format!("{}: {}", check.name, fault.message), &fault);
        }
    }
    if found {
        report.ok("Checks", format!("{} set up", config.checks.len()));
    }
}

/// Whether there is room for checkpoints.
fn disk(project: &Project, report: &mut DoctorReport) {
    let Some(repository) = &project.layout().repository else { return };
    let Some(free) = free_space(&repository.common_dir) else { return };
    let needed = Limits::default().free_bytes;
    let message = format!("{} MiB free, {} MiB are needed", free / MIB, needed / MIB);
    let enough = free >= needed;
    let hint = (!enough).then(|| "Make room: no agent starts where its work cannot be saved.".to_owned());
    report.add("Disk", if enough { Health::Ok } else { Health::Problem }, message, hint);
}

async fn examine_project(project: &Project, report: &mut DoctorReport) {
    let config = project.config();
    report.ok("Project", format!("{} in {}", project.name(&config), project.layout().root.display()));
    if project.layout().repository.is_none() {
        report.add(
            "Repository",
            Health::Warning,
            "this folder is not in a git repository; checkpoints and commits are off",
            Some("Run \"git init\" in it.".into()),
        );
    }
    settings(&config, report);
    match project.recovery() {
        Some(fault) => report.fault("State", fault),
        None => match project.verify_state().await {
            Ok(damage) if damage.is_empty() => {
                report.ok("State", format!("sound, in {}", project.layout().state_dir.display()));
            }
            Ok(damage) => {
                let hint =
                    "Keep a copy of the file, then move it away: a new one is begun at the next start.";
                report.add("State", Health::Problem, damage.join("; "), Some(hint.into()));
            }
            Err(fault) => report.fault("State", &fault),
        },
    }
    let choice = agent::choose(project.host(), &config);
    match (&choice.problem, &choice.program) {
        (Some(problem), _) => report.fault("Agent", problem),
        (None, program) => {
            report.ok("Agent", format!("{} at {}", choice.label, program.as_deref().unwrap_or("unknown")));
        }
    }
    if config.checks.is_empty() {
        let hint =
            "Add [[checks]] to .loopwright/config.toml: work that nothing checks is never known to be done.";
        report.add("Checks", Health::Warning, "none are set up", Some(hint.into()));
    } else {
        checks(project, &config, report);
    }
    disk(project, report);
    match project.trust_report(&config) {
        Err(fault) => report.fault("Trust", &fault),
        Ok(trusted) => match trusted.state {
            TrustState::Trusted => report.ok("Trust", "you trusted what this folder executes"),
            TrustState::NotNeeded => report.ok("Trust", "this folder executes nothing"),
            state => {
                let refusal = trust::refusal(state);
                report.add_fault("Trust", Health::Warning, refusal.message.clone(), &refusal);
            }
        },
    }
}
