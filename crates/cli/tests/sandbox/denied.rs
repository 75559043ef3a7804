//! Each thing that an agent in the sandbox must not be able to do, tried for real.

use std::fs;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::Path;

use loopwright_testkit::{Output, Sandbox};

use crate::common::installed;
use crate::place::ProjectFolder;
use crate::sandboxed::sandboxed;

/// What an agent tries, in its project; none may leave a trace. `$R` is the folder around the project, `$OUTSIDE` a
/// process that is not the agent's. Each is tried
/// without a sandbox too, by the same name and in a copy of everything: there it has to leave one.
const TRIES: &[&str] = &[
    "echo canary > $R/outside/file",
    "echo canary > $HOME/file",
    "echo canary >> $HOME/.bashrc",
    "echo canary > $HOME/.zshrc",
    "echo canary > $HOME/.ssh/authorized_keys",
    "echo canary > $HOME/.config/fish/config.fish",
    "git config --global core.pager canary",
    "echo canary > $HOME/.claude/settings.json",
    "echo canary > .git/hooks/pre-commit",
    "mv .git/hooks .git/old; mkdir .git/hooks; echo canary > .git/hooks/pre-commit",
    "git config core.fsmonitor canary",
    "echo canary >> .git/config",
    "cp .git/config c; echo canary >> c; mv -f c .git/config; rm -f c",
    "echo canary > .git/info/attributes",
    "mv .git moved && git init -q . && echo canary >> .git/config",
    "echo canary >> .git/loopwright/state.db",
    "rm -f .git/loopwright/state.db*; rm -rf .git/loopwright",
    "mv .git/loopwright .git/elsewhere",
    "echo canary >> .loopwright/config.toml",
    "mkdir -p .loopwright/procedures; echo canary > .loopwright/procedures/build.md",
    "mkdir -p .loopwright/prompts; echo canary > .loopwright/prompts/x.md",
    "mv .loopwright aside && mkdir .loopwright && echo canary > .loopwright/config.toml",
    "echo canary > $R/config/config.toml",
    "mkdir -p $R/data; echo canary > $R/data/canary",
    "ln -s $R/outside out; echo canary > out/file; rm -f out",
    "ln -s $HOME/.bashrc rc; echo canary >> rc; rm -f rc",
    "ln $HOME/.bashrc rc && echo canary >> rc; rm -f rc",
    "umount .git/hooks; umount -l .loopwright; echo canary > .git/hooks/x",
    "chmod -R a+w .git/hooks .loopwright $HOME/.ssh; echo canary > .git/hooks/x",
];
/// The same, with user namespaces of its own.
const TRIES_IN_NAMESPACES: &[&str] = &[
    "unshare -Urm sh -c 'mount -o remount,rw,bind /; umount -l .loopwright; echo canary >> .loopwright/config.toml'",
    "unshare -Urm sh -c 'mount --bind $TMPDIR .git/hooks && echo canary > .git/hooks/x'; cp $TMPDIR/x .git/hooks/x",
];
/// The same, for root alone. What is the machine's own is opened for writing, and nothing is written.
const TRIES_OF_ROOT: &[&str] = &[
    "for id in 1 $OUTSIDE; do (echo canary > /proc/$id/root$R/outside/file); done",
    "for id in 1 $OUTSIDE; do nsenter -t $id -m sh -c \"echo canary > $R/outside/file\"; done",
    "(: >> /proc/sys/kernel/core_pattern) && echo canary > opened",
    "find /proc /sys -path '/proc/[0-9]*' -prune -o -type f -writable -print -quit | grep . && echo canary > opened",
];
/// The same, in a mount namespace of its own where there is no sandbox: it would change what the machine has mounted.
const TRIES_TO_MOUNT: &[&str] = &["mount -o remount,rw,bind /; echo canary > $R/outside/mounted"];

/// Every try, each on its own, with all complaints thrown away.
fn script(place: &ProjectFolder) -> String {
    let outside = std::process::id();
    let root = format!("R={} OUTSIDE={outside}\nexport R OUTSIDE\n", place.sandbox.root().display());
    let tries = [TRIES, TRIES_IN_NAMESPACES, TRIES_OF_ROOT, TRIES_TO_MOUNT].concat();
    let tries = tries
        .iter()
        .map(|attempt| format!("setsid sh -c '{}' >/dev/null 2>&1\n", attempt.replace('\'', "'\\''")));
    root + &tries.collect::<String>() + "echo tea > made\n"
}

/// The files below a folder that hold the canary, the agents' own scripts and what they print aside.
fn canaries(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            canaries(&path, found);
        } else if kind.is_file() && fs::read(&path).unwrap().windows(6).any(|part| part == b"canary") {
            found.push(path.display().to_string());
        }
    }
}

