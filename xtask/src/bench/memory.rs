//! Memory: a megabyte of output classified.

use super::field;
use super::report::{Figure, Report};
use crate::cargo;
use crate::failure::{Failure, Outcome};
use crate::setup::{self, Need};
use crate::step::Step;
use crate::workspace::{Profile, Workspace};

/// Naming the cause at the end of a megabyte, in milliseconds.
const CLASSIFIED: f64 = 5.0;

pub(super) fn measure(workspace: &Workspace, report: &mut Report) -> Outcome {
    setup::ensure(workspace, &[Need::Build])?;
    cargo::build_example(workspace, "loopwright-memory", "classify")?;
    if workspace.dry_run {
        return Ok(());
    }
    let line = Step::new(workspace.built(Profile::Release, "examples/classify")).capture_success()?;
    let figure = |name: &str, what: &str| {
        let value = field(&line, &format!("{name}_ms"))
            .ok_or_else(|| Failure::new(format!("no {name}_ms in: {line}")))?;
        Ok::<_, Failure>(Figure::number(&format!("1 MB classified: {what}"), value, "ms"))
    };
    report.add(figure("plain", "plain output")?.at_most(CLASSIFIED));
    report.add(figure("noisy", "every line looks like an error")?.note("no target"));
    report.add(figure("coloured", "escapes of terminals in it")?.note("no target"));
    Ok(())
}
