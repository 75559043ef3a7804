//! Hooks and signing are the user's: they run, they may refuse, and they cannot hang a run.

use std::path::Path;
use std::time::Duration;

use loopwright_domain::{ErrorCode, Fault};
use loopwright_vcs::{CommitRequest, Committed, VcsError, Workspace};

use crate::support::Lab;

/// A repository with one changed file, and what is to be committed of it.
async fn changed(lab: &Lab) -> (Workspace, CommitRequest) {
    lab.repository("project").await;
    let workspace = lab.workspace("project").await;
    let before = workspace.snapshot().await.unwrap();
    lab.write("project/file.txt", "changed\n");
    let after = workspace.snapshot().await.unwrap();
    let expected = workspace.state().await.unwrap().head;
    (workspace, CommitRequest::new(before.tree, after.tree, "Change", expected))
}

async fn commit(workspace: &Workspace, request: &CommitRequest) -> Result<Committed, VcsError> {
    workspace.commit(request).await.map(Option::unwrap)
}

async fn head(lab: &Lab) -> String {
    lab.must("project", &["log", "-1", "--format=%s"]).await
}

#[tokio::test]
async fn hooks_run_from_the_folder_that_was_looked_at() {
    let lab = Lab::new();
    let (workspace, request) = changed(&lab).await;
    for hook in ["pre-commit", "commit-msg", "post-commit"] {
        lab.script(format!("project/.git/hooks/{hook}"), &lab.canary(hook));
    }
    lab.script("home/hooks/pre-commit", &lab.canary("global"));
    lab.append("home/.gitconfig", &format!("[core]\n\thooksPath = {}\n", lab.path("home/hooks").display()));
    lab.append(
        "project/.git/config",
        &format!("[hook \"x\"]\n\tevent = pre-commit\n\tcommand = \"{}\"\n", lab.canary("configured")),
    );
    commit(&workspace, &request).await.unwrap();
    let fired: Vec<String> = lab.fired().into_iter().collect();
    assert_eq!(fired, ["commit-msg", "post-commit", "pre-commit"]);
}

#[tokio::test]
async fn hooks_can_be_switched_off() {
    let lab = Lab::new();
    let (workspace, mut request) = changed(&lab).await;
    lab.script("project/.git/hooks/pre-commit", &format!("{}; exit 1", lab.canary("pre-commit")));
    request.hooks = false;
    commit(&workspace, &request).await.unwrap();
    assert!(lab.fired().is_empty());
}

#[tokio::test]
async fn a_hook_that_refuses_is_told_with_its_words() {
    let lab = Lab::new();
    let (workspace, request) = changed(&lab).await;
    lab.script(
        "project/.git/hooks/pre-commit",
        "echo 'line too long'; echo 'in file.txt \x1b[2J' >&2; exit 1",
    );
    let refused = commit(&workspace, &request).await.unwrap_err();
    let VcsError::Hook { output } = &refused else { panic!("{refused}") };
    assert!(output.contains("line too long") && output.contains("in file.txt") && !output.contains('\x1b'));
    assert_eq!(Fault::from(refused).code, ErrorCode::GitHook);
    assert_eq!(head(&lab).await, "first");
    assert_eq!(lab.must("project", &["status", "--porcelain"]).await, "M file.txt");
    lab.script("project/.git/hooks/pre-commit", "exit 0");
    commit(&workspace, &request).await.unwrap();
}

#[tokio::test]
async fn a_hook_that_hangs_is_stopped() {
    let lab = Lab::new();
    let (workspace, mut request) = changed(&lab).await;
    lab.script("project/.git/hooks/pre-commit", "echo waiting; read answer < /dev/tty; sleep 600");
    request.timeout = Duration::from_secs(2);
    let refused = commit(&workspace, &request).await.unwrap_err();
    let VcsError::HookTimedOut { output, .. } = &refused else { panic!("{refused}") };
    assert!(output.contains("waiting"), "{output}");
    assert_eq!(Fault::from(refused).code, ErrorCode::GitHook);
    assert_eq!(head(&lab).await, "first");
}

