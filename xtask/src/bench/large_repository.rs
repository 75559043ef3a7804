//! What an iteration costs in a repository of many files, against `git add` and `git commit` by hand.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::at_home;
use super::iteration::{commit_all, make_repository, shell_word, write_agent};
use super::report::{Figure, Report};
use crate::failure::{Context, Outcome};
use crate::scratch::Scratch;
use crate::step::Step;

const FOLDERS: u32 = 100;
const FILES_OF_A_FOLDER: u32 = 1_000;
/// A short run and a long one: the difference is iterations alone, without the start of a run.
const SHORT: u32 = 2;
const LONG: u32 = 12;
const COMMITS: u32 = 5;
const OF_GIT: f64 = 3.0;

const AGENT: &str = "#!/bin/sh\nread -r line\necho \"$$\" >> work.txt\nexit 0\n";

pub(super) fn measure(program: &Path, report: &mut Report) -> Outcome {
    let home = Scratch::new("bench-large")?;
    let project = home.path().join("project");
    for folder in 0..FOLDERS {
        let folder = project.join(format!("f{folder}"));
        fs::create_dir_all(&folder).context("cannot make a folder")?;
        for file in 0..FILES_OF_A_FOLDER {
            fs::write(folder.join(format!("{file}.txt")), format!("{file}\n"))
                .context("cannot write a file")?;
        }
    }
    make_repository(&project, &home)?;
    at_home(Step::new(program).args(["init", "--name", "bench"]).dir(&project), &home).capture_success()?;
    commit_all(&project, &home)?;
    let agent = write_agent(home.path(), AGENT, "agent.sh")?;
    let ours = |iterations: u32| {
        let script = format!(
            "{} -c loop.no_progress=0 loop --prompt work --command {} -n {iterations} --auto-commit > ../out; [ $? = 3 ]",
            shell_word(program),
            shell_word(&agent)
        );
        took(&project, &home, &script)
    };
    let short = ours(SHORT)?;
    let one = ours(LONG)?.saturating_sub(short) / (LONG - SHORT);
    let by_hand = "echo x >> work.txt && git add --all && git commit --quiet --message x";
    let mut times = (0..COMMITS).map(|_| took(&project, &home, by_hand)).collect::<Outcome<Vec<_>>>()?;
    times.sort();
    let git = times.get(times.len() / 2).copied().unwrap_or_default();
    report.add(Figure::time("iteration in a repository of 100,000 files", one));
    report.add(Figure::time("git add and git commit in it", git));
    report.add(Figure::ratio("the one against the other", one, git).at_most(OF_GIT));
    Ok(())
}

fn took(project: &Path, home: &Scratch, script: &str) -> Outcome<Duration> {
    let begun = Instant::now();
    at_home(Step::new("sh").args(["-c", script]).dir(project), home).capture_success()?;
    Ok(begun.elapsed())
}
