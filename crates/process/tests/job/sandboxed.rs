//! Jobs with a real sandbox around them: supervised as without one, and kept to what is open.
#![cfg(target_os = "linux")]
use std::env;
use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::support::{Heard, become_command, finished, process, shell};
use loopwright_process::{
    EndCause, Exit, Job, ProcessError, ProcessIdentity, Sandbox, SandboxTool, Secrets, end_survivors, start,
};
use loopwright_testkit::eventually_async;
use tempfile::{TempDir, tempdir_in};

/// The system's sandbox; without one, the tests say so and pass.
fn sandbox_tool() -> Option<SandboxTool> {
    let found = SandboxTool::find(&env::var_os("PATH").unwrap_or_default(), None);
    if let Err(why) = &found {
        println!("SKIPPED, no sandbox on this machine: {why}");
    }
    found.ok()
}

/// A machine's folder with a project that is open and things around it that are not.
struct Scene {
    folder: TempDir,
    root: PathBuf,
    sandbox_tool: SandboxTool,
}

impl Scene {
    fn new() -> Option<Self> {
        Self::new_in(Path::new(env!("CARGO_TARGET_TMPDIR")))
    }

    /// One that no other sandbox sees: sockets come and go in it.
    fn apart() -> Option<Self> {
        Self::new_in(Path::new("/tmp"))
    }

    fn new_in(around: &Path) -> Option<Self> {
        let folder = tempdir_in(around).unwrap();
        let root = folder.path().canonicalize().unwrap();
        for below in ["tmp", "project/.git/hooks", "outside", "secret"] {
            fs::create_dir_all(root.join(below)).unwrap();
        }
        fs::write(root.join("project/.git/config"), "[core]\n").unwrap();
        fs::write(root.join("secret/key"), "private\n").unwrap();
        Some(Self { folder, root, sandbox_tool: sandbox_tool()? })
    }

    fn sandbox(&self) -> Sandbox {
        let at = |path: &str| self.root.join(path);
        Sandbox::new(at("tmp"))
            .writable([at("project")])
            .read_only([at("project/.git/hooks"), at("project/.git/config")])
            .hidden([at("secret")])
            .visible([&self.root])
    }

    fn job(&self, script: &str) -> Job {
        self.job_in(script, self.sandbox())
    }

    fn job_in(&self, script: &str, sandbox: Sandbox) -> Job {
        let mut job = shell(script, &self.root.join("project"));
        job.sandbox = Some((self.sandbox_tool.clone(), sandbox));
        job
    }

    /// What a script in the sandbox prints; it must end well.
    async fn says(&self, script: &str) -> String {
        let (ended, heard) = finished(self.job(script)).await;
        let said = String::from_utf8_lossy(&heard.out).trim().to_owned();
        assert!(ended.exit.success(), "{:?}: {said}{}", ended.exit, String::from_utf8_lossy(&heard.err));
        said
    }
}

/// Something that an agent could try and must not be able to do.
struct Probe {
    /// What it runs, in the project. `$OUTSIDE` is a process that is not the agent's.
    script: &'static str,
    /// The file, told from the scene's folder, that is there afterwards when it got through.
    trace: &'static str,
    /// How the same gets through without a sandbox.
    without: Without,
}

/// Where a probe succeeds without the sandbox and harms nothing. It is run there too: a probe that is refused for
/// some other reason proves nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Without {
    /// Anywhere: it stays in the scene's folder.
    Harmless,
    /// The same, where everybody may make user namespaces.
    UserNamespaces,
    /// The same, for root alone.
    Root,
    /// In a mount namespace of its own, for root alone: it would change what the machine has mounted.
    RootInOwnMounts,
}

const fn probe(script: &'static str, trace: &'static str) -> Probe {
    Probe { script, trace, without: Without::Harmless }
}

const fn of_root(script: &'static str, trace: &'static str) -> Probe {
    Probe { script, trace, without: Without::Root }
}

