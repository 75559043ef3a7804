//! One agent process: started, listened to, ended with all it started.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use loopwright_agents::{Harness, Invocation, Reader, Reading, Request, Stream as AgentStream};
use loopwright_domain::{
    AgentEvent, AgentProblem, Automation, Confinement, ControlKind, EndCause, ExitReason, Fault, Iteration,
};
use loopwright_process::{
    CappedLog, Command, Ended, Exit, Job, Line, LogLimits, OutputSink, Secrets, Stream, TimeLimits,
};
use tokio::sync::watch;

use super::attach::Attached;
use super::desk;
use super::files::{IterationFiles, private_file};
use super::lookout::{Alarm, Lookout, Waits};
use super::mirror;
use super::observe::Observer;
use super::options::RunOptions;
use super::papers::Papers;
use super::pulse::{BEAT, Pulse};
use super::spending::Spending;
use super::steer::{Steering, Wish};
use super::stop::Urgency;
use super::transcript::Transcript;
use crate::config::Config;
use crate::host::Host;
use crate::layout::Layout;
use crate::sandbox::{Guard, npm_cache};
use crate::text_file::io_fault;

/// How long an agent gets to end once it has been told to.
const END_GRACE: Duration = Duration::from_secs(5);
/// How long an agent that waits for its service gets to end by itself.
const WAIT_GRACE: Duration = Duration::from_secs(2);

/// Where the agent of an iteration works and what it is told.
pub(crate) struct Stage<'a> {
    pub(crate) host: &'a Host,
    pub(crate) layout: &'a Layout,
    /// What is put around the agent.
    pub(crate) guard: &'a Guard,
    pub(crate) options: &'a RunOptions,
    pub(crate) harness: &'a dyn Harness,
    pub(crate) work_dir: PathBuf,
    pub(crate) files: &'a IterationFiles,
    pub(crate) signal_file: &'a Path,
    pub(crate) nonce: &'a str,
    /// How much the agent may do.
    pub(crate) automation: &'a str,
    /// Which attempt it is.
    pub(crate) attempt: u32,
    /// What is hidden in its output.
    pub(crate) secrets: &'a Secrets,
    /// The iteration's private folder for what the agent needs to start; none when nothing is started.
    pub(crate) scratch: Option<&'a Path>,
    /// The agent's own folder for short-lived files; none when nothing is started.
    pub(crate) temp: Option<&'a Path>,
    /// The time the run has left.
    pub(crate) time_left: Option<Duration>,
}

/// What an agent process came to.
pub(crate) struct Performance {
    pub(crate) end: EndCause,
    pub(crate) exit_code: Option<i32>,
    pub(crate) exit_signal: Option<i32>,
    pub(crate) elapsed: Duration,
    pub(crate) reading: Reading,
    pub(crate) strays: Vec<String>,
    /// Why the run ends with it, when the agent was stopped for that.
    pub(crate) stopped_for: Option<ExitReason>,
    /// Somebody asked to pause meanwhile.
    pub(crate) pause: Option<ControlKind>,
    /// What it waited for when it was ended because of that.
    pub(crate) waits: Option<Waits>,
    /// The trouble that it told of and did not overcome.
    pub(crate) stuck: Option<AgentProblem>,
    /// Troubles that did not stop it.
    pub(crate) notes: Vec<String>,
}

