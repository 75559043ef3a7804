//! A project that is open: its places, its configuration, its state, and what a person may decide about it.

pub mod check;
mod facets;
pub mod failure;
pub mod output;
mod pattern;
mod plan;
mod records;

use std::path::Path;
use std::sync::OnceLock;

use loopwright_config::trust::{self, TrustReport};
use loopwright_config::{Config, Host, Layout, Registry, Scope, TrustedConfig, key};
use loopwright_domain::{
    Event, EventEnvelope, EventSeq, Fault, Origin, Task, TaskId, TrustDigest, TrustState,
};
use loopwright_process::Secrets;
use loopwright_store::{Opened, Store};
use loopwright_transcript::Outputs;

use crate::settings::{self, Change};

pub use facets::{
    ProjectChecks, ProjectEvents, ProjectFailures, ProjectGates, ProjectIterations, ProjectMemory,
    ProjectOutput, ProjectRestore, ProjectRuns, ProjectSpec, ProjectTasks,
};

/// An open project.
#[derive(Debug)]
pub struct Project {
    host: Host,
    layout: Layout,
    store: Store,
    recovery: Option<Fault>,
    secrets: OnceLock<Secrets>,
    outputs: Outputs,
}

impl Project {
    /// Opens the project at or above a folder. Nothing in the folder is executed.
    ///
    /// # Errors
    /// There is no project, or its state cannot be opened.
    pub async fn open(host: &Host, start: &Path) -> Result<Self, Fault> {
        Self::open_layout(host, Layout::find(start)?).await
    }

    pub(crate) async fn open_layout(host: &Host, layout: Layout) -> Result<Self, Fault> {
        let (store, opened) = Store::open(&layout.database(), &host.timestamp()).await?;
        let recovery = match opened {
            Opened::Recovered { moved_to, reason } => Some(recovered(&moved_to, &reason)),
            Opened::Created | Opened::Existing => None,
        };
        Ok(Self {
            host: host.clone().around_project(&layout),
            layout,
            store,
            recovery,
            secrets: OnceLock::new(),
            outputs: Outputs::default(),
        })
    }

    /// The project's places.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The host it was opened on.
    #[must_use]
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// Set when the state database was damaged and a new one had to be begun.
    #[must_use]
    pub fn recovery(&self) -> Option<&Fault> {
        self.recovery.as_ref()
    }

    /// The configuration in force, read afresh.
    #[must_use]
    pub fn config(&self) -> Config {
        Config::load(&self.host, Some(&self.layout.config_file()))
    }

    /// The settings by which agents may be asked how they stand: what the folder itself would start counts only where
    /// somebody trusts it.
    ///
    /// # Errors
    /// What the folder would execute cannot be read.
    pub fn config_for_asking(&self) -> Result<TrustedConfig, Fault> {
        TrustedConfig::as_far_as_trusted(&self.host, &self.layout, self.config())
    }

    /// The configuration that commands may be built from.
    ///
    /// # Errors
    /// Something in it is wrong, or the folder would execute what nobody has trusted.
    pub fn trusted_config(&self) -> Result<TrustedConfig, Fault> {
        self.take_trusted(self.config())
    }

    /// The same of a configuration that was read already.
    pub(crate) fn take_trusted(&self, config: Config) -> Result<TrustedConfig, Fault> {
        TrustedConfig::take(&self.host, &self.layout, config)
    }

    /// The configuration with some settings for one call only, strongest of all.
    pub(crate) fn config_with(&self, settings: &[(String, String)]) -> Config {
        Config::load(&self.host, Some(&self.layout.config_file())).with(settings)
    }

    /// What must not show in anything that is kept or shown: the values of the environment and the settings that are
    /// secret by their names, and whatever looks like a key.
    pub(crate) fn secrets(&self) -> &Secrets {
        self.secrets.get_or_init(|| {
            let set = self.config().secret_values();
            let values = loopwright_process::secret_values(&self.host.environment).chain(&set);
            Secrets::with_values(values.map(|value| value.as_encoded_bytes()))
        })
    }

    /// The project's name: the configured one, else the folder's.
    #[must_use]
    pub fn name(&self, config: &Config) -> String {
        let configured = config.value(key::NAME);
        if configured.is_empty() { folder_name(&self.layout.root) } else { configured }
    }

    /// What the folder would execute, and whether a person has agreed to exactly that.
    ///
    /// # Errors
    /// The folder's hooks or scenario cannot be read.
    pub fn trust_report(&self, config: &Config) -> Result<TrustReport, Fault> {
        Ok(TrustReport { findings: trust::findings(&self.layout), ..self.trust_judgement(config)? })
    }

    /// The trust report without what other programs would execute: all that a decision needs.
    pub(crate) fn trust_judgement(&self, config: &Config) -> Result<TrustReport, Fault> {
        trust::judgement(&self.host, &self.layout, config)
    }

