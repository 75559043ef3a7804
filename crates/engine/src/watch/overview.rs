//! Everything about a project at one glance: what `status` prints and the Overview shows.

use std::path::Path;

use loopwright_config::trust::{self, TrustReport};
use loopwright_config::{Config, Host, Layout, Registry, TaskCounts, key, text_file};
use loopwright_domain::{EventEnvelope, Fault, ReviewMode, Task, TaskGraph, TaskStatus, WaveSummary};
use loopwright_vcs::{Head, Operation, RepoSummary};
use serde::{Deserialize, Serialize};

use crate::agent::{self, AgentSummary};
use crate::project::Project;

const ACTIVITY: u32 = 20;
/// How far back to look for it: an iteration has about seven events, most of them steps.
const LOOKED_AT: u32 = 100;
const SPEC_LIMIT: u64 = 4 * 1024 * 1024;

/// A project at one glance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Overview {
    /// The project itself.
    pub project: ProjectSummary,
    /// Whether its commands may run.
    pub trust: TrustReport,
    /// Who does the work.
    pub agent: AgentSummary,
    /// When a person is asked.
    #[cfg_attr(feature = "specta", specta(type = String))]
    pub mode: ReviewMode,
    /// Path patterns whose change always waits for approval.
    pub protected: Vec<String>,
    /// The checks, in order.
    pub checks: Vec<CheckSummary>,
    /// The documents that say what to build.
    pub spec_files: Vec<SpecFile>,
    /// The waves, first to last.
    pub waves: Vec<WaveSummary>,
    /// All tasks, by id.
    pub tasks: Vec<Task>,
    /// What happened last, newest first.
    pub activity: Vec<EventEnvelope>,
    /// What is wrong and what to do about it.
    pub problems: Vec<Fault>,
}

/// The project itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct ProjectSummary {
    /// Its name.
    pub name: String,
    /// Its folder.
    pub path: String,
    /// Whether it is the sample.
    pub sample: bool,
    /// Where its private state is.
    pub state_dir: String,
    /// Git's view of it; none outside of git or when git could not be asked.
    pub git: Option<GitSummary>,
}

/// Where the repository stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct GitSummary {
    /// The branch; none when detached.
    pub branch: Option<String>,
    /// The commit, short; none when there is none yet.
    pub head: Option<String>,
    /// Whether HEAD names a commit instead of a branch.
    pub detached: bool,
    /// Whether there is no commit yet.
    pub unborn: bool,
    /// Files that differ from the commit, new ones included; none when not asked for.
    pub changed: Option<u32>,
    /// A merge, rebase or the like that is under way.
    pub operation: Option<String>,
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct CheckSummary {
    /// Its name.
    pub name: String,
    /// Its command as written.
    pub command: String,
    /// Whether its failure fails the attempt.
    pub required: bool,
}

/// A document that says what to build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SpecFile {
    /// From the project folder.
    pub path: String,
    /// Its first heading, else its path.
    pub title: String,
    /// Whether it is there.
    pub exists: bool,
}

/// How closely to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Read git's files: quick, and says nothing about changed files. Git is asked only where they cannot be read.
    Files,
    /// Ask git, under the inspect profile.
    Ask,
}

impl Project {
    /// What happened last, without the steps inside iterations.
    async fn activity(&self) -> Result<Vec<EventEnvelope>, Fault> {
        let mut events = self.events().recent(LOOKED_AT).await?;
        events.retain(|envelope| !envelope.event.is_step());
        events.truncate(ACTIVITY as usize);
        Ok(events)
    }

    /// Looks at everything. Nothing in the folder is executed.
    ///
    /// # Errors
    /// The state cannot be read. All else that goes wrong is listed among the problems.
    pub async fn overview(&self, look: Look) -> Result<Overview, Fault> {
        let (layout, config) = (self.layout(), self.config());
        let mut problems: Vec<Fault> = self.recovery().into_iter().chain(&config.problems).cloned().collect();
        let git = git_summary(self.host(), layout, look).await.unwrap_or_else(|fault| {
            problems.push(fault);
            None
        });
        let record = Registry::of(self.host()).find(&layout.root);
        let judgement = trust::judged(record.as_ref(), layout, &config)?;
        let tasks = self.tasks().list().await?;
        Ok(Overview {
            project: ProjectSummary {
                name: self.name(&config),
                path: layout.root.display().to_string(),
                sample: record.is_some_and(|record| record.sample),
                state_dir: layout.state_dir.display().to_string(),
                git,
            },
            trust: TrustReport { findings: trust::findings(layout), ..judgement },
            agent: agent::choose(self.host(), &config),
            mode: config.value(key::MODE),
            protected: config.value(key::GATE_PROTECTED),
            checks: checks(&config),
            spec_files: config
                .value(key::SPEC_FILES)
                .iter()
                .map(|path| spec_file(&layout.root, path))
                .collect(),
            waves: TaskGraph::new(&tasks).summaries(),
            tasks,
            activity: self.activity().await?,
            problems,
        })
    }

