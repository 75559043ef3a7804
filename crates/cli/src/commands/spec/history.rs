//! `loopwright spec history`.

use std::process::ExitCode;

use loopwright_domain::{ErrorCode, Fault};

use crate::context::Context;
use crate::output::{self, QUIET, count, plain, plain_text, say, styled};

pub(super) fn run(context: &Context, name: &str, show: Option<u32>) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let section = context.wait(project.spec().find(name))?.section;
    let all = context.wait(project.spec().history(section.id))?;
    let Some(number) = show else {
        if context.json {
            return output::json(&all);
        }
        if all.is_empty() {
            say!("{} has no earlier text.", section.id);
        }
        for one in &all {
            let words = count(one.words as usize, "word", "words");
            let until = one.until.get(..16).unwrap_or(&one.until).replace('T', " ");
            say!("{:>4}  until {} UTC  {words}  {}", one.id, plain(&until), styled(QUIET, plain(&one.what)));
        }
        return Ok(ExitCode::SUCCESS);
    };
    let found = all.iter().find(|one| one.id == number).ok_or_else(|| {
        Fault::new(ErrorCode::UsageInvalid, format!("{} has no earlier text {number}", section.id))
            .hint("\"loopwright spec history SECTION\" lists them.")
    })?;
    if context.json {
        return output::json(found);
    }
    say!("{}", plain_text(&found.content));
    Ok(ExitCode::SUCCESS)
}
