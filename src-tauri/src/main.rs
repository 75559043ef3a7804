//! The desktop app's program.
#![cfg_attr(all(windows, not(debug_assertions)), windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    loopwright_app::main(std::env::args_os().skip(1))
}
