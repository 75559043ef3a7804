//! One question to an agent that only reads: a fresh process, an answer, nothing kept. Trials and the wizard ask so.

use std::path::{Path, PathBuf};
use std::time::Duration;

use loopwright_agents::{AgentRequest, Harness, OutputParser, ParsedOutput};
use loopwright_config::{Host, Layout, TrustedConfig};
use loopwright_domain::limit::{is_outage, is_trouble};
use loopwright_domain::{AgentEvent, AgentProblem, Automation, ErrorCode, Fault, SandboxState};
use loopwright_process::{EndCause, Exit, Line, OutputSink, OutputStream, Stopper, TimeLimits, start};

use crate::ids::new_run_id;
use crate::launch::{self, AgentLauncher, SideFiles, write_files};
use crate::sandbox::RunSandbox;
use crate::stop::{StopHandle, Urgency};

/// What an agent is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    pub(crate) prompt: &'a str,
    /// A JSON schema for the answer, for agents that take one.
    pub(crate) schema: Option<&'a str>,
    pub(crate) model: Option<&'a str>,
    /// The folder it may read; none gives it an empty one.
    pub(crate) work_dir: Option<&'a Path>,
    /// How long the answer may take.
    pub(crate) time: Duration,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct AgentAnswer {
    pub(crate) reading: ParsedOutput,
    /// The trouble that it told of and did not overcome.
    pub(crate) stuck: Option<AgentProblem>,
    pub(crate) end: EndCause,
    pub(crate) elapsed: Duration,
}

/// Takes what the agent says and does, as it comes, and says whether to stop it.
pub(crate) type Listener<'l> = &'l mut (dyn FnMut(&AgentEvent) -> bool + Send);

/// Asks an agent, in the sandbox and with its own read-only mode.
///
/// # Errors
/// It cannot be started.
pub(crate) async fn ask(
    host: &Host,
    config: &TrustedConfig,
    agent: &dyn Harness,
    question: &Question<'_>,
    listener: Listener<'_>,
    stop: &StopHandle,
) -> Result<AgentAnswer, Fault> {
    let made = std::fs::create_dir_all(&host.temp_dir);
    let folder = made.and_then(|()| tempfile::tempdir_in(&host.temp_dir)).map_err(|error| {
        Fault::caused(ErrorCode::IoFailed, "cannot make a folder for the question", &error)
    })?;
    let sandbox = RunSandbox::find(host, config, None).demanded()?;
    let place = |name: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir(&path).map(|()| path.clone()).map_err(|error| {
            Fault::caused(ErrorCode::IoFailed, format_args!("cannot make {}", path.display()), &error)
        })
    };
    let (empty, given, temp) = (place("work")?, place("given")?, place("temp")?);
    let work: PathBuf = question.work_dir.map_or(empty, Path::to_path_buf);
    let prompt_file = given.join("prompt.md");
    std::fs::write(&prompt_file, question.prompt).map_err(|error| {
        Fault::caused(ErrorCode::IoFailed, format_args!("cannot write {}", prompt_file.display()), &error)
    })?;
    let id = new_run_id(host)?.to_string();
    let mut request = AgentRequest::new(question.prompt, &prompt_file, &work, &id)
        .model(question.model)
        .automation(Automation::Plan)
        .folders(Some(&given), Some(&temp))
        .user(loopwright_process::runs_as_root(), sandbox.state() == SandboxState::Sandbox);
    request.schema = question.schema;
    request.home = agent.home_variable().and_then(|name| host.home_named(name));
    let mut invocation = agent.invoke(&request)?;
    write_files(&invocation)?;
    let side_files = SideFiles::of(&mut invocation);
    let secrets = launch::secrets(host, config, agent);
    let layout = Layout::of(&work)?;
    let launcher = AgentLauncher {
        host,
        layout: &layout,
        harness: agent,
        sandbox: &sandbox,
        secrets: &secrets,
        work_dir: &work,
        temp: &temp,
        reads_only: true,
        named: vec![given.clone()],
        repository: None,
        limits: TimeLimits { wall: Some(question.time), ..TimeLimits::none() },
    };
    let search_path = host.without_project(&host.search_path_for(&invocation.program));
    let job = launcher.job(invocation, id.clone(), search_path, []);
    let asked = start(job)?;
    let stopper = asked.stopper();
    let parser = agent.output_parser(&request);
    let mut listening = Listening { parser, stopper: asked.stopper(), stuck: None, side_files, listener };
    let ended = {
        let finishing = asked.finish(&mut listening);
        tokio::pin!(finishing);
        let mut told = false;
        loop {
            tokio::select! {
                ended = &mut finishing => break ended?,
                () = stop.wait(Urgency::Gentle), if !told => {
                    told = true;
                    stopper.interrupt();
                }
                () = stop.wait(Urgency::Now), if told => {
                    stopper.kill();
                    break finishing.await?;
                }
            }
        }
    };
    let Listening { mut parser, stuck, mut side_files, .. } = listening;
    for line in side_files.rest() {
        parser.event_log_line(&line);
    }
    if let Some(content) = side_files.report() {
        parser.report(&content);
    }
    let code = match ended.exit {
        Exit::Code(code) => Some(code),
        Exit::Signal(_) => None,
    };
    Ok(AgentAnswer { reading: parser.finish(code), stuck, end: ended.cause, elapsed: ended.elapsed })
}

/// Listens to the answer. Who is refused for a reason that trying again does not change is not waited for.
struct Listening<'l> {
    parser: Box<dyn OutputParser>,
    stopper: Stopper,
    stuck: Option<AgentProblem>,
    side_files: SideFiles,
    listener: Listener<'l>,
}

impl Listening<'_> {
    fn take(&mut self, events: Vec<AgentEvent>) {
        for event in events {
            if (self.listener)(&event) {
                self.stopper.interrupt();
            }
            match event {
                AgentEvent::Retry { problem, .. } => {
                    if is_trouble(problem.kind) && !is_outage(problem.kind) {
                        self.stopper.interrupt();
                    }
                    self.stuck = Some(problem);
                }
                AgentEvent::Message { .. } => self.stuck = None,
                _ => {}
            }
        }
    }
}

impl OutputSink for Listening<'_> {
    fn line(&mut self, stream: OutputStream, line: Line<'_>) {
        let events = match line {
            Line::Text(text) => self.parser.line(stream, text),
            Line::Oversize { bytes, .. } => self.parser.oversize(stream, bytes),
        };
        self.take(events);
    }

    fn caught_up(&mut self) {
        for line in self.side_files.news() {
            let events = self.parser.event_log_line(&line);
            self.take(events);
        }
    }
}
