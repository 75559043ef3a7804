//! One question to an agent, to see whether it answers. It reads only, in an empty folder of its own.

use std::path::Path;
use std::time::Duration;

use loopwright_agents::{AgentRequest, Harness, ParsedOutput};
use loopwright_config::{Host, Layout, TrustedConfig};
use loopwright_domain::limit::{is_outage, is_trouble};
use loopwright_domain::{AgentEvent, AgentProblem, Automation, ErrorCode, Fault, ProblemKind, SandboxState};
use loopwright_process::{EndCause, Exit, Line, OutputSink, OutputStream, Stopper, TimeLimits, start};

use super::model::AgentTrial;
use super::{advice, choose_named, find, known_agent, probe};
use crate::attempt::agent::launcher::{AgentLauncher, write_files};
use crate::attempt::agent::process;
use crate::attempt::agent::side_files::SideFiles;
use crate::ids::new_run_id;
use crate::prepare::harness;
use crate::prepare::options::AgentOptions;
use crate::sandbox::RunSandbox;

const QUESTION: &str = "Answer with the single word \"ready\". Use no tools.";
const ANSWER: &str = "ready";
/// How long the answer may take.
const ANSWER_TIME: Duration = Duration::from_secs(60);
/// How much of an answer is shown.
const SHOWN: usize = 300;

/// Asks an agent one question, to see whether it answers.
///
/// # Errors
/// The agent is not known or cannot be started.
pub async fn try_agent(host: &Host, config: &TrustedConfig, name: &str) -> Result<AgentTrial, Fault> {
    if let Some(known) = known_agent(name) {
        find::look_further(host, known.programs).await;
    }
    let own = config.harnesses.get(name).map(|harness| &harness.command);
    let options = AgentOptions {
        name: name.to_owned(),
        command: None,
        prompt_mode: own.and_then(|own| own.prompt_mode.clone()),
        output_format: own.and_then(|own| own.output_format.clone()),
        model: own.and_then(|own| own.model.clone()),
    };
    let folder = tempfile::tempdir().map_err(|error| {
        Fault::new(ErrorCode::IoFailed, format!("cannot make a folder for the question: {error}"))
    })?;
    let agent = harness::build(host, config, folder.path(), &options)?;
    let heard = ask(host, config, agent.as_ref(), options.model.as_deref(), folder.path()).await?;
    let mut trial = told(name, &heard);
    if let Some(problem) = &mut trial.problem
        && problem.code == ErrorCode::AgentOption
        && let Some(older) = outdated(host, config, name).await
    {
        *problem = older;
    }
    Ok(trial)
}

/// The fault of a program that does not know its options because it is too old.
pub(crate) async fn outdated(host: &Host, config: &TrustedConfig, name: &str) -> Option<Fault> {
    let adapter = known_agent(name)?.adapter?;
    let program = choose_named(host, config, name).program?;
    let own = config.harnesses.get(name).map(|harness| &harness.command);
    let called = probe::Called { adapter, program: Path::new(&program), own };
    let version = probe::version(host, called).await?;
    probe::too_old(adapter, version)
}

struct Heard {
    reading: ParsedOutput,
    /// The trouble that it told of and did not overcome.
    stuck: Option<AgentProblem>,
    end: EndCause,
    elapsed: Duration,
}

async fn ask(
    host: &Host,
    config: &TrustedConfig,
    agent: &dyn Harness,
    model: Option<&str>,
    folder: &Path,
) -> Result<Heard, Fault> {
    let confined = RunSandbox::find(host, config, None).demanded()?;
    let place = |name: &str| {
        let path = folder.join(name);
        std::fs::create_dir(&path).map(|()| path.clone()).map_err(|error| {
            Fault::new(ErrorCode::IoFailed, format!("cannot make {}: {error}", path.display()))
        })
    };
    let (work, given, temp) = (place("work")?, place("given")?, place("temp")?);
    let prompt_file = given.join("prompt.md");
    std::fs::write(&prompt_file, QUESTION).map_err(|error| {
        Fault::new(ErrorCode::IoFailed, format!("cannot write {}: {error}", prompt_file.display()))
    })?;
    let id = new_run_id(host)?.to_string();
    let request = AgentRequest::new(QUESTION, &prompt_file, &work, &id)
        .model(model)
        .automation(Automation::Plan)
        .folders(Some(&given), Some(&temp))
        .user(loopwright_process::runs_as_root(), confined.state() == SandboxState::Sandbox);
    let mut invocation = agent.invoke(&request)?;
    write_files(&invocation)?;
    let side_files = SideFiles::of(&mut invocation);
    let secrets = process::secrets(host, config, agent);
    let launcher = AgentLauncher {
        host,
        layout: &Layout::of(&work)?,
        harness: agent,
        sandbox: &confined,
        secrets: &secrets,
        work_dir: &work,
        temp: &temp,
        reads_only: true,
        named: vec![given.clone()],
        repository: None,
        limits: TimeLimits { wall: Some(ANSWER_TIME), ..TimeLimits::none() },
    };
    let search_path = host.without_project(&host.search_path_for(&invocation.program));
    let job = launcher.job(invocation, id.clone(), search_path, []);
    let asked = start(job)?;
    let mut reader =
        Listening { reader: agent.output_parser(&request), stopper: asked.stopper(), stuck: None };
    let ended = asked.finish(&mut reader).await?;
    if let Some(content) = side_files.report() {
        reader.reader.report(&content);
    }
    let code = match ended.exit {
        Exit::Code(code) => Some(code),
        Exit::Signal(_) => None,
    };
    let reading = reader.reader.finish(code);
    Ok(Heard { reading, stuck: reader.stuck, end: ended.cause, elapsed: ended.elapsed })
}

/// Listens to the answer. Who is refused for a reason that trying again does not change is not waited for.
struct Listening {
    reader: Box<dyn loopwright_agents::OutputParser>,
    stopper: Stopper,
    stuck: Option<AgentProblem>,
}

impl Listening {
    fn take(&mut self, events: Vec<AgentEvent>) {
        for event in events {
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

impl OutputSink for Listening {
    fn line(&mut self, stream: OutputStream, line: Line<'_>) {
        let events = match line {
            Line::Text(text) => self.reader.line(stream, text),
            Line::Oversize { bytes, .. } => self.reader.oversize(stream, bytes),
        };
        self.take(events);
    }
}

fn told(name: &str, heard: &Heard) -> AgentTrial {
    let reading = &heard.reading;
    let answer: String = reading.own_text.trim().chars().take(SHOWN).collect();
    let problem = match (&reading.error, heard.end) {
        (_, end) if end != EndCause::Exited && heard.stuck.is_some() => {
            heard.stuck.as_ref().map(|problem| advice::fault(name, problem))
        }
        (_, EndCause::Exited) if reading.error.is_none() && answer.is_empty() => {
            Some(advice::fault(name, &silent("it answered nothing")))
        }
        (None, EndCause::Exited) => None,
        (None, _) => Some(advice::fault(name, &silent("it did not answer within a minute"))),
        (Some(problem), _) => Some(advice::fault(name, problem)),
    };
    AgentTrial {
        name: name.to_owned(),
        answered: problem.is_none() && answer.to_lowercase().contains(ANSWER),
        answer,
        model: reading.model.clone(),
        elapsed_ms: u64::try_from(heard.elapsed.as_millis()).unwrap_or(u64::MAX),
        usage: reading.usage,
        problem,
    }
}

fn silent(message: &str) -> AgentProblem {
    AgentProblem { kind: ProblemKind::Other, message: message.to_owned(), status: None }
}