#[tokio::test]
async fn a_hook_that_edits_keeps_the_commit_from_being_made_until_its_edits_are_taken() {
    let lab = Lab::new();
    let (workspace, request) = changed(&lab).await;
    lab.script(
        "project/.git/hooks/pre-commit",
        "echo formatted > file.txt; echo extra > extra.txt; git add file.txt extra.txt; echo done > log.txt",
    );
    let refused = commit(&workspace, &request).await.unwrap_err();
    let VcsError::HookEdited { hook, tree, .. } = &refused else { panic!("{refused}") };
    assert_eq!(hook, "pre-commit");
    assert_eq!(lab.must("project", &["show", &format!("{tree}:file.txt")]).await, "formatted");
    assert_eq!(head(&lab).await, "first");
    let edits = workspace.take_edits(&request.to, Some(tree)).await.unwrap();
    assert_eq!(edits.edited, [Path::new("extra.txt"), Path::new("file.txt")]);
    assert_eq!(edits.made, [Path::new("log.txt")], "what a hook does not stage is not committed");
    let again = CommitRequest { to: edits.tree, ..request };
    let committed = commit(&workspace, &again).await.unwrap();
    assert_eq!(lab.must("project", &["rev-parse", "HEAD"]).await, committed.commit.as_str());
    assert_eq!(lab.must("project", &["show", "HEAD:file.txt"]).await, "formatted");
    assert_eq!(lab.must("project", &["status", "--porcelain"]).await, "?? log.txt");
}

#[tokio::test]
async fn a_hook_that_edits_without_staging_keeps_the_commit_from_being_made() {
    let lab = Lab::new();
    let (workspace, request) = changed(&lab).await;
    lab.script("project/.git/hooks/pre-commit", "grep -q tidy file.txt || echo tidy >> file.txt");
    let refused = commit(&workspace, &request).await.unwrap_err();
    let VcsError::HookEdited { hook, tree, .. } = &refused else { panic!("{refused}") };
    assert_eq!((hook.as_str(), tree), ("pre-commit", &request.to));
    assert_eq!(head(&lab).await, "first");
    let edits = workspace.take_edits(&request.to, Some(tree)).await.unwrap();
    assert_eq!(edits.edited, [Path::new("file.txt")]);
    let again = CommitRequest { to: edits.tree, ..request };
    commit(&workspace, &again).await.unwrap();
    assert_eq!(lab.must("project", &["show", "HEAD:file.txt"]).await, "changed\ntidy");
    assert_eq!(lab.must("project", &["status", "--porcelain"]).await, "");
}

#[tokio::test]
async fn a_hook_that_only_touches_files_changes_nothing() {
    let lab = Lab::new();
    let (workspace, request) = changed(&lab).await;
    // Bytes that git would convert, a person's own edit since the snapshot, and a new file.
    lab.script(
        "project/.git/hooks/pre-commit",
        "cp file.txt copy && mv copy file.txt; touch -d '2001-01-01' file.txt; echo new > new.txt",
    );
    lab.append("home/.gitconfig", "[core]\n\tautocrlf = input\n[diff]\n\texternal = false\n");
    commit(&workspace, &request).await.unwrap();
    assert_eq!(lab.must("project", &["status", "--porcelain"]).await, "?? new.txt");
}

#[tokio::test]
async fn what_a_person_changes_before_the_hook_is_not_the_hooks() {
    let lab = Lab::new();
    let (workspace, request) = changed(&lab).await;
    lab.script("project/.git/hooks/pre-commit", "exit 0");
    lab.write("project/file.txt", "mine\n");
    let committed = commit(&workspace, &request).await.unwrap();
    assert_eq!(committed.tree, request.to);
    assert_eq!(lab.must("project", &["status", "--porcelain"]).await, "M file.txt");
}