impl Stage<'_> {
    fn request<'r>(&'r self, prompt: &'r str, prompt_file: &'r Path, iteration: &'r str) -> Request<'r> {
        Request::new(prompt, prompt_file, &self.work_dir, iteration)
            .model(self.options.agent.model.as_deref())
            .automation(Automation::parse(self.automation).unwrap_or(Automation::Auto))
            .folders(self.scratch, self.temp)
            .user(loopwright_process::runs_as_root(), self.is_confined())
    }

    fn is_confined(&self) -> bool {
        self.guard.confinement() == Confinement::Sandbox
    }

    /// How the agent would be started: for a dry run and for the journal.
    pub(crate) fn invocation(&self, prompt: &str, iteration: &str) -> Result<Invocation, Fault> {
        let prompt_file = self.files.prompt();
        let attached = Attached::to(self, iteration);
        let variables = attached.as_ref().map(Attached::variables).unwrap_or_default();
        let mut request = self.request(prompt, &prompt_file, iteration);
        request.mcp = attached.as_ref().map(|attached| attached.server(&variables));
        request.home = self.harness.home_variable().and_then(|name| self.host.home_named(name));
        Ok(self.harness.invoke(&request)?)
    }

    /// The reader for what the agent prints.
    pub(crate) fn reader(&self, prompt: &str, iteration: &str) -> Box<dyn Reader> {
        let prompt_file = self.files.prompt();
        self.harness.reader(&self.request(prompt, &prompt_file, iteration))
    }

    /// The job for this agent: a fresh process with an environment that holds nothing it was not meant to see.
    pub(crate) fn job(&self, iteration: &Iteration, invocation: Invocation, temp: &Path) -> Job {
        let mut command = Command::new(invocation.program, &self.work_dir).args(invocation.args);
        command.env = self.environment(iteration, &command.program, invocation.env, temp);
        command.stdin = invocation.stdin;
        let mut job = Job::new(command, iteration.id.to_string());
        job.limits = self.limits();
        job.secrets = self.secrets.clone();
        job.sandbox = self.sandbox(&job.command, temp);
        job
    }

    fn environment(
        &self,
        iteration: &Iteration,
        program: &Path,
        own: BTreeMap<OsString, OsString>,
        temp: &Path,
    ) -> BTreeMap<OsString, OsString> {
        let named = [self.harness.credentials(), self.harness.settings()].concat();
        let mut env = loopwright_process::allowed_environment(self.host.environment.clone(), named);
        env.insert("PATH".into(), self.search_path(program));
        for name in ["TMPDIR", "TMP", "TEMP"] {
            env.insert(name.into(), temp.into());
        }
        let told: [(&str, OsString); 7] = [
            ("LOOPWRIGHT_RUN", iteration.run.to_string().into()),
            ("LOOPWRIGHT_ATTEMPT", self.attempt.to_string().into()),
            (desk::SIGNAL_FILE, self.signal_file.into()),
            (desk::NONCE, self.nonce.into()),
            (desk::TASK_FILE, self.files.task().into()),
            ("LOOPWRIGHT_PROMPT_FILE", self.files.prompt().into()),
            ("LOOPWRIGHT_AUTOMATION", self.automation.into()),
        ];
        env.extend(told.map(|(name, value)| (OsString::from(name), value)));
        if self.is_confined() {
            env.insert("npm_config_cache".into(), npm_cache(self.host).into());
        }
        env.extend(iteration.task.map(|task| ("LOOPWRIGHT_TASK".into(), task.0.to_string().into())));
        env.extend(own);
        env
    }

    /// The agent's search path, with this program's folder at its end so that `loopwright signal` is found.
    fn search_path(&self, program: &Path) -> OsString {
        let path = self.host.search_path_for(program);
        let folders = std::env::split_paths(&path).chain(self.host.program_dir.clone());
        std::env::join_paths(folders).unwrap_or(path)
    }

    fn limits(&self) -> TimeLimits {
        let times = &self.options.times;
        let wall = times.wall_ms.map(Duration::from_millis);
        TimeLimits {
            wall: [wall, self.time_left].into_iter().flatten().min(),
            idle: times.idle_ms.map(Duration::from_millis),
            start: times.start_ms.map(Duration::from_millis),
            grace: END_GRACE,
        }
    }
}

/// What must not show in anything an agent prints: its own keys, and every other secret of the environment and of what
/// the settings give it.
pub(crate) fn secrets(host: &Host, config: &Config, harness: &dyn Harness) -> Secrets {
    let names = harness.credentials();
    let own = names.iter().filter_map(|name| host.environment.get(OsStr::new(name)));
    let set = config.harnesses.get(harness.name()).map(|known| &known.command.env);
    let set: BTreeMap<OsString, OsString> =
        set.into_iter().flatten().map(|(name, value)| (name.into(), value.into())).collect();
    let all = loopwright_process::secret_values(&host.environment).chain(own);
    let all = all.chain(loopwright_process::secret_values(&set));
    Secrets::with_values(all.map(|value| value.as_encoded_bytes()))
}

