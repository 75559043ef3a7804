//! `--detach`: a run in a process of its own that no terminal holds. That process says in a file when its run has
//! begun, or why it has not.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use loopwright_domain::{ErrorCode, Fault, RunId};
use loopwright_engine::Layout;
use loopwright_engine::logging::make_room;
use loopwright_process::{Background, Command, spawn_in_background};
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::output::{self, GOOD, QUIET, say, styled};

/// Where the output of such runs goes, below the state folder.
const FOLDER: &str = "background";
/// The logs of this many such runs are kept.
const KEPT: usize = 20;
const LOOK: Duration = Duration::from_millis(20);

/// What the process in the background says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StartReply {
    /// Its run has begun.
    Run(RunId),
    /// There is no run, and this is why.
    Error(Fault),
}

impl StartReply {
    /// Says it. Whoever waits for it sees the whole answer or none.
    pub(crate) fn write(&self, file: &Path) {
        let unfinished = file.with_extension("part");
        let text = serde_json::to_string(self).unwrap_or_default();
        // Nobody is left to tell when it cannot be written; whoever waits sees the process end or its log.
        let _unheard = fs::write(&unfinished, text).and_then(|()| fs::rename(&unfinished, file));
    }

    fn read(file: &Path) -> Option<Self> {
        let text = fs::read_to_string(file).ok()?;
        // The answer was taken; an empty file that stays behind would do no harm.
        let _left = fs::remove_file(file);
        serde_json::from_str(&text).ok()
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct Begun<'a> {
    run: RunId,
    pid: u32,
    log: &'a Path,
}

/// Starts this very command line again, in the background, and waits until its run has begun. `input` is what it is to
/// read from standard input.
pub(super) fn start(context: &Context, input: Vec<u8>) -> Result<ExitCode, Fault> {
    let folder = Layout::find(&context.folder)?.state_dir.join(FOLDER);
    make_room(&folder, KEPT).map_err(|error| {
        Fault::caused(ErrorCode::IoFailed, format_args!("cannot write to {}", folder.display()), &error)
    })?;
    let name = format!("{}-{}", context.host.timestamp().replace(':', ""), std::process::id());
    let (log, answer) = (folder.join(format!("{name}.log")), folder.join(format!("{name}.json")));
    let mut process = spawn_in_background(&again(&answer, input)?, &log)?;
    match wait(&mut process, &answer) {
        Some(StartReply::Run(run)) => tell(context, &Begun { run, pid: process.id(), log: &log }),
        Some(StartReply::Error(fault)) => Err(fault),
        None => {
            Err(Fault::new(ErrorCode::Internal, "the process in the background ended before its run began")
                .hint(format!("What it said is in {}.", log.display())))
        }
    }
}

/// This command line without the wish to be in the background, in the same folder and environment.
fn again(answer: &Path, input: Vec<u8>) -> Result<Command, Fault> {
    let here =
        |error: std::io::Error| Fault::caused(ErrorCode::IoFailed, "cannot start in the background", &error);
    let program = std::env::current_exe().map_err(here)?;
    let folder = std::env::current_dir().map_err(here)?;
    let words = std::env::args_os().skip(1).filter(|word| word != "--detach");
    let command =
        Command { env: std::env::vars_os().collect(), stdin: input, ..Command::new(program, folder) };
    Ok(command.args([OsString::from("--answer-file"), answer.into()]).args(words))
}

fn wait(process: &mut Background, answer: &Path) -> Option<StartReply> {
    loop {
        // Asked before the last look, so that an answer of a process that ended since is not missed.
        let ended = process.ended().is_some();
        let found = StartReply::read(answer);
        if found.is_some() || ended {
            return found;
        }
        std::thread::sleep(LOOK);
    }
}

fn tell(context: &Context, begun: &Begun<'_>) -> Result<ExitCode, Fault> {
    if context.json {
        return output::json(begun);
    }
    say!("{} Run {} works in the background, process {}.", styled(GOOD, "Started."), begun.run, begun.pid);
    say!("  Watch it: loopwright watch. Pause it: loopwright pause. End it: loopwright cancel.");
    say!("  {}", styled(QUIET, output::plain(&begun.log.display().to_string())));
    Ok(ExitCode::SUCCESS)
}
