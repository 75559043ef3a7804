//! Telling a person elsewhere: a command of the user's own that is started when a run needs them or is over. A webhook,
//! ntfy or e-mail is one line of shell away; see `docs/notifications.md`.
//!
//! The command comes from the user's own settings only, never from a project. It gets the notification as JSON on
//! standard input and in variables, has a time limit, and its failure is logged and changes nothing.

use std::ffi::OsString;
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::Duration;

use loopwright_config::{Config, Host, key};
use loopwright_domain::{
    ErrorCode, Event, EventEnvelope, ExitReason, Fault, GateId, NextAction, RunId, RunStatus, TaskId,
    TaskStatus,
};
use loopwright_process::{Command, Secrets, run, secret_values};
use serde::Serialize;

use crate::editor::own_environment;

/// How long the command may take.
const LIMIT: Duration = Duration::from_secs(30);

/// Why a person is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NotificationKind {
    /// Work waits for a decision.
    Gate,
    /// A task cannot go on.
    Blocked,
    /// The run waits for an agent's limit, or reached one of its own.
    Limit,
    /// The run ended without reaching its goal.
    Failed,
    /// The run is done.
    Done,
    /// Somebody tries whether the command works.
    Test,
}

impl NotificationKind {
    /// Its name, in JSON and in `LOOPWRIGHT_NOTIFY_EVENT`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gate => "gate",
            Self::Blocked => "blocked",
            Self::Limit => "limit",
            Self::Failed => "failed",
            Self::Done => "done",
            Self::Test => "test",
        }
    }
}

/// What a person is told: names, numbers and a sentence without keys and passwords.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Notification {
    /// Why.
    pub event: NotificationKind,
    /// When, in UTC.
    pub at: String,
    /// The project's name and folder.
    pub project: String,
    /// See [`Self::project`].
    pub folder: String,
    /// The run.
    pub run: Option<RunId>,
    /// The task.
    pub task: Option<TaskId>,
    /// The gate.
    pub gate: Option<GateId>,
    /// One sentence.
    pub message: String,
}

/// Starts the user's command for the events that concern a person.
#[derive(Debug)]
pub struct Notifier {
    program: PathBuf,
    args: Vec<String>,
    host: Host,
    secrets: Secrets,
    project: String,
    folder: PathBuf,
    under_way: Vec<JoinHandle<()>>,
}

impl Notifier {
    /// The notifier of a project; none where the user has set no command.
    ///
    /// # Errors
    /// The command cannot be read, or its program is not there.
    pub fn of(
        host: &Host,
        config: &Config,
        project: &str,
        folder: &std::path::Path,
    ) -> Result<Option<Self>, Fault> {
        let command: String = config.value(key::NOTIFY_COMMAND);
        if command.trim().is_empty() {
            return Ok(None);
        }
        let wrong = |message: String| {
            Fault::new(ErrorCode::ConfigBadValue, message)
                .next(NextAction::ChangeUserSetting, "Change notify.command")
        };
        let words = shell_words::split(&command)
            .map_err(|error| wrong(format!("notify.command cannot be read: {error}")))?;
        let Some((name, args)) = words.split_first() else { return Ok(None) };
        let program = host
            .find_program_on(name, &host.search_path)
            .ok_or_else(|| wrong(format!("the program of notify.command was not found: {name}")))?;
        Ok(Some(Self {
            program,
            args: args.to_vec(),
            host: host.clone(),
            secrets: secrets_of(host, config),
            project: project.to_owned(),
            folder: folder.to_owned(),
            under_way: Vec::new(),
        }))
    }

    /// Takes in an event, and starts the command if it concerns a person. Never waits.
    pub fn event(&mut self, envelope: &EventEnvelope) {
        let Some(notification) = self.notification(envelope) else { return };
        let command = self.command(&notification);
        let told = move || {
            let Err(fault) = finish(command) else { return };
            tracing::warn!(code = %fault.code, "notify.command: {}", fault.message);
        };
        match std::thread::Builder::new().name("notify".to_owned()).spawn(told) {
            Ok(thread) => self.under_way.push(thread),
            Err(error) => tracing::warn!("notify.command was not started: {error}"),
        }
    }

