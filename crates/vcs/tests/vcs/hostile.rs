//! Opening a hostile repository executes nothing, and the canaries are alive: a plain git sets them off.

use std::collections::BTreeSet;
use std::fs;

use loopwright_vcs::{Git, discover, findings, head, hooks};

use crate::canaries::plant;
use crate::support::{Lab, named, search_path};

/// The same question that a summary asks, by a git without protection.
const PLAIN_STATUS: &[&str] =
    &["status", "--porcelain=v2", "-z", "--branch", "--no-renames", "--untracked-files=normal"];

/// What a mere status sets off.
const BY_STATUS: &[&str] = &[
    "clean",
    "conditional",
    "fsmonitor",
    "included",
    "info-attributes",
    "nested-filter",
    "nested-fsmonitor",
    "odd-name",
    "post-index-change",
    "process",
    "worktree",
];

/// What everyday commands set off besides.
const BY_EVERYDAY_USE: &[&str] = &[
    "alias",
    "askpass",
    "commit-msg",
    "credential",
    "diff-command",
    "diff-external",
    "editor",
    "git-shim",
    "gpg",
    "merge-driver",
    "post-checkout",
    "post-commit",
    "pre-commit",
    "prepare-commit-msg",
    "proxy",
    "reference-transaction",
    "remote-ext",
    "sequence-editor",
    "smudge",
    "ssh",
    "submodule-update",
    "tar",
    "textconv",
    "trailer",
];

fn names(list: &[&str]) -> BTreeSet<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

/// Two baits make git give up before it reaches the others: a filter that does not speak the protocol of
/// long-running filters, and a command in `.gitmodules`.
async fn defuse(lab: &Lab) {
    lab.must("project", &["config", "--remove-section", "filter.process"]).await;
    lab.write("project/.gitmodules", "[submodule \"nested\"]\n\tpath = nested\n\turl = ./nested\n");
}

#[tokio::test]
async fn opening_a_hostile_repository_executes_nothing() {
    let lab = Lab::new();
    let planted = plant(&lab).await;
    let folder = lab.path("project");
    let index = fs::read(folder.join(".git/index")).unwrap();
    let path = format!(".:{}", search_path().to_str().unwrap());

    let repository = discover(&folder).unwrap();
    assert_eq!(repository, planted);
    let git = Git::locate(path.as_ref()).unwrap().with_home(&lab.path("home"));
    let summary = git.inspect(&repository).summary().await.unwrap();
    let found = findings(&folder, Some(&repository));
    let listed = hooks(&repository).unwrap();
    let quick = head(&repository).unwrap();

    assert_eq!(lab.fired(), BTreeSet::new());
    assert_eq!(fs::read(folder.join(".git/index")).unwrap(), index, "looking must not write");
    assert_eq!((summary.branch.as_deref(), quick.branch.as_deref()), (Some("main"), Some("main")));
    assert_eq!(summary.head, quick.commit);
    // New since the commit: evil.cfg, git, .claude, .mcp.json, .codex, .gemini, .cursor, .opencode, .envrc, .vscode.
    assert_eq!(summary.changed, 10, "touched files are unchanged files");
    assert_eq!(listed.len(), 10);
    assert!(found.len() >= 40, "{found:#?}");
}

/// Everything that a run does short of a commit.
#[tokio::test]
async fn working_in_a_hostile_repository_executes_nothing() {
    let lab = Lab::new();
    let repository = plant(&lab).await;
    let workspace = lab.git().workspace(&repository).await.unwrap();
    let before = workspace.checkpoint(&named("1")).await.unwrap();
    for file in ["a.conv", "a.cmd", "a.mrg", "smudge.bin", "clean.bin", "new.bin"] {
        lab.write(format!("project/{file}"), "after\n");
    }
    let after = workspace.snapshot().await.unwrap();
    workspace.keep_attempt("i1", &after).await.unwrap();
    assert!(workspace.changes(&before.snapshot.tree, &after.tree).await.unwrap().len() >= 5);
    assert!(!workspace.diff(&before.snapshot.tree, &after.tree, 1 << 20).await.unwrap().text.is_empty());
    assert!(!workspace.uncommitted(false).await.unwrap().is_empty());
    // A driver that appears while the run works is switched off like the others.
    lab.append(
        "project/.git/config",
        &format!("[filter \"late\"]\n\tclean = \"{}; /bin/cat\"\n", lab.canary("late")),
    );
    lab.append("project/.git/info/attributes", "clean.bin filter=late\n");
    lab.age("project/clean.bin");
    assert!(!workspace.uncommitted(false).await.unwrap().is_empty());
    let plan = workspace.plan_restore(&before, &after, None).await.unwrap();
    let restored = workspace.restore(&plan, &named("safety")).await.unwrap();
    assert!(restored.left.is_empty(), "{restored:?}");
    assert_eq!(workspace.find_commit("Loopwright-Iteration", "1").await.unwrap(), None);
    workspace.create_branch("elsewhere").await.unwrap();
    workspace.backup(&lab.path("backup")).await.unwrap();
    let refs = workspace.refs("refs/loopwright").await.unwrap();
    workspace.delete_refs(&refs).await.unwrap();
    lab.git().recover(&lab.path("backup"), &lab.path("project")).await.unwrap();
    assert_eq!(lab.fired(), BTreeSet::new());
    lab.plain("project", &["diff"]).await;
    assert!(!lab.fired().is_empty(), "these canaries are dead");
}

