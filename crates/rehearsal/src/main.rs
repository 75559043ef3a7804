//! `loopwright-rehearsal`: the command line of the scripted agent.

mod cli;

use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use cli::Arguments;
use loopwright_domain::Fault;
use loopwright_rehearsal::cue::Cue;
use loopwright_rehearsal::folder::Folder;
use loopwright_rehearsal::memory::{self, Remembered};
use loopwright_rehearsal::scenario::{Scenario, ScenarioError, Scene, ShapeName};
use loopwright_rehearsal::scene_runner::SceneRunner;
use loopwright_rehearsal::shape::{self, Session};
use loopwright_rehearsal::signal_file::SignalFile;

/// The first line of every rehearsal.
const BANNER: &str = "Rehearsal: a scripted agent, not an AI.";

/// A rehearsal that did not take place, or stopped in the middle.
struct Stopped {
    code: u8,
    message: String,
    hint: Option<String>,
}

impl Stopped {
    /// Refused before anything was done.
    fn refused(message: impl Into<String>, hint: Option<String>) -> Self {
        Self { code: 2, message: message.into(), hint }
    }

    /// Failed in the middle of a scene.
    fn failed(message: impl Into<String>) -> Self {
        Self { code: 1, message: message.into(), hint: None }
    }
}

impl From<ScenarioError> for Stopped {
    fn from(error: ScenarioError) -> Self {
        let fault = Fault::from(error);
        Self::refused(fault.message, fault.hint)
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(orders) = &arguments.family_orders {
        return match loopwright_rehearsal::family::obey(orders) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        };
    }
    eprintln!("{BANNER}");
    let outcome = match &arguments.check {
        Some(file) => check(file),
        None => run_scenario(&arguments),
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(stopped) => {
            eprintln!("error: {}", stopped.message);
            if let Some(hint) = stopped.hint {
                eprintln!("  {hint}");
            }
            if stopped.code == 2 {
                eprintln!("Nothing was done.");
            }
            ExitCode::from(stopped.code)
        }
    }
}

fn check(file: &Path) -> Result<u8, Stopped> {
    let scenario = Scenario::load(file)?;
    let steps: usize = scenario.scenes.iter().map(|scene| scene.steps.len()).sum();
    println!("{}: no mistakes found. Scenes: {}. Steps: {steps}.", file.display(), scenario.scenes.len());
    Ok(0)
}

fn run_scenario(arguments: &Arguments) -> Result<u8, Stopped> {
    let scenario = Scenario::load(&arguments.scenario)?;
    let here = std::env::current_dir().and_then(|here| Folder::new(&here));
    let folder = here.map_err(|error| Stopped::refused(format!("no working folder: {error}"), None))?;
    let prompt = if scenario.read_prompt { read_prompt(arguments)? } else { Vec::new() };
    let (cue, previous_nonce) = cue(arguments, prompt)?;
    let scene = cue.pick(&scenario).ok_or_else(|| no_scene(&scenario, &cue))?;
    let shape = arguments.output.or(scene.output).or(scenario.output).unwrap_or(ShapeName::Text);
    let session = Session {
        id: arguments.iteration.clone().unwrap_or_else(|| format!("rehearsal-{}", std::process::id())),
        folder: folder.path().display().to_string(),
    };
    let signals = arguments.signal_file.clone().map(|path| SignalFile {
        path,
        nonce: arguments.nonce.clone().unwrap_or_default(),
        previous_nonce,
    });
    let shape = shape::begin(shape, session);
    run_scene(&mut SceneRunner { cue: &cue, folder, shape, signals, fast: arguments.fast }, scene)
}

fn run_scene(scene_runner: &mut SceneRunner<'_>, scene: &Scene) -> Result<u8, Stopped> {
    scene_runner
        .run_scene(scene)
        .map_err(|error| Stopped::failed(format!("in the scene {}: {error}", scene.label())))
}

/// The prompt: the argument, the file, or standard input when it is not a terminal.
fn read_prompt(arguments: &Arguments) -> Result<Vec<u8>, Stopped> {
    let unreadable = |error: io::Error| Stopped::refused(format!("the prompt cannot be read: {error}"), None);
    match (&arguments.prompt, &arguments.prompt_file) {
        (Some(prompt), _) if prompt != "-" => Ok(prompt.clone().into_encoded_bytes()),
        (None, Some(file)) => std::fs::read(file).map_err(unreadable),
        (None, None) if io::stdin().is_terminal() => Ok(Vec::new()),
        _ => {
            let mut prompt = Vec::new();
            io::stdin().lock().read_to_end(&mut prompt).map_err(unreadable)?;
            Ok(prompt)
        }
    }
}

/// The cue, and the nonce of the attempt before when it is remembered.
fn cue(arguments: &Arguments, prompt: Vec<u8>) -> Result<(Cue, Option<String>), Stopped> {
    let remembered = match &arguments.state {
        Some(dir) => memory::note_start(dir, arguments.task, arguments.nonce.as_deref())
            .map_err(|error| Stopped::refused(error.to_string(), None))?,
        None => Remembered { starts: 1, previous_nonce: None },
    };
    let attempt = arguments.attempt.unwrap_or(remembered.starts);
    Ok((Cue { task: arguments.task, attempt, prompt }, remembered.previous_nonce))
}

fn no_scene(scenario: &Scenario, cue: &Cue) -> Stopped {
    let scenes: Vec<String> = scenario.scenes.iter().map(Scene::label).collect();
    Stopped::refused(
        format!("no scene fits {}", cue.describe()),
        Some(format!("Add one to the scenario. It has the scenes {}.", scenes.join(", "))),
    )
}
