//! Loopwright's desktop shell: windows, menus and the commands the UI may call. Everything a command does is done by
//! `loopwright-engine`; nothing here decides about projects.
#![deny(missing_docs)]

mod app_control;
mod arguments;
pub mod background;
pub mod bindings;
mod blocking;
mod checking;
mod commands;
mod confirmation;
mod context;
pub mod desktop;
mod display;
mod drawing;
mod dto;
mod edit_menu;
pub mod exit;
mod folder;
mod menu;
mod menu_items;
mod open_recent;
mod program;
mod run;
mod run_dto;
pub mod runs;
pub mod shell;
mod theme;
mod watch;
mod window_events;
pub mod windows;
mod wizard_work;
mod zoom;

use std::ffi::OsString;
use std::process::ExitCode;

use loopwright_domain::Fault;

use crate::arguments::Wish;
pub use crate::context::context;

/// Runs the app until its last window is closed. `arguments` come without the program's own name.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let outcome = match arguments::first_start(arguments) {
        Wish::Help => say(arguments::HELP),
        Wish::Version => say(concat!("loopwright-app ", env!("CARGO_PKG_VERSION"))),
        Wish::Show(folder) => run::until_closed(folder),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("loopwright-app: {}", fault.message);
            fault.advice().iter().for_each(|advice| eprintln!("{advice}"));
            ExitCode::FAILURE
        }
    }
}

fn say(text: &str) -> Result<(), Fault> {
    println!("{text}");
    Ok(())
}