/// What a try left: files with the canary, and what is gone.
fn traces(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    canaries(root, &mut found);
    found.retain(|path| !path.contains("/agent-"));
    let kept = [".git/hooks", ".git/config", ".git/loopwright/state.db", ".loopwright/config.toml"];
    let gone = kept.iter().filter(|kept| !root.join("work").join(kept).exists());
    found.extend(gone.map(|kept| format!("{kept} is gone")));
    found
}

fn assert_untouched(place: &ProjectFolder, output: &Output) {
    assert_eq!(traces(place.sandbox.root()), Vec::<String>::new());
    assert!(place.sandbox.work().join("made").exists());
    assert!(!place.sandbox.work().join("moved").exists() && !place.sandbox.work().join("aside").exists());
    assert!(!output.stdout.contains("canary"), "{output:?}");
    assert_eq!(place.iteration(1)["iteration"]["agent"]["confinement"], "sandbox");
}

#[test]
fn nothing_outside_of_the_project_and_none_of_its_keys_can_be_written() {
    let Some(place) = sandboxed("") else { return };
    let output = place.one_turn(&script(&place), &[]);
    assert_untouched(&place, &output);
}

/// What a try leaves without a sandbox, in a copy of a place.
fn traces_without_sandbox(place: &ProjectFolder, attempt: &str, program: &[&str]) -> Vec<String> {
    let copy = Sandbox::new();
    let root = copy.root();
    for folder in ["work", "home", "config", "outside"] {
        let from = place.beside(folder);
        let copied = place.sandbox.run(place.sandbox.command("cp").arg("-a").args([&*from, root]));
        assert_eq!(copied.code, 0, "{copied:?}");
    }
    fs::create_dir(root.join("tmp")).unwrap();
    let mut command = place.sandbox.command(program[0]);
    command.args(&program[1..]).args(["sh", "-c", attempt]).current_dir(root.join("work"));
    command
        .env("R", root)
        .env("OUTSIDE", std::process::id().to_string())
        .env("HOME", root.join("home"))
        .env("TMPDIR", root.join("tmp"));
    let _ = place.sandbox.run(&mut command);
    fs::remove_dir_all(root.join("tmp")).unwrap();
    traces(root)
}

#[test]
fn every_try_leaves_a_trace_without_a_sandbox() {
    let place = ProjectFolder::git("").trusted();
    assert_eq!(place.run(&["task", "add", "First"]).code, 0);
    for folder in ["outside", "config", "home/.ssh", "home/.config/fish", "home/.claude"] {
        fs::create_dir_all(place.beside(folder)).unwrap();
    }
    fs::write(place.beside("home/.bashrc"), "# mine\n").unwrap();
    let runs = |program: &[&str]| place.sandbox.run(place.sandbox.command(program[0]).args(&program[1..]));
    let is_root = runs(&["id", "-u"]).stdout.trim() == "0";
    let has_namespaces = runs(&["unshare", "-Urm", "true"]).code == 0;
    let plain: &[&str] = &["env"];
    let apart: &[&str] = &["unshare", "-m"];
    assert_eq!(traces_without_sandbox(&place, "true", plain), Vec::<String>::new());
    for (tries, possible, program) in [
        (TRIES, true, plain),
        (TRIES_IN_NAMESPACES, has_namespaces, plain),
        (TRIES_OF_ROOT, is_root, plain),
        (TRIES_TO_MOUNT, is_root, apart),
    ] {
        for attempt in tries {
            if possible {
                let traces = traces_without_sandbox(&place, attempt, program);
                assert_ne!(traces, Vec::<String>::new(), "it proves nothing: {attempt}");
            } else {
                println!("NOT TRIED without a sandbox, this user cannot: {attempt}");
            }
        }
    }
}

#[test]
fn a_home_folder_that_is_opened_keeps_its_startup_files() {
    let Some(place) = sandboxed("") else { return };
    let home = place.beside("home");
    let opened = format!("sandbox_write=[\"{}\"]", home.display());
    let kept = "echo canary >> ~/.bashrc; echo canary > ~/.ssh/id; echo canary > ~/.config/fish/config.fish; \
                mv ~/.config ~/.gone; mv ~/.ssh ~/.ssh2; rm -f ~/.bashrc; echo mine > ~/notes; echo x > ~/.zshenv";
    let output = place.one_turn(&format!("{{ {kept}; }} 2>/dev/null"), &["-c", &opened]);
    let mut found = Vec::new();
    canaries(&home, &mut found);
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(fs::read_to_string(home.join("notes")).unwrap(), "mine\n");
    assert!(
        home.join(".bashrc").exists() && home.join(".config/fish").exists() && home.join(".ssh").exists()
    );
    let told = output.stdout + &output.stderr;
    assert!(told.contains(".zshenv was made while the agent worked"), "{told}");
}

