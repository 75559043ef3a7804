//! Measures what the git side of one iteration costs: a checkpoint, one changed file, a snapshot and a commit.
//!
//! Usage: `git_cycle [ITERATIONS]`. Prints one JSON line with means per iteration.

use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Instant;

use loopwright_vcs::{CheckpointName, CommitRequest, Git, Workspace};

/// Counts how often a wrapped git was started.
fn starts(log: &Path) -> usize {
    fs::read(log).map_or(0, |bytes| bytes.len())
}

/// Processor time of this process and of its children that ended, in milliseconds.
#[cfg(target_os = "linux")]
fn processor_ms() -> f64 {
    use nix::sys::resource::{UsageWho, getrusage};
    let of = |who| {
        getrusage(who).map_or(0.0, |usage| {
            let ms = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 * 1e3 + time.tv_usec() as f64 / 1e3;
            ms(usage.user_time()) + ms(usage.system_time())
        })
    };
    of(UsageWho::RUSAGE_SELF) + of(UsageWho::RUSAGE_CHILDREN)
}

/// Not measured on this system.
#[cfg(not(target_os = "linux"))]
fn processor_ms() -> f64 {
    f64::NAN
}

async fn iterate(workspace: &Workspace, file: &Path, number: usize) -> Result<(), Box<dyn Error>> {
    let before = workspace.checkpoint(&CheckpointName::new("cycle", number)?).await?;
    fs::write(file, format!("iteration {number}\n"))?;
    let after = workspace.snapshot().await?;
    let expected = workspace.state().await?.head;
    let request =
        CommitRequest::new(before.snapshot.tree, after.tree, format!("Iteration {number}"), expected)
            .trailer("Loopwright-Iteration", number.to_string());
    workspace.commit(&request).await?.ok_or("nothing was committed")?;
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let iterations = std::env::args().nth(1).map_or(Ok(50), |word| word.parse::<usize>())?;
    let folder = tempfile::tempdir()?;
    let root = folder.path().canonicalize()?;
    let project = root.join("project");
    fs::create_dir_all(project.join("src"))?;
    for number in 0..200 {
        fs::write(project.join(format!("src/file{number}.rs")), format!("// {number}\n"))?;
    }
    let real = Git::locate(&std::env::var_os("PATH").unwrap_or_default())?;
    let repository = real.create_repository(&project, "first").await?;
    let (git, log) = counted(&real, &root)?;
    let mut figures = Vec::new();
    for (name, git) in [("timed", &real), ("counted", &git)] {
        let workspace = git.workspace(&repository).await?;
        let first = figures.len() * (iterations + 1);
        let file = project.join("src/file7.rs");
        iterate(&workspace, &file, first).await?;
        let (started, cpu, count) = (Instant::now(), processor_ms(), starts(&log));
        for number in first + 1..=first + iterations {
            iterate(&workspace, &file, number).await?;
        }
        let each = |total: f64| total / iterations as f64;
        figures.push((
            name,
            each(started.elapsed().as_secs_f64() * 1e3),
            each(processor_ms() - cpu),
            each((starts(&log) - count) as f64),
        ));
    }
    let [(_, wall, cpu, _), (_, _, _, processes)] = figures.as_slice() else {
        return Err("no figures".into());
    };
    println!(
        "{{\"iterations\":{iterations},\"wall_ms\":{wall:.2},\"cpu_ms\":{cpu:.2},\"git_processes\":{processes:.1}}}"
    );
    Ok(())
}

/// The same git behind a script that notes every start. Only its starts are of interest.
fn counted(real: &Git, root: &Path) -> Result<(Git, std::path::PathBuf), Box<dyn Error>> {
    let (bin, log) = (root.join("bin"), root.join("starts"));
    fs::create_dir(&bin)?;
    let script =
        format!("#!/bin/sh\nprintf x >> '{}'\nexec '{}' \"$@\"\n", log.display(), real.program().display());
    let program = bin.join("git");
    fs::write(&program, script)?;
    #[cfg(unix)]
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok((Git::locate(&OsString::from(&bin))?, log))
}
