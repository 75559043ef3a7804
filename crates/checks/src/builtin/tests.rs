use std::sync::Arc;
use std::time::Duration;

use loopwright_config::check::CheckWork;
use loopwright_config::{Host, Layout, TrustedCheck};
use loopwright_testkit::Sandbox;
use tokio::sync::watch;

use super::*;
use crate::{CheckMode, CheckRunner, TreeDiff};

/// Runs a built-in check on a folder below the work folder: its status, and file, line and message of each issue.
async fn look(
    sandbox: &Sandbox,
    folder: &str,
    builtin: Builtin,
    base: Option<&str>,
) -> (String, Vec<String>) {
    let root = sandbox.work().join(folder);
    let host = Host::in_folder(sandbox.root(), std::env::var_os("PATH").unwrap_or_default());
    let layout = Layout::of(&root).unwrap();
    let mut runner = CheckRunner::new(&host, &layout.root, [], "test");
    if let Some(diff) = TreeDiff::open(&host, &layout, base.map(str::to_owned)) {
        runner = runner.diff(Arc::new(diff));
    }
    let check = Check {
        name: builtin.as_str().into(),
        position: 0,
        required: true,
        enabled: true,
        edits: true,
        order: 0,
        timeout: Duration::from_secs(120),
        work: CheckWork::Builtin(builtin),
    };
    let (_keep, mut stop) = watch::channel(false);
    let result = runner
        .run(&[TrustedCheck::assume_trusted(check)], CheckMode::All, &mut (), &mut stop, None)
        .await
        .remove(0);
    let shown = |issue: Issue| {
        let line = issue.line.map(|line| format!(":{line}")).unwrap_or_default();
        format!("{}{line} {}", issue.file.unwrap_or_default(), issue.message)
    };
    (result.status.to_string(), result.issues.into_iter().map(shown).collect())
}

fn lines(list: &[&str]) -> Vec<String> {
    list.iter().map(|line| (*line).to_owned()).collect()
}

fn repository() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("app/src/old.rs", "// TODO: was here before\nfn f() {}\n");
    sandbox.write("app/notes.md", "Notes\n=======\n");
    sandbox.git_init("app");
    sandbox
}

#[tokio::test]
async fn placeholders_are_found_in_what_is_new_since_the_last_commit() {
    let sandbox = repository();
    assert_eq!(look(&sandbox, "app", Builtin::Placeholders, None).await, ("passed".into(), vec![]));
    sandbox.write("app/src/old.rs", "// TODO: was here before\nfn f() { todo!() }\n");
    sandbox.write("app/src/new ☕.py", "def f():\n    pass\n");
    sandbox.git("app", &["add", "src"]);
    let expected = [
        "src/new ☕.py:2 placeholder: a function's body is only \"pass\"",
        "src/old.rs:2 placeholder: todo! in the code",
    ];
    assert_eq!(look(&sandbox, "app", Builtin::Placeholders, None).await, ("failed".into(), lines(&expected)));
}

#[tokio::test]
async fn the_base_of_a_run_decides_what_is_new() {
    let sandbox = repository();
    let base = sandbox.git("app", &["rev-parse", "HEAD"]);
    sandbox.write("app/src/later.go", "package a\n// FIXME\n");
    sandbox.git("app", &["add", "--all"]);
    sandbox.git("app", &["commit", "--quiet", "--message", "By the run"]);
    assert_eq!(look(&sandbox, "app", Builtin::Placeholders, None).await.0, "passed");
    let (status, found) = look(&sandbox, "app", Builtin::Placeholders, Some(base.trim())).await;
    assert_eq!(
        (status.as_str(), found),
        ("failed", lines(&["src/later.go:2 placeholder: FIXME in a comment"]))
    );
}

#[tokio::test]
async fn merge_markers_are_found_in_changed_files_of_any_kind() {
    let sandbox = repository();
    sandbox.write("app/notes.md", "Notes\n=======\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n");
    let (status, found) = look(&sandbox, "app", Builtin::MergeMarkers, None).await;
    let places: Vec<&str> = found.iter().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!((status.as_str(), places), ("failed", vec!["notes.md:3", "notes.md:5", "notes.md:7"]));
}

/// dun's check of the tree failed as soon as an agent had edited something.
#[tokio::test]
async fn dun_a_clean_tree_is_asked_of_people_and_not_of_a_run() {
    let sandbox = repository();
    sandbox.write("app/.loopwright/config.toml", "");
    assert_eq!(look(&sandbox, "app", Builtin::CleanTree, None).await, ("passed".into(), vec![]));
    sandbox.write("app/notes.md", "Other\n");
    sandbox.write("app/new.txt", "");
    sandbox.git("app", &["rm", "--quiet", "--cached", "src/old.rs"]);
    let expected =
        ["new.txt", "notes.md", "src/old.rs"].map(|path| format!("{path} differs from the last commit"));
    assert_eq!(look(&sandbox, "app", Builtin::CleanTree, None).await, ("failed".into(), expected.to_vec()));
    let base = sandbox.git("app", &["rev-parse", "HEAD"]);
    assert_eq!(
        look(&sandbox, "app", Builtin::CleanTree, Some(base.trim())).await,
        ("skipped".into(), vec![])
    );
}

#[tokio::test]
async fn before_the_first_commit_everything_is_new_and_without_git_nothing_can_be_said() {
    let sandbox = Sandbox::new();
    sandbox.write("app/sub/a.ts", "throw new Error('not implemented');\n");
    sandbox.write("app/other/b.ts", "// TODO\n");
    let (status, found) = look(&sandbox, "app/sub", Builtin::Placeholders, None).await;
    assert_eq!(status, "broken");
    assert!(found[0].contains("this folder is in no git repository"), "{found:?}");
    sandbox.git("app", &["init", "--quiet"]);
    let (status, found) = look(&sandbox, "app/sub", Builtin::Placeholders, None).await;
    let expected = lines(&["a.ts:1 placeholder: the code fails with \"not implemented\""]);
    assert_eq!((status.as_str(), found), ("failed", expected), "only the project's own folder counts");
}
