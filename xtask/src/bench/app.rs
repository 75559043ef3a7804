//! The app: from its start to the first paint, against a bare Tauri window, and on to the page one can work with.
//!
//! Both windows tell of their first paint by the very same script, `ui/public/painted.js`. The app paints its frame
//! first and then its content, so that its first paint alone would say little: the time until the content is there is
//! measured in the same starts and shown beside it.

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
/// Both programs create the file this names once their first frame with something on it is on the screen.
const PAINT_FILE: &str = "LOOPWRIGHT_PAINT_FILE";
/// The app creates the file this names once its page shows its content.
pub(crate) const READY_FILE: &str = "LOOPWRIGHT_READY_FILE";

/// What the time is taken of: the first paint and the page with its content, which in a bare window are the same.
type Moments = [Duration; 2];

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
    let bare = at_home(Step::new(bare_window(&app)).envs(desktop.env()), &home);
    let start_page = at_home(Step::new(&app).envs(desktop.env()), &home);
    let on_sample = start_page.clone().arg(&sample);
    let times = medians_by(3, ROUNDS, WARM_UP, |index| match index {
        0 => only_painted(&bare, home.path()),
        1 => painted_and_ready(&start_page, home.path()),
        _ => painted_and_ready(&on_sample, home.path()),
    })?;
    add_figures(report, &times);
    Ok(())
}

fn bare_window(app: &Path) -> PathBuf {
    app.with_file_name("examples").join(executable("bare_window"))
}

fn add_figures(report: &mut Report, times: &[Moments]) {
    let [[bare, _], [start_page, start_page_ready], [sample, sample_ready]] = times else { return };
    report.add(Figure::time("bare window, first paint", *bare));
    report.add(Figure::time("app, first paint", *start_page));
    report.add(Figure::time("app, start page ready", *start_page_ready));
    report.add(Figure::time("app on the sample, first paint", *sample));
    report.add(Figure::time("app on the sample, overview ready", *sample_ready));
    report.add(Figure::ratio("app against a bare window", *start_page, *bare).at_most(OF_A_BARE_WINDOW));
    report.add(Figure::ratio("app on the sample against a bare window", *sample, *bare));
    report.add(Figure::ratio("start page ready against a bare window", *start_page_ready, *bare));
}

fn only_painted(step: &Step, home: &Path) -> Outcome<Moments> {
    let (marker, painted) = (Marker::new(), home.join("painted"));
    let step = step.clone().env(PAINT_FILE, &painted).env(marker.variable(), marker.value());
    start_until(&step, [&painted], &marker).map(|[painted]| [painted, painted])
}

fn painted_and_ready(step: &Step, home: &Path) -> Outcome<Moments> {
    let (marker, painted, ready) = (Marker::new(), home.join("painted"), home.join("ready"));
    let step = step.clone().env(PAINT_FILE, &painted).env(READY_FILE, &ready);
    start_until(&step.env(marker.variable(), marker.value()), [&painted, &ready], &marker)
}

/// Starts the program, waits until it has created all the files, and ends everything that carries the marker. Gives
/// the time until each of the files was there.
pub(crate) fn start_until<const N: usize>(
    step: &Step,
    files: [&Path; N],
    marker: &Marker,
) -> Outcome<[Duration; N]> {
    for file in files {
        let _none_from_before = std::fs::remove_file(file);
    }
    let started = Instant::now();
    let mut child = step.spawn(|command: &mut Command| {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    })?;
    let (mut times, mut ended) = ([None; N], None);
    loop {
        for (time, _) in times.iter_mut().zip(files).filter(|(time, file)| time.is_none() && file.exists()) {
            *time = Some(started.elapsed());
        }
        if times.iter().all(Option::is_some) || ended.is_some() || started.elapsed() > PATIENCE {
            break;
        }
        thread::sleep(Duration::from_millis(1));
        ended = child.try_wait().context("cannot wait for the app")?;
    }
    // One that has already ended cannot be ended again, which is fine.
    let _ended = child.kill().and_then(|()| child.wait());
    strays::end(marker)?;
    if times.iter().all(Option::is_some) {
        return Ok(times.map(Option::unwrap_or_default));
    }
    Err(Failure::new(match ended {
        Some(status) => format!("`{}` ended before its window was there ({status}).", step.line()),
        None => format!("`{}` did not show its window within {} s.", step.line(), PATIENCE.as_secs()),
    }))
}
