//! What a person does with a project's checks: run them, add, change, move and remove them, see what could be added.

use std::path::PathBuf;
use std::sync::Arc;

pub use loopwright_checks::{
    Builtin, ChangedFile, Check, CheckCommand, CheckDraft, CheckMode, CheckObserver, CheckRow, CheckRunner,
    CheckSuggestion, CheckUpdate, CheckWork, ChecksReport, Custom, CustomCheck, DEFAULT_TIMEOUT, DiffSource,
    EditWatch, LastResult, NoEdits, Pending, TreeDiff, TrendPoint, parse, suggest, work_list,
};
use loopwright_checks::{TreeWatch, looks_at_spec};
use loopwright_config::check::Parser;
use loopwright_config::{Config, FILE_LIMIT, Host, PROJECT_FILE, TrustedCheck, check_edit, text_file, trust};
use loopwright_domain::{
    CheckResult, CheckStatus, ErrorCode, Event, Executable, Fault, NextAction, NextStep, Origin,
};
use tokio::sync::watch;

use crate::project::ProjectChecks;

impl ProjectChecks<'_> {
    /// Runs the checks of these names, or all that are switched on. Their output is kept in [`ProjectChecks::outputs`]
    /// until the next time, and how they went in the history that [`ProjectChecks::report`] shows. A history that
    /// cannot be written is told to the observer and fails nothing.
    ///
    /// # Errors
    /// The configuration is wrong, a name is unknown, or the folder is not trusted: nothing was run then.
    pub async fn run(
        self,
        names: &[String],
        observer: &mut dyn CheckObserver,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<Vec<CheckResult>, Fault> {
        let config = self.project.config().strict()?;
        let wanted = chosen(&config, names)?;
        let mut checks = self.project.take_trusted(config)?.trusted_checks();
        checks.retain(|check| wanted.contains(&check.name));
        let outputs = self.outputs();
        // What is left of the last time would be taken for this one's; what cannot be removed is written over.
        let _ = std::fs::remove_dir_all(&outputs);
        let mut timed = Timed { host: self.project.host(), observer, ended: Vec::new() };
        let runner = self.runner(&checks).await?;
        let results = runner.run(&checks, CheckMode::All, &mut timed, stop, Some(&outputs)).await;
        let Timed { observer, ended, .. } = timed;
        if let Err(fault) = self.record(ended, &results).await {
            observer.unrecorded(&fault);
        }
        Ok(results)
    }

    /// Runs checks and keeps nothing of it: neither what they print nor how they went.
    pub(crate) async fn look(self, checks: &[TrustedCheck]) -> Result<Vec<CheckResult>, Fault> {
        let (_never_stops, mut stop) = watch::channel(false);
        let runner = self.runner(checks).await?;
        Ok(runner.run(checks, CheckMode::All, &mut (), &mut stop, None).await)
    }

    /// All checks with how they went last and how they have been going, in iterations and by hand. A history goes by
    /// the check's name; where it was passed over or stopped does not count.
    ///
    /// # Errors
    /// The state or the folder's hooks cannot be read. A mistake in the configuration is in the report.
    pub async fn report(self) -> Result<ChecksReport, Fault> {
        let config = self.project.config();
        let drafts = check_edit::drafts(&self.config_text()?);
        let mut checks = Vec::with_capacity(config.checks.len());
        for check in &config.checks {
            let draft = drafts.iter().find(|draft| draft.name == check.name).cloned();
            checks.push(CheckRow::read(self.project.store(), check, draft).await?);
        }
        Ok(ChecksReport {
            checks,
            suggestions: self.suggested(&config),
            builtins: Builtin::ALL.iter().map(|one| (one.as_str().into(), one.purpose().into())).collect(),
            parsers: Parser::WORDS.iter().map(|word| (*word).to_owned()).collect(),
            trust: self.project.trust_judgement(&config)?.state,
            problems: config.problems,
        })
    }

    async fn runner(self, checks: &[TrustedCheck]) -> Result<CheckRunner, Fault> {
        let host = self.project.host();
        let marker = format!("check-{}-{}", std::process::id(), host.timestamp());
        let runner = CheckRunner::new(host, &self.project.layout().root, host.environment.clone(), marker)
            .secrets(self.project.secrets().clone());
        let runner = match looks_at_spec(checks) {
            true => runner.drift(self.project.spec().drift().await?),
            false => runner,
        };
        let Some(diff) = TreeDiff::open(host, self.project.layout(), None) else { return Ok(runner) };
        let runner = runner.diff(Arc::new(diff));
        let Some(repository) = self.project.layout().repository.as_ref() else { return Ok(runner) };
        if checks.iter().all(|check| check.edits || !check.enabled) {
            return Ok(runner);
        }
        let workspace = host.git()?.workspace(repository).await?;
        let watch = TreeWatch::new(Arc::new(workspace), &self.project.layout().root);
        Ok(runner.watch(Arc::new(watch), NoEdits::Forbidden))
    }

    /// Keeps how checks went that a person ran. An agent's are its own affair: what counts of its work is measured
    /// after it.
    async fn record(self, ended: Vec<String>, results: &[CheckResult]) -> Result<(), Fault> {
        if self.project.require_person("keep results").is_err() {
            return Ok(());
        }
        let ran =
            |result: &CheckResult| !matches!(result.status, CheckStatus::Skipped | CheckStatus::Stopped);
        let kept: Vec<(String, CheckResult)> =
            ended.into_iter().zip(results.iter().cloned()).filter(|(_, result)| ran(result)).collect();
        Ok(self.project.store().record_checks_by_hand(&kept).await?)
    }

    /// Where the output of checks that a person runs is kept.
    #[must_use]
    pub fn outputs(self) -> PathBuf {
        self.project.layout().state_dir.join("checks")
    }

    /// What the project's file says of a check.
    ///
    /// # Errors
    /// There is none of that name, or the file cannot be read.
    pub fn draft(self, name: &str) -> Result<CheckDraft, Fault> {
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
    pub fn preview(self, old: Option<&str>, draft: &CheckDraft) -> Result<Option<Executable>, Fault> {
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

    /// Adds a check, or changes the one called `old`; see [`ProjectChecks::add`] and [`ProjectChecks::edit`].
    ///
    /// # Errors
    /// As these.
    pub async fn save(self, old: Option<&str>, draft: &CheckDraft, origin: Origin) -> Result<(), Fault> {
        match old {
            Some(old) => self.edit(old, draft, origin).await,
            None => self.add(draft, None, origin).await,
        }
    }

    /// Adds a check to the project's file. In a folder that was trusted, it is trusted as the person's own work.
    ///
    /// # Errors
    /// The check is not right, an agent asks, or the file cannot be written.
    pub async fn add(self, draft: &CheckDraft, order: Option<i64>, origin: Origin) -> Result<(), Fault> {
        let draft = draft.tidy();
        let key = format!("checks.{}", draft.name);
        self.change(key, Some(draft.work().to_owned()), origin, |text| {
            check_edit::add(PROJECT_FILE, text, &draft, order)
        })
        .await
    }

    /// Some of the checks that the folder suggests, by name. Nothing is written.
    ///
    /// # Errors
    /// One of them is not suggested, or the configuration is not right.
    pub fn pick_suggested(self, names: &[String]) -> Result<Vec<CheckSuggestion>, Fault> {
        let offered = self.suggested(&self.project.config().strict()?);
        names.iter().map(|name| pick(&offered, name)).collect()
    }

    /// Adds some of the checks that the folder suggests, by name, and gives them.
    ///
    /// # Errors
    /// One of them is not suggested, an agent asks, or the file cannot be written. Those before it were added.
    pub async fn add_suggested(
        self,
        names: &[String],
        origin: Origin,
    ) -> Result<Vec<CheckSuggestion>, Fault> {
        let chosen = self.pick_suggested(names)?;
        for check in &chosen {
            let draft = CheckDraft::command(check.name.as_str(), check.command.as_str());
            self.add(&draft, None, origin).await?;
        }
        Ok(chosen)
    }

    /// Changes a check in the project's file: what differs from the draft, and nothing else. Trust is as for
    /// [`ProjectChecks::add`].
    ///
    /// # Errors
    /// There is none of that name, the draft is not right, an agent asks, or the file cannot be written.
    pub async fn edit(self, name: &str, draft: &CheckDraft, origin: Origin) -> Result<(), Fault> {
        let draft = draft.tidy();
        let key = format!("checks.{}", draft.name);
        self.change(key, Some(draft.work().to_owned()), origin, |text| {
            check_edit::change(PROJECT_FILE, text, name, &draft)
        })
        .await
    }

    /// Switches a check on or off. Trust is as for [`ProjectChecks::add`].
    ///
    /// # Errors
    /// As [`ProjectChecks::edit`].
    pub async fn enable(self, name: &str, enabled: bool, origin: Origin) -> Result<(), Fault> {
        let draft = CheckDraft { enabled, ..self.draft(name)? };
        let key = format!("checks.{name}.enabled");
        self.change(key, Some(enabled.to_string()), origin, |text| {
            check_edit::change(PROJECT_FILE, text, name, &draft)
        })
        .await
    }

    /// Moves a check to another place in the order, counted from 0.
    ///
    /// # Errors
    /// There is none of that name or not as many places, an agent asks, or the file cannot be written.
    pub async fn change_order(self, name: &str, place: u32, origin: Origin) -> Result<(), Fault> {
        let key = format!("checks.{name}.place");
        let index = usize::try_from(place).unwrap_or(usize::MAX);
        self.change(key, Some(place.saturating_add(1).to_string()), origin, |text| {
            check_edit::move_to(PROJECT_FILE, text, name, index)
        })
        .await
    }

    /// Takes a check out of the project's file.
    ///
    /// # Errors
    /// There is none of that name, an agent asks, or the file cannot be written.
    pub async fn remove(self, name: &str, origin: Origin) -> Result<(), Fault> {
        let key = format!("checks.{name}");
        self.change(key, None, origin, |text| check_edit::remove(PROJECT_FILE, text, name)).await
    }

    async fn change(
        self,
        key: String,
        value: Option<String>,
        origin: Origin,
        change: impl FnOnce(&str) -> Result<String, Fault>,
    ) -> Result<(), Fault> {
        self.project.require_person("change checks")?;
        let trusted = self.may_run()?;
        let text = self.config_text()?;
        let changed = change(&text)?;
        if changed == text {
            return Ok(());
        }
        text_file::write(&self.project.layout().config_file(), &changed)?;
        let event = Event::ConfigChanged { key, value, origin };
        self.project.store().append(&self.project.host().timestamp(), &event).await?;
        if trusted && !self.may_run()? {
            self.project.trust_own_work(origin).await?;
        }
        Ok(())
    }

    fn config_text(self) -> Result<String, Fault> {
        Ok(text_file::read(&self.project.layout().config_file(), FILE_LIMIT)?.unwrap_or_default())
    }

    fn may_run(self) -> Result<bool, Fault> {
        Ok(self.project.trust_judgement(&self.project.config())?.state.may_run())
    }

    /// Checks that the folder's files speak of and that are not set up yet.
    #[must_use]
    pub fn suggested(self, config: &Config) -> Vec<CheckSuggestion> {
        let commands: Vec<&str> = config.checks.iter().filter_map(Check::command_text).collect();
        let mut list = suggest(&self.project.layout().root);
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

/// The names of the checks to run: those named, or all.
fn chosen(config: &Config, names: &[String]) -> Result<Vec<String>, Fault> {
    for name in names {
        let Some(check) = config.checks.iter().find(|check| check.name == *name) else {
            return Err(check_edit::unknown(name, config.checks.iter().map(|check| check.name.as_str())));
        };
        if !check.enabled {
            return Err(Fault::new(ErrorCode::UsageInvalid, format!("the check \"{name}\" is switched off"))
                .step(NextStep::new(NextAction::EnableCheck, "Switch it on").about(name)));
        }
    }
    let wanted = |name: &String| names.is_empty() || names.contains(name);
    Ok(config.checks.iter().map(|check| check.name.clone()).filter(wanted).collect())
}

/// The suggestion of this name.
fn pick(offered: &[CheckSuggestion], name: &str) -> Result<CheckSuggestion, Fault> {
    offered.iter().find(|check| check.name == name).cloned().ok_or_else(|| {
        let names: Vec<&str> = offered.iter().map(|check| check.name.as_str()).collect();
        let fault =
            Fault::new(ErrorCode::UsageInvalid, format!("no check called \"{name}\" is proposed here"));
        match names.as_slice() {
            [] => fault
                .hint("Nothing is proposed here.")
                .next(NextAction::AddCheck, "Write a check of your own"),
            names => fault.hint(format!("Proposed here: {}.", names.join(", "))),
        }
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
