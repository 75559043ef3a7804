//! `loopwright trust`.

use std::process::ExitCode;

use loopwright_domain::{Fault, Origin, TrustState};
use loopwright_engine::{TrustReport, require_person};

use crate::args::TrustArgs;
use crate::context::Context;
use crate::output::{self, CARE, GOOD, HEADING, QUIET, say, styled};
use crate::prompt;

pub(super) fn run(context: &Context, args: &TrustArgs) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let config = project.config().strict()?;
    let mut report = project.trust_report(&config)?;
    if args.show || report.state.may_run() {
        return show(context, &report);
    }
    require_person("trust a folder")?;
    if !context.json {
        list(&report);
        if !args.yes && prompt::interactive() && !prompt::agree("\nTrust these commands?") {
            say!("Nothing was trusted.");
            return Ok(ExitCode::from(2));
        }
    }
    context.wait(project.trust(&report.digest, Origin::Cli))?;
    report.state = TrustState::Trusted;
    if context.json {
        return output::json(&report);
    }
    say!("\n{} You are asked again when one of these changes.", styled(GOOD, "Trusted."));
    Ok(ExitCode::SUCCESS)
}

fn show(context: &Context, report: &TrustReport) -> Result<ExitCode, Fault> {
    if context.json {
        return output::json(report);
    }
    list(report);
    let verdict = match report.state {
        TrustState::NotNeeded => "There is nothing to trust: this folder executes nothing.",
        TrustState::Trusted => "You trusted exactly this.",
        TrustState::Untrusted => "You have not trusted this yet.",
        TrustState::Changed => "This changed since you trusted it.",
    };
    say!("{verdict}");
    Ok(ExitCode::SUCCESS)
}

fn list(report: &TrustReport) {
    if !report.executables.is_empty() {
        say!("{}", styled(HEADING, "Loopwright would run:"));
        for item in &report.executables {
            let title = styled(QUIET, format!("{} {}:", item.kind, output::plain(&item.name)));
            say!("  {title} {}", output::plain(&item.command));
        }
    }
    if !report.findings.is_empty() {
        say!("{}", styled(CARE, "Other programs may run (Loopwright does not, when it looks):"));
        for finding in &report.findings {
            say!("  {} {}", styled(QUIET, format!("{}:", finding.kind)), output::plain(&finding.detail));
        }
    }
}