#[tokio::test]
async fn a_hook_that_amends_the_commit_has_it_taken_back() {
    let lab = Lab::new();
    let (workspace, request) = changed(&lab).await;
    lab.script(
        "project/.git/hooks/post-commit",
        "[ -n \"$INNER\" ] && exit; export INNER=1; echo more >> file.txt; git add file.txt; git commit --quiet --amend --no-edit",
    );
    let refused = commit(&workspace, &request).await.unwrap_err();
    assert!(matches!(&refused, VcsError::HookEdited { hook, .. } if hook == "post-commit"), "{refused:?}");
    assert_eq!(head(&lab).await, "first");
}

#[tokio::test]
async fn what_a_message_hook_stages_is_in_neither_the_commit_nor_the_users_index() {
    let lab = Lab::new();
    let (workspace, request) = changed(&lab).await;
    lab.script("project/.git/hooks/prepare-commit-msg", "echo later > file.txt; git add file.txt");
    let committed = commit(&workspace, &request).await.unwrap();
    assert_eq!(committed.tree, request.to);
    assert_eq!(lab.must("project", &["status", "--porcelain"]).await, "M file.txt");
    assert_eq!(lab.must("project", &["diff", "--cached", "--name-only"]).await, "");
}

#[tokio::test]
async fn a_hook_finds_itself_where_it_lies() {
    let lab = Lab::new();
    let (workspace, request) = changed(&lab).await;
    lab.script("project/.git/hooks/it's here", &lab.canary("helper"));
    lab.script("project/.git/hooks/pre-commit", "exec \"$(dirname \"$0\")/it's here\" \"$@\"");
    commit(&workspace, &request).await.unwrap();
    assert_eq!(lab.fired().into_iter().collect::<Vec<_>>(), ["helper"]);
}

#[tokio::test]
async fn a_hook_that_prints_without_end_is_bounded() {
    let lab = Lab::new();
    let (workspace, request) = changed(&lab).await;
    lab.script("project/.git/hooks/pre-commit", "head -c 20000000 /dev/zero | tr '\\0' x; exit 1");
    let VcsError::Hook { output } = commit(&workspace, &request).await.unwrap_err() else { panic!() };
    assert!(output.len() < 1024 * 1024);
}

#[tokio::test]
async fn a_user_who_commits_while_a_hook_runs_wins() {
    let lab = Lab::new();
    let (workspace, request) = changed(&lab).await;
    lab.script(
        "project/.git/hooks/pre-commit",
        "unset GIT_INDEX_FILE; [ -n \"$INNER\" ] || INNER=1 git commit --quiet --allow-empty --message theirs",
    );
    let refused = commit(&workspace, &request).await.unwrap_err();
    assert!(matches!(refused, VcsError::HeadMoved { .. }), "{refused:?}");
    assert_eq!(head(&lab).await, "theirs");
}

#[tokio::test]
async fn a_commit_made_on_top_of_ours_stays() {
    let lab = Lab::new();
    let (workspace, request) = changed(&lab).await;
    let request = request.trailer("Loopwright-Iteration", "i1");
    lab.script(
        "project/.git/hooks/post-commit",
        "unset GIT_INDEX_FILE; [ -n \"$INNER\" ] || INNER=1 git commit --quiet --allow-empty --message theirs",
    );
    let committed = commit(&workspace, &request).await.unwrap();
    assert_eq!(head(&lab).await, "theirs");
    assert_eq!(lab.must("project", &["rev-parse", "HEAD~1"]).await, committed.commit.as_str());
    assert_eq!(workspace.find_commit("Loopwright-Iteration", "i1").await.unwrap(), Some(committed.commit));
}

#[tokio::test]
async fn a_hook_may_add_to_the_message() {
    let lab = Lab::new();
    let (workspace, request) = changed(&lab).await;
    let request = request.trailer("Loopwright-Iteration", "i1");
    lab.script("project/.git/hooks/commit-msg", "echo 'Change-Id: 7' >> \"$1\"");
    let committed = commit(&workspace, &request).await.unwrap();
    assert_eq!(lab.must("project", &["rev-parse", "HEAD"]).await, committed.commit.as_str());
    assert_eq!(workspace.find_commit("Change-Id", "7").await.unwrap(), Some(committed.commit));
}

