//! Editors that open a file at a line: which are known, where they are, and how each is told. A file is handed over
//! as an argument of its own and by its absolute path, never through a shell.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use loopwright_config::Host;
pub use loopwright_config::editors::KEY;
use loopwright_config::editors::{AUTO, SYSTEM};
use loopwright_config::text_file::{self, io_fault};
use loopwright_domain::{ErrorCode, Fault};
use loopwright_process::{Command, run_in_terminal, spawn_detached};

/// How an editor is told the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// `--goto file:line`
    Goto,
    /// `file:line`
    Suffix,
    /// `--line line file`
    LineOption,
    /// `+line file`
    Plus,
    /// `-nline file`
    Joined,
}

/// An editor that is known by name.
#[derive(Debug)]
struct Known {
    name: &'static str,
    programs: &'static [&'static str],
    style: Style,
}

const fn known(name: &'static str, programs: &'static [&'static str], style: Style) -> Known {
    Known { name, programs, style }
}

/// The longest text that is taken back from an editor.
const LONGEST_TEXT: u64 = 4 * 1024 * 1024;
/// The editor of a terminal when nobody has chosen one.
const LAST_RESORT: &str = if cfg!(windows) { "notepad" } else { "vi" };

/// Lets a person edit a text at the terminal with `$VISUAL` or `$EDITOR`, and gives it as it was left. `name` is what
/// the file is called, for the editor to know how it is written.
///
/// # Errors
/// The editor cannot be found or started, or ends with an error.
pub fn edit_text(host: &Host, name: &str, text: &str) -> Result<String, Fault> {
    let make = |error: std::io::Error| io_fault("make", &env::temp_dir(), &error);
    let folder = tempfile::Builder::new().prefix("loopwright-").tempdir().map_err(make)?;
    let file = folder.path().join(name);
    text_file::write(&file, text)?;
    let (program, args) = terminal_editor(host)?;
    let command = Command { env: own_environment(host), ..Command::new(program, folder.path()) };
    let exit = run_in_terminal(&command.args(args).args([&file]))?;
    if !exit.success() {
        return Err(Fault::new(
            ErrorCode::ProcessSpawn,
            "the editor ended with an error; nothing was changed",
        ));
    }
    Ok(text_file::read(&file, LONGEST_TEXT)?.unwrap_or_default())
}

/// Lets a person edit files of a project at the terminal with `$VISUAL` or `$EDITOR`.
///
/// # Errors
/// The editor cannot be found or started, or ends with an error.
pub fn edit_files(host: &Host, folder: &Path, files: &[PathBuf]) -> Result<(), Fault> {
    let (program, args) = terminal_editor(host)?;
    let command = Command { env: own_environment(host), ..Command::new(program, folder) };
    let exit = run_in_terminal(&command.args(args).args(files))?;
    if exit.success() {
        return Ok(());
    }
    Err(Fault::new(ErrorCode::ProcessSpawn, "the editor ended with an error; nothing was approved"))
}

/// The person's editor for the terminal and its first arguments.
fn terminal_editor(host: &Host) -> Result<(PathBuf, Vec<String>), Fault> {
    let chosen = |name: &str| host.environment.get(OsStr::new(name)).and_then(|value| value.to_str());
    let set = |text: &&str| !text.trim().is_empty();
    let command =
        chosen("VISUAL").filter(set).or_else(|| chosen("EDITOR").filter(set)).unwrap_or(LAST_RESORT);
    let mut words = shell_words::split(command).unwrap_or_default().into_iter();
    let program = words.next().unwrap_or_default();
    let found = host.find_program_on(&program, &host.search_path).ok_or_else(|| {
        Fault::new(ErrorCode::ProcessMissing, format!("the editor \"{program}\" was not found"))
            .hint("Set $EDITOR to your editor, or say on the command line what to change.")
    })?;
    Ok((found, words.collect()))
}

/// What is looked for, the likeliest wish first.
const EDITORS: [Known; 18] = [
    known("code", &["code"], Style::Goto),
    known("cursor", &["cursor"], Style::Goto),
    known("windsurf", &["windsurf"], Style::Goto),
    known("zed", &["zed", "zeditor"], Style::Suffix),
    known("codium", &["codium"], Style::Goto),
    known("subl", &["subl"], Style::Suffix),
    known("idea", &["idea"], Style::LineOption),
    known("rustrover", &["rustrover"], Style::LineOption),
    known("webstorm", &["webstorm"], Style::LineOption),
    known("pycharm", &["pycharm"], Style::LineOption),
    known("goland", &["goland"], Style::LineOption),
    known("clion", &["clion"], Style::LineOption),
    known("phpstorm", &["phpstorm"], Style::LineOption),
    known("kate", &["kate"], Style::LineOption),
    known("gedit", &["gedit"], Style::Plus),
    known("gvim", &["gvim"], Style::Plus),
    known("bbedit", &["bbedit"], Style::Plus),
    known("notepad++", &["notepad++"], Style::Joined),
];

/// What a file is opened with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opener {
    /// An editor.
    Editor(Editor),
    /// Whatever the desktop takes for the file.
    System,
}

