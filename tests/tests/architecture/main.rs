//! The shape of the workspace, as DESIGN §2 has it: which crate may know which, and who may do what.
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod commands;
mod crate_table;
mod glossary;
mod modules;
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use loopwright_testkit::Sandbox;
use serde_json::Value;

use modules::Graph;

/// What each crate may use of the others. Tests may use more: testkit, and the programs they run.
const MAY_USE: &[(&str, &[&str])] = &[
    ("loopwright-domain", &[]),
    ("loopwright-process", &["loopwright-domain"]),
    ("loopwright-vcs", &["loopwright-domain", "loopwright-process"]),
    ("loopwright-store", &["loopwright-domain"]),
    ("loopwright-agents", &["loopwright-domain", "loopwright-process"]),
    ("loopwright-config", &["loopwright-domain", "loopwright-process", "loopwright-vcs"]),
    (
        "loopwright-checks",
        &[
            "loopwright-domain",
            "loopwright-process",
            "loopwright-vcs",
            "loopwright-store",
            "loopwright-config",
        ],
    ),
    ("loopwright-plan", &["loopwright-domain", "loopwright-store", "loopwright-config"]),
    ("loopwright-transcript", &["loopwright-domain", "loopwright-config"]),
    (
        "loopwright-memory",
        &[
            "loopwright-domain",
            "loopwright-process",
            "loopwright-vcs",
            "loopwright-store",
            "loopwright-config",
        ],
    ),
    (
        "loopwright-engine",
        &[
            "loopwright-domain",
            "loopwright-process",
            "loopwright-vcs",
            "loopwright-store",
            "loopwright-agents",
            "loopwright-config",
            "loopwright-checks",
            "loopwright-plan",
            "loopwright-transcript",
            "loopwright-memory",
        ],
    ),
    ("loopwright-cli", &["loopwright-domain", "loopwright-process", "loopwright-engine"]),
    ("loopwright-app", &["loopwright-domain", "loopwright-engine"]),
    ("loopwright-rehearsal", &["loopwright-domain"]),
    ("loopwright-testkit", &[]),
    ("loopwright-journeys", &["loopwright-testkit"]),
    ("xtask", &[]),
];

/// Libraries that belong to one crate alone.
const BELONGS_TO: &[(&str, &str)] = &[
    ("sqlx", "loopwright-store"),
    ("fantoccini", "loopwright-journeys"),
    ("keepawake", "loopwright-app"),
    ("ksni", "loopwright-app"),
    ("notify-rust", "loopwright-app"),
    ("tauri", "loopwright-app"),
    ("tauri-build", "loopwright-app"),
    ("tauri-specta", "loopwright-app"),
    ("tauri-plugin-dialog", "loopwright-app"),
    ("tauri-plugin-opener", "loopwright-app"),
    ("tauri-plugin-shell", "loopwright-app"),
    ("tauri-plugin-single-instance", "loopwright-app"),
    ("tauri-plugin-window-state", "loopwright-app"),
    ("zbus", "loopwright-app"),
];

/// Folders whose code starts programs.
const MAY_SPAWN: &[&str] = &["crates/process", "crates/rehearsal", "crates/testkit", "tests", "xtask"];

fn root() -> PathBuf {
    Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").unwrap()).parent().unwrap().to_path_buf()
}