    /// Waits for the commands that are under way; each has its time limit.
    pub fn wait(&mut self) {
        for thread in self.under_way.drain(..) {
            let _panicked = thread.join();
        }
    }

    /// Starts the command once, for a person who tries it.
    ///
    /// # Errors
    /// It cannot be started, does not end in time, or fails.
    pub fn test(&self, at: String) -> Result<(), Fault> {
        let message = "This is a test: notifications reach you.".to_owned();
        finish(self.command(&self.about(NotificationKind::Test, at, message)))
    }

    fn about(&self, event: NotificationKind, at: String, message: String) -> Notification {
        Notification {
            event,
            at,
            project: self.project.clone(),
            folder: self.folder.display().to_string(),
            run: None,
            task: None,
            gate: None,
            message: self.secrets.redact(&message).into_owned(),
        }
    }

    fn notification(&self, envelope: &EventEnvelope) -> Option<Notification> {
        let about = |event, message: &str| self.about(event, envelope.at.clone(), message.to_owned());
        match &envelope.event {
            Event::GateOpened { gate, run, task, .. } => Some(Notification {
                run: Some(*run),
                task: *task,
                gate: Some(*gate),
                ..about(NotificationKind::Gate, "Work needs your review.")
            }),
            Event::TaskStatusChanged { task, to: TaskStatus::Blocked, origin: None, .. } => {
                let message = format!("Task {task} is blocked.");
                Some(Notification { task: Some(*task), ..about(NotificationKind::Blocked, &message) })
            }
            Event::RunStatusChanged { run, status, reason, message, .. } => {
                let event = of_status(*status, *reason)?;
                Some(Notification { run: Some(*run), ..about(event, message) })
            }
            _ => None,
        }
    }

    fn command(&self, notification: &Notification) -> Command {
        let mut env = own_environment(&self.host);
        let variables = [
            ("LOOPWRIGHT_NOTIFY_EVENT", notification.event.as_str().to_owned()),
            ("LOOPWRIGHT_NOTIFY_PROJECT", notification.project.clone()),
            ("LOOPWRIGHT_NOTIFY_MESSAGE", notification.message.clone()),
        ];
        env.extend(variables.map(|(name, value)| (OsString::from(name), OsString::from(value))));
        let stdin = serde_json::to_vec(notification).unwrap_or_default();
        Command { env, stdin, timeout: LIMIT, ..Command::new(&self.program, &self.folder) }.args(&self.args)
    }
}

/// What must not be told: an agent's reason may be in a sentence.
fn secrets_of(host: &Host, config: &Config) -> Secrets {
    let set = config.secret_values();
    let values = secret_values(&host.environment).chain(&set);
    Secrets::with_values(values.map(|value| value.as_encoded_bytes()))
}

/// What a run's new status means for a person; none where nobody has to know.
fn of_status(status: RunStatus, reason: Option<ExitReason>) -> Option<NotificationKind> {
    match (status, reason) {
        (RunStatus::Completed, _) => Some(NotificationKind::Done),
        (_, Some(ExitReason::AgentLimit | ExitReason::Time | ExitReason::Money | ExitReason::Tokens)) => {
            Some(NotificationKind::Limit)
        }
        // Whoever opened the gate was told of it.
        (RunStatus::Waiting, Some(ExitReason::NeedsPerson)) => None,
        (RunStatus::Aborted, _) | (RunStatus::Waiting, Some(_)) => Some(NotificationKind::Failed),
        (RunStatus::Interrupted, Some(ExitReason::Error)) => Some(NotificationKind::Failed),
        _ => None,
    }
}

fn finish(command: Command) -> Result<(), Fault> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Fault::caused(ErrorCode::Internal, "cannot start the runtime", &error))?;
    let finished = runtime.block_on(run(command))?;
    if finished.exit.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&finished.output.stderr);
    let said = said.lines().last().map(|line| format!(": {line}")).unwrap_or_default();
    Err(Fault::new(ErrorCode::ProcessBroken, format!("the command ended with {}{said}", finished.exit)))
}
