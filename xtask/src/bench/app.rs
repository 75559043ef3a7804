//! The app: from its start to the first paint, against a bare Tauri window.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::at_home;
use super::report::{Figure, Report};
use super::timing::medians_by;
use crate::display::{Desktop, Screen};
use crate::failure::{Context, Failure, Outcome};
use crate::scratch::Scratch;
use crate::setup::{self, Need};
use crate::step::Step;
use crate::strays::{self, Marker};
use crate::workspace::{Profile, Workspace, executable};
use crate::{cargo, ui};

const ROUNDS: usize = 15;
const WARM_UP: usize = 2;
const OF_A_BARE_WINDOW: f64 = 1.3;
const PATIENCE: Duration = Duration::from_secs(60);
/// Both programs create the file this names once two animation frames have passed.
pub(crate) const PAINT_FILE: &str = "LOOPWRIGHT_PAINT_FILE";

pub(super) fn measure(workspace: &Workspace, report: &mut Report) -> Outcome {
    setup::ensure(workspace, &[Need::Build, Need::Window, Need::Test])?;
    ui::build(workspace)?;
    cargo::build_headless(workspace, Profile::Release)?;
    cargo::build_release_app(workspace)?;
    cargo::build_bare_window(workspace)?;
    if workspace.dry_run {
        return Ok(());
    }
    let home = Scratch::new("bench-home")?;
    let sample = home.path().join("sample");
    let cli = workspace.built(Profile::Release, "loopwright");
    at_home(Step::new(cli).arg("demo").arg(&sample), &home).capture_success()?;

    let desktop = Desktop::start(Screen::Private)?;
    let app = workspace.built(Profile::Release, "loopwright-app");
    let contestants = [Step::new(bare_window(&app)), Step::new(&app), Step::new(&app).arg(&sample)]
        .map(|step| at_home(step.envs(desktop.env()), &home));
    let times = medians_by(contestants.len(), ROUNDS, WARM_UP, |index| match contestants.get(index) {
        Some(step) => start_to_first_paint(step, home.path()),
        None => Err(Failure::new("no such contestant")),
    })?;
    add_figures(report, &times);
    Ok(())
}

fn bare_window(app: &Path) -> PathBuf {
    app.with_file_name("examples").join(executable("bare_window"))
}

fn add_figures(report: &mut Report, times: &[Duration]) {
    let [bare, start_page, sample] = times else { return };
    report.add(Figure::time("bare window, first paint", *bare));
    report.add(Figure::time("app, first paint", *start_page));
    report.add(Figure::time("app on the sample, first paint", *sample));
    report.add(Figure::ratio("app against a bare window", *start_page, *bare).at_most(OF_A_BARE_WINDOW));
    report.add(Figure::ratio("app on the sample against a bare window", *sample, *bare));
}

fn start_to_first_paint(step: &Step, home: &Path) -> Outcome<Duration> {
    let marker = Marker::new();
    let painted = home.join("painted");
    let step = step.clone().env(PAINT_FILE, &painted).env(marker.variable(), marker.value());
    first_paint(&step, &painted, &marker)
}

/// Starts the program, waits until it has created the file `painted`, and ends everything that carries the marker.
pub(crate) fn first_paint(step: &Step, painted: &Path, marker: &Marker) -> Outcome<Duration> {
    let _none_from_before = std::fs::remove_file(painted);
    let started = Instant::now();
    let mut child = step.spawn(|command: &mut Command| {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    })?;
    let mut ended = None;
    while !painted.exists() && started.elapsed() < PATIENCE && ended.is_none() {
        thread::sleep(Duration::from_millis(1));
        ended = child.try_wait().context("cannot wait for the app")?;
    }
    let took = started.elapsed();
    let has_painted = painted.exists();
    // One that has already ended cannot be ended again, which is fine.
    let _ended = child.kill().and_then(|()| child.wait());
    strays::end(marker)?;
    match ended {
        _ if has_painted => Ok(took),
        Some(status) => Err(Failure::new(format!("`{}` ended before it painted ({status}).", step.line()))),
        None => {
            Err(Failure::new(format!("`{}` did not paint within {} s.", step.line(), PATIENCE.as_secs())))
        }
    }
}