/// An editor on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Editor {
    name: &'static str,
    program: PathBuf,
    style: Style,
}

impl Opener {
    /// What the user's choice means on this machine.
    ///
    /// # Errors
    /// An editor was chosen by name and is not installed.
    pub fn chosen(host: &Host, choice: &str) -> Result<Self, Fault> {
        let found = |known: &Known| find(host, known);
        match choice {
            SYSTEM => Ok(Self::System),
            AUTO => Ok(EDITORS.iter().find_map(found).map_or(Self::System, Self::Editor)),
            name => {
                EDITORS.iter().find(|known| known.name == name).and_then(found).map(Self::Editor).ok_or_else(
                    || {
                        Fault::new(ErrorCode::ProcessMissing, format!("the editor \"{name}\" was not found"))
                            .hint("Install it, or choose another editor in the settings under App.")
                    },
                )
            }
        }
    }
}

impl Editor {
    /// The name it is chosen by.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Starts it with a file, or has the one that runs show it. It lives on by itself.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn open(&self, host: &Host, file: &Path, line: Option<u32>) -> Result<(), Fault> {
        let folder = file.parent().unwrap_or(file);
        let command = Command { env: own_environment(host), ..Command::new(&self.program, folder) };
        spawn_detached(command.args(arguments(self.style, file, line)))?;
        Ok(())
    }
}

/// What hands a file or an address to the desktop, and its first arguments, the usual one first.
const DESKTOP_OPENERS: [(&str, &[&str]); 3] = [("xdg-open", &[]), ("gio", &["open"]), ("wslview", &[])];

/// Has the desktop open a file, a folder or an address, on systems where that is a program's work.
///
/// # Errors
/// There is no such program, or it cannot be started.
pub fn open_on_desktop(host: &Host, target: &OsStr) -> Result<(), Fault> {
    let found = |(name, args): &(&str, &'static [&'static str])| Some((host.find_program(name)?, *args));
    let (program, args) = DESKTOP_OPENERS.iter().find_map(found).ok_or_else(|| {
        Fault::new(ErrorCode::ProcessMissing, "no program was found that hands files to the desktop")
            .hint("Install xdg-utils.")
    })?;
    let folder = program.parent().unwrap_or(&program).to_owned();
    let command = Command { env: own_environment(host), ..Command::new(program, folder) };
    spawn_detached(command.args(args).args([target]))?;
    Ok(())
}

fn arguments(style: Style, file: &Path, line: Option<u32>) -> Vec<OsString> {
    let path = file.as_os_str().to_owned();
    let Some(line) = line.filter(|line| *line > 0) else { return vec![path] };
    let at_line = || {
        let mut joined = path.clone();
        joined.push(format!(":{line}"));
        joined
    };
    match style {
        Style::Goto => vec!["--goto".into(), at_line()],
        Style::Suffix => vec![at_line()],
        Style::LineOption => vec!["--line".into(), line.to_string().into(), path],
        Style::Plus => vec![format!("+{line}").into(), path],
        Style::Joined => vec![format!("-n{line}").into(), path],
    }
}