    /// Refuses what only a person may do: inside of an agent's process tree, and in any program that the process that
    /// works on this project has started. An orphan that an agent left behind is among those, whatever it did to its
    /// environment.
    ///
    /// # Errors
    /// No person asks.
    pub fn require_person(&self, action: &str) -> Result<(), Fault> {
        trust::require_person(action)?;
        match self.runs().live() {
            Some(holder) if loopwright_process::descends_from(holder.pid) => Err(trust::not_a_person(action)),
            _ => Ok(()),
        }
    }

    /// What the folder would execute, if it is still what a person was shown.
    ///
    /// # Errors
    /// It changed meanwhile, or the settings cannot be read.
    pub fn require_shown(&self, shown: &TrustDigest) -> Result<TrustReport, Fault> {
        let report = self.trust_judgement(&self.config().strict()?)?;
        trust::same(shown, &report.digest)?;
        Ok(report)
    }

    /// Trusts what a person was shown, if it is still what is there.
    ///
    /// # Errors
    /// It changed meanwhile, or an agent asks, or the decision cannot be stored.
    pub async fn trust(&self, shown: &TrustDigest, origin: Origin) -> Result<(), Fault> {
        self.require_person("trust a folder")?;
        let report = self.require_shown(shown)?;
        self.remember_trust(report.digest, origin).await
    }

    async fn remember_trust(&self, digest: TrustDigest, origin: Origin) -> Result<(), Fault> {
        let event = Event::ProjectTrusted { digest: digest.0.clone(), origin };
        let at = self.host.timestamp();
        let record = trust::record(digest, at.clone(), origin);
        Registry::of(&self.host).update(&self.layout.root, |project| project.trust = Some(record))?;
        self.store.append(&at, &event).await?;
        Ok(())
    }

    /// Trusts what the folder would execute now, as the work of the person who just wrote it.
    pub(crate) async fn trust_own_work(&self, origin: Origin) -> Result<(), Fault> {
        let report = self.trust_judgement(&self.config())?;
        if report.state == TrustState::NotNeeded {
            Ok(())
        } else {
            self.remember_trust(report.digest, origin).await
        }
    }

    /// Changes a setting. What a person writes into a folder they trusted stays trusted; a folder that was
    /// not trusted does not become so.
    ///
    /// # Errors
    /// The key or value is wrong, an agent asks, or a file cannot be written.
    pub async fn change_setting(&self, change: &Change<'_>, origin: Origin) -> Result<(), Fault> {
        self.require_person("change settings")?;
        let trusted_before = self.trust_judgement(&self.config())?.state.may_run();
        let value = settings::write(&self.host, Some(&self.layout), change)?;
        let event = Event::ConfigChanged { key: change.key.to_owned(), value, origin };
        self.store.append(&self.host.timestamp(), &event).await?;
        if trusted_before && change.scope == Scope::Project {
            let state = self.trust_judgement(&self.config())?.state;
            if !state.may_run() {
                self.trust_own_work(origin).await?;
            }
        }
        Ok(())
    }

    /// Reads the whole state database and names what is damaged in it: nothing when it is sound.
    ///
    /// # Errors
    /// It cannot be read at all.
    pub async fn verify_state(&self) -> Result<Vec<String>, Fault> {
        Ok(self.store.verify().await?)
    }

    /// What is known about the output files that were looked at last.
    pub(crate) fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// Closes the state and waits until that is done. Whoever closes it last folds the log of what was written into it;
    /// a project that is only dropped loses nothing, but may leave its log to be read by everybody who opens it.
    ///
    /// # Errors
    /// The thread that works on the state has ended unexpectedly.
    pub async fn close(self) -> Result<(), Fault> {
        Ok(self.store.close().await?)
    }

    pub(crate) fn into_store(self) -> Store {
        self.store
    }
}

impl ProjectTasks<'_> {
    /// All tasks, by id.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn list(self) -> Result<Vec<Task>, Fault> {
        Ok(self.project.store.tasks().await?)
    }

    /// The tasks that speak of some words, best first. Any text may be asked for.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn search(self, text: &str, limit: u32) -> Result<Vec<TaskId>, Fault> {
        Ok(self.project.store.search_tasks(text, limit).await?)
    }
}

impl ProjectEvents<'_> {
    /// Events after a place in history, oldest first.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn since(self, seq: EventSeq, limit: u32) -> Result<Vec<EventEnvelope>, Fault> {
        Ok(self.project.store.events_since(seq, limit).await?)
    }

    /// The newest events, newest first.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn recent(self, limit: u32) -> Result<Vec<EventEnvelope>, Fault> {
        Ok(self.project.store.recent_events(limit).await?)
    }
}

/// The last part of a folder's path, or the whole where there is none.
pub(crate) fn folder_name(root: &Path) -> String {
    root.file_name().map_or_else(|| root.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn recovered(moved_to: &Path, reason: &str) -> Fault {
    let place = moved_to.display();
    Fault::new(
        loopwright_domain::ErrorCode::StoreCorrupt,
        format!("the state database was damaged ({reason}); a new one was begun"),
    )
    .hint(format!("The damaged file is kept at {place}. Your project's files are untouched."))
}