/// Takes what the agent prints: raw into files, understood into the transcript and to the observer. A file that
/// cannot be written does not stop the agent: it is told afterwards.
pub(crate) struct Listener<'a> {
    iteration: &'a Iteration,
    reader: Box<dyn Reader>,
    observer: &'a mut dyn Observer,
    stdout: Option<CappedLog>,
    stderr: Option<CappedLog>,
    transcript: Transcript,
    papers: Papers,
    lookout: Lookout,
    spending: Spending,
    troubles: Vec<String>,
}

impl<'a> Listener<'a> {
    pub(crate) fn new(
        iteration: &'a Iteration,
        files: &IterationFiles,
        reader: Box<dyn Reader>,
        observer: &'a mut dyn Observer,
        papers: Papers,
        lookout: Lookout,
    ) -> Self {
        let mut troubles = Vec::new();
        let mut opened = |what: &str, error: std::io::Error| troubles.push(trouble(what, &error));
        let log = |path: PathBuf| CappedLog::create(path, LogLimits::default());
        let stdout = log(files.stdout()).map_err(|error| opened("output", error)).ok();
        let stderr = log(files.stderr()).map_err(|error| opened("error output", error)).ok();
        let transcript = Transcript::create(&files.transcript());
        let spending = Spending::new(files.usage());
        Self { iteration, reader, observer, stdout, stderr, transcript, papers, lookout, spending, troubles }
    }

    fn take(&mut self, events: Vec<AgentEvent>) {
        for mut event in events {
            self.lookout.see(&mut event);
            self.spending.see(&event);
            self.observer.agent(self.iteration, &event);
            self.transcript.write(&event);
        }
    }

    fn take_diary(&mut self, lines: Vec<Vec<u8>>) {
        for line in lines {
            let events = self.reader.diary(&line);
            self.take(events);
        }
    }

    /// Closes the files and says what it all came to.
    fn finish(mut self, exit_code: Option<i32>) -> (Reading, Option<AgentProblem>, Vec<String>) {
        let rest = self.papers.rest();
        self.take_diary(rest);
        if let Some(content) = self.papers.report() {
            self.reader.report(&content);
        }
        let mut reading = self.reader.finish(exit_code);
        self.take(std::mem::take(&mut reading.events));
        self.troubles.extend(self.transcript.finish().map(|error| trouble("transcript", &error)));
        for (what, log) in [("output", self.stdout), ("error output", self.stderr)] {
            let failure = log.and_then(|log| log.finish().failure);
            self.troubles.extend(failure.map(|error| trouble(what, &error)));
        }
        let stuck = self.lookout.finish(&mut reading);
        (reading, stuck, self.troubles)
    }
}

/// Writes what an agent needs to start; only its owner may read it.
pub(crate) fn write_files(invocation: &Invocation) -> Result<(), Fault> {
    for (path, content) in &invocation.files {
        private_file(path)
            .and_then(|mut file| file.write_all(content))
            .map_err(|error| io_fault("write", path, &error))?;
    }
    invocation.mirror.as_ref().map_or(Ok(()), mirror::make)
}

fn trouble(what: &str, error: &std::io::Error) -> String {
    format!("the agent's {what} could not be kept whole: {error}")
}

