//! The CLI: how fast it starts, how big it is, what it links to, whether it can print a backtrace.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::at_home;
use super::report::{Figure, Report};
use super::timing::medians;
use crate::failure::{Context, Outcome};
use crate::scratch::Scratch;
use crate::setup::{self, Need};
use crate::step::Step;
use crate::workspace::{Profile, Workspace};
use crate::{backtrace, cargo, linkage, programs};

const ROUNDS: usize = 200;
const WARM_UP: usize = 10;
/// Against dial, the fastest of the systems Loopwright unites.
const OF_DIAL: f64 = 1.0;
const MEGABYTES: f64 = 11.0;

pub(super) fn measure(workspace: &Workspace, report: &mut Report) -> Outcome {
    setup::ensure(workspace, &[Need::Build])?;
    cargo::build_headless(workspace, Profile::Release)?;
    if workspace.dry_run {
        return Ok(());
    }
    let program = workspace.built(Profile::Release, "loopwright");
    start_up(workspace, report)?;
    size(&program, report)?;
    links(&program, report)?;
    backtraces(&program, report)
}

fn start_up(workspace: &Workspace, report: &mut Report) -> Outcome {
    let home = Scratch::new("bench-home")?;
    let program = &installed(workspace, home.path())?;
    let project = home.path().join("sample");
    at_home(Step::new(program).arg("demo").arg(&project), &home).capture_success()?;
    let ours = |word: &str| at_home(Step::new(program).arg(word).dir(&project), &home);
    let nothing = programs::find("true").map(Step::new);
    let dial = dial_steps(&home)?;

    let mut steps = vec![ours("--version"), ours("status")];
    steps.extend(nothing.clone());
    steps.extend(dial.iter().flatten().cloned());
    let mut times = medians(&steps, ROUNDS, WARM_UP)?.into_iter();
    let mut next = || times.next().unwrap_or_default();
    let (version, status) = (next(), next());

    report.add(Figure::time("loopwright --version", version));
    report.add(Figure::time("loopwright status", status));
    if nothing.is_some() {
        let base = next();
        report.add(Figure::time("true", base));
        report.add(Figure::ratio("--version against true", version, base));
        report.add(Figure::ratio("status against true", status, base));
    }
    match dial {
        Some(_) => against_dial(report, [version, status], [next(), next()]),
        None => report.add(Figure::not_measured("start against dial", "no dial on PATH")),
    }
    Ok(())
}

/// The programs as an installation leaves them, copied in one go, which is how dial came here too. The linker's own file
/// lies in the system's memory in small pieces, and starts slower by a twentieth.
fn installed(workspace: &Workspace, home: &Path) -> Outcome<PathBuf> {
    let bin = home.join("bin");
    fs::create_dir_all(&bin).context("cannot make a folder for programs")?;
    for name in ["loopwright", "loopwright-rehearsal"] {
        fs::copy(workspace.built(Profile::Release, name), bin.join(name)).context("cannot copy a program")?;
    }
    Ok(bin.join("loopwright"))
}

fn against_dial(report: &mut Report, ours: [Duration; 2], dials: [Duration; 2]) {
    for ((word, ours), dials) in ["--version", "status"].into_iter().zip(ours).zip(dials) {
        report.add(Figure::time(&format!("dial {word}"), dials));
        report.add(Figure::ratio(&format!("{word} against dial {word}"), ours, dials).at_most(OF_DIAL));
    }
}

/// `dial --version` and `dial status` in a project of its own; nothing when dial is not on PATH.
fn dial_steps(home: &Scratch) -> Outcome<Option<[Step; 2]>> {
    let Some(dial) = programs::find("dial") else { return Ok(None) };
    let project = home.path().join("dial");
    fs::create_dir(&project).context("cannot create a project for dial")?;
    let step = |program: &Path| at_home(Step::new(program).dir(&project), home);
    step(Path::new("git")).args(["init", "--quiet"]).capture_success()?;
    step(&dial).args(["init", "--phase", "mvp", "--agents", "off"]).capture_success()?;
    Ok(Some([step(&dial).arg("--version"), step(&dial).arg("status")]))
}

fn size(program: &Path, report: &mut Report) -> Outcome {
    let bytes = fs::metadata(program).context("cannot read the CLI's size")?.len();
    report.add(Figure::number("size of the CLI", bytes as f64 / 1_000_000.0, "MB").at_most(MEGABYTES));
    Ok(())
}

fn links(program: &Path, report: &mut Report) -> Outcome {
    let name = "libraries beyond the C library";
    if cfg!(windows) {
        report.add(Figure::not_measured(name, "no tool for it on Windows"));
        return Ok(());
    }
    let libraries = linkage::libraries(program)?;
    let beyond = linkage::beyond_the_base(&libraries).len();
    report.add(Figure::number(name, beyond as f64, "").at_most(0.0).note(libraries.join(" ")));
    Ok(())
}

fn backtraces(program: &Path, report: &mut Report) -> Outcome {
    let name = "sections missing for a backtrace";
    if !cfg!(target_os = "linux") {
        report.add(Figure::not_measured(name, "known on Linux only"));
        return Ok(());
    }
    let missing = backtrace::missing_sections(program)?;
    report.add(Figure::number(name, missing.len() as f64, "").at_most(0.0).note(missing.join(" ")));
    Ok(())
}
