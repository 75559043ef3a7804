//! One agent process: started, listened to, ended with all it started.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use loopwright_agents::{AgentRequest, Harness, Invocation, OutputParser, ParsedOutput};
use loopwright_config::{Host, Layout};
use loopwright_domain::{
    AgentEvent, AgentProblem, Automation, EndCause, ExitReason, Fault, Iteration, SandboxState,
};
use loopwright_process::{
    CappedLog, Ended, Exit, Job, Line, LogLimits, OutputSink, OutputStream, Secrets, TimeLimits,
};
use loopwright_transcript::{IterationFiles, Transcript};
use loopwright_vcs::{AGENT_REFLOG_ACTION, AgentRepository};
use tokio::sync::{mpsc, watch};

use crate::attempt::agent::heartbeat::{Heartbeat, INTERVAL};
use crate::attempt::agent::mcp_server::McpAttachment;
use crate::attempt::agent::monitor::{AgentMonitor, ServiceWait};
use crate::attempt::agent::signal_endpoint;
use crate::attempt::agent::usage_file::UsageFile;
use crate::attempt::link::{AttemptLink, AttemptMessage, StopOrder};
use crate::launch::AgentLauncher;
use crate::launch::SideFiles;
use crate::prepare::options::RunOptions;
use crate::sandbox::RunSandbox;
use crate::stop::Urgency;

/// How long an agent gets to end once it has been told to.
const END_GRACE: Duration = Duration::from_secs(5);
/// How long an agent that waits for its service gets to end by itself.
const WAIT_GRACE: Duration = Duration::from_secs(2);

/// Where the agent of an iteration works and what it is told.
pub(crate) struct AgentLaunch<'a> {
    pub(crate) host: &'a Host,
    pub(crate) layout: &'a Layout,
    /// What is put around the agent.
    pub(crate) sandbox: &'a RunSandbox,
    pub(crate) options: &'a RunOptions,
    pub(crate) harness: &'a dyn Harness,
    pub(crate) work_dir: PathBuf,
    pub(crate) files: &'a IterationFiles,
    pub(crate) signal_file: &'a Path,
    pub(crate) nonce: &'a str,
    /// How much the agent may do.
    pub(crate) automation: Automation,
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
    /// The git folder that the agent sees in the place of the repository's.
    pub(crate) repository: Option<&'a AgentRepository>,
}

/// What an agent process came to.
pub(crate) struct AgentResult {
    pub(crate) end: EndCause,
    pub(crate) exit_code: Option<i32>,
    pub(crate) exit_signal: Option<i32>,
    pub(crate) elapsed: Duration,
    pub(crate) reading: ParsedOutput,
    pub(crate) strays: Vec<String>,
    /// Why the run ends with it, when the agent was stopped for that.
    pub(crate) stopped_for: Option<ExitReason>,
    /// What it waited for when it was ended because of that.
    pub(crate) service_wait: Option<ServiceWait>,
    /// The trouble that it told of and did not overcome.
    pub(crate) stuck: Option<AgentProblem>,
    /// The last line of its error output.
    pub(crate) last_error_line: Option<String>,
    /// Troubles that did not stop it.
    pub(crate) notes: Vec<String>,
}