#[tokio::test]
async fn a_plain_status_sets_the_canaries_off() {
    let lab = Lab::new();
    plant(&lab).await;
    assert!(!lab.plain("project", PLAIN_STATUS).await.exit.success());
    assert!(lab.fired().contains("process"));
    defuse(&lab).await;
    lab.plain("project", PLAIN_STATUS).await;
    let missing: Vec<String> = names(BY_STATUS).difference(&lab.fired()).cloned().collect();
    assert_eq!(missing, [""; 0], "these canaries are dead");
}

#[tokio::test]
async fn everyday_commands_set_the_other_canaries_off() {
    let lab = Lab::new();
    plant(&lab).await;
    defuse(&lab).await;
    for file in ["a.conv", "a.cmd", "a.mrg"] {
        lab.write(format!("project/{file}"), "after\n");
    }
    let folder = "project";
    lab.plain(folder, &["diff"]).await;
    lab.plain(folder, &["diff", "--no-ext-diff"]).await;
    lab.plain(folder, &["evil"]).await;
    lab.plain(folder, &["commit", "--all", "--message", "signed", "--gpg-sign"]).await;
    lab.plain(folder, &["commit", "--all"]).await;
    lab.plain(folder, &["commit", "--all", "--message", "main"]).await;
    lab.plain(folder, &["rebase", "--interactive", "HEAD~1"]).await;
    lab.plain(folder, &["ls-remote", "ssh://host.invalid/x"]).await;
    lab.plain(folder, &["ls-remote", "git://host.invalid/x"]).await;
    lab.plain(folder, &["ls-remote", "evil"]).await;
    lab.shell(folder, "printf 'protocol=https\\nhost=host.invalid\\n\\n' | git credential fill").await;
    lab.shell(folder, "echo subject | git interpret-trailers").await;
    lab.shell(folder, "PATH=.:$PATH git status").await;
    lab.plain(folder, &["archive", "--format=evil", "HEAD"]).await;
    lab.shell("project/nested", "git commit --quiet --allow-empty --message moved").await;
    lab.plain(folder, &["submodule", "update"]).await;
    lab.shell(folder, "rm -f smudge.bin; git checkout HEAD -- smudge.bin").await;
    for (branch, text) in [("side", "one"), ("main", "two")] {
        lab.shell(
            folder,
            &format!("git checkout -B {branch} main; echo {text} > a.mrg; git commit -a -m {text}"),
        )
        .await;
    }
    lab.plain(folder, &["merge", "side"]).await;
    let missing: Vec<String> = names(BY_EVERYDAY_USE).difference(&lab.fired()).cloned().collect();
    assert_eq!(missing, [""; 0], "these canaries are dead");
}

/// A repository can say that missing parts are to be fetched from a remote, which can be a program.
#[tokio::test]
async fn nothing_is_fetched_for_an_incomplete_repository() {
    let lab = Lab::new();
    lab.repository("project").await;
    let url = format!("ext::/bin/sh -c {}", lab.canary("fetch").replace(' ', "% "));
    let config = format!(
        "[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tpartialClone = evil\n[protocol \"ext\"]\n\tallow = always\n\
         [remote \"evil\"]\n\turl = {url}\n\tpromisor = true\n"
    );
    lab.append("project/.git/config", &config);
    let tree = lab.must("project", &["rev-parse", "HEAD^{tree}"]).await;
    fs::remove_file(lab.path(format!("project/.git/objects/{}/{}", &tree[..2], &tree[2..]))).unwrap();

    assert!(lab.summary("project").await.is_err(), "without its tree the commit cannot be compared");
    assert_eq!(lab.fired(), BTreeSet::new());
    lab.plain("project", PLAIN_STATUS).await;
    assert_eq!(lab.fired(), names(&["fetch"]), "this canary is dead");
}

#[tokio::test]
async fn a_git_inside_the_project_is_refused_and_one_reached_by_a_relative_path_not_seen() {
    let lab = Lab::new();
    let repository = plant(&lab).await;
    let project = lab.path("project");
    let git = Git::locate(project.as_os_str()).unwrap();
    let refused = git.inspect(&repository).summary().await.unwrap_err();
    assert!(refused.to_string().contains("lies inside this project"), "{refused}");
    assert!(Git::locate("project:.:".as_ref()).is_err());
    assert_eq!(lab.fired(), BTreeSet::new());
}

/// The work tree is where the folder is, whatever the configuration says.
#[tokio::test]
async fn a_repository_cannot_lead_to_another_folder() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("private/a", "");
    lab.write("private/b", "");
    lab.append("project/.git/config", &format!("[core]\n\tworktree = {}\n", lab.path("private").display()));
    lab.write("project/new", "");
    assert_eq!(lab.summary("project").await.unwrap().changed, 1);
}
