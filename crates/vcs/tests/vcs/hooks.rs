//! Which hooks a repository would run.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use loopwright_vcs::{Hook, Repository, hooks};
use sha2::{Digest, Sha256};

use crate::support::Lab;

fn names(repository: &Repository) -> Vec<String> {
    hooks(repository).unwrap().into_iter().map(|hook| hook.name).collect()
}

#[tokio::test]
async fn executable_files_with_a_hooks_name_are_listed_with_their_digest() {
    let lab = Lab::new();
    let repository = lab.repository("project").await;
    assert_eq!(names(&repository), [""; 0], "the samples that git brings along are no hooks");
    let path = lab.script("project/.git/hooks/pre-commit", "exit 0");
    lab.script("project/.git/hooks/helper.sh", "exit 0");
    lab.write("project/.git/hooks/commit-msg", "not executable");
    fs::create_dir(lab.path("project/.git/hooks/post-commit")).unwrap();
    let sha256: String =
        Sha256::digest(b"#!/bin/sh\nexit 0\n").iter().map(|byte| format!("{byte:02x}")).collect();
    let before = Hook { name: "pre-commit".into(), path: path.clone(), sha256 };
    assert_eq!(hooks(&repository).unwrap(), std::slice::from_ref(&before));

    lab.script("project/.git/hooks/pre-commit", "exit 1");
    let after = hooks(&repository).unwrap();
    assert_ne!(after[0].sha256, before.sha256);
    fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(names(&repository), [""; 0]);
}

#[tokio::test]
async fn the_folder_that_the_configuration_names_is_taken_instead() {
    let lab = Lab::new();
    let repository = lab.repository("project").await;
    lab.script("project/.git/hooks/pre-commit", "default");
    let husky = lab.script("project/.husky/_/commit-msg", "relative");
    lab.must("project", &["config", "core.hooksPath", ".husky/_"]).await;
    assert_eq!(hooks(&repository).unwrap()[0].path, husky);
    assert_eq!(names(&repository), ["commit-msg"]);

    let elsewhere = lab.script("elsewhere/post-commit", "absolute");
    lab.must("project", &["config", "core.hooksPath", lab.path("elsewhere").to_str().unwrap()]).await;
    assert_eq!(hooks(&repository).unwrap()[0].path, elsewhere);
}

#[tokio::test]
async fn includes_and_work_trees_have_their_say() {
    let lab = Lab::new();
    let repository = lab.repository("project").await;
    lab.script("project/.git/hooks/pre-commit", "");
    lab.script("project/included/commit-msg", "");
    lab.script("project/maybe/post-commit", "");
    lab.write("project/.git/inc.cfg", "[core]\n\thooksPath = included\n");
    lab.write("project/.git/cond.cfg", "[core]\n\thooksPath = maybe\n");
    lab.append("project/.git/config", "[include]\n\tpath = inc.cfg\n");
    assert_eq!(names(&repository), ["commit-msg"]);
    lab.append("project/.git/config", "[core]\n\thooksPath = .git/hooks\n");
    assert_eq!(names(&repository), ["pre-commit"], "the last word counts");
    lab.append("project/.git/config", "[include]\n\tpath = inc.cfg\n");
    lab.append("project/.git/config", "[includeIf \"onbranch:main\"]\n\tpath = cond.cfg\n");
    assert_eq!(names(&repository), ["commit-msg", "post-commit"], "either could be run");

    lab.script("project/own/pre-push", "");
    lab.append("project/.git/config", "[extensions]\n\tworktreeConfig = true\n");
    lab.write("project/.git/config.worktree", "[core]\n\thooksPath = own\n");
    assert_eq!(names(&repository), ["post-commit", "pre-push"]);
}

#[tokio::test]
async fn added_work_trees_share_the_hooks() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.script("project/.git/hooks/pre-commit", "");
    lab.must("project", &["worktree", "add", "--quiet", "../second"]).await;
    assert_eq!(names(&loopwright_vcs::discover(&lab.path("second")).unwrap()), ["pre-commit"]);
}