const PROBES: &[Probe] = &[
    probe("echo x > ../outside/plain", "outside/plain"),
    probe("ln -s ../outside out; echo x > out/link", "outside/link"),
    probe("ln ../outside/kept here && echo x > here", "project/here"),
    probe("echo x > .git/hooks/pre-commit", "project/.git/hooks/pre-commit"),
    probe("mv .git git2 && mkdir .git && echo x > .git/new", "project/.git/new"),
    probe("mv .git/hooks .git/h2 && mkdir .git/hooks && echo x > .git/hooks/new", "project/.git/hooks/new"),
    probe("rm -rf .git/hooks; mkdir -p .git/hooks; echo x > .git/hooks/new2", "project/.git/hooks/new2"),
    probe("echo x >> .git/config && echo x > appended", "project/appended"),
    probe("rm -f .git/config; test -e .git/config || echo x > removed", "project/removed"),
    probe("grep -q private ../secret/key && echo x > seen", "project/seen"),
    Probe {
        script: "mount -o remount,rw,bind / && echo x > ../outside/mount",
        trace: "outside/mount",
        without: Without::RootInOwnMounts,
    },
    probe("umount .git/hooks; echo x > .git/hooks/unmounted", "project/.git/hooks/unmounted"),
    Probe {
        script: "unshare -Urm sh -c 'mount -o remount,rw,bind /; umount -l .git/hooks; echo x > ../outside/nested'",
        trace: "outside/nested",
        without: Without::UserNamespaces,
    },
    Probe {
        script: "unshare -Um sh -c 'umount -l .git/hooks; echo x > .git/hooks/nested'",
        trace: "project/.git/hooks/nested",
        without: Without::UserNamespaces,
    },
    of_root("for id in 1 $OUTSIDE; do (echo x > /proc/$id/root$PWD/../outside/proc); done", "outside/proc"),
    of_root(
        "for id in 1 $OUTSIDE; do chroot /proc/$id/root sh -c \"echo x > $PWD/../outside/chroot\"; done",
        "outside/chroot",
    ),
    of_root(
        "for id in 1 $OUTSIDE; do nsenter -t $id -m sh -c \"echo x > $PWD/../outside/entered\"; done",
        "outside/entered",
    ),
    of_root("mknod device c 1 3", "project/device"),
    // Opened for writing, and nothing is written: these are the machine's own.
    of_root("(: >> /proc/sys/kernel/core_pattern) && echo x > core", "project/core"),
    of_root("(: >> /proc/sys/kernel/hostname) && echo x > host", "project/host"),
    of_root(WRITABLE_SETTINGS, "project/system"),
    of_root("(: >> /proc/$OUTSIDE/mem) && echo x > memory", "project/memory"),
    probe("kill -0 $OUTSIDE && echo x > signalled", "project/signalled"),
    probe("test -r /proc/$OUTSIDE/environ && echo x > environment", "project/environment"),
];

/// Looks for settings of the machine that can be written. For anybody but root those are left aside that each namespace
/// of processes and messages has for itself, and what everybody may ask the kernel to watch.
const WRITABLE_SETTINGS: &str = "set -f; own=; [ \"$(id -u)\" = 0 ] || own='-o -path /proc/pressure -o -path /proc/sys/fs/mqueue \
    -o -path /proc/sys/kernel/*msg* -o -path /proc/sys/kernel/shm* -o -path /proc/sys/kernel/sem \
    -o -path /proc/sys/kernel/ns_last_pid -o -path /proc/sys/kernel/pid_max'; \
    find /proc /sys \\( -path '/proc/[0-9]*' $own \\) -prune -o -type f -writable -print -quit | grep . && echo x > system";

