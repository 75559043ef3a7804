//! The user's own folders: which of them must stay as they are, and which are not even seen.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use loopwright_config::Host;

/// What shells, git, ssh, editors and the session execute or obey: the same for a person in every other folder.
const KEPT: &[&str] = &[
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".inputrc",
    ".xprofile",
    ".xinitrc",
    ".xsession",
    ".xsessionrc",
    ".pam_environment",
    ".config/fish",
    ".config/nushell",
    ".config/git",
    ".config/systemd",
    ".config/environment.d",
    ".config/autostart",
    ".config/nvim",
    ".local/share/applications",
    ".local/share/systemd",
    ".local/bin",
    "bin",
    "Library/LaunchAgents",
    ".gitconfig",
    ".git-credentials",
    ".ssh",
    ".gnupg",
    ".netrc",
    ".npm",
    ".npmrc",
    ".yarnrc",
    ".pypirc",
    ".cargo/bin",
    ".cargo/env",
    ".cargo/config.toml",
    ".vimrc",
    ".emacs",
    ".tmux.conf",
    ".docker/config.json",
    ".kube",
    ".aws",
];

/// Services that would do outside of the sandbox what an agent asks of them, also those that are not there yet. On Linux
/// those in `/run` are hidden with all of it.
const SERVICES: &[&str] =
    &["/var/run/docker.sock", "/var/lib/incus/unix.socket", "/var/snap/lxd/common/lxd/unix.socket"];
/// The same in the home folder.
const OWN_SERVICES: &[&str] = &[".docker/run", ".docker/desktop", ".colima/default/docker.sock"];
/// Variables that name such services.
const NAMED_SERVICES: &[&str] = &["SSH_AUTH_SOCK", "XDG_RUNTIME_DIR"];

/// Where npm keeps what it downloads for agents in the sandbox. The user's own cache stays closed: what lies in there
/// is executed by every `npx` of theirs, and npm wants to write also where it only looks.
pub(crate) fn npm_cache(host: &Host) -> PathBuf {
    host.data_dir.join("npm")
}

/// What stays as it is, also in a home folder that is open.
pub(super) fn kept(host: &Host) -> Vec<PathBuf> {
    let own = [host.config_dir.clone(), host.data_dir.clone()];
    KEPT.iter().filter_map(|path| in_home(host, path)).chain(own).collect()
}

/// What is taken out of sight.
pub(super) fn services(host: &Host) -> Vec<PathBuf> {
    let everybodys = SERVICES.iter().map(PathBuf::from);
    let own = OWN_SERVICES.iter().filter_map(|path| in_home(host, path));
    everybodys.chain(own).chain(NAMED_SERVICES.iter().filter_map(|name| variable(host, name))).collect()
}

/// Folders in which FIFOs are looked for, and sockets that nobody tells of.
pub(super) fn searched(host: &Host) -> Vec<PathBuf> {
    home(host).into_iter().chain([PathBuf::from("/var")]).collect()
}

/// The home folder.
pub(super) fn home(host: &Host) -> Option<PathBuf> {
    variable(host, "HOME")
}

/// A folder as a person writes it, with `~` for the home folder.
pub(super) fn expanded(host: &Host, path: &str) -> PathBuf {
    match path.strip_prefix('~').map(|below| below.trim_start_matches('/')) {
        Some(below) if path == "~" || path.starts_with("~/") => in_home(host, below).unwrap_or_default(),
        _ => PathBuf::from(path),
    }
}

/// A place in the home folder; those of configuration, data, state and caches may be elsewhere.
pub(super) fn in_home(host: &Host, below: &str) -> Option<PathBuf> {
    const MOVED: &[(&str, &str)] = &[
        (".config/", "XDG_CONFIG_HOME"),
        (".local/share/", "XDG_DATA_HOME"),
        (".local/state/", "XDG_STATE_HOME"),
        (".cache/", "XDG_CACHE_HOME"),
    ];
    let moved = MOVED.iter().find_map(|(prefix, name)| {
        let rest = below.strip_prefix(prefix)?;
        Some(variable(host, name)?.join(rest))
    });
    moved.or_else(|| home(host).map(|home| home.join(below)))
}

/// The absolute path in a variable.
pub(super) fn variable(host: &Host, name: &str) -> Option<PathBuf> {
    let value = host.environment.get(OsStr::new(name))?;
    Some(Path::new(value)).filter(|path| path.is_absolute()).map(Path::to_path_buf)
}