#[test]
fn who_only_plans_changes_nothing_in_the_project() {
    let Some(place) = sandboxed("") else { return };
    let before = place.sandbox.git("", &["for-each-ref", "refs/heads", "refs/tags"]);
    let script = "{ echo canary > menu.txt; echo canary > new; rm menu.txt; mv menu.txt gone; git tag canary; \
                  git commit --allow-empty -m canary; echo canary > .git/canary; echo canary > .loopwright/config.toml; \
                  } >/dev/null 2>&1\n\
                  set -e; cat menu.txt > \"$TMPDIR/seen\"; git status > /dev/null; git log -1 > /dev/null\n\
                  cp \"$TMPDIR/seen\" ~/.codex/seen";
    let agent = place.program(
        "codex",
        &format!("{script}\n{} signal complete planned\nexit 0", installed(&place.sandbox).display()),
    );
    let args =
        ["loop", "--prompt", "Go.", "--command", &agent, "--max-iterations", "1", "--automation", "plan"];
    let output = place.sandbox.run(&mut place.fenced_command(&args));
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(place.iteration(1)["iteration"]["claim"], "signal");
    assert_eq!(place.file("menu.txt").as_deref(), Some("Sencha 4.20\n"));
    assert_eq!(fs::read_to_string(place.beside("home/.codex/seen")).unwrap(), "Sencha 4.20\n");
    let mut found = Vec::new();
    canaries(&place.sandbox.work(), &mut found);
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(place.sandbox.git("", &["for-each-ref", "refs/heads", "refs/tags"]), before);
}

#[test]
fn the_network_is_gone_when_it_is_switched_off() {
    let Some(place) = sandboxed("") else { return };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let ask = format!(
        "bash -c 'exec 3<>/dev/tcp/127.0.0.1/{port}' 2>/dev/null && echo reached > net || echo alone > net"
    );
    place.one_turn(&ask, &[]);
    assert_eq!(place.file("net").as_deref(), Some("reached\n"));
    place.one_turn(&ask, &["-c", "sandbox_network=false", "--dirty", "include"]);
    assert_eq!(place.file("net").as_deref(), Some("alone\n"));
}

/// A program of the agent's that asks for a connection, by a path or, after a NUL, by a name.
fn connecting(to: &str) -> String {
    format!(
        "perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un(\"{to}\")) or exit 1' \
         && echo reached > net || echo alone > net"
    )
}

#[test]
fn sockets_without_a_file_are_closed_with_the_network() {
    let Some(place) = sandboxed("") else { return };
    let name = format!("loopwright-{}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).unwrap();
    let _listener = UnixListener::bind_addr(&address).unwrap();
    let ask = connecting(&format!("\\0{name}"));
    let _ = place.sandbox.run(place.sandbox.command("sh").args(["-c", &ask]));
    assert_eq!(place.file("net").as_deref(), Some("reached\n"), "it proves nothing");
    place.one_turn(&ask, &["-c", "sandbox_network=false", "--dirty", "include"]);
    assert_eq!(place.file("net").as_deref(), Some("alone\n"));
}

#[test]
fn a_service_in_the_home_folder_is_out_of_reach_until_it_is_opened() {
    let Some(place) = sandboxed("") else { return };
    let folder = place.beside("home/.service");
    fs::create_dir_all(&folder).unwrap();
    let _listener = UnixListener::bind(folder.join("socket")).unwrap();
    let ask = connecting(&folder.join("socket").display().to_string());
    let _ = place.sandbox.run(place.sandbox.command("sh").args(["-c", &ask]));
    assert_eq!(place.file("net").as_deref(), Some("reached\n"), "it proves nothing");
    place.one_turn(&ask, &["--dirty", "include"]);
    assert_eq!(place.file("net").as_deref(), Some("alone\n"));
    let opened = format!("sandbox_write=[\"{}\"]", folder.display());
    place.one_turn(&ask, &["-c", &opened, "--dirty", "include"]);
    assert_eq!(place.file("net").as_deref(), Some("reached\n"));
}

#[test]
fn a_file_that_would_lead_git_elsewhere_is_not_in_the_repository() {
    let Some(place) = sandboxed("") else { return };
    let trick = "mkdir evil && cp -r .git/HEAD .git/objects .git/refs evil && echo '[core] fsmonitor = x' > evil/config; \
                 echo ../evil > .git/commondir";
    place.one_turn(trick, &[]);
    assert!(!place.sandbox.work().join(".git/commondir").exists());
    assert_eq!(place.sandbox.git("", &["rev-parse", "--git-common-dir"]), ".git\n");
}

#[test]
fn a_link_in_a_repository_opens_nothing() {
    let Some(place) = sandboxed("") else { return };
    let run = place.sandbox.work().join(".loopwright/run");
    let _ = fs::remove_dir_all(&run);
    std::os::unix::fs::symlink(place.beside("outside"), &run).unwrap();
    let agent =
        place.agent("echo canary > .loopwright/run/file 2>/dev/null; echo canary > ../outside/file\ntrue\n");
    let args =
        ["loop", "--prompt", "Go.", "--command", &agent, "--max-iterations", "1", "--dirty", "include"];
    let _ = place.sandbox.run(&mut place.fenced_command(&args));
    assert_eq!(fs::read_dir(place.beside("outside")).unwrap().count(), 0);
}