impl Probe {
    /// Whether it gets through, in a scene of its own.
    async fn gets_through(&self, sandboxed: bool) -> Option<bool> {
        let scene = Scene::new()?;
        fs::write(scene.root.join("outside/kept"), "kept\n").unwrap();
        let mut job = scene.job(&format!("{{ {}; }} >/dev/null 2>&1; true", self.script));
        let programs = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
        job.command = job.command.env("OUTSIDE", std::process::id().to_string()).env("PATH", programs);
        if !sandboxed {
            job.sandbox = None;
            if self.without == Without::RootInOwnMounts {
                job.command.args.splice(0..0, ["-m".into(), job.command.program.clone().into()]);
                job.command.program = "/usr/bin/unshare".into();
            }
        }
        let (ended, _) = finished(job).await;
        assert_eq!((ended.exit, ended.cause), (Exit::Code(0), EndCause::Exited), "{}", self.script);
        if sandboxed {
            assert!(scene.root.join("project/.git/hooks").is_dir(), "{}", self.script);
            assert_eq!(fs::read_to_string(scene.root.join("outside/kept")).unwrap(), "kept\n");
        }
        Some(scene.root.join(self.trace).exists())
    }
}

/// Why a probe cannot be shown to get through without a sandbox here, if it cannot.
async fn untried(without: Without, folder: &Path) -> Option<&'static str> {
    match without {
        Without::Harmless => None,
        Without::UserNamespaces => {
            let made = finished(shell("unshare -Urm true", folder)).await.0.exit.success();
            (!made).then_some("no user namespaces without a sandbox")
        }
        Without::Root | Without::RootInOwnMounts => {
            (!nix::unistd::geteuid().is_root()).then_some("only root can")
        }
    }
}

#[tokio::test]
async fn every_probe_gets_through_without_a_sandbox_and_none_with_one() {
    let folder = tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    for probe in PROBES {
        let Some(got_through) = probe.gets_through(true).await else { return };
        assert!(!got_through, "it got through: {}", probe.script);
        if let Some(why) = untried(probe.without, folder.path()).await {
            println!("NOT TRIED without a sandbox, {why}: {}", probe.script);
            continue;
        }
        assert_eq!(probe.gets_through(false).await, Some(true), "it proves nothing: {}", probe.script);
    }
}

#[tokio::test]
async fn what_is_open_is_written_and_the_rest_is_read() {
    let Some(scene) = Scene::new() else { return };
    let script = "echo x > made && mkdir -p .git/objects/aa && echo x > .git/index.lock && \
                  mv .git/index.lock .git/index && echo y > /tmp/shared && cat ../secret/key 2>/dev/null; \
                  echo z > ../tmp/own; ls ../secret | wc -l; ls ..; cat /etc/passwd | head -c 4";
    assert_eq!(scene.says(script).await, "0\noutside\nproject\nsecret\ntmp\nroot");
    for made in ["project/made", "project/.git/index", "tmp/shared", "tmp/own"] {
        assert!(scene.root.join(made).is_file(), "{made}");
    }
    assert!(!Path::new("/tmp/shared").exists(), "the machine's own folder is another one");
    assert!(scene.folder.path().join("secret/key").is_file());
}

#[tokio::test]
async fn only_its_own_processes_are_seen() {
    let Some(scene) = Scene::new() else { return };
    let script = format!(
        "kill -0 {} 2>/dev/null && echo reached; grep -c . /proc/1/environ >/dev/null && \
         tr '\\0' '\\n' < /proc/1/environ | grep -c ^LOOPWRIGHT_ITERATION=; ls -d /proc/[0-9]* | wc -l",
        std::process::id()
    );
    let said = scene.says(&script).await;
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "1", "the marker is around it, and we are out of reach: {said}");
    assert!(lines[1].parse::<u32>().unwrap() < 10, "{said}");
}

#[tokio::test]
async fn the_network_is_there_unless_it_was_taken_away() {
    let Some(scene) = Scene::new() else { return };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let script = format!(
        "exec 2>/dev/null; bash -c 'exec 3<>/dev/tcp/127.0.0.1/{}' && echo reached || echo alone",
        listener.local_addr().unwrap().port()
    );
    assert_eq!(scene.says(&script).await, "reached");
    let (_, heard) = finished(scene.job_in(&script, scene.sandbox().network(false))).await;
    assert_eq!(String::from_utf8_lossy(&heard.out), "alone\n");
}

/// Asks for a connection, by a path or, after a NUL, by a name.
const CONNECT: &str = "perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0); \
                       connect(S, sockaddr_un(eval qq(\"$ARGV[0]\"))) or exit 1'";

