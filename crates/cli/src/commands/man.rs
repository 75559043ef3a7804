//! `loopwright man`: the manual pages, from the definition of the command line. For packages.

use std::path::Path;
use std::process::ExitCode;

use clap::CommandFactory;
use loopwright_domain::{ErrorCode, Fault};

use crate::args::Cli;

pub(super) fn write(folder: &Path) -> Result<ExitCode, Fault> {
    std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Cli::command(), folder)).map_err(
        |error| {
            Fault::caused(ErrorCode::IoFailed, format_args!("cannot write to {}", folder.display()), &error)
        },
    )?;
    Ok(ExitCode::SUCCESS)
}
