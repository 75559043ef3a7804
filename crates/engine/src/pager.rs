//! The person's pager, for texts longer than a screen.

use std::env;
use std::ffi::OsStr;
use std::time::Duration;

use loopwright_config::Host;
use loopwright_domain::{ErrorCode, Fault};
use loopwright_process::{Command, run, run_in_terminal};

use crate::editor::own_environment;

/// Where a person says which pager to use, the most particular first.
const CHOICES: [&str; 3] = ["LOOPWRIGHT_PAGER", "GIT_PAGER", "PAGER"];
/// The pager when nobody has chosen one: colours as they are, and no paging for what fits the screen.
const DEFAULT: &str = "less -RFX";
/// How long git may take to say which pager is configured.
const LIMIT: Duration = Duration::from_secs(5);
/// Pagers that colour a patch themselves.
const COLOURING: [&str; 2] = ["delta", "diff-so-fancy"];

/// A text in two forms, for pagers that colour patches themselves and for those that show what they get.
#[derive(Clone, Copy, Debug)]
pub struct PagedText<'a> {
    /// As it is.
    pub plain: &'a [u8],
    /// With colours.
    pub coloured: &'a str,
}

/// Shows a text in the pager, and waits until the person has seen it. False when there is no pager, or it is `cat`:
/// then nothing was shown.
///
/// # Errors
/// The pager cannot be started.
pub fn page(host: &Host, text: PagedText<'_>) -> Result<bool, Fault> {
    let chosen = |name: &&str| host.environment.get(OsStr::new(name)).and_then(|value| value.to_str());
    let command = CHOICES.iter().find_map(chosen).map(str::to_owned);
    let command = command.or_else(|| of_git(host)).unwrap_or_else(|| DEFAULT.to_owned());
    let mut words = shell_words::split(&command).unwrap_or_default().into_iter();
    let name = words.next().unwrap_or_default();
    if name.is_empty() || name == "cat" {
        return Ok(false);
    }
    let Some(program) = host.find_program_on(&name, &host.search_path) else { return Ok(false) };
    let folder = env::current_dir()
        .map_err(|error| Fault::caused(ErrorCode::ProjectBadFolder, "no current folder", &error))?;
    let colours = program.file_stem().and_then(OsStr::to_str).is_some_and(|stem| COLOURING.contains(&stem));
    let stdin = if colours { text.plain.to_vec() } else { text.coloured.as_bytes().to_vec() };
    run_in_terminal(
        &Command { env: own_environment(host), stdin, ..Command::new(program, folder) }.args(words),
    )?;
    Ok(true)
}

/// The pager that the person's own git settings name; those of a repository are not asked.
fn of_git(host: &Host) -> Option<String> {
    let git = host.find_program_on("git", &host.search_path)?;
    let folder = env::current_dir().ok()?;
    let asked = Command { env: own_environment(host), timeout: LIMIT, ..Command::new(git, folder) }.args([
        "config",
        "--global",
        "--get",
        "core.pager",
    ]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    let finished = runtime.block_on(run(asked)).ok()?;
    let named = String::from_utf8_lossy(&finished.output.stdout).trim().to_owned();
    (finished.exit.success() && !named.is_empty()).then_some(named)
}
