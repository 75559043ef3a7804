//! `loopwright doctor`.

mod agents;

use std::process::ExitCode;

use loopwright_domain::Fault;
use loopwright_engine::config::TrustedConfig;
use loopwright_engine::{DoctorReport, Health, examine};

use crate::args::DoctorArgs;
use crate::context::Context;
use crate::next_step;
use crate::output::{self, BAD, CARE, GOOD, QUIET, say, styled};

pub(super) fn run(context: &Context, args: &DoctorArgs) -> Result<ExitCode, Fault> {
    let project = context.project();
    if args.agents || args.try_agent.is_some() {
        let config = match &project {
            Ok(project) => project.config_for_asking()?,
            Err(_) => TrustedConfig::of_user(&context.host),
        };
        return match &args.try_agent {
            Some(name) => agents::try_one(context, &config, name),
            None => agents::list(context, &config),
        };
    }
    let report = context.wait(examine(&context.host, project.as_ref()));
    if context.json {
        output::json(&report)?;
    } else {
        tell(&report);
    }
    Ok(if report.worst() == Health::Problem { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn tell(report: &DoctorReport) {
    let width = report.findings.iter().map(|finding| finding.name.len()).max().unwrap_or(0);
    for finding in &report.findings {
        let mark = match finding.status {
            Health::Ok => styled(GOOD, "ok  "),
            Health::Warning => styled(CARE, "note"),
            Health::Problem => styled(BAD, "fix "),
        };
        say!("{mark}  {:width$}  {}", finding.name, output::plain(&finding.message));
        if let Some(hint) = next_step::hint(finding.hint.as_deref(), &finding.next) {
            say!("      {:width$}  {}", "", styled(QUIET, output::plain(&hint)));
        }
    }
    let count = |health| report.findings.iter().filter(|finding| finding.status == health).count();
    match (count(Health::Problem), count(Health::Warning)) {
        (0, 0) => say!("\nAll is well."),
        (0, notes) => say!("\n{}, nothing to fix.", output::count(notes, "note", "notes")),
        (problems, _) => {
            say!("\n{} to fix.", output::count(problems, "thing", "things"));
        }
    }
}
