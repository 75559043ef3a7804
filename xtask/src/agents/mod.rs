//! `cargo xtask agents`: the real agent CLIs, from their package registries, against a model on loopback.

mod install;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use self::install::Set;
use crate::failure::{Context, Failure, Outcome};
use crate::setup::{self, Need};
use crate::stages::Stages;
use crate::step::Step;
use crate::watch::{Watched, watch};
use crate::workspace::{Profile, Workspace};
use crate::{cargo, folders};

/// The CLIs by the names that their tests go by, the usual ones first.
const CLIS: &[(&str, Set)] = &[
    ("claude", Set::Usual),
    ("codex", Set::Usual),
    ("gemini", Set::Usual),
    ("copilot", Set::Usual),
    ("opencode", Set::Usual),
    ("qwen", Set::More),
    ("pi", Set::More),
    ("aider", Set::Python),
];

/// Where the tests find the CLIs, in the form of `PATH`.
const PATH_VARIABLE: &str = "LOOPWRIGHT_AGENTS_PATH";
/// As many tests at once; a CLI takes a core of its own to start.
const SIDE_BY_SIDE: &str = "2";
/// One CLI may take so long; the usual cases of all five together are to take no more than 12 minutes.
const LIMIT: Duration = Duration::from_secs(8 * 60);
const FULL_LIMIT: Duration = Duration::from_secs(40 * 60);

/// Which CLIs, and whether the slow cases too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    full: bool,
    names: Vec<&'static str>,
}

impl Options {
    /// Reads `[--full] [CLI...]`; nothing when there is another word.
    pub(crate) fn parse(words: &[&str]) -> Option<Self> {
        let mut options = Self::default();
        for word in words {
            match CLIS.iter().find(|(name, _)| name == word) {
                Some((name, _)) => options.names.push(name),
                None if *word == "--full" => options.full = true,
                None => return None,
            }
        }
        Some(options)
    }

    /// The chosen ones; without a choice the usual ones, and with `--full` all.
    fn chosen(&self) -> Vec<(&'static str, Set)> {
        let is_chosen = |name: &str, set: Set| match self.names.as_slice() {
            [] => self.full || set == Set::Usual,
            names => names.contains(&name),
        };
        CLIS.iter().copied().filter(|(name, set)| is_chosen(name, *set)).collect()
    }
}

/// Builds the CLI, installs the agents and runs their tests.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Outcome {
    if let Some(reason) = unavailable() {
        return Err(Failure::new(format!("The agent CLIs cannot be tried here: {reason}.")));
    }
    let mut stages = Stages::default();
    let built = stages.run("setup", || setup::ensure(workspace, &[Need::Build]))
        && stages.run("build", || cargo::build_headless(workspace, Profile::Dev));
    if built {
        tests(workspace, options, &cargo::agent_tests(workspace), &mut stages);
    }
    stages.close()
}

/// Why the tests cannot run on this system; nothing when they can.
pub(crate) fn unavailable() -> Option<&'static str> {
    (!cfg!(target_os = "linux")).then_some("what they leave running is found in /proc, which Linux has")
}

/// Installs the CLIs and runs the tests of each as a stage of its own, so that its time is seen.
pub(crate) fn tests(workspace: &Workspace, options: &Options, program: &Step, stages: &mut Stages) {
    // Built beforehand, so that a CLI's time is its own.
    if !stages.run("build the agent tests", || program.clone().arg("--no-run").run()) {
        return;
    }
    let chosen = options.chosen();
    for set in [Set::Usual, Set::More, Set::Python] {
        let names: Vec<_> = chosen.iter().filter(|(_, own)| *own == set).map(|(name, _)| *name).collect();
        if names.is_empty() {
            continue;
        }
        let mut place = None;
        stages.run(&format!("install {}", names.join(", ")), || {
            place = Some(install::ensure(workspace, set)?);
            Ok(())
        });
        for name in names {
            match &place {
                Some(place) => {
                    stages.record(name, || try_one(program, name, place, options.full));
                }
                None => stages.skip(name, "it could not be installed"),
            }
        }
    }
}

fn try_one(program: &Step, name: &str, place: &Path, full: bool) -> Outcome<Watched> {
    let slow: &[&str] = if full { &["--include-ignored"] } else { &[] };
    let filter = format!("{name}::");
    let step = program.clone().env(PATH_VARIABLE, search_path(place)?).env("TMPDIR", scenes()?);
    let step = step.args(["--", &filter, "--test-threads", SIDE_BY_SIDE]).args(slow);
    watch(&step, if full { FULL_LIMIT } else { LIMIT })
}

/// Where the tests' machines stand. Not in the system's folder for temporary files: there codex misses its sandbox, and
/// gemini mistrusts what everybody could have written.
fn scenes() -> Outcome<PathBuf> {
    let folder = folders::cache()?.join("agents").join("scenes");
    fs::create_dir_all(&folder).context(format!("cannot create {}", folder.display()))?;
    Ok(folder)
}

/// The CLIs first, then whatever else is on the search path: they need Node and git.
fn search_path(place: &Path) -> Outcome<OsString> {
    let own = env::var_os("PATH").unwrap_or_default();
    env::join_paths([place.to_path_buf()].into_iter().chain(env::split_paths(&own)))
        .context("cannot make a search path")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(words: &[&str]) -> Vec<&'static str> {
        let options = Options::parse(words).unwrap();
        options.chosen().into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn the_usual_ones_unless_told_otherwise() {
        assert_eq!(names(&[]), ["claude", "codex", "gemini", "copilot", "opencode"]);
        assert_eq!(names(&["--full"]).len(), CLIS.len());
        assert_eq!(names(&["pi", "claude"]), ["claude", "pi"]);
        assert_eq!(Options::parse(&["cursor"]), None);
        assert_eq!(Options::parse(&["--fast"]), None);
    }
}
