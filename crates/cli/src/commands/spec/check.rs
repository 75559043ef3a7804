//! `loopwright spec check`.

use std::fmt::Display;
use std::process::ExitCode;

use loopwright_domain::Fault;
use loopwright_domain::quality::Judged;

use super::tell_sources;
use crate::context::Context;
use crate::output::{self, CARE, GOOD, HEADING, QUIET, plain, say, styled};

/// From this score on a plan is good.
const GOOD_SCORE: u32 = 90;

pub(super) fn run(context: &Context, min_score: Option<u32>) -> Result<ExitCode, Fault> {
    let checked = context.wait(context.project()?.spec().check())?;
    let quality = &checked.quality;
    let below = quality.score.zip(min_score).is_some_and(|(score, least)| score < least);
    let code = if below { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    if context.json {
        return output::json(&checked).map(|_| code);
    }
    let Some(score) = quality.score else {
        say!("There is no section and no open task to judge.");
        return Ok(code);
    };
    let style = if score >= GOOD_SCORE { GOOD } else { CARE };
    say!("Plan quality {} of 100", styled(style, score));
    tell(&quality.sections, "Sections");
    tell(&quality.tasks, "Tasks");
    tell_sources(&checked.sources);
    Ok(code)
}

fn tell<Id: Display>(all: &[Judged<Id>], heading: &str) {
    let found: Vec<&Judged<Id>> = all.iter().filter(|one| !one.findings.is_empty()).collect();
    if found.is_empty() {
        return;
    }
    say!("\n{}", styled(HEADING, heading));
    for one in found {
        say!("  {:>3}  {} {}", one.score, one.id, plain(&one.title));
        for finding in &one.findings {
            say!("       {}  {}", plain(&finding.message), styled(QUIET, finding.rule));
        }
    }
}