fn find(host: &Host, known: &Known) -> Option<Editor> {
    let places = env::split_paths(&host.search_path).chain(usual_folders(host));
    let places = env::join_paths(places).unwrap_or_else(|_| host.search_path.clone());
    let program = known.programs.iter().find_map(|program| host.find_program_on(program, &places))?;
    Some(Editor { name: known.name, program, style: known.style })
}

/// Where editors put their commands. An app that the desktop starts often has a shorter search path than a terminal.
fn usual_folders(host: &Host) -> Vec<PathBuf> {
    let below = |variable: &str, folders: &[&str]| {
        let base = host.environment.get(OsStr::new(variable)).map(PathBuf::from);
        folders.iter().filter_map(move |folder| Some(base.as_ref()?.join(folder))).collect::<Vec<_>>()
    };
    let mut folders: Vec<PathBuf> = FIXED_FOLDERS.iter().map(PathBuf::from).collect();
    folders.extend(below("HOME", HOME_FOLDERS));
    folders.extend(below("LOCALAPPDATA", LOCAL_FOLDERS));
    folders.extend(below("ProgramFiles", PROGRAM_FOLDERS));
    folders
}

const FIXED_FOLDERS: &[&str] = if cfg!(target_os = "macos") {
    &[
        "/usr/local/bin",
        "/opt/homebrew/bin",
        "/Applications/Visual Studio Code.app/Contents/Resources/app/bin",
        "/Applications/Cursor.app/Contents/Resources/app/bin",
        "/Applications/Windsurf.app/Contents/Resources/app/bin",
        "/Applications/VSCodium.app/Contents/Resources/app/bin",
        "/Applications/Zed.app/Contents/MacOS",
        "/Applications/Sublime Text.app/Contents/SharedSupport/bin",
    ]
} else if cfg!(unix) {
    &["/usr/local/bin", "/usr/bin", "/snap/bin"]
} else {
    &[]
};

const HOME_FOLDERS: &[&str] = if cfg!(target_os = "macos") {
    &[".local/bin", "Library/Application Support/JetBrains/Toolbox/scripts"]
} else {
    &[".local/bin", ".local/share/JetBrains/Toolbox/scripts"]
};

const LOCAL_FOLDERS: &[&str] = &[
    "Programs/Microsoft VS Code/bin",
    "Programs/cursor/resources/app/bin",
    "Programs/Windsurf/bin",
    "Programs/VSCodium/bin",
    "JetBrains/Toolbox/scripts",
];

const PROGRAM_FOLDERS: &[&str] = &["Microsoft VS Code/bin", "Sublime Text", "Notepad++"];

/// The environment of the user's own programs: ours, without what only Loopwright is told, without what an AppImage
/// adds for itself, which would have other programs load its libraries, and without the project's folders on the search
/// path.
pub(crate) fn own_environment(host: &Host) -> BTreeMap<OsString, OsString> {
    let bundle =
        host.environment.get(OsStr::new("APPDIR")).map(PathBuf::from).filter(|dir| dir.is_absolute());
    let outside = |value: &OsStr| match &bundle {
        Some(bundle) => {
            env::join_paths(env::split_paths(value).filter(|path| !path.starts_with(bundle))).ok()
        }
        None => Some(value.to_owned()),
    };
    let outside = |name: &OsStr, value: &OsStr| {
        if name == OsStr::new("PATH") { outside(&host.without_project(value)) } else { outside(value) }
    };
    let own = |name: &OsStr| host.variables.keys().any(|variable| name == OsStr::new(variable));
    host.environment
        .iter()
        .filter(|(name, _)| !own(name))
        .filter_map(|(name, value)| Some((name.clone(), outside(name, value)?)))
        .filter(|(_, value)| bundle.is_none() || !value.is_empty())
        .collect()
}

#[cfg(test)]
mod tests;
