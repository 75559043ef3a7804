//! `loopwright notify`: the command that tells a person elsewhere.

use std::process::ExitCode;

use loopwright_domain::{ErrorCode, Fault, NextAction};

use super::run::notifier;
use crate::context::Context;
use crate::output::{self, GOOD, Sent, say, styled};

pub(super) fn test(context: &Context) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let Some(notifier) = notifier(context, &project)? else {
        return Err(Fault::new(ErrorCode::ConfigBadValue, "notify.command is not set")
            .next(NextAction::ChangeUserSetting, "Set it in your own settings"));
    };
    notifier.test(context.host.timestamp())?;
    if context.json {
        return output::json(&Sent { sent: true });
    }
    say!("{} the command ended well.", styled(GOOD, "Sent:"));
    Ok(ExitCode::SUCCESS)
}