#[tokio::test]
async fn signing_that_fails_is_told_and_signing_that_works_is_used() {
    let lab = Lab::new();
    let (workspace, request) = changed(&lab).await;
    lab.script("bin/gpg", "echo 'gpg: signing failed: No pinentry' >&2; exit 2");
    let program = lab.path("bin/gpg");
    lab.append(
        "home/.gitconfig",
        &format!("[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = {}\n", program.display()),
    );
    let refused = commit(&workspace, &request).await.unwrap_err();
    assert!(matches!(&refused, VcsError::Signing { output } if output.contains("pinentry")), "{refused:?}");
    assert_eq!(Fault::from(refused).code, ErrorCode::GitSigning);
    assert_eq!(head(&lab).await, "first");
    lab.script(
        "bin/gpg",
        "cat > /dev/null; echo '[GNUPG:] SIG_CREATED ' >&2; printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'",
    );
    commit(&workspace, &request).await.unwrap();
    assert!(lab.must("project", &["cat-file", "commit", "HEAD"]).await.contains("gpgsig"));
}

#[tokio::test]
async fn settings_about_messages_change_nothing() {
    let lab = Lab::new();
    let (workspace, mut request) = changed(&lab).await;
    lab.write("home/template", "Fill this in\n");
    let template = lab.path("home/template");
    lab.append(
        "home/.gitconfig",
        &format!("[commit]\n\ttemplate = {}\n\tcleanup = strip\n\tverbose = true\n", template.display()),
    );
    request.body = "# not a comment\nSee #7".into();
    commit(&workspace, &request).await.unwrap();
    let message = lab.must("project", &["log", "-1", "--format=%B"]).await;
    assert_eq!(message, "Change\n\n# not a comment\nSee #7");
}

#[tokio::test]
async fn a_locked_index_is_told_and_the_commit_stands() {
    let lab = Lab::new();
    let (workspace, request) = changed(&lab).await;
    lab.write("project/.git/index.lock", "");
    let committed = commit(&workspace, &request).await.unwrap();
    assert!(!committed.index_updated);
    assert_eq!(head(&lab).await, "Change");
    assert!(lab.path("project/.git/index.lock").exists());
    assert!(!workspace.sync_index(&committed.commit).await.unwrap());

    std::fs::remove_file(lab.path("project/.git/index.lock")).unwrap();
    assert_eq!(lab.must("project", &["status", "--porcelain"]).await, "MM file.txt");
    lab.write("project/staged.txt", "the user's\n");
    lab.must("project", &["add", "staged.txt"]).await;
    assert!(workspace.sync_index(&committed.commit).await.unwrap());
    assert_eq!(lab.must("project", &["status", "--porcelain"]).await, "A  staged.txt");
    // What the user stages of the same file is the user's.
    lab.write("project/file.txt", "the user's\n");
    lab.must("project", &["add", "file.txt"]).await;
    assert!(workspace.sync_index(&committed.commit).await.unwrap());
    assert_eq!(lab.must("project", &["status", "--porcelain"]).await, "M  file.txt\nA  staged.txt");
}

#[tokio::test]
async fn a_lock_that_a_killed_process_of_ours_left_is_taken_away() {
    let lab = Lab::new();
    let (workspace, request) = changed(&lab).await;
    lab.write("project/.git/index.lock", "");
    let committed = commit(&workspace, &request).await.unwrap();
    let lock = lab.path("project/.git/index.lock");
    std::fs::remove_file(&lock).unwrap();
    // As it is between making the lock and renaming it.
    lab.write("project/.git/loopwright-index", "half of an index");
    std::fs::hard_link(lab.path("project/.git/loopwright-index"), &lock).unwrap();
    assert!(workspace.sync_index(&committed.commit).await.unwrap());
    assert_eq!(lab.must("project", &["status", "--porcelain"]).await, "");
    assert!(!lock.exists() && !lab.path("project/.git/loopwright-index").exists());
}