#[tokio::test]
async fn nobody_outside_is_talked_to_but_where_it_was_opened() {
    let Some(scene) = Scene::apart() else { return };
    let outside = scene.root.join("outside");
    let _listener = UnixListener::bind(outside.join("socket")).unwrap();
    let mode = nix::sys::stat::Mode::from_bits_truncate(0o600);
    nix::unistd::mkfifo(&outside.join("pipe"), mode).unwrap();
    // Both ends are open here, so that a writer does not wait.
    let mut options = fs::OpenOptions::new();
    options.read(true).write(true).custom_flags(nix::libc::O_NONBLOCK);
    let mut pipe = options.open(outside.join("pipe")).unwrap();
    let mut heard = || {
        let mut bytes = [0; 16];
        let length = pipe.read(&mut bytes).unwrap_or_default();
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    };
    let script = format!("{CONNECT} $PWD/../outside/socket && echo reached; echo x > ../outside/pipe");
    let mut open = scene.job(&script);
    open.sandbox = None;
    assert_eq!(finished(open).await.1.out, b"reached\n", "it proves nothing");
    assert_eq!(heard(), "x\n", "it proves nothing");
    let closed = scene.sandbox().searched([&outside]);
    assert_eq!(finished(scene.job_in(&script, closed.clone())).await.1.out, b"");
    assert_eq!(heard(), "");
    let opened = closed.sockets([&outside]);
    assert_eq!(finished(scene.job_in(&script, opened)).await.1.out, b"reached\n");
    assert_eq!(heard(), "x\n");
}

#[tokio::test]
async fn sockets_without_a_file_are_out_of_reach_where_the_system_can_do_that() {
    let Some(scene) = Scene::new() else { return };
    let name = format!("loopwright-job-{}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).unwrap();
    let _listener = UnixListener::bind_addr(&address).unwrap();
    let script = format!("{CONNECT} '\\0{name}' && echo reached; true");
    let mut open = scene.job(&script);
    open.sandbox = None;
    assert_eq!(finished(open).await.1.out, b"reached\n", "it proves nothing");
    if keeps_sockets_apart() {
        assert_eq!(scene.says(&script).await, "");
    } else {
        println!("NOT TRIED, this needs Linux 6.12 with Landlock");
    }
    let (_, heard) = finished(scene.job_in(&script, scene.sandbox().network(false))).await;
    assert_eq!(heard.out, b"");
}

/// Whether the system can keep sockets without a file apart.
#[expect(unsafe_code, reason = "there is no safe wrapper of this call")]
fn keeps_sockets_apart() -> bool {
    let nothing: *const u8 = std::ptr::null();
    // SAFETY: without a structure the call only tells its version.
    unsafe { nix::libc::syscall(nix::libc::SYS_landlock_create_ruleset, nothing, 0_usize, 1) >= 6 }
}

#[tokio::test]
async fn where_services_listen_nothing_is_seen_and_names_of_hosts_are_still_found() {
    let Some(scene) = Scene::new() else { return };
    let seen =
        scene.says("find /run \\( -type s -o -type p \\) | wc -l; cat /etc/resolv.conf 2>/dev/null").await;
    let resolver = fs::read_to_string("/etc/resolv.conf").unwrap_or_default();
    assert_eq!(seen, format!("0\n{}", resolver.trim_end()).trim_end());
    let path = format!("/run/loopwright-test-{}", std::process::id());
    let Ok(_listener) = UnixListener::bind(&path) else {
        println!("NOT TRIED without a sandbox, this user cannot make a socket in /run");
        return;
    };
    let script = format!("{CONNECT} {path} && echo reached; true");
    let mut open = scene.job(&script);
    open.sandbox = None;
    let reached = finished(open).await.1.out;
    let sandboxed = scene.says(&script).await;
    fs::remove_file(&path).unwrap();
    assert_eq!((reached, sandboxed.as_str()), (b"reached\n".to_vec(), ""));
}

#[tokio::test]
async fn a_link_in_a_hidden_place_leads_to_what_is_to_be_seen() {
    let Some(scene) = Scene::new() else { return };
    let hidden = tempdir_in("/tmp").unwrap();
    for (link, target) in [("first", "second/more"), ("second", "outside")] {
        let target = if link == "second" { scene.root.join(target) } else { PathBuf::from(target) };
        std::os::unix::fs::symlink(target, hidden.path().join(link)).unwrap();
    }
    fs::create_dir_all(scene.root.join("outside/more/bin")).unwrap();
    fs::write(scene.root.join("outside/more/bin/tool"), "found\n").unwrap();
    let script = format!("cat {}/first/bin/tool; ls {0}", hidden.path().display());
    let sandbox = scene.sandbox().visible([hidden.path().join("first/bin")]);
    let (_, heard) = finished(scene.job_in(&script, sandbox)).await;
    assert_eq!(String::from_utf8_lossy(&heard.out), "found\nfirst\nsecond\n");
}

#[tokio::test]
async fn input_output_and_exit_are_the_programs_own() {
    let Some(scene) = Scene::new() else { return };
    let mut job = scene.job("wc -c; echo to-err >&2; pwd; exit 7");
    job.command.stdin = vec![b'x'; 300 * 1024];
    let (ended, heard) = finished(job).await;
    assert_eq!(ended.exit, Exit::Code(7));
    let place = scene.root.join("project");
    assert_eq!(String::from_utf8_lossy(&heard.out), format!("307200\n{}\n", place.display()));
    assert_eq!((heard.err, ended.strays), (b"to-err\n".to_vec(), Vec::new()));
    for (script, exit) in
        [("kill -9 $$", Exit::Signal(9)), ("kill -SEGV $$", Exit::Signal(11)), ("exit 145", Exit::Code(145))]
    {
        assert_eq!(finished(scene.job(script)).await.0.exit, exit, "{script}");
    }
}

#[tokio::test]
async fn a_program_that_cannot_start_is_told_as_without_a_sandbox() {
    let Some(scene) = Scene::new() else { return };
    let script = scene.root.join("project/broken");
    let error = |scene: &Scene| {
        let mut job = scene.job("");
        job.command.program.clone_from(&script);
        start(job).err().unwrap()
    };
    assert!(matches!(error(&scene), ProcessError::ProgramMissing { .. }));
    fs::write(&script, "#!/no/such/interpreter\n").unwrap();
    assert!(matches!(error(&scene), ProcessError::ProgramNotExecutable { .. }));
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&script, mode).unwrap();
    assert!(matches!(error(&scene), ProcessError::ProgramBroken { .. }));
}