impl OutputSink for Listener<'_> {
    fn output(&mut self, stream: Stream, bytes: &[u8]) {
        let log = match stream {
            Stream::Out => &mut self.stdout,
            Stream::Err => &mut self.stderr,
        };
        if let Some(log) = log {
            log.write(bytes);
        }
    }

    fn line(&mut self, stream: Stream, line: Line<'_>) {
        let stream = match stream {
            Stream::Out => AgentStream::Stdout,
            Stream::Err => AgentStream::Stderr,
        };
        let events = match line {
            Line::Text(text) => self.reader.line(stream, text),
            Line::Oversize { bytes, .. } => self.reader.oversize(stream, bytes),
        };
        self.take(events);
    }

    fn caught_up(&mut self) {
        let news = self.papers.news();
        self.take_diary(news);
        self.transcript.flush();
        self.spending.keep();
    }
}

/// Listens to a started agent until it has ended, and stops it when somebody wants that.
pub(crate) async fn attend(
    running: loopwright_process::Running,
    mut listener: Listener<'_>,
    steering: &mut Steering<'_>,
    mut alarm: watch::Receiver<Option<Alarm>>,
    pulse: Pulse,
    grace: Duration,
) -> Result<Performance, Fault> {
    let stopper = running.stopper();
    let mut beats = tokio::time::interval(BEAT);
    let mut stopped_for = None;
    let mut pause = None;
    let mut waits = None;
    let ended: Ended = {
        let finishing = running.finish(&mut listener);
        tokio::pin!(finishing);
        let mut patience = None;
        loop {
            let out_of_patience = async {
                match patience {
                    Some(until) => tokio::time::sleep_until(until).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                ended = &mut finishing => break ended?,
                _ = beats.tick() => pulse.beat(),
                () = out_of_patience => {
                    patience = None;
                    stopper.interrupt();
                }
                Ok(()) = alarm.changed(), if stopped_for.is_none() => match alarm.borrow_and_update().clone() {
                    Some(Alarm::Cap(reason)) => {
                        stopped_for = Some(reason);
                        stopper.interrupt();
                    }
                    Some(Alarm::Waits(for_whom)) => {
                        waits = Some(for_whom);
                        patience = Some(tokio::time::Instant::now() + WAIT_GRACE);
                    }
                    None => (waits, patience) = (None, None),
                },
                wish = steering.next() => match wish {
                    Wish::Stop(Urgency::Gentle) => {
                        stopped_for = Some(ExitReason::Interrupted);
                        patience = Some(tokio::time::Instant::now() + grace);
                    }
                    Wish::Stop(Urgency::Now) => {
                        stopped_for = Some(ExitReason::Interrupted);
                        stopper.kill();
                    }
                    Wish::Asked(ControlKind::Cancel) => {
                        stopped_for = Some(ExitReason::Cancelled);
                        stopper.interrupt();
                    }
                    Wish::Asked(ControlKind::Resume) => pause = None,
                    Wish::Asked(kind) => pause = Some(kind),
                },
            }
        }
    };
    let (exit_code, exit_signal) = match ended.exit {
        Exit::Code(code) => (Some(code), None),
        Exit::Signal(signal) => (None, Some(signal)),
    };
    let (reading, stuck, mut notes) = listener.finish(exit_code);
    let strays: Vec<String> =
        ended.strays.iter().map(|stray| format!("{} ({})", stray.name, stray.pid)).collect();
    notes.extend(
        ended
            .strays
            .iter()
            .filter(|stray| !stray.ended)
            .map(|stray| format!("{} (process {}) could not be ended", stray.name, stray.pid)),
    );
    Ok(Performance {
        end: end_cause(ended.cause),
        exit_code,
        exit_signal,
        elapsed: ended.elapsed,
        reading,
        strays,
        stopped_for,
        pause,
        waits,
        stuck,
        notes,
    })
}

const fn end_cause(cause: loopwright_process::EndCause) -> EndCause {
    match cause {
        loopwright_process::EndCause::Exited => EndCause::Exited,
        loopwright_process::EndCause::WallTimeout => EndCause::WallTimeout,
        loopwright_process::EndCause::IdleTimeout => EndCause::IdleTimeout,
        loopwright_process::EndCause::StartTimeout => EndCause::StartTimeout,
        loopwright_process::EndCause::Interrupted => EndCause::Interrupted,
        loopwright_process::EndCause::Killed => EndCause::Killed,
    }
}
