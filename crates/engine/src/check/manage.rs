//! What a person does with a project's checks: run them, add, change, move and remove them, see what could be added.

use std::path::PathBuf;
use std::sync::Arc;

use loopwright_domain::{CheckResult, CheckStatus, ErrorCode, Event, Executable, Fault, Origin};
use tokio::sync::watch;

use super::model::Check;
use super::report::CheckDraft;
use super::run::{CheckMode, CheckObserver, CheckRunner};
use super::tree_diff::TreeDiff;
use crate::config::{self, Config, PROJECT_FILE, check_edit};
use crate::host::Host;
use crate::project::Project;
use crate::suggest::{CheckSuggestion, suggest};
use crate::{text_file, trust};

impl Project {
    /// Runs the checks of these names, or all that are switched on. Their output is kept in [`Project::check_outputs`]
    /// until the next time, and how they went in the history that [`Project::checks_report`] shows. A history that
    /// cannot be written is told to the observer and fails nothing.
    ///
    /// # Errors
    /// The configuration is wrong, a name is unknown, or the folder is not trusted: nothing was run then.
    pub async fn run_checks(
        &self,
        names: &[String],
        observer: &mut dyn CheckObserver,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<Vec<CheckResult>, Fault> {
        let config = self.config().strict()?;
        let checks = chosen(&config, names)?;
        let report = self.trust_judgement(&config)?;
        if !report.state.may_run() {
            return Err(trust::refusal(report.state));
        }
        let outputs = self.check_outputs();
        // What is left of the last time would be taken for this one's; what cannot be removed is written over.
        let _ = std::fs::remove_dir_all(&outputs);
        let mut timed = Timed { host: self.host(), observer, ended: Vec::new() };
        let results =
            self.check_runner().run(&checks, CheckMode::All, &mut timed, stop, Some(&outputs)).await;
        let Timed { observer, ended, .. } = timed;
        if let Err(fault) = self.record(ended, &results).await {
            observer.unrecorded(&fault);
        }
        Ok(results)
    }

    fn check_runner(&self) -> CheckRunner {
        let host = self.host();
        let marker = format!("check-{}-{}", std::process::id(), host.timestamp());
        let runner = CheckRunner::new(host, &self.layout().root, host.environment.clone(), marker)
            .secrets(self.secrets().clone());
        match TreeDiff::open(host, self.layout(), None) {
            Some(diff) => runner.diff(Arc::new(diff)),
            None => runner,
        }
    }

    /// Keeps how checks went that a person ran. An agent's are its own affair: what counts of its work is measured
    /// after it.
    async fn record(&self, ended: Vec<String>, results: &[CheckResult]) -> Result<(), Fault> {
        if self.require_person("keep results").is_err() {
            return Ok(());
        }
        let ran =
            |result: &CheckResult| !matches!(result.status, CheckStatus::Skipped | CheckStatus::Stopped);
        let kept: Vec<(String, CheckResult)> =
            ended.into_iter().zip(results.iter().cloned()).filter(|(_, result)| ran(result)).collect();
        Ok(self.store().record_checks_by_hand(&kept).await?)
    }

    /// Where the output of checks that a person runs is kept.
    #[must_use]
    pub fn check_outputs(&self) -> PathBuf {
        self.layout().state_dir.join("checks")
    }

    /// What the project's file says of a check.
    ///
    /// # Errors
    /// There is none of that name, or the file cannot be read.
    pub fn check_draft(&self, name: &str) -> Result<CheckDraft, Fault> {
        let drafts = check_edit::drafts(&self.config_text()?);
        let names = drafts.iter().map(|draft| draft.name.as_str());
        let found = drafts.iter().find(|draft| draft.name == name).cloned();
        found.ok_or_else(|| check_edit::unknown(name, names))
    }

    /// What would be executed if a draft were saved and is not executed now: the new or changed command with where it
    /// runs and what it sees, or that of a check that was switched off. Nothing is written.
    ///
    /// # Errors
    /// The draft cannot be saved.
    pub fn preview_check(&self, old: Option<&str>, draft: &CheckDraft) -> Result<Option<Executable>, Fault> {
        let draft = draft.tidy();
        let text = self.config_text()?;
        let changed = match old {
            Some(old) => check_edit::change(PROJECT_FILE, &text, old, &draft)?,
            None => check_edit::add(PROJECT_FILE, &text, &draft, None)?,
        };
        let before = old.and_then(|old| check_edit::find_check(&text, old));
        let Some(now) = check_edit::find_check(&changed, &draft.name) else { return Ok(None) };
        let executes = |check: &Check| trust::check(&Check { enabled: true, ..check.clone() });
        let what = |executable: Executable| (executable.command, executable.fingerprint);
        let same = before.as_ref().and_then(executes).map(what) == executes(&now).map(what);
        let switched_on = now.enabled && before.is_some_and(|before| !before.enabled);
        Ok(executes(&now).filter(|_| !same || switched_on))
    }

    /// Adds a check, or changes the one called `old`; see [`Project::add_check`] and [`Project::edit_check`].
    ///
    /// # Errors
    /// As these.
    pub async fn save_check(
        &self,
        old: Option<&str>,
        draft: &CheckDraft,
        origin: Origin,
    ) -> Result<(), Fault> {
        match old {
            Some(old) => self.edit_check(old, draft, origin).await,
            None => self.add_check(draft, None, origin).await,
        }
    }

    /// Adds a check to the project's file. In a folder that was trusted, it is trusted as the person's own work.
    ///
    /// # Errors
    /// The check is not right, an agent asks, or the file cannot be written.
    pub async fn add_check(
        &self,
        draft: &CheckDraft,
        order: Option<i64>,
        origin: Origin,
    ) -> Result<(), Fault> {
        let draft = draft.tidy();
        let key = format!("checks.{}", draft.name);
        self.change_checks(key, Some(draft.work().to_owned()), origin, |text| {
            check_edit::add(PROJECT_FILE, text, &draft, order)
        })
        .await
    }

    /// Adds some of the checks that the folder suggests, by name, and gives them.
    ///
    /// # Errors
    /// One of them is not suggested, an agent asks, or the file cannot be written. Those before it were added.
    pub async fn add_suggested_checks(
        &self,
        names: &[String],
        origin: Origin,
    ) -> Result<Vec<CheckSuggestion>, Fault> {
        let offered = self.suggested_checks(&self.config().strict()?);
        let chosen: Vec<CheckSuggestion> =
            names.iter().map(|name| pick(&offered, name)).collect::<Result<_, _>>()?;
        for check in &chosen {
            let draft = CheckDraft::command(check.name.as_str(), check.command.as_str());
            self.add_check(&draft, None, origin).await?;
        }
        Ok(chosen)
    }

    /// Changes a check in the project's file: what differs from the draft, and nothing else. Trust is as for
    /// [`Project::add_check`].
    ///
    /// # Errors
    /// There is none of that name, the draft is not right, an agent asks, or the file cannot be written.
    pub async fn edit_check(&self, name: &str, draft: &CheckDraft, origin: Origin) -> Result<(), Fault> {
        let draft = draft.tidy();
        let key = format!("checks.{}", draft.name);
        self.change_checks(key, Some(draft.work().to_owned()), origin, |text| {
            check_edit::change(PROJECT_FILE, text, name, &draft)
        })
        .await
    }

    /// Switches a check on or off. Trust is as for [`Project::add_check`].
    ///
    /// # Errors
    /// As [`Project::edit_check`].
    pub async fn enable_check(&self, name: &str, enabled: bool, origin: Origin) -> Result<(), Fault> {
        let draft = CheckDraft { enabled, ..self.check_draft(name)? };
        let key = format!("checks.{name}.enabled");
        self.change_checks(key, Some(enabled.to_string()), origin, |text| {
            check_edit::change(PROJECT_FILE, text, name, &draft)
        })
        .await
    }

    /// Moves a check to another place in the order, counted from 0.
    ///
    /// # Errors
    /// There is none of that name or not as many places, an agent asks, or the file cannot be written.
    pub async fn move_check(&self, name: &str, place: u32, origin: Origin) -> Result<(), Fault> {
        let key = format!("checks.{name}.place");
        let index = usize::try_from(place).unwrap_or(usize::MAX);
        self.change_checks(key, Some(place.saturating_add(1).to_string()), origin, |text| {
            check_edit::move_to(PROJECT_FILE, text, name, index)
        })
        .await
    }

    /// Takes a check out of the project's file.
    ///
    /// # Errors
    /// There is none of that name, an agent asks, or the file cannot be written.
    pub async fn remove_check(&self, name: &str, origin: Origin) -> Result<(), Fault> {
        let key = format!("checks.{name}");
        self.change_checks(key, None, origin, |text| check_edit::remove(PROJECT_FILE, text, name)).await
    }

    async fn change_checks(
        &self,
        key: String,
        value: Option<String>,
        origin: Origin,
        change: impl FnOnce(&str) -> Result<String, Fault>,
    ) -> Result<(), Fault> {
        self.require_person("change checks")?;
        let trusted = self.may_run()?;
        let text = self.config_text()?;
        let changed = change(&text)?;
        if changed == text {
            return Ok(());
        }
        text_file::write(&self.layout().config_file(), &changed)?;
        let event = Event::ConfigChanged { key, value, origin };
        self.store().append(&self.host().timestamp(), &event).await?;
        if trusted && !self.may_run()? {
            self.trust_own_work(origin).await?;
        }
        Ok(())
    }

    pub(super) fn config_text(&self) -> Result<String, Fault> {
        Ok(text_file::read(&self.layout().config_file(), config::FILE_LIMIT)?.unwrap_or_default())
    }

    fn may_run(&self) -> Result<bool, Fault> {
        Ok(self.trust_judgement(&self.config())?.state.may_run())
    }

    /// Checks that the folder's files speak of and that are not set up yet.
    #[must_use]
    pub fn suggested_checks(&self, config: &Config) -> Vec<CheckSuggestion> {
        let commands: Vec<&str> = config.checks.iter().filter_map(Check::command_text).collect();
        let mut list = suggest(&self.layout().root);
        list.retain(|suggestion| !commands.contains(&suggestion.command.as_str()));
        for suggestion in &mut list {
            let taken = |name: &str| config.checks.iter().any(|check| check.name == name);
            if taken(&suggestion.name) {
                let numbered = (2..).map(|number| format!("{}-{number}", suggestion.name));
                suggestion.name = numbered.take(100).find(|name| !taken(name)).unwrap_or_default();
            }
        }
        list
    }
}

/// The checks to run: those named, in the order of the checks, or all.
fn chosen(config: &Config, names: &[String]) -> Result<Vec<Check>, Fault> {
    for name in names {
        let Some(check) = config.checks.iter().find(|check| check.name == *name) else {
            return Err(check_edit::unknown(name, config.checks.iter().map(|check| check.name.as_str())));
        };
        if !check.enabled {
            return Err(Fault::new(ErrorCode::UsageInvalid, format!("the check \"{name}\" is switched off"))
                .hint(format!("Switch it on with \"loopwright check enable {name}\".")));
        }
    }
    let wanted = |check: &&Check| names.is_empty() || names.contains(&check.name);
    Ok(config.checks.iter().filter(wanted).cloned().collect())
}

/// The suggestion of this name.
fn pick(offered: &[CheckSuggestion], name: &str) -> Result<CheckSuggestion, Fault> {
    offered.iter().find(|check| check.name == name).cloned().ok_or_else(|| {
        let names: Vec<&str> = offered.iter().map(|check| check.name.as_str()).collect();
        let hint = match names.as_slice() {
            [] => "Nothing is proposed here; use \"loopwright check add\".".to_owned(),
            names => format!("Proposed here: {}.", names.join(", ")),
        };
        Fault::new(ErrorCode::UsageInvalid, format!("no check called \"{name}\" is proposed here")).hint(hint)
    })
}

/// Passes on what it is told, and notes when each check ended.
struct Timed<'a> {
    host: &'a Host,
    observer: &'a mut dyn CheckObserver,
    ended: Vec<String>,
}

impl CheckObserver for Timed<'_> {
    fn started(&mut self, check: &Check) {
        self.observer.started(check);
    }

    fn finished(&mut self, check: &Check, result: &CheckResult) {
        self.ended.push(self.host.timestamp());
        self.observer.finished(check, result);
    }
}