fn packages() -> Vec<Value> {
    let sandbox = Sandbox::new();
    let mut cargo = sandbox.command(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(root());
    // Cargo finds its toolchain and registry by these.
    for name in ["HOME", "CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"] {
        if let Some(value) = std::env::var_os(name) {
            cargo.env(name, value);
        }
    }
    let output = sandbox.run(&mut cargo);
    assert!(output.code == 0, "{}", output.stderr);
    let metadata: Value = serde_json::from_str(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

fn name(package: &Value) -> &str {
    package["name"].as_str().unwrap()
}

/// The names a package depends on, for one kind of dependency (`null` is the ordinary one).
fn uses<'a>(package: &'a Value, kinds: &[Option<&str>]) -> BTreeSet<&'a str> {
    let dependencies = package["dependencies"].as_array().unwrap();
    dependencies
        .iter()
        .filter(|dependency| kinds.contains(&dependency["kind"].as_str()))
        .map(|dependency| dependency["name"].as_str().unwrap())
        .collect()
}

#[test]
fn crates_depend_on_each_other_in_one_direction_only() {
    let rules: BTreeMap<&str, &[&str]> = MAY_USE.iter().copied().collect();
    let packages = packages();
    let own: BTreeSet<&str> = packages.iter().map(name).collect();
    for package in &packages {
        let allowed =
            rules.get(name(package)).unwrap_or_else(|| panic!("{}: no rule for this crate", name(package)));
        for used in uses(package, &[None, Some("build")]).intersection(&own) {
            assert!(allowed.contains(used), "{} may not use {used}", name(package));
        }
    }
}

/// The folder of a crate's own sources; none for one that has tests only.
fn source_folder(package: &Value) -> Option<PathBuf> {
    let targets = package["targets"].as_array().unwrap();
    let is = |target: &&Value, kind: &str| target["kind"].as_array().unwrap().contains(&kind.into());
    let target = targets.iter().find(|target| is(target, "lib") || is(target, "bin"))?;
    Path::new(target["src_path"].as_str().unwrap()).parent().map(Path::to_path_buf)
}

#[test]
fn modules_depend_on_each_other_in_one_direction_only() {
    for package in &packages() {
        let Some(folder) = source_folder(package) else { continue };
        let cycle = Graph::read(&folder).shortest_cycle();
        assert_eq!(cycle, None, "{}: modules depend on each other", name(package));
    }
}

/// The way of a run is followed in few files, and never back.
#[test]
fn a_walk_through_a_run_names_each_file_once() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let walk = std::fs::read_to_string(root.join("docs/walk-through-a-run.md")).unwrap();
    let files: Vec<&str> =
        walk.split('`').filter(|word| word.starts_with("crates/") && word.ends_with(".rs")).collect();
    for file in &files {
        assert!(root.join(file).is_file(), "there is no {file}");
        assert_eq!(files.iter().filter(|other| other == &file).count(), 1, "{file} comes twice");
    }
    assert!((10..=20).contains(&files.len()), "{} files", files.len());
}

#[test]
fn a_cycle_is_found_with_its_path_and_what_is_no_dependency_is_not() {
    let cyclic = |files: &[(&str, &str)]| {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let graph = Graph::read(folder.path());
        let on_cycles: Vec<String> = graph.cyclic().into_iter().map(str::to_owned).collect();
        (on_cycles, graph.shortest_cycle())
    };
    let (modules, path) = cyclic(&[
        ("lib.rs", "mod a;\nmod b;\nmod c;\nmod d;\npub use c::{One, Two as Other};\npub use d::Deep;\n"),
        ("a/mod.rs", "use crate::{b::{x, y}, unknown};\n"),
        ("a/deep.rs", "// crate::d\nuse super::super::c;\n"),
        ("b.rs", "#[cfg(test)]\nmod tests {\n    use crate::d;\n}\nfn f() -> crate::Other {}\n"),
        ("c.rs", "use super::a;\n"),
        ("c_tests.rs", "use crate::d;\n"),
        ("d.rs", "/// See [`crate::a`].\nuse crate::b;\n"),
    ]);
    assert_eq!(modules, ["a", "b", "c"]);
    assert_eq!(path.as_deref(), Some("a → c (in a/deep), c → a (in c)"));
    // A method that a module adds to a type of another is a way back to it.
    let methods = |call: &str| {
        let engine = format!("use crate::project::ProjectRuns;\nfn f() {{ {call} }}\n");
        let start = "use crate::engine;\nuse crate::project::ProjectRuns;\nimpl ProjectRuns<'_> {\n    pub fn start(self) {}\n}\n";
        cyclic(&[("lib.rs", ""), ("project.rs", ""), ("engine.rs", &engine), ("start.rs", start)]).0
    };
    assert_eq!(methods("self.project.runs().start();"), ["engine", "start"]);
    assert!(methods("clock.start();").is_empty());
    // So is what the root itself defines.
    let root = [
        ("main.rs", "mod a;\nfn help() {}\nfn main() { a::run() }\n"),
        ("a.rs", "fn run() { crate::help() }\n"),
    ];
    assert_eq!(cyclic(&root).0, ["(root)", "a"]);
}

#[test]
fn the_documentation_has_the_crates_as_they_are() {
    crate_table::check(&root().join("docs/architecture.md"), &packages());
}

#[test]
fn the_glossary_names_types_where_they_are() {
    let wrong = glossary::mistakes(&root());
    assert!(wrong.is_empty(), "docs/glossary.md: {}", wrong.join("; "));
}

