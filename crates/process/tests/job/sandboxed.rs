//! Jobs with a real sandbox around them: supervised as without one, and kept to what is open.
#![cfg(target_os = "linux")]
use std::env;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::support::{Heard, become_command, eventually, finished, process, shell};
use loopwright_process::{
    Confiner, EndCause, Exit, Job, ProcessError, ProcessIdentity, Sandbox, Secrets, end_survivors, start,
};
use tempfile::{TempDir, tempdir_in};

/// The system's sandbox; without one, the tests say so and pass.
fn confiner() -> Option<Confiner> {
    let found = Confiner::find(&env::var_os("PATH").unwrap_or_default(), None);
    if let Err(why) = &found {
        println!("SKIPPED, no sandbox on this machine: {why}");
    }
    found.ok()
}

/// A machine's folder with a project that is open and things around it that are not.
struct Scene {
    folder: TempDir,
    root: PathBuf,
    confiner: Confiner,
}

impl Scene {
    fn new() -> Option<Self> {
        let folder = tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let root = folder.path().canonicalize().unwrap();
        for below in ["tmp", "project/.git/hooks", "outside", "secret"] {
            fs::create_dir_all(root.join(below)).unwrap();
        }
        fs::write(root.join("project/.git/config"), "[core]\n").unwrap();
        fs::write(root.join("secret/key"), "private\n").unwrap();
        Some(Self { folder, root, confiner: confiner()? })
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
        job.sandbox = Some((self.confiner.clone(), sandbox));
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

/// What an agent could try, each in a place that is not open, and the file that would be there afterwards.
const TRIES: &[(&str, &str)] = &[
    ("echo x > ../outside/plain", "outside/plain"),
    ("ln -s ../outside out; echo x > out/link", "outside/link"),
    ("ln ../outside/kept here && echo x > here", "project/here"),
    ("echo x > .git/hooks/pre-commit", "project/.git/hooks/pre-commit"),
    ("mv .git git2 && mkdir .git && echo x > .git/new", "project/.git/new"),
    ("mv .git/hooks .git/h2 && mkdir .git/hooks && echo x > .git/hooks/new", "project/.git/hooks/new"),
    ("rm -rf .git/hooks; mkdir -p .git/hooks; echo x > .git/hooks/new2", "project/.git/hooks/new2"),
    ("mount -o remount,rw,bind / && echo x > ../outside/mount", "outside/mount"),
    ("umount .git/hooks; echo x > .git/hooks/unmounted", "project/.git/hooks/unmounted"),
    (
        "unshare -Urm sh -c 'mount -o remount,rw,bind /; umount -l .git/hooks; echo x > ../outside/nested'",
        "outside/nested",
    ),
    ("unshare -Um sh -c 'umount -l .git/hooks; echo x > .git/hooks/nested'", "project/.git/hooks/nested"),
    ("echo x > /proc/1/root$PWD/../outside/proc", "outside/proc"),
    ("chroot /proc/1/root sh -c 'echo x > /outside'", "outside/chroot"),
    ("mknod ../project/disk b 8 0", "project/disk"),
];

#[tokio::test]
async fn every_try_to_write_elsewhere_is_refused() {
    let Some(scene) = Scene::new() else { return };
    fs::write(scene.root.join("outside/kept"), "kept\n").unwrap();
    for (script, trace) in TRIES {
        let (ended, _) = finished(scene.job(&format!("{{ {script}; }} 2>/dev/null; true"))).await;
        assert_eq!((ended.exit, ended.cause), (Exit::Code(0), EndCause::Exited), "{script}");
        assert!(!scene.root.join(trace).exists(), "{script}");
    }
    assert_eq!(fs::read_to_string(scene.root.join("outside/kept")).unwrap(), "kept\n");
    let config =
        scene.says("{ echo x >> .git/config; rm -f .git/config; } 2>/dev/null; cat .git/config").await;
    assert_eq!(config, "[core]");
    assert!(scene.root.join("project/.git/hooks").is_dir());
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
        eventually("its start", || ready.exists().then_some(())).await;
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
        eventually("its start", || ready.exists().then_some(())).await;
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
    job.sandbox = Some((confiner().unwrap(), sandbox));
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
    let leader: ProcessIdentity = eventually("the sandbox", || process(&folder, "leader")).await;
    become_command(&marker, "sleep 600", 2).await;
    let pid = nix::unistd::Pid::from_raw(supervisor.identity.pid.try_into().unwrap());
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL).unwrap();
    eventually("the supervisor's end", || (!supervisor.identity.is_alive()).then_some(())).await;
    assert!(leader.is_alive(), "as without a sandbox, the agent lives on until somebody looks");
    let survivors = end_survivors(&marker, Some(leader.clone()), &Secrets::built_in());
    assert!(survivors.iter().all(|stray| stray.ended), "{survivors:?}");
    assert_eq!(survivors.iter().filter(|stray| stray.command == "sleep 600").count(), 2, "{survivors:?}");
    assert!(!leader.is_alive());
    assert_eq!(end_survivors(&marker, None, &Secrets::built_in()), Vec::new());
}
