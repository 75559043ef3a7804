//! The live output as a person sees it: how soon a line is on the screen, how even the frames are while 10,000 lines a
//! second are printed, how soon a log of a million lines is there.
//!
//! Latency and frames are taken in the real window, with a real agent process; the long log in the page alone, so that
//! what the disk takes, which `bench output` measures, is not in it.
//!
//! A frame gap is the time between two calls of the page before it is drawn. What the machine itself takes is measured
//! in the same window: nothing printed, and one word changing ten times a second.

use std::fs;

use super::field;
use super::report::{Figure, Report};
use crate::display::{Desktop, Screen};
use crate::failure::{Context, Failure, Outcome};
use crate::scratch::Scratch;
use crate::setup::{self, EVERYTHING};
use crate::step::Step;
use crate::workspace::{Profile, Workspace};
use crate::{cargo, ui};

/// Both measuring programs write their figures to the file this names.
const FIGURES_FILE: &str = "LOOPWRIGHT_UI_FIGURES";
const PROGRAMS: &str = "LOOPWRIGHT_BIN_DIR";
const FRAME_GAP: f64 = 50.0;
const NODES: f64 = 2000.0;
const OPEN: f64 = 300.0;

const IN_THE_WINDOW: [(&str, &str, &str, Option<f64>); 9] = [
    ("latency_p50_ms", "a printed line is seen, median", "ms", None),
    ("latency_p95_ms", "a printed line is seen, 95 of 100", "ms", None),
    ("quiet_gap_p95_ms", "frame gap while nothing is printed, 95 of 100", "ms", None),
    ("counting_gap_p95_ms", "frame gap while one word changes, 95 of 100", "ms", None),
    ("lines_per_s", "lines printed a second in the flood", "", None),
    ("frame_gap_p50_ms", "frame gap at 10,000 lines/s, median", "ms", None),
    ("frame_gap_p95_ms", "frame gap at 10,000 lines/s, 95 of 100", "ms", Some(FRAME_GAP)),
    ("frame_gap_max_ms", "frame gap at 10,000 lines/s, longest", "ms", None),
    ("dom_nodes", "elements of the page meanwhile", "", Some(NODES)),
];

const IN_THE_PAGE: [(&str, &str, &str, Option<f64>); 2] = [
    ("open_median", "a log of a million entries is shown", "ms", Some(OPEN)),
    ("jump_median", "a jump within it", "ms", None),
];

pub(super) fn measure(workspace: &Workspace, report: &mut Report) -> Outcome {
    setup::ensure(workspace, EVERYTHING)?;
    ui::build(workspace)?;
    cargo::build_headless(workspace, Profile::Release)?;
    cargo::build_release_app(workspace)?;
    let folder = Scratch::new("bench-ui")?;
    let figures = folder.path().join("figures.json");
    let taken = |step: Step| -> Outcome<String> {
        step.env(FIGURES_FILE, &figures).run()?;
        if workspace.dry_run {
            return Ok(String::new());
        }
        fs::read_to_string(&figures).context("read the figures")
    };
    let desktop = Desktop::start(Screen::Private)?;
    let app = workspace.built(Profile::Release, "loopwright-app");
    let programs = app.parent().unwrap_or(&app);
    let window = cargo::window_tests(workspace).envs(desktop.env()).env(PROGRAMS, programs);
    let window = taken(window.args(["--", "--ignored", "measure"]))?;
    let page = taken(ui::bench(workspace))?;
    if workspace.dry_run {
        return Ok(());
    }
    add(report, &window, &IN_THE_WINDOW)?;
    add(report, &page, &IN_THE_PAGE)
}

fn add(report: &mut Report, json: &str, wanted: &[(&str, &str, &'static str, Option<f64>)]) -> Outcome {
    for (name, called, unit, limit) in wanted {
        let value = field(json, name).ok_or_else(|| Failure::new(format!("no {name} in: {json}")))?;
        let figure = Figure::number(called, value, unit);
        report.add(match limit {
            Some(limit) => figure.at_most(*limit),
            None => figure,
        });
    }
    Ok(())
}