#[test]
fn nobody_below_the_command_line_names_its_commands() {
    let mut files = Vec::new();
    collect(&root().join("crates"), &mut files);
    assert!(files.len() > 50, "only {} files were looked at", files.len());
    let named = commands::all(&root(), &files);
    assert!(named.is_empty(), "use a NextAction:\n{}", named.join("\n"));
}

#[test]
fn a_command_in_a_text_is_found_and_what_agents_call_is_not() {
    let cases = [
        ("crates/engine/src/a.rs", r#".hint("Run \"loopwright resume\".")"#, 1),
        ("crates/vcs/src/a.rs", r#"format!("{x} (loopwright --help)")"#, 1),
        ("crates/engine/src/a.rs", "fault(x)\n        .hint(\"Name one with --model.\")", 1),
        ("crates/engine/src/a.rs", "fault(x).hint(\"Try again.\");\nlet args = [\"--model\"];", 0),
        ("crates/engine/src/a.rs", "    // as loopwright resume does", 0),
        ("crates/engine/src/a.rs", r#""run: loopwright signal complete""#, 0),
        ("crates/engine/src/a_tests.rs", r#""loopwright resume""#, 0),
        ("crates/engine/src/a.rs", "#[cfg(test)]\nconst A: &str = \"loopwright run\";", 0),
        ("crates/cli/src/a.rs", r#""loopwright resume""#, 0),
    ];
    for (file, text, expected) in cases {
        assert_eq!(commands::named_in(file, text).len(), expected, "{file}: {text}");
    }
}

#[test]
fn some_libraries_belong_to_one_crate() {
    for package in &packages() {
        let used = uses(package, &[None, Some("build"), Some("dev")]);
        for (library, owner) in BELONGS_TO {
            assert!(
                !used.contains(library) || name(package) == *owner,
                "{} may not use {library}",
                name(package)
            );
        }
        let knows_tauri = used.iter().any(|library| library.starts_with("tauri"));
        assert!(!knows_tauri || name(package) == "loopwright-app", "{} may not use Tauri", name(package));
    }
}

#[test]
fn every_crate_has_the_house_rules() {
    for package in &packages() {
        assert_eq!(package["publish"], serde_json::json!([]), "{} could be published", name(package));
        assert_eq!(package["license"], "MIT OR Apache-2.0", "{}", name(package));
        assert!(package["rust_version"].is_string(), "{} has no rust-version", name(package));
        assert!(package["description"].as_str().is_some_and(|text| text.len() > 20), "{}", name(package));
        let manifest = std::fs::read_to_string(package["manifest_path"].as_str().unwrap()).unwrap();
        assert!(manifest.contains("[lints]\nworkspace = true"), "{} has lints of its own", name(package));
    }
}

#[test]
fn library_crates_document_everything() {
    for package in packages().iter().filter(|package| !["xtask", "loopwright-cli"].contains(&name(package))) {
        let targets = package["targets"].as_array().unwrap();
        let library =
            targets.iter().find(|target| target["kind"].as_array().unwrap().contains(&"lib".into()));
        let Some(library) = library else { continue };
        let text = std::fs::read_to_string(library["src_path"].as_str().unwrap()).unwrap();
        assert!(text.contains("#![deny(missing_docs)]"), "{}", name(package));
    }
}

/// A belt to clippy's braces: clippy's list of disallowed methods can be lifted in a file, this cannot.
#[test]
fn programs_are_started_in_one_crate() {
    let mut files = Vec::new();
    for folder in ["crates", "src-tauri/src", "src-tauri/build.rs"] {
        collect(&root().join(folder), &mut files);
    }
    assert!(files.len() > 50, "only {} files were looked at", files.len());
    for file in files {
        let relative = file.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        if MAY_SPAWN.iter().any(|folder| relative.starts_with(folder)) || relative.contains("/tests/") {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let product = text.split("#[cfg(test)]").next().unwrap_or_default();
        let is_test = relative.ends_with("_tests.rs") || relative.ends_with("test_support.rs");
        let line = product.lines().find(|line| starts_programs(line)).filter(|_| !is_test);
        assert_eq!(line, None, "{relative} starts a program");
    }
}

/// Naming a type that starts programs is enough.
fn starts_programs(line: &str) -> bool {
    let module =
        ["std::process", "tokio::process", "process_wrap"].iter().any(|module| line.contains(module));
    module && line.contains("Command")
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).unwrap() {
            collect(&entry.unwrap().path(), files);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        files.push(path.to_path_buf());
    }
}
