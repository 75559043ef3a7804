//! Where an agent's program is. An app that the desktop starts has a shorter search path than a terminal, so the login
//! shell is asked for its own, and the folders are looked through where package managers put programs.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use loopwright_process::{Command, allowed_environment, find_program, run};

use loopwright_config::Host;

/// How long the login shell may take to tell its search path.
const SHELL_TIME: Duration = Duration::from_secs(5);
/// What stands around the search path: shells print other things at their start.
const MARK: &str = "@loopwright-path@";

/// Finds an agent's program by one of its names: on the search path, on the login shell's when it was asked, in the
/// usual folders.
#[must_use]
pub fn find(host: &Host, programs: &[&str]) -> Option<PathBuf> {
    let named = |path: &OsStr| programs.iter().find_map(|program| host.find_program_on(program, path));
    let own = programs.iter().find_map(|program| host.find_program(program));
    own.or_else(|| named(host.login_path.get()?)).or_else(|| named(&joined(usual_folders(host))?))
}

fn joined(folders: Vec<PathBuf>) -> Option<OsString> {
    std::env::join_paths(folders.into_iter().filter(|folder| folder.is_absolute())).ok()
}

/// Asks the login shell for its search path, once. Whoever cannot tell it in time is not asked again.
pub async fn learn_login_path(host: &Host) {
    if host.login_path.is_asked() {
        return;
    }
    let path = ask_shell(host).await;
    host.login_path.set(path);
}

/// Looks further for an agent that was not found where programs usually are.
pub async fn look_further(host: &Host, programs: &[&str]) {
    if find(host, programs).is_none() {
        learn_login_path(host).await;
    }
}

async fn ask_shell(host: &Host) -> Option<OsString> {
    if cfg!(windows) {
        return None;
    }
    let shell = host.environment.get(OsStr::new("SHELL")).map(PathBuf::from)?;
    let shell = find_program(shell.is_absolute().then_some(&shell)?, OsStr::new(""))?;
    let home = host.environment.get(OsStr::new("HOME")).map_or_else(|| PathBuf::from("/"), PathBuf::from);
    let script = format!("printf '%s' '{MARK}'\"$PATH\"'{MARK}'");
    let mut command = Command::new(shell, home).args(["-i", "-l", "-c", script.as_str()]);
    command.env = allowed_environment(host.environment.clone(), ["ZDOTDIR", "XDG_CONFIG_HOME"]);
    command.timeout = SHELL_TIME;
    let printed = run(command).await.ok()?.output.stdout;
    let printed = String::from_utf8(printed).ok()?;
    let path = printed.split(MARK).nth(1)?;
    (!path.is_empty()).then(|| path.into())
}

/// Where package managers put programs, the likeliest first.
fn usual_folders(host: &Host) -> Vec<PathBuf> {
    let variable = |name: &str| {
        let value = host.environment.get(OsStr::new(name)).map(PathBuf::from);
        value.filter(|path| path.is_absolute())
    };
    let Some(home) = variable("HOME").or_else(|| variable("USERPROFILE")) else { return Vec::new() };
    let own = OWN_FOLDERS.iter().filter_map(|(name, folder)| Some(variable(name)?.join(folder)));
    let mut folders: Vec<PathBuf> = own.chain(HOME_FOLDERS.iter().map(|folder| home.join(folder))).collect();
    let nvm = variable("NVM_DIR").unwrap_or_else(|| home.join(".nvm"));
    folders.extend(versions(&nvm.join("versions/node"), "bin"));
    folders.extend(versions(&home.join(".local/share/fnm/node-versions"), "installation/bin"));
    folders.extend(FIXED_FOLDERS.iter().map(PathBuf::from));
    folders
}

/// The folders of the versions that a version manager has, the newest first.
fn versions(place: &Path, bin: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    let mut found: Vec<(Vec<u32>, PathBuf)> = entries
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().trim_start_matches('v').to_owned();
            (name.split('.').filter_map(|part| part.parse().ok()).collect(), entry.path().join(bin))
        })
        .collect();
    found.sort();
    found.into_iter().rev().map(|(_, folder)| folder).collect()
}

