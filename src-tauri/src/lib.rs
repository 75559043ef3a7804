//! Loopwright's desktop shell: windows, menus and the commands the UI may call. Everything a command does is done by
//! `loopwright-engine`; nothing here decides about projects.
#![deny(missing_docs)]

mod arguments;
pub mod background;
pub mod bindings;
mod checking;
mod commands;
mod confirmation;
pub mod desktop;
mod display;
mod drawing;
mod dto;
mod edit_menu;
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
pub mod windows;
mod zoom;

use std::ffi::OsString;
use std::process::ExitCode;

use loopwright_domain::Fault;

use crate::arguments::Wish;

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
            fault.hint.iter().for_each(|hint| eprintln!("{hint}"));
            ExitCode::FAILURE
        }
    }
}

fn say(text: &str) -> Result<(), Fault> {
    println!("{text}");
    Ok(())
}

/// The app's configuration, embedded UI and permissions.
#[must_use]
pub fn context<R: tauri::Runtime>() -> tauri::Context<R> {
    tauri::generate_context!()
}
