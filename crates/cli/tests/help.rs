//! `--help`, `--version`, `completions` and wrong command lines.

mod common;

use common::{json, loopwright};
use loopwright_testkit::Sandbox;

#[test]
fn help_is_the_manual() {
    let sandbox = Sandbox::new();
    for (name, args) in [
        ("help", &["--help"] as &[_]),
        ("help_init", &["init", "--help"]),
        ("help_trust", &["trust", "--help"]),
        ("help_diff", &["diff", "--help"]),
        ("help_restore", &["restore", "--help"]),
        ("help_config_set", &["config", "set", "--help"]),
    ] {
        insta::assert_snapshot!(name, sandbox.snapshot(&loopwright(&sandbox, args)));
    }
}

#[test]
fn version_names_the_program() {
    let sandbox = Sandbox::new();
    let output = loopwright(&sandbox, &["--version"]);
    assert_eq!(
        (output.code, output.stdout.as_str()),
        (0, concat!("loopwright ", env!("CARGO_PKG_VERSION"), "\n"))
    );
}

#[test]
fn a_wrong_command_line_is_exit_2_and_changes_nothing() {
    let sandbox = Sandbox::new();
    for args in [&["statsu"] as &[_], &["config", "set"], &["-c", "novalue", "status"], &[]] {
        let output = loopwright(&sandbox, args);
        assert_eq!(output.code, 2, "{args:?}: {output:?}");
        assert!(output.stdout.is_empty());
    }
    assert!(!sandbox.config_dir().exists() && !sandbox.data_dir().exists());
}

#[test]
fn outside_of_a_project_commands_say_so_with_a_code() {
    let sandbox = Sandbox::new();
    for args in [&["status"] as &[_], &["trust"], &["config", "set", "mode", "review_each"]] {
        let output = loopwright(&sandbox, args);
        assert_eq!(output.code, 2, "{args:?}");
        assert!(output.stderr.contains("is not in a Loopwright project"), "{}", output.stderr);
        let mut with_json = args.to_vec();
        with_json.push("--json");
        let output = loopwright(&sandbox, &with_json);
        assert_eq!(json(&output)["error"]["code"], "project.not_found");
    }
    let output = loopwright(&sandbox, &["-C", "nowhere", "status"]);
    assert!(output.stderr.contains("does not exist"), "{}", output.stderr);
}

#[test]
fn completions_are_written_for_each_shell() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = loopwright(&sandbox, &["completions", shell]);
        assert_eq!(output.code, 0);
        assert!(output.stdout.contains("loopwright") && output.stdout.contains("doctor"), "{shell}");
    }
}

/// Writes to a reader that went away, and to a full disk.
#[cfg(target_os = "linux")]
#[test]
fn output_that_nobody_takes_is_no_panic() {
    let sandbox = Sandbox::new();
    assert_eq!(loopwright(&sandbox, &["demo", "tea"]).code, 0);
    let program = common::installed(&sandbox).display().to_string();
    let run = |script: String| sandbox.run(sandbox.command("bash").args(["-c", &script]));
    let closed = run(format!("{program} -C tea status | true; exit ${{PIPESTATUS[0]}}"));
    assert!(matches!(closed.code, 0 | 141) && closed.stderr.is_empty(), "{closed:?}");
    let full = run(format!("{program} -C tea status > /dev/full"));
    assert!(full.code == 1 && full.stderr.contains("cannot write the output"), "{full:?}");
    let mute = run(format!("{program} status 2> /dev/full"));
    assert_eq!(mute.code, 2);
}
