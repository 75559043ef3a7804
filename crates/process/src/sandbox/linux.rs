//! Linux: bubblewrap. The program gets its own view of the file system, in namespaces of its own.
//!
//! - A user namespace without capabilities: nothing that is mounted can be changed, also when one is root. The system's
//!   files still take root for their owner, so what of them is no process in `/proc` is mounted read-only.
//! - A process namespace: it sees and signals only its own processes, and all of them end with the first one. That
//!   one is bubblewrap's, and it waits for the others; a second bubblewrap process outside hands on the exit code.
//! - The session stays ours, so that the program is found and ended as without a sandbox. It is not tied to our
//!   life by `--die-with-parent`: the system ties it to the thread that started it, and threads come and go.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{Access, Mount, Sandbox, access, sockets};
use crate::command::Command;
use crate::system::is_root;

/// The program that makes sandboxes.
pub(super) const PROGRAM: Option<&str> = Some("bwrap");
/// Whether folders can be shown in the place of others.
pub(super) const CAN_MOUNT: bool = true;

/// The machine's folder for temporary files, which everybody can write in.
const SHARED_TEMP: &str = "/tmp";
/// How things are before the rules: all is readable, but for what others keep for a while, and for where services listen.
const BASE: &[(&str, Access)] = &[
    ("/", Access::Read),
    (SHARED_TEMP, Access::Hidden),
    ("/var/tmp", Access::Hidden),
    ("/run", Access::Hidden),
];
/// Says who answers for names of hosts; on many systems a link to where services listen.
const RESOLVER: &str = "/etc/resolv.conf";
/// The users of this machine, and who is asked about those that are not in there. They tell who is who and do nothing.
const USERS: &str = "/etc/passwd";
const NAME_SERVICES: &[&str] = &["/run/nscd", "/run/nslcd", "/run/systemd/userdb", "/var/lib/sss/pipes"];
/// How many links lead to a place at most.
const MOST_LINKS: usize = 16;
const NAMESPACES: &[&str] = &["--unshare-user", "--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL"];
const ROOT: &[&str] = &["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];

/// Where the system keeps its settings, beside the processes.
const PROC: &str = "/proc";
/// What bubblewrap itself shuts for root, and what has nothing in it that can be written.
const SHUT_IN_PROC: &[&str] = &["bus", "irq", "sysrq-trigger", "sysvipc", "tty"];

/// How long the trial may take.
const TRIAL_LIMIT: Duration = Duration::from_secs(5);
/// The bits of a file's mode that let anybody write it.
const ANYBODY_WRITES: u32 = 0o222;
const TRIAL_STEP: Duration = Duration::from_millis(2);
/// A program that every Linux has and that does nothing.
const NOTHING: &str = "/bin/true";

/// What bubblewrap is told, before the program itself.
pub(super) fn arguments(sandbox: &Sandbox, command: &Command) -> Vec<OsString> {
    let names = name_services();
    let sandbox = sandbox.clone().visible([RESOLVER]).visible(names.clone()).sockets(names);
    let mut args = base();
    if !sandbox.network {
        args.push("--unshare-net".into());
    }
    let rules = sandbox.rules(BASE);
    let mut mounts = sandbox.mounts.values().peekable();
    for (path, access) in rules.iter().skip(1) {
        // The outer places first: what is mounted later hides what was there.
        while let Some(mount) = mounts.next_if(|mount| mount.target < *path) {
            show(&mut args, mount);
        }
        match access {
            _ if path == Path::new(SHARED_TEMP) => bind(&mut args, "--bind", &sandbox.temp, path),
            Access::Write => bind(&mut args, "--bind", path, path),
            Access::Read => bind(&mut args, "--ro-bind", path, path),
            Access::Hidden if path.is_dir() => args.extend(["--tmpfs".into(), path.into()]),
            Access::Hidden if path.exists() => mask(&mut args, path),
            Access::Hidden => {}
        }
    }
    mounts.for_each(|mount| show(&mut args, mount));
    for (link, target) in links(&sandbox, &rules) {
        bind(&mut args, "--symlink", &target, &link);
    }
    for path in closed(&sandbox, &rules) {
        mask(&mut args, &path);
    }
    args.extend(["--chdir".into(), command.dir.clone().into_os_string(), "--".into()]);
    args
}

/// Sockets and FIFOs that are seen and stay out of reach.
fn closed(sandbox: &Sandbox, rules: &BTreeMap<PathBuf, Access>) -> Vec<PathBuf> {
    let real = |path: &PathBuf| path.canonicalize().ok();
    let open: Vec<PathBuf> = sandbox.sockets.iter().chain([&sandbox.temp]).filter_map(real).collect();
    let is_open = |path: &Path| open.iter().any(|open| path.starts_with(open));
    let present = sockets::present(&sandbox.searched).into_iter();
    let is_replaced = |path: &Path| sandbox.mounts.values().any(|mount| path.starts_with(&mount.target));
    let is_seen = |path: &PathBuf| access(rules, path) != Access::Hidden && !is_replaced(path);
    present.filter(|path| is_seen(path) && !is_open(path)).collect()
}

/// Links in hidden places that lead to what is to be seen, with what they say: programs are found by such ways.
fn links(sandbox: &Sandbox, rules: &BTreeMap<PathBuf, Access>) -> BTreeMap<PathBuf, PathBuf> {
    let mut links = BTreeMap::new();
    for seen in &sandbox.visible {
        let mut way = seen.clone();
        for _ in 0..MOST_LINKS {
            let Some((link, target)) = first_link(&way) else { break };
            let (Some(folder), Ok(rest)) = (link.parent(), way.strip_prefix(&link)) else { break };
            let next = if rest.as_os_str().is_empty() {
                folder.join(&target)
            } else {
                folder.join(&target).join(rest)
            };
            if access(rules, &link) == Access::Hidden {
                links.insert(link, target);
            }
            way = next;
        }
    }
    links
}

/// The first link on a way, and what it says.
fn first_link(way: &Path) -> Option<(PathBuf, PathBuf)> {
    let mut place = PathBuf::new();
    way.components().find_map(|part| {
        place.push(part);
        let target = fs::read_link(&place).ok()?;
        Some((place.clone(), target))
    })
}

/// Services that have to be asked who this user is, where the machine's own list does not say.
fn name_services() -> Vec<PathBuf> {
    let own = nix::unistd::getuid().to_string();
    let users = fs::read_to_string(USERS).unwrap_or_default();
    let is_listed = users.lines().any(|line| line.split(':').nth(2) == Some(&own));
    if is_listed { Vec::new() } else { NAME_SERVICES.iter().map(PathBuf::from).collect() }
}

/// Namespaces and the view of the file system that every sandbox has, before the rules of one.
fn base() -> Vec<OsString> {
    let mut args: Vec<OsString> = NAMESPACES.iter().chain(ROOT).map(OsString::from).collect();
    for path in kernel_settings() {
        bind(&mut args, "--ro-bind", &path, &path);
    }
    args
}

/// What in `/proc` is no process and can be written by root, who owns it: `sys` with the program that is started for
/// crashes of others, and switches of the machine. Nobody else can write there, and for them it stays as it is: a `/proc`
/// that is partly covered cannot be mounted once more, as sandboxes inside of this one do.
fn kernel_settings() -> Vec<PathBuf> {
    if !is_root() {
        return Vec::new();
    }
    let entries = fs::read_dir(PROC).into_iter().flatten().filter_map(Result::ok);
    let can_be_written = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let is_process = name.as_encoded_bytes().first().is_some_and(u8::is_ascii_digit);
        let is_shut = SHUT_IN_PROC.iter().any(|shut| name == *shut);
        !is_process
            && !is_shut
            && entry.metadata().is_ok_and(|found| {
                found.is_dir() || found.is_file() && found.permissions().mode() & ANYBODY_WRITES != 0
            })
    };
    let mut found: Vec<PathBuf> = entries.filter(can_be_written).map(|entry| entry.path()).collect();
    found.sort();
    found
}

