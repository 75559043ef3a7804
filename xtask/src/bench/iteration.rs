//! The loop: what an iteration costs besides its agent, against a shell loop doing the same git work and against
//! dial; and how fast an agent's output is taken in.
//!
//! CPU time is compared, not wall time: it is what the same work costs on a busy machine too. It is asked from the
//! shell's `times`, which counts every process that was waited for.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::report::{Figure, Report};
use super::timing::medians_by;
use super::{at_home, field, large_repository, memory};
use crate::failure::{Context, Failure, Outcome};
use crate::scratch::Scratch;
use crate::setup::{self, Need};
use crate::step::Step;
use crate::workspace::{Profile, Workspace};
use crate::{cargo, programs};

/// Iterations in one measurement; the shell counts in hundredths of a second.
const ITERATIONS: u32 = 40;
const ROUNDS: usize = 3;
/// Without git, against dial.
const OF_DIAL_WITHOUT_GIT: f64 = 0.5;
/// With checkpoint and commit, in the sandbox and without, against dial, which has neither checkpoints nor a sandbox.
const OF_DIAL_WITH_COMMIT: f64 = 1.2;
/// Says whether agents are put into the sandbox, whatever the person's settings say.
const SANDBOX: &str = "LOOPWRIGHT_SANDBOX";
/// The program that makes sandboxes.
const SANDBOX_PROGRAM: &str = "bwrap";
const DRAIN_MEGABYTES: f64 = 200.0;
const DRAIN_MEMORY: f64 = 64.0;

/// An agent that does nothing but read its prompt, or changes one file as well.
const IDLE_AGENT: &str = "#!/bin/sh\nread -r line\nexit 0\n";
const BUSY_AGENT: &str = "#!/bin/sh\nread -r line\necho \"$$\" >> work.txt\nexit 0\n";
/// The same for dial, which wants its signal file.
const DIAL_SIGNAL: &str = "printf '{\"signals\":[{\"type\":\"complete\",\"summary\":\"ok\"}],\"timestamp\":\"x\"}' > .dial/signal.json\n";
/// What the loop does with git, written by hand: a checkpoint in a private index, then a commit.
const SHELL_LOOP: &str = r#"i=0
while [ $i -lt COUNT ]; do
  i=$((i + 1))
  cp .git/index .git/checkpoint-index
  GIT_INDEX_FILE=.git/checkpoint-index git add --all
  tree=$(GIT_INDEX_FILE=.git/checkpoint-index git write-tree)
  commit=$(git commit-tree "$tree" -p HEAD -m checkpoint)
  git update-ref refs/shell/checkpoints/$i "$commit"
  echo prompt | AGENT
  git add --all
  git commit --quiet --message "loop: iteration $i"
done"#;

pub(super) fn measure(workspace: &Workspace, report: &mut Report) -> Outcome {
    if cfg!(windows) {
        report.add(Figure::not_measured("cost of an iteration", "needs a POSIX shell"));
        return Ok(());
    }
    setup::ensure(workspace, &[Need::Build])?;
    cargo::build_headless(workspace, Profile::Release)?;
    cargo::build_example(workspace, "loopwright-process", "drain")?;
    if workspace.dry_run {
        return Ok(());
    }
    let program = workspace.built(Profile::Release, "loopwright");
    iterations(&program, report)?;
    large_repository::measure(&program, report)?;
    drain(&workspace.built(Profile::Release, "examples/drain"), report)
}

/// Makes a folder ready for one round and gives the script to run in it.
type Prepare = Box<dyn Fn(&Path, &Scratch) -> Outcome<String>>;

/// One way to do the iterations: a folder that is made anew for every round.
struct Contestant {
    name: &'static str,
    prepare: Prepare,
}