    /// Remembers that a person opened this project, and how far it was.
    ///
    /// # Errors
    /// The user's data folder cannot be written.
    pub fn remember_opened(&self, name: &str, tasks: &[Task]) -> Result<(), Fault> {
        let now = self.host().timestamp();
        Registry::of(self.host()).update(&self.layout().root, |record| {
            record.name = name.to_owned();
            record.last_opened = Some(now);
            record.last_tasks = Some(task_counts(tasks));
        })?;
        Ok(())
    }
}

async fn git_summary(host: &Host, layout: &Layout, look: Look) -> Result<Option<GitSummary>, Fault> {
    let Some(repository) = &layout.repository else { return Ok(None) };
    if look == Look::Files
        && let Some(head) = loopwright_vcs::head(repository)
    {
        return Ok(Some(head.into()));
    }
    let git = host.git()?;
    Ok(Some(git.inspect(repository).summary().await?.into()))
}

fn spec_file(root: &Path, path: &str) -> SpecFile {
    let text = text_file::read(&root.join(path), SPEC_LIMIT).ok().flatten();
    let heading = text.as_deref().and_then(|text| text.lines().find_map(|line| line.strip_prefix("# ")));
    SpecFile {
        path: path.to_owned(),
        title: heading.map_or(path, str::trim).to_owned(),
        exists: text.is_some(),
    }
}

impl From<RepoSummary> for GitSummary {
    fn from(summary: RepoSummary) -> Self {
        Self {
            branch: summary.branch,
            head: summary.head,
            detached: summary.detached,
            unborn: summary.unborn,
            changed: Some(summary.changed),
            operation: summary.operation.map(Operation::as_str).map(str::to_owned),
        }
    }
}

impl From<Head> for GitSummary {
    fn from(head: Head) -> Self {
        Self {
            detached: head.branch.is_none(),
            unborn: head.commit.is_none(),
            branch: head.branch,
            head: head.commit,
            changed: None,
            operation: head.operation.map(Operation::as_str).map(str::to_owned),
        }
    }
}

fn checks(config: &Config) -> Vec<CheckSummary> {
    config
        .checks
        .iter()
        .filter(|check| check.enabled)
        .map(|check| CheckSummary {
            name: check.name.clone(),
            command: check.shown(),
            required: check.required,
        })
        .collect()
}

/// How many tasks there are of each kind; the cancelled ones are not counted.
#[must_use]
pub fn task_counts(tasks: &[Task]) -> TaskCounts {
    let mut counts = TaskCounts::default();
    for task in tasks {
        let kind = match task.status {
            TaskStatus::Cancelled => continue,
            TaskStatus::Pending => None,
            TaskStatus::Done => Some(&mut counts.done),
            TaskStatus::InProgress => Some(&mut counts.working),
            TaskStatus::AwaitingApproval => Some(&mut counts.waiting),
            TaskStatus::Blocked => Some(&mut counts.blocked),
        };
        if let Some(count) = kind {
            *count += 1;
        }
        counts.total += 1;
    }
    counts
}

/// How far the tasks are, in plain words.
#[must_use]
pub fn progress(tasks: &[Task]) -> String {
    let counted = tasks.iter().filter(|task| task.status != TaskStatus::Cancelled).count();
    let done = tasks.iter().filter(|task| task.status == TaskStatus::Done).count();
    match (counted, done) {
        (0, _) => "No tasks yet".to_owned(),
        (1, 0) => "1 task, not done".to_owned(),
        (1, _) => "1 task, done".to_owned(),
        (all, done) if all == done => format!("All {all} tasks done"),
        (all, done) => format!("{done} of {all} tasks done"),
    }
}
