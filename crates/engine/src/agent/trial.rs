//! One question to an agent, to see whether it answers. It reads only, in an empty folder of its own.

use std::path::{Path, PathBuf};
use std::time::Duration;

use loopwright_agents::{Harness, Reading, Request, Stream as AgentStream};
use loopwright_domain::limit::{is_outage, is_trouble};
use loopwright_domain::{AgentEvent, AgentProblem, Automation, Confinement, ErrorCode, Fault, ProblemKind};
use loopwright_process::{
    Command, EndCause, Exit, Job, Line, OutputSink, Stopper, Stream, TimeLimits, allowed_environment, start,
};

use super::model::AgentTrial;
use super::{advice, choose_named, find, known_agent, probe};
use crate::config::Config;
use crate::host::Host;
use crate::layout::Layout;
use crate::run::{self, AgentOptions, agent as running, harness, papers::Papers};
use crate::sandbox::{Guard, Places, npm_cache};

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
pub async fn try_agent(host: &Host, config: &Config, name: &str) -> Result<AgentTrial, Fault> {
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
pub(crate) async fn outdated(host: &Host, config: &Config, name: &str) -> Option<Fault> {
    let adapter = known_agent(name)?.adapter?;
    let program = choose_named(host, config, name).program?;
    let own = config.harnesses.get(name).map(|harness| &harness.command);
    let called = probe::Called { adapter, program: Path::new(&program), own };
    let version = probe::version(host, called).await?;
    probe::too_old(adapter, version)
}

struct Heard {
    reading: Reading,
    /// The trouble that it told of and did not overcome.
    stuck: Option<AgentProblem>,
    end: EndCause,
    elapsed: Duration,
}

async fn ask(
    host: &Host,
    config: &Config,
    agent: &dyn Harness,
    model: Option<&str>,
    folder: &Path,
) -> Result<Heard, Fault> {
    let guard = Guard::find(host, config, None).demanded()?;
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
    let id = run::new_run_id(host).to_string();
    let request = Request::new(QUESTION, &prompt_file, &work, &id)
        .model(model)
        .automation(Automation::Plan)
        .folders(Some(&given), Some(&temp))
        .user(loopwright_process::runs_as_root(), guard.confinement() == Confinement::Sandbox);
    let mut invocation = agent.invoke(&request)?;
    running::write_files(&invocation)?;
    let papers = Papers::of(&mut invocation);
    let mut command = Command::new(invocation.program.clone(), &work).args(invocation.args);
    let named = [agent.credentials(), agent.settings()].concat();
    command.env = allowed_environment(host.environment.clone(), named);
    command.env.insert("PATH".into(), host.search_path_for(&invocation.program));
    for name in ["TMPDIR", "TMP", "TEMP"] {
        command.env.insert(name.into(), temp.clone().into());
    }
    command.env.extend(invocation.env);
    command.stdin = invocation.stdin;
    let sandbox = guard.around(&Places {
        host,
        layout: &Layout::of(&work)?,
        agent: agent.name(),
        program: &command.program,
        named: command.args.iter().map(PathBuf::from).chain([given.clone()]).collect(),
        temp: &temp,
        reads_only: true,
    });
    if sandbox.is_some() {
        command.env.entry("npm_config_cache".into()).or_insert_with(|| npm_cache(host).into());
    }
    let mut job = Job::new(command, id.clone());
    job.sandbox = sandbox;
    job.limits = TimeLimits { wall: Some(ANSWER_TIME), ..TimeLimits::none() };
    job.secrets = running::secrets(host, config, agent);
    let asked = start(job)?;
    let mut reader = Listening { reader: agent.reader(&request), stopper: asked.stopper(), stuck: None };
    let ended = asked.finish(&mut reader).await?;
    if let Some(content) = papers.report() {
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
    reader: Box<dyn loopwright_agents::Reader>,
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