#[tokio::test]
async fn a_program_that_is_asked_to_end_gets_its_time() {
    let Some(scene) = Scene::new() else { return };
    let mut job =
        scene.job("trap 'sleep 0.7; echo bye; exit 3' TERM; echo x > ready; while :; do sleep 0.05; done");
    job.limits.grace = Duration::from_secs(20);
    let running = start(job).unwrap();
    let stopper = running.stopper();
    let ready = scene.root.join("project/ready");
    let mut heard = Heard::default();
    let (ended, ()) = tokio::join!(running.finish(&mut heard), async {
        eventually_async("its start", async || ready.exists()).await;
        stopper.interrupt();
    });
    let ended = ended.unwrap();
    assert_eq!((ended.exit, ended.cause), (Exit::Code(3), EndCause::Interrupted));
    assert_eq!((heard.out, ended.strays), (b"bye\n".to_vec(), Vec::new()));
}

#[tokio::test]
async fn what_takes_no_notice_is_ended_with_all_it_started() {
    let Some(scene) = Scene::new() else { return };
    let script = "setsid sh -c 'trap \"\" TERM; touch tool; while :; do sleep 1; done' & \
                  trap '' TERM; while [ ! -e tool ]; do sleep 0.01; done; touch ready; while :; do sleep 1; done";
    let mut job = scene.job(script);
    job.limits.grace = Duration::from_millis(200);
    let marker = job.marker.clone();
    let running = start(job).unwrap();
    let stopper = running.stopper();
    let ready = scene.root.join("project/ready");
    let mut heard = Heard::default();
    let (ended, ()) = tokio::join!(running.finish(&mut heard), async {
        eventually_async("its start", async || ready.exists()).await;
        stopper.interrupt();
    });
    let ended = ended.unwrap();
    assert_eq!((ended.exit, ended.cause), (Exit::Signal(9), EndCause::Interrupted));
    assert_eq!(end_survivors(&marker, None, &Secrets::built_in()), Vec::new());
}