impl AgentLaunch<'_> {
    fn request<'r>(&'r self, prompt: &'r str, prompt_file: &'r Path, iteration: &'r str) -> AgentRequest<'r> {
        AgentRequest::new(prompt, prompt_file, &self.work_dir, iteration)
            .model(self.options.agent.model.as_deref())
            .automation(self.automation)
            .folders(self.scratch, self.temp)
            .user(loopwright_process::runs_as_root(), self.is_sandboxed())
    }

    fn is_sandboxed(&self) -> bool {
        self.sandbox.state() == SandboxState::Sandbox
    }

    /// How the agent would be started: for a dry run and for the journal.
    pub(crate) fn invocation(&self, prompt: &str, iteration: &str) -> Result<Invocation, Fault> {
        let prompt_file = self.files.prompt();
        let attached = McpAttachment::to(self, iteration);
        let variables = attached.as_ref().map(McpAttachment::variables).unwrap_or_default();
        let mut request = self.request(prompt, &prompt_file, iteration);
        request.mcp = attached.as_ref().map(|attached| attached.server(&variables));
        request.home = self.harness.home_variable().and_then(|name| self.host.home_named(name));
        Ok(self.harness.invoke(&request)?)
    }

    /// The reader for what the agent prints.
    pub(crate) fn reader(&self, prompt: &str, iteration: &str) -> Box<dyn OutputParser> {
        let prompt_file = self.files.prompt();
        self.harness.output_parser(&self.request(prompt, &prompt_file, iteration))
    }

    /// What starts this agent.
    pub(crate) fn launcher<'l>(&'l self, temp: &'l Path) -> AgentLauncher<'l> {
        AgentLauncher {
            host: self.host,
            layout: self.layout,
            harness: self.harness,
            sandbox: self.sandbox,
            secrets: self.secrets,
            work_dir: &self.work_dir,
            temp,
            reads_only: self.automation == Automation::Plan,
            named: Vec::new(),
            repository: self.repository,
            limits: self.limits(),
        }
    }

    /// The job for this agent.
    pub(crate) fn job(
        &self,
        launcher: &AgentLauncher<'_>,
        iteration: &Iteration,
        invocation: Invocation,
    ) -> Job {
        let search_path = self.search_path(&invocation.program);
        launcher.job(invocation, iteration.id.to_string(), search_path, self.told(iteration))
    }

    /// What the agent's environment says about its work.
    fn told(&self, iteration: &Iteration) -> Vec<(OsString, OsString)> {
        let told: [(&str, OsString); 7] = [
            ("LOOPWRIGHT_RUN", iteration.run.to_string().into()),
            ("LOOPWRIGHT_ATTEMPT", self.attempt.to_string().into()),
            (signal_endpoint::SIGNAL_FILE, self.signal_file.into()),
            (signal_endpoint::NONCE, self.nonce.into()),
            (signal_endpoint::TASK_FILE, self.files.task().into()),
            ("LOOPWRIGHT_PROMPT_FILE", self.files.prompt().into()),
            ("LOOPWRIGHT_AUTOMATION", self.automation.as_str().into()),
        ];
        let reflog = self.repository.is_none().then(|| ("GIT_REFLOG_ACTION", AGENT_REFLOG_ACTION.into()));
        let task = iteration.task.map(|task| ("LOOPWRIGHT_TASK", task.0.to_string().into()));
        told.into_iter().chain(reflog).chain(task).map(|(name, value)| (name.into(), value)).collect()
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

/// Takes what the agent prints: raw into files, understood into the transcript and to the dispatcher. A file that
/// cannot be written does not stop the agent: it is told afterwards.
pub(crate) struct OutputListener {
    reader: Box<dyn OutputParser>,
    messages: mpsc::UnboundedSender<AttemptMessage>,
    stdout: Option<CappedLog>,
    stderr: Option<CappedLog>,
    transcript: Transcript,
    side_files: SideFiles,
    monitor: AgentMonitor,
    usage_file: UsageFile,
    last_error_line: Option<String>,
    troubles: Vec<String>,
}

impl OutputListener {
    pub(crate) fn new(
        files: &IterationFiles,
        reader: Box<dyn OutputParser>,
        messages: mpsc::UnboundedSender<AttemptMessage>,
        side_files: SideFiles,
        monitor: AgentMonitor,
    ) -> Self {
        let mut troubles = Vec::new();
        let mut opened = |what: &str, error: std::io::Error| troubles.push(trouble(what, &error));
        let log = |path: PathBuf| CappedLog::create(path, LogLimits::default());
        let stdout = log(files.stdout()).map_err(|error| opened("output", error)).ok();
        let stderr = log(files.stderr()).map_err(|error| opened("error output", error)).ok();
        let transcript = Transcript::create(&files.transcript());
        let usage_file = UsageFile::new(files.usage());
        Self {
            reader,
            messages,
            stdout,
            stderr,
            transcript,
            side_files,
            monitor,
            usage_file,
            last_error_line: None,
            troubles,
        }
    }

    fn take(&mut self, events: Vec<AgentEvent>) {
        for mut event in events {
            self.monitor.see(&mut event);
            self.usage_file.see(&event);
            self.transcript.write(&event);
            if let AgentEvent::Usage { usage } = event {
                let _ = self.messages.send(AttemptMessage::Used(usage));
            }
            let _ = self.messages.send(AttemptMessage::Agent(event));
        }
    }

    fn take_diary(&mut self, lines: Vec<Vec<u8>>) {
        for line in lines {
            let events = self.reader.event_log_line(&line);
            self.take(events);
        }
    }

    /// Closes the files and says what it all came to.
    fn finish(mut self, exit_code: Option<i32>) -> (ParsedOutput, Option<AgentProblem>, Vec<String>) {
        let rest = self.side_files.rest();
        self.take_diary(rest);
        if let Some(content) = self.side_files.report() {
            self.reader.report(&content);
        }
        let mut reading = self.reader.finish(exit_code);
        self.take(std::mem::take(&mut reading.events));
        self.troubles.extend(self.transcript.finish().map(|error| trouble("transcript", &error)));
        for (what, log) in [("output", self.stdout), ("error output", self.stderr)] {
            let failure = log.and_then(|log| log.finish().failure);
            self.troubles.extend(failure.map(|error| trouble(what, &error)));
        }
        let stuck = self.monitor.finish(&mut reading);
        (reading, stuck, self.troubles)
    }
}

fn trouble(what: &str, error: &std::io::Error) -> String {
    format!("the agent's {what} could not be kept whole: {error}")
}

impl OutputSink for OutputListener {
    fn output(&mut self, stream: OutputStream, bytes: &[u8]) {
        let log = match stream {
            OutputStream::Stdout => &mut self.stdout,
            OutputStream::Stderr => &mut self.stderr,
        };
        if let Some(log) = log {
            log.write(bytes);
        }
    }

    fn line(&mut self, stream: OutputStream, line: Line<'_>) {
        let events = match line {
            Line::Text(text) => {
                if stream == OutputStream::Stderr && !text.trim_ascii().is_empty() {
                    self.last_error_line = Some(String::from_utf8_lossy(text).trim().to_owned());
                }
                self.reader.line(stream, text)
            }
            Line::Oversize { bytes, .. } => self.reader.oversize(stream, bytes),
        };
        self.take(events);
    }

    fn caught_up(&mut self) {
        let news = self.side_files.news();
        self.take_diary(news);
        self.transcript.flush();
        self.usage_file.keep();
    }
}

/// Listens to a started agent until it has ended, and stops it when somebody wants that.
pub(crate) async fn supervise(
    running: loopwright_process::Running,
    mut listener: OutputListener,
    link: &mut AttemptLink,
    mut alarm: watch::Receiver<Option<ServiceWait>>,
    heartbeat: Heartbeat,
    grace: Duration,
) -> Result<AgentResult, Fault> {
    let stopper = running.stopper();
    let mut beats = tokio::time::interval(INTERVAL);
    let mut stopped_for = None;
    let mut service_wait = None;
    let ended: Ended = {
        let finishing = running.finish(&mut listener);
        tokio::pin!(finishing);
        let mut deadline = None;
        loop {
            let grace_over = async {
                match deadline {
                    Some(until) => tokio::time::sleep_until(until).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                ended = &mut finishing => break ended?,
                _ = beats.tick() => heartbeat.beat(),
                () = grace_over => {
                    deadline = None;
                    stopper.interrupt();
                }
                Ok(()) = alarm.changed(), if stopped_for.is_none() => {
                    service_wait = alarm.borrow_and_update().clone();
                    deadline = service_wait.as_ref().map(|_| tokio::time::Instant::now() + WAIT_GRACE);
                }
                order = link.next_order() => {
                    stopped_for = Some(order.reason());
                    match order {
                        StopOrder::Interrupt(Urgency::Gentle) => {
                            deadline = Some(tokio::time::Instant::now() + grace);
                        }
                        StopOrder::Interrupt(Urgency::Now) => stopper.kill(),
                        StopOrder::Cap(_) | StopOrder::Cancel => stopper.interrupt(),
                    }
                }
            }
        }
    };
    let (exit_code, exit_signal) = match ended.exit {
        Exit::Code(code) => (Some(code), None),
        Exit::Signal(signal) => (None, Some(signal)),
    };
    let last_error_line = listener.last_error_line.take();
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
    Ok(AgentResult {
        end: ended.cause,
        exit_code,
        exit_signal,
        elapsed: ended.elapsed,
        reading,
        strays,
        stopped_for,
        service_wait,
        stuck,
        last_error_line,
        notes,
    })
}