fn iterations(program: &Path, report: &mut Report) -> Outcome {
    let home = Scratch::new("bench-loop")?;
    let mut contestants = vec![ours(program, Work::Idle), ours(program, Work::Committed), shell()];
    let confined = programs::find(SANDBOX_PROGRAM).is_some();
    if let Some(dial) = programs::find("dial") {
        contestants.push(dials(&dial, false));
        contestants.push(dials(&dial, true));
        if confined {
            contestants.push(ours(program, Work::Confined));
        }
    }
    let mut round = 0;
    let times = medians_by(contestants.len(), ROUNDS, 0, |index| {
        round += 1;
        let contestant = contestants.get(index).ok_or_else(|| Failure::new("no such contestant"))?;
        let folder = home.path().join(format!("{}-{round}", contestant.name.replace(' ', "-")));
        fs::create_dir_all(&folder).context("cannot make a folder")?;
        let script = (contestant.prepare)(&folder, &home)?;
        cpu_time(&folder, &home, &script).map(|spent| [spent / ITERATIONS])
    })?;
    let times: Vec<Duration> = times.into_iter().flatten().collect();
    for (contestant, time) in contestants.iter().zip(&times) {
        report.add(Figure::time(&format!("CPU per iteration: {}", contestant.name), *time));
    }
    let time = |index: usize| times.get(index).copied().unwrap_or_default();
    report.add(Figure::ratio("with git, against a shell loop doing the same", time(1), time(2)));
    if times.len() < 5 {
        report.add(Figure::not_measured("iterations against dial", "no dial on PATH"));
        return Ok(());
    }
    let without = Figure::ratio("without git, against dial auto-run", time(0), time(3));
    report.add(without.at_most(OF_DIAL_WITHOUT_GIT));
    let with = Figure::ratio("with checkpoint and commit, against dial", time(1), time(4));
    report.add(with.at_most(OF_DIAL_WITH_COMMIT).note("dial takes no checkpoint"));
    let sandboxed = "with checkpoint, commit and sandbox, against dial";
    report.add(match times.get(5) {
        Some(ours) => Figure::ratio(sandboxed, *ours, time(4)).at_most(OF_DIAL_WITH_COMMIT),
        None => Figure::not_measured(sandboxed, "there is no program for sandboxes here"),
    });
    Ok(())
}

/// What an iteration of ours does beside its agent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    /// Nothing: there is no repository.
    Idle,
    /// A checkpoint and a commit.
    Committed,
    /// The same, with the agent in the sandbox.
    Confined,
}

fn ours(program: &Path, work: Work) -> Contestant {
    let program = program.to_owned();
    let git = work != Work::Idle;
    let name = match work {
        Work::Idle => "loop without git",
        Work::Committed => "loop with checkpoint and commit",
        Work::Confined => "loop with checkpoint, commit and sandbox",
    };
    let confined = if work == Work::Confined { "on" } else { "off" };
    let prepare = move |folder: &Path, home: &Scratch| {
        let agent = write_agent(folder, if git { BUSY_AGENT } else { IDLE_AGENT }, "agent.sh")?;
        let project = folder.join("project");
        fs::create_dir(&project).context("cannot make a folder")?;
        if git {
            make_repository(&project, home)?;
        }
        at_home(Step::new(&program).args(["init", "--name", "bench"]).dir(&project), home)
            .capture_success()?;
        if git {
            commit_all(&project, home)?;
        }
        let commit = if git { " --auto-commit" } else { "" };
        Ok(format!(
            "cd project && {SANDBOX}={confined} {} -c loop.no_progress=0 loop --prompt work --command {} -n {ITERATIONS}{commit} > ../out; [ $? = 3 ]",
            shell_word(&program),
            shell_word(&agent),
        ))
    };
    Contestant { name, prepare: Box::new(prepare) }
}

fn shell() -> Contestant {
    let prepare = |folder: &Path, home: &Scratch| {
        let agent = write_agent(folder, BUSY_AGENT, "agent.sh")?;
        let project = folder.join("project");
        fs::create_dir(&project).context("cannot make a folder")?;
        make_repository(&project, home)?;
        let script =
            SHELL_LOOP.replace("COUNT", &ITERATIONS.to_string()).replace("AGENT", &shell_word(&agent));
        Ok(format!("cd project && {script}"))
    };
    Contestant { name: "shell loop with checkpoint and commit", prepare: Box::new(prepare) }
}

