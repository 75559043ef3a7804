//! Plays a scene: carries out its steps in order and speaks in the chosen shape.

use std::io;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use crate::cue::Cue;
use crate::family;
use crate::folder::{Folder, FolderError};
use crate::output;
use crate::scenario::{
    FileStep, Ignored, Message, PlacedStep, RelativePath, Scene, SignalStep, Spawn, Step, StreamName,
};
use crate::shape::{Action, SceneEnding, Shape, ToolCall};
use crate::signal_file::{SignalError, SignalFile};
use crate::system;

/// How much of a program's output is reported.
const REPORTED: usize = 64 * 1024;

/// Why a scene could not be played to its end.
#[derive(Debug, thiserror::Error)]
#[error("the step of line {line} failed: {cause}")]
pub struct SceneError {
    /// The step's line in the scenario.
    pub line: u32,
    /// What went wrong.
    pub cause: StepError,
}

/// Why a step failed.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// A file step.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A signal step.
    #[error(transparent)]
    Signal(#[from] SignalError),
    /// Output, a process or a signal mask.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The surroundings a scene is played in.
pub struct SceneRunner<'a> {
    /// What picked the scene.
    pub cue: &'a Cue,
    /// The working folder.
    pub folder: Folder,
    /// How the agent speaks.
    pub shape: Box<dyn Shape>,
    /// Where signals go; none when Loopwright did not start this.
    pub signals: Option<SignalFile>,
    /// Leaves the sleeps out.
    pub fast: bool,
}

/// What a step leads to.
enum Next {
    Continue,
    End { code: u8, message: Option<String> },
}

impl SceneRunner<'_> {
    /// Runs a scene and returns the exit code it ends with.
    ///
    /// # Errors
    /// When a step fails; the steps before it have happened.
    pub fn run_scene(&mut self, scene: &Scene) -> Result<u8, SceneError> {
        if scene.frame {
            let prompt = self.prompt();
            let lines = self.shape.open(&prompt);
            print_lines(&lines).map_err(|error| SceneError { line: scene.line, cause: error.into() })?;
        }
        for placed in &scene.steps {
            if let Next::End { code, message } = self.step_of(placed)? {
                return self.close(scene, placed.line, code, message.as_deref());
            }
        }
        self.close(scene, scene.line, 0, None)
    }

    fn close(&mut self, scene: &Scene, line: u32, code: u8, message: Option<&str>) -> Result<u8, SceneError> {
        if scene.frame {
            let lines = self.shape.close(&SceneEnding { code, message });
            print_lines(&lines).map_err(|error| SceneError { line, cause: error.into() })?;
        }
        Ok(code)
    }

    fn step_of(&mut self, placed: &PlacedStep) -> Result<Next, SceneError> {
        self.step(&placed.step).map_err(|cause| SceneError { line: placed.line, cause })
    }

    fn step(&mut self, step: &Step) -> Result<Next, StepError> {
        match step {
            Step::Say(message) => self.say(message)?,
            Step::Claim(text) => self.say(&Message { text: text.clone(), parts: 1 })?,
            Step::EchoPrompt => self.say(&Message { text: self.prompt(), parts: 1 })?,
            Step::Tool { name, input, output, failed } => {
                let action = Action::Other { name: name.clone(), input: input.clone() };
                self.report(action, output.clone(), *failed, None)?;
            }
            Step::Usage(usage) => print_lines(&self.shape.usage(usage))?,
            Step::Print { what, to } => output::print(*to, what)?,
            Step::File(step) => self.file(step)?,
            Step::SavePrompt { path } => drop(self.folder.write(path, &self.cue.prompt)?),
            Step::Run { argv } => self.run(argv)?,
            Step::Sleep(_) if self.fast => {}
            Step::Sleep(time) => sleep(*time),
            Step::Spawn(spawn) => self.spawn(spawn)?,
            Step::Hang { ignore, lasts } => hang(ignore, *lasts)?,
            Step::Crash(way) => system::crash(*way),
            Step::Exit { code, message } => {
                return Ok(Next::End { code: *code, message: message.clone() });
            }
            Step::Signal(signal) => self.signal(signal)?,
        }
        Ok(Next::Continue)
    }

    fn prompt(&self) -> String {
        String::from_utf8_lossy(&self.cue.prompt).into_owned()
    }

    fn say(&mut self, message: &Message) -> io::Result<()> {
        print_lines(&self.shape.message(message))
    }

    fn report(
        &mut self,
        action: Action,
        output: String,
        failed: bool,
        exit_code: Option<i32>,
    ) -> io::Result<()> {
        print_lines(&self.shape.tool(&ToolCall { action, output, failed, exit_code }))
    }

    fn file(&mut self, step: &FileStep) -> Result<(), StepError> {
        let named = |path: &RelativePath| path.as_str().to_owned();
        let action = match step {
            FileStep::Write { path, content } => {
                let created = self.folder.write(path, content.as_bytes())?;
                Action::Write { path: named(path), content: content.clone(), created }
            }
            FileStep::Append { path, content } => {
                self.folder.append(path, content.as_bytes())?;
                Action::Edit { path: named(path), find: String::new(), replace: content.clone() }
            }
            FileStep::Edit { path, find, replace, all } => {
                self.folder.edit(path, find, replace, *all)?;
                Action::Edit { path: named(path), find: find.clone(), replace: replace.clone() }
            }
            FileStep::Delete { path } => {
                self.folder.delete(path)?;
                Action::Delete { path: named(path) }
            }
        };
        Ok(self.report(action, String::new(), false, None)?)
    }

    fn run(&mut self, argv: &[String]) -> io::Result<()> {
        let Some((program, arguments)) = argv.split_first() else { return Ok(()) };
        let ran = system::command(program)
            .args(arguments)
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .output();
        let action = Action::Run { argv: argv.to_vec() };
        // Like an agent, the script goes on when a command fails or is missing.
        match ran {
            Ok(done) => {
                let mut output = done.stdout;
                output.extend(done.stderr);
                output.truncate(REPORTED);
                let output = String::from_utf8_lossy(&output).into_owned();
                self.report(action, output, !done.status.success(), done.status.code())
            }
            Err(error) => self.report(action, format!("{program}: {error}"), true, None),
        }
    }

    fn spawn(&self, spawn: &Spawn) -> Result<(), StepError> {
        let pid_file = match &spawn.pid_file {
            Some(place) => Some(self.folder.resolve(place)?),
            None => None,
        };
        Ok(family::start(spawn, pid_file)?)
    }

    fn signal(&self, step: &SignalStep) -> Result<(), StepError> {
        match &self.signals {
            Some(signals) => Ok(signals.write(step)?),
            None => {
                let message = "Rehearsal: no signal was written: LOOPWRIGHT_SIGNAL_FILE is not set.";
                Ok(output::line(StreamName::Stderr, message)?)
            }
        }
    }
}

fn print_lines(lines: &[String]) -> io::Result<()> {
    lines.iter().try_for_each(|line| output::line(StreamName::Stdout, line))
}

fn hang(ignore: &[Ignored], lasts: Option<Duration>) -> io::Result<()> {
    system::ignore(ignore)?;
    match lasts {
        Some(time) => sleep(time),
        None => loop {
            sleep(Duration::from_secs(3600));
        },
    }
    Ok(())
}
