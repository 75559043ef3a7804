//! What the webview may do, written down. Any growth changes a snapshot here and so has to be reviewed.
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").unwrap()).to_path_buf()
}

fn config() -> Value {
    json(&root().join("tauri.conf.json"))
}

fn json(file: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

fn files_in(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The generated bindings, which another test keeps up to date.
fn bindings() -> String {
    std::fs::read_to_string(root().join("ui/src/lib/backend/bindings.ts")).unwrap()
}

/// Everything the webview can call.
fn commands() -> BTreeSet<String> {
    let bindings = bindings();
    let calls = bindings.split("__TAURI_INVOKE").skip(2);
    calls
        .filter_map(|call| {
            let rest = call.split_once("(\"")?.1;
            Some(rest.split_once('"')?.0.to_owned())
        })
        .collect()
}

#[test]
fn windows_have_these_permissions_and_no_others() {
    let summary: Vec<String> = files_in("src-tauri/capabilities")
        .iter()
        .map(|file| {
            let capability = json(file);
            assert!(capability.get("remote").is_none(), "no page from elsewhere may call anything");
            format!("{}: {} {}", capability["identifier"], capability["windows"], capability["permissions"])
        })
        .collect();
    insta::assert_snapshot!(summary.join("\n"), @r#"
    "project": ["project-*"] ["window","projects","settings","own-project","runs","output","history","outside","checks","tasks","gates","spec","wizard","memory","metrics","prompts","core:event:allow-listen","core:event:allow-unlisten"]
    "start": ["start"] ["window","projects","settings","wizard","core:event:allow-listen","core:event:allow-unlisten"]
    "#);
}

#[test]
fn every_command_is_in_exactly_one_permission() {
    let files = files_in("src-tauri/permissions");
    assert_eq!(files, [root().join("src-tauri/permissions/commands.toml")]);
    let text = std::fs::read_to_string(&files[0]).unwrap();
    let lists = text.split("commands.allow = [").skip(1).map(|rest| rest.split_once(']').unwrap().0);
    let allowed: Vec<String> =
        lists.flat_map(|list| list.split('"').skip(1).step_by(2).map(str::to_owned)).collect();
    let unique: BTreeSet<String> = allowed.iter().cloned().collect();
    assert_eq!(unique.len(), allowed.len(), "a command is listed twice");
    assert_eq!(unique, commands());
}

#[test]
fn no_command_takes_a_query_a_shell_line_or_a_project_of_another_window() {
    let bindings = bindings();
    for word in ["sql", "query", "shell", "exec", "argv", "script", "eval"] {
        let calls = bindings.lines().filter(|line| line.contains("__TAURI_INVOKE"));
        assert!(!calls.into_iter().any(|line| line.to_lowercase().contains(word)), "{word}");
    }
    let with_a_path: Vec<&str> = bindings
        .lines()
        .filter(|line| line.contains("__TAURI_INVOKE") && line.contains("path: string"))
        .collect();
    // The first three name a folder that a person picked; the others a file of the window's own project.
    let known = ["forgetRecent:", "inspectFolder:", "openProject:", "diffFile:", "openFile:"];
    let named = |name: &str| with_a_path.iter().any(|line| line.trim_start().starts_with(name));
    assert!(known.iter().all(|name| named(name)), "{with_a_path:#?}");
    assert_eq!(with_a_path.len(), known.len(), "{with_a_path:#?}");
}

#[test]
fn the_content_policy_is_strict() {
    let security = &config()["app"]["security"];
    let policy = security["csp"].as_object().unwrap();
    let lines: Vec<String> =
        policy.iter().map(|(name, value)| format!("{name} {}", value.as_str().unwrap())).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    base-uri 'none'
    connect-src ipc: http://ipc.localhost
    default-src 'none'
    font-src 'self'
    form-action 'none'
    frame-ancestors 'none'
    img-src 'self' data:
    object-src 'none'
    script-src 'self'
    style-src 'self' 'sha256-YEercZJImS+vUX2bz7vkQ0aA4rtBIPLuCEWz+yraQ/g='
    ");
    // Frames fall back to the default, to which Tauri adds the isolation frame alone; the hash is its style.
    assert_eq!(security["pattern"]["use"], "isolation");
    assert!(security.get("dangerousDisableAssetCspModification").is_none());
    assert!(security.get("assetProtocol").is_none());
    assert_eq!(security["freezePrototype"], true);
    assert_eq!(security["capabilities"], serde_json::json!(["start", "project"]));
    assert_eq!(config()["app"]["withGlobalTauri"], false);
    assert_eq!(config()["app"]["windows"], serde_json::json!([]));
}

#[test]
fn release_builds_have_no_developer_tools() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(!manifest.contains("devtools"));
}