fn dials(dial: &Path, git: bool) -> Contestant {
    let dial = dial.to_owned();
    let name = if git { "dial auto-run with commit" } else { "dial auto-run without git" };
    let prepare = move |folder: &Path, home: &Scratch| {
        let bin = folder.join("bin");
        fs::create_dir(&bin).context("cannot make a folder")?;
        let change = if git { "echo \"$$\" >> work.txt\n" } else { "" };
        write_agent(&bin, &format!("#!/bin/sh\n{change}{DIAL_SIGNAL}echo ok\n"), "claude")?;
        let project = folder.join("project");
        fs::create_dir(&project).context("cannot make a folder")?;
        if git {
            make_repository(&project, home)?;
        }
        let step = || at_home(Step::new(&dial).dir(&project), home);
        step().args(["init", "--phase", "mvp", "--agents", "off"]).capture_success()?;
        for task in 0..ITERATIONS {
            step().args(["task", "add", &format!("task {task}")]).capture_success()?;
        }
        Ok(format!(
            "cd project && PATH={}:$PATH {} auto-run --cli claude > ../out 2>&1",
            shell_word(&bin),
            shell_word(&dial)
        ))
    };
    Contestant { name, prepare: Box::new(prepare) }
}

pub(super) fn make_repository(project: &Path, home: &Scratch) -> Outcome {
    git(project, home, &["init", "--quiet"])?;
    git(project, home, &["config", "user.name", "bench"])?;
    git(project, home, &["config", "user.email", "bench@example.invalid"])?;
    fs::write(project.join("work.txt"), "0\n").context("cannot write a file")?;
    commit_all(project, home)
}

pub(super) fn commit_all(project: &Path, home: &Scratch) -> Outcome {
    git(project, home, &["add", "--all"])?;
    git(project, home, &["commit", "--quiet", "--message", "begin"])
}

fn git(project: &Path, home: &Scratch, args: &[&str]) -> Outcome {
    at_home(Step::new("git").args(args).dir(project), home).capture_success().map(drop)
}

pub(super) fn write_agent(folder: &Path, text: &str, name: &str) -> Outcome<PathBuf> {
    let path = folder.join(name);
    fs::write(&path, text).context("cannot write the agent")?;
    Step::new("chmod").arg("755").arg(&path).capture_success()?;
    Ok(path)
}

pub(super) fn shell_word(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

/// Runs a script and gives the CPU time of everything it started.
fn cpu_time(folder: &Path, home: &Scratch, script: &str) -> Outcome<Duration> {
    let file = folder.join("times");
    let whole = format!("( {script} ) || exit 1\ntimes > {}", shell_word(&file));
    at_home(Step::new("sh").args(["-c", &whole]).dir(folder), home).capture_success()?;
    let text = fs::read_to_string(&file).context("cannot read the times")?;
    children_time(&text).ok_or_else(|| Failure::new(format!("the shell's times cannot be read: {text}")))
}

/// The second line of `times`: user and system time of the children, `0m1.23s 0m0.45s`.
fn children_time(text: &str) -> Option<Duration> {
    let line = text.lines().nth(1)?;
    let mut sum = Duration::ZERO;
    for word in line.split_whitespace() {
        let (minutes, seconds) = word.strip_suffix('s')?.split_once('m')?;
        let minutes: u32 = minutes.parse().ok()?;
        let seconds: f64 = seconds.replace(',', ".").parse().ok()?;
        sum += Duration::from_secs(u64::from(minutes) * 60) + Duration::try_from_secs_f64(seconds).ok()?;
    }
    Some(sum)
}

fn drain(program: &Path, report: &mut Report) -> Outcome {
    let line = Step::new(program).capture_success()?;
    let rate = field(&line, "mb_per_s").ok_or_else(|| Failure::new(format!("no rate in: {line}")))?;
    // A rate is good when it is high, so the time for the wanted amount is what may not be exceeded.
    report.add(Figure::number("output drained, of 1 GB", rate, "MB/s"));
    report.add(Figure::number("time to drain 200 MB", DRAIN_MEGABYTES / rate, "s").at_most(1.0));
    report.add(memory("memory for it", &line).at_most(DRAIN_MEMORY));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shells_times_are_read() {
        let text = "0m0.00s 0m0.01s\n1m2.50s 0m0.25s\n";
        assert_eq!(children_time(text), Some(Duration::from_millis(62_750)));
        assert_eq!(children_time("0m0.00s 0m0.01s\n"), None);
    }
}