/// Folders named by a variable, and what is below.
const OWN_FOLDERS: &[(&str, &str)] = &[
    ("VOLTA_HOME", "bin"),
    ("BUN_INSTALL", "bin"),
    ("PNPM_HOME", ""),
    ("ASDF_DATA_DIR", "shims"),
    ("MISE_DATA_DIR", "shims"),
    ("CARGO_HOME", "bin"),
    ("APPDATA", "npm"),
    ("LOCALAPPDATA", "pnpm"),
    ("LOCALAPPDATA", "Volta/bin"),
];

/// Folders below the home folder.
const HOME_FOLDERS: &[&str] = &[
    ".local/bin",
    "bin",
    ".claude/local",
    ".opencode/bin",
    ".npm-global/bin",
    ".volta/bin",
    ".bun/bin",
    ".local/share/pnpm",
    "Library/pnpm",
    ".asdf/shims",
    ".local/share/mise/shims",
    ".yarn/bin",
    ".cargo/bin",
    "scoop/shims",
];

const FIXED_FOLDERS: &[&str] = if cfg!(target_os = "macos") {
    &["/opt/homebrew/bin", "/usr/local/bin", "/opt/local/bin"]
} else if cfg!(target_os = "linux") {
    &["/home/linuxbrew/.linuxbrew/bin"]
} else {
    &[]
};

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[expect(clippy::unwrap_used, reason = "in a test a panic is the report")]
    fn program(folder: &Path) -> PathBuf {
        std::fs::create_dir_all(folder).unwrap();
        let path = folder.join("claude");
        std::fs::write(&path, "").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn host(folder: &Path) -> Host {
        let mut host = Host::in_folder(folder, folder.join("bin").into_os_string());
        host.environment.insert("HOME".into(), folder.into());
        host
    }

    #[test]
    fn the_search_path_comes_before_the_usual_folders_and_newer_versions_before_older_ones() {
        let folder = tempfile::tempdir().unwrap();
        let host = host(folder.path());
        let find = || find(&host, &["claude"]);
        assert_eq!(find(), None);
        program(&folder.path().join(".nvm/versions/node/v9.11.2/bin"));
        let newer = program(&folder.path().join(".nvm/versions/node/v22.1.0/bin"));
        assert_eq!(find(), Some(newer));
        let volta = program(&folder.path().join(".volta/bin"));
        assert_eq!(find(), Some(volta));
        let local = program(&folder.path().join(".local/bin"));
        assert_eq!(find(), Some(local));
        let shell = program(&folder.path().join("of the shell"));
        host.login_path.set(Some(folder.path().join("of the shell").into()));
        assert_eq!(find(), Some(shell));
        let first = program(&folder.path().join("bin"));
        assert_eq!(find(), Some(first));
    }

    #[tokio::test]
    async fn the_login_shell_is_asked_once_whatever_it_prints_besides() {
        let folder = tempfile::tempdir().unwrap();
        let mut host = host(folder.path());
        let shell = folder.path().join("shell");
        let text =
            "#!/bin/sh\necho >> \"$HOME/asked\"\necho Welcome\nPATH=\"$HOME/tools\"; shift 3\neval \"$1\"\n";
        std::fs::write(&shell, text).unwrap();
        std::fs::set_permissions(&shell, std::fs::Permissions::from_mode(0o755)).unwrap();
        host.environment.insert("SHELL".into(), shell.into());
        let expected = program(&folder.path().join("tools"));
        look_further(&host, &["claude"]).await;
        assert_eq!(find(&host, &["claude"]), Some(expected));
        learn_login_path(&host).await;
        assert_eq!(std::fs::read_to_string(folder.path().join("asked")).unwrap(), "\n");
    }

    #[tokio::test]
    async fn without_a_shell_nothing_is_learned() {
        let folder = tempfile::tempdir().unwrap();
        let mut host = host(folder.path());
        host.environment.insert("SHELL".into(), "sh".into());
        learn_login_path(&host).await;
        assert!(host.login_path.is_asked() && host.login_path.get().is_none());
    }
}
