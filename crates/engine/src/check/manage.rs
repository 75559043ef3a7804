//! What a person does with a project's checks: run them, add one, take one out, see what could be added.

use std::path::PathBuf;
use std::sync::Arc;

use loopwright_domain::{CheckResult, ErrorCode, Event, Fault, Origin};
use tokio::sync::watch;

use super::model::Check;
use super::run::{CheckMode, CheckObserver, CheckRunner};
use super::tree_diff::TreeDiff;
use crate::config::check_edit::{self, NewCheck};
use crate::config::{self, Config, PROJECT_FILE};
use crate::project::Project;
use crate::suggest::{CheckSuggestion, suggest};
use crate::{text_file, trust};

impl Project {
    /// Runs the checks of these names, or all that are switched on. Their output is kept in [`Project::check_outputs`]
    /// until the next time.
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
        let report = self.trust_report(&config)?;
        if !report.state.may_run() {
            return Err(trust::refusal(report.state));
        }
        let host = self.host();
        let marker = format!("check-{}-{}", std::process::id(), host.timestamp());
        let mut runner = CheckRunner::new(host, &self.layout().root, host.environment.clone(), marker)
            .secrets(self.secrets().clone());
        if let Some(diff) = TreeDiff::open(host, self.layout(), None) {
            runner = runner.diff(Arc::new(diff));
        }
        let outputs = self.check_outputs();
        // What is left of the last time would be taken for this one's; what cannot be removed is written over.
        let _ = std::fs::remove_dir_all(&outputs);
        Ok(runner.run(&checks, CheckMode::All, observer, stop, Some(&outputs)).await)
    }

    /// Where the output of checks that a person runs is kept.
    #[must_use]
    pub fn check_outputs(&self) -> PathBuf {
        self.layout().state_dir.join("checks")
    }

    /// Adds a check to the project's file. In a folder that was trusted, it is trusted as the person's own work.
    ///
    /// # Errors
    /// The check is not right, an agent asks, or the file cannot be written.
    pub async fn add_check(&self, new: &NewCheck, origin: Origin) -> Result<(), Fault> {
        let what = new.builtin.map_or(new.command.as_str(), |builtin| builtin.as_str());
        self.change_checks(&new.name, Some(what), origin, |text| check_edit::add(PROJECT_FILE, text, new))
            .await
    }

    /// Takes a check out of the project's file.
    ///
    /// # Errors
    /// There is none of that name, an agent asks, or the file cannot be written.
    pub async fn remove_check(&self, name: &str, origin: Origin) -> Result<(), Fault> {
        self.change_checks(name, None, origin, |text| check_edit::remove(PROJECT_FILE, text, name)).await
    }

    async fn change_checks(
        &self,
        name: &str,
        what: Option<&str>,
        origin: Origin,
        change: impl FnOnce(&str) -> Result<String, Fault>,
    ) -> Result<(), Fault> {
        trust::require_person("change checks")?;
        let trusted = self.may_run()?;
        let path = self.layout().config_file();
        let text = text_file::read(&path, config::FILE_LIMIT)?.unwrap_or_default();
        text_file::write(&path, &change(&text)?)?;
        let event =
            Event::ConfigChanged { key: format!("checks.{name}"), value: what.map(str::to_owned), origin };
        self.store().append(&self.host().timestamp(), &event).await?;
        if trusted && !self.may_run()? {
            self.trust_own_work(origin).await?;
        }
        Ok(())
    }

    fn may_run(&self) -> Result<bool, Fault> {
        Ok(self.trust_report(&self.config())?.state.may_run())
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
                .hint(format!("Take \"enabled = false\" out of {PROJECT_FILE}.")));
        }
    }
    let wanted = |check: &&Check| names.is_empty() || names.contains(&check.name);
    Ok(config.checks.iter().filter(wanted).cloned().collect())
}