#[tokio::test]
async fn what_it_leaves_behind_is_told_by_name_and_ended() {
    let Some(scene) = Scene::new() else { return };
    // Both are there only when they bear their own names: a fork has its parent's for a while.
    let script = "setsid sleep 600 & (setsid sh -c 'env -i sleep 601 &' &); \
                  commands() { for each in /proc/[0-9]*/cmdline; do tr '\\0' ' ' < $each; echo; done; }; \
                  until [ $(commands 2>&- | grep -cx 'sleep 60[01] ') = 2 ]; do sleep 0.01; done; exit 4";
    let job = scene.job(script);
    let marker = job.marker.clone();
    let (ended, _) = finished(job).await;
    assert_eq!((ended.exit, ended.cause), (Exit::Code(4), EndCause::Exited));
    let mut told: Vec<(&str, bool)> =
        ended.strays.iter().map(|stray| (stray.command.as_str(), stray.ended)).collect();
    told.sort_unstable();
    assert_eq!(told, [("sleep 600", true), ("sleep 601", true)]);
    assert_eq!(end_survivors(&marker, None, &Secrets::built_in()), Vec::new());
}

const FOLDER: &str = "LOOPWRIGHT_TEST_SANDBOX_FOLDER";
const MARKER: &str = "LOOPWRIGHT_TEST_SANDBOX_MARKER";

/// The supervisor that is killed: does nothing unless the test below started it.
#[tokio::test]
async fn supervise_a_sandbox_until_killed() {
    let (Some(folder), Ok(marker)) = (env::var_os(FOLDER), env::var(MARKER)) else { return };
    let mut job = shell("setsid sleep 600 & exec sleep 600", Path::new(&folder));
    job.marker = marker;
    let sandbox = Sandbox::new(&folder).writable([&folder]);
    job.sandbox = Some((sandbox_tool().unwrap(), sandbox));
    let running = start(job).unwrap();
    fs::write(Path::new(&folder).join("leader"), format!("{}\n", running.identity.pid)).unwrap();
    let _ = running.finish(&mut Heard::default()).await;
}

#[tokio::test]
async fn a_new_process_ends_a_sandbox_that_a_killed_one_left() {
    let Some(scene) = Scene::new() else { return };
    let folder = scene.root.join("project");
    let marker = format!("crashed-sandbox-{}", std::process::id());
    let supervisor = loopwright_process::Command::new(env::current_exe().unwrap(), &folder)
        .args(["--exact", "sandboxed::supervise_a_sandbox_until_killed"])
        .env("PATH", env::var_os("PATH").unwrap_or_default())
        .env(FOLDER, &folder)
        .env(MARKER, &marker);
    let supervisor = start(Job::new(supervisor, "supervisor-of-a-sandbox")).unwrap();
    let leader: ProcessIdentity = eventually_async("the sandbox", async || process(&folder, "leader")).await;
    become_command(&marker, "sleep 600", 2).await;
    let pid = nix::unistd::Pid::from_raw(supervisor.identity.pid.try_into().unwrap());
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL).unwrap();
    eventually_async("the supervisor's end", async || !supervisor.identity.is_alive()).await;
    assert!(leader.is_alive(), "as without a sandbox, the agent lives on until somebody looks");
    let survivors = end_survivors(&marker, Some(leader.clone()), &Secrets::built_in());
    assert!(survivors.iter().all(|stray| stray.ended), "{survivors:?}");
    assert_eq!(survivors.iter().filter(|stray| stray.command == "sleep 600").count(), 2, "{survivors:?}");
    assert!(!leader.is_alive());
    assert_eq!(end_survivors(&marker, None, &Secrets::built_in()), Vec::new());
}