fn bind(args: &mut Vec<OsString>, how: &str, from: &Path, to: &Path) {
    args.extend([how.into(), from.into(), to.into()]);
}

fn show(args: &mut Vec<OsString>, mount: &Mount) {
    bind(args, if mount.writable { "--bind" } else { "--ro-bind" }, &mount.source, &mount.target);
}

/// Puts nothing in the place of a file.
fn mask(args: &mut Vec<OsString>, path: &Path) {
    bind(args, "--ro-bind", Path::new("/dev/null"), path);
}

/// Puts a sandbox around a program that does nothing.
#[expect(clippy::disallowed_methods, reason = "a trial that has to be over before anything else goes on")]
pub(super) fn try_out(program: &Path) -> Result<(), String> {
    let mut command = std::process::Command::new(program);
    command.args(base()).args(["--unshare-net", "--", NOTHING]).env_clear().current_dir("/");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let begun = Instant::now();
    while child.try_wait().map_err(|error| error.to_string())?.is_none() {
        if begun.elapsed() > TRIAL_LIMIT {
            let _ = child.kill();
            let _ = child.wait();
            return Err("it did not come to an end".to_owned());
        }
        sleep(TRIAL_STEP);
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let first = said.lines().next().unwrap_or("it did not say why").trim();
    Err(first.trim_start_matches("bwrap: ").to_owned())
}
