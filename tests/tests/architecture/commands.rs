//! Below the command line nobody names its commands: what a person can do next is a `NextAction`, which the terminal
//! renders as a command and the app in its own way.

use std::fs;
use std::path::Path;

/// Crates that are the command line, or whose texts only a test reads.
const ABOVE: &[&str] = &["crates/cli/", "crates/rehearsal/", "crates/testkit/"];

/// Files whose texts are prompts and files for an agent or a person with a terminal, not messages.
const WRITTEN_FILES: &[&str] = &[
    "crates/checks/src/work_list.rs",
    "crates/engine/src/setup/create.rs",
    "crates/engine/src/install/",
    "crates/engine/src/procedure/new.rs",
];

/// Agents report with this one, whoever started them.
const SIGNAL: &str = "signal";

/// The lines of a source file, of this path below the root, that name a command of ours.
pub(crate) fn named_in(relative: &str, text: &str) -> Vec<String> {
    let exempt = ABOVE.iter().chain(WRITTEN_FILES).any(|place| relative.starts_with(place));
    let is_test = ["/tests/", "/examples/", "/benches/"].iter().any(|folder| relative.contains(folder))
        || relative.ends_with("tests.rs");
    if exempt || is_test {
        return Vec::new();
    }
    let product = text.split("#[cfg(test)]").next().unwrap_or_default();
    let code = product.lines().filter(|line| !line.trim_start().starts_with("//"));
    let commands = code.filter(|line| names_command(line)).map(str::trim);
    let options = product.split(".hint(").skip(1).filter_map(option_in_hint);
    commands.chain(options).map(|found| format!("{relative}: {found}")).collect()
}

/// The line of a hint that names an option. What is passed to `.hint(` ends with the statement or its next call.
fn option_in_hint(after: &str) -> Option<&str> {
    let hint = after.split(";\n").next()?.split("\n        .").next()?;
    let names = |line: &str| {
        line.match_indices("--").any(|(at, dashes)| {
            line.get(at + dashes.len()..)
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
        })
    };
    hint.lines().find(|line| names(line)).map(str::trim)
}

/// Outside of comments the program's name before a blank and a small letter stands in a text: crates are written with
/// an underscore or a hyphen behind it.
fn names_command(line: &str) -> bool {
    line.match_indices("loopwright ").any(|(at, name)| {
        let rest = line.get(at + name.len()..).unwrap_or_default();
        let verb = rest.split(|c: char| !c.is_ascii_lowercase()).next().unwrap_or_default();
        (!verb.is_empty() || rest.starts_with("--")) && verb != SIGNAL
    })
}

/// All such lines of the crates below the root of the workspace.
pub(crate) fn all(root: &Path, files: &[std::path::PathBuf]) -> Vec<String> {
    let found = files.iter().flat_map(|file| {
        let relative = file.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        named_in(&relative, &fs::read_to_string(file).unwrap())
    });
    found.collect()
}
