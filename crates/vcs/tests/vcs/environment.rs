//! What git is started with: a script in its place writes it down and then lets git work.

use std::collections::BTreeSet;
use std::fs;

use loopwright_vcs::Git;

use crate::support::{Lab, real_git};

/// What may come from our own environment.
const PASSED_ON: &[&str] = &["HOME", "TMPDIR", "XDG_CONFIG_HOME"];

#[tokio::test]
async fn nothing_but_the_profile_is_in_the_environment() {
    let lab = Lab::new();
    let repository = lab.repository("project").await;
    let log = lab.path("log");
    let tools = "PATH=$PATH:/usr/bin:/bin";
    let body = format!(
        "( {tools}; env -0 >> {log}; printf 'ARGS=%s\\0' \"$*\" >> {log} )\nexec {git} \"$@\"",
        log = log.display(),
        git = real_git().display()
    );
    lab.script("bin/git", &body);
    let git = Git::locate(lab.path("bin").as_os_str()).unwrap().with_home(&lab.path("home"));
    git.inspect(&repository).summary().await.unwrap();

    let log = fs::read_to_string(log).unwrap();
    let variables: Vec<(&str, &str)> = log.split('\0').filter_map(|line| line.split_once('=')).collect();
    let names: BTreeSet<&str> = variables.iter().map(|(name, _)| *name).collect();
    let strange = names.iter().filter(|name| {
        let shells_own = ["PWD", "OLDPWD", "SHLVL", "_", "ARGS"].contains(*name);
        let fixed = name.starts_with("GIT_") || ["PATH", "PAGER", "LC_ALL", "SSH_ASKPASS"].contains(*name);
        !shells_own && !fixed && !PASSED_ON.contains(name) && **name != "NoDefaultCurrentDirectoryInExePath"
    });
    assert_eq!(strange.collect::<Vec<_>>(), [&""; 0]);
    let of = |wanted: &str| {
        variables.iter().filter(|(name, _)| *name == wanted).map(|(_, value)| *value).collect::<Vec<_>>()
    };
    assert!(of("HOME").iter().all(|home| *home == lab.path("home").to_str().unwrap()));
    let commands = of("ARGS");
    assert_eq!(commands.len(), 4, "{commands:?}");
    assert!(commands.iter().any(|args| args.contains("status") && args.contains("--ignore-submodules=all")));
    assert_eq!(of("GIT_TERMINAL_PROMPT"), ["0"; 4]);
    assert_eq!(of("GIT_OPTIONAL_LOCKS"), ["0"; 4]);
    assert_eq!(of("GIT_ALLOW_PROTOCOL"), [""; 4]);
}
