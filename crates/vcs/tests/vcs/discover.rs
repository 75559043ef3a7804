//! Finding repositories by reading files.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use loopwright_process::{Command, run};
use loopwright_vcs::{Operation, discover, head};

use crate::support::{Lab, search_path};

#[tokio::test]
async fn from_anywhere_below_the_work_tree() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/a/b/c.txt", "");
    let expected = (lab.path("project"), lab.path("project/.git"), lab.path("project/.git"));
    for start in ["project", "project/a/b", "project/a/b/c.txt"] {
        let found = discover(&lab.path(start)).unwrap();
        assert_eq!((found.work_tree, found.git_dir, found.common_dir), expected, "{start}");
    }
    assert_eq!(discover(&lab.path("project/a/b")).unwrap().project, Path::new("a/b"));
    assert_eq!(discover(&lab.path("project")).unwrap().project, Path::new(""));
    symlink(lab.path("project/a"), lab.path("link")).unwrap();
    assert_eq!(discover(&lab.path("link")).unwrap().work_tree, lab.path("project"));
    assert_eq!(discover(&lab.path("home")), None);
    assert_eq!(discover(&lab.path("not there")), None);
}

#[tokio::test]
async fn added_work_trees_and_submodules_lead_to_their_own_git_folder() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.must("project", &["worktree", "add", "--quiet", "../second"]).await;
    let second = discover(&lab.path("second")).unwrap();
    assert_eq!(second.work_tree, lab.path("second"));
    assert_eq!(second.git_dir, lab.path("project/.git/worktrees/second"));
    assert_eq!(second.common_dir, lab.path("project/.git"));

    lab.repository("library").await;
    let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../library", "lib"];
    lab.must("project", &add).await;
    let module = discover(&lab.path("project/lib")).unwrap();
    assert_eq!(module.git_dir, lab.path("project/.git/modules/lib"));
    assert_eq!(module.common_dir, module.git_dir);
}

#[tokio::test]
async fn a_separate_git_folder_is_followed_by_relative_and_absolute_paths() {
    let lab = Lab::new();
    lab.repository("project").await;
    fs::rename(lab.path("project/.git"), lab.path("elsewhere")).unwrap();
    for target in [
        "../elsewhere\n".to_owned(),
        format!("{}\r\n", lab.path("elsewhere").display()),
        "../elsewhere".into(),
    ] {
        lab.write("project/.git", format!("gitdir: {target}"));
        assert_eq!(discover(&lab.path("project")).unwrap().git_dir, lab.path("elsewhere"), "{target:?}");
    }
}

#[tokio::test]
async fn bare_repositories_and_gits_own_folder_have_no_work_tree() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.must("", &["clone", "--quiet", "--bare", "project", "bare.git"]).await;
    for start in ["bare.git", "bare.git/refs", "project/.git", "project/.git/hooks"] {
        assert_eq!(discover(&lab.path(start)), None, "{start}");
    }
    lab.must("project", &["config", "core.bare", "true"]).await;
    assert_eq!(discover(&lab.path("project")), None);
    lab.must("project", &["worktree", "add", "--quiet", "../second"]).await;
    assert!(discover(&lab.path("second")).is_some(), "an added work tree of a bare repository is one");
}

#[tokio::test]
async fn garbage_by_the_name_of_git() {
    let lab = Lab::new();
    lab.repository("outer").await;
    // An empty folder is no repository and the one around it is found, as git does it.
    fs::create_dir_all(lab.path("outer/empty/.git")).unwrap();
    assert_eq!(discover(&lab.path("outer/empty")).unwrap().work_tree, lab.path("outer"));
    let pipe = lab.path("outer/pipe");
    fs::create_dir(&pipe).unwrap();
    nix::unistd::mkfifo(&pipe.join(".git"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert_eq!(discover(&pipe), None);
    for (name, content) in
        [("a", &b""[..]), ("b", b"gitdir:"), ("c", b"gitdir: \n"), ("d", b"gitdir: ."), ("e", &[0xff; 99])]
    {
        lab.write(format!("outer/{name}/.git"), content);
        assert_eq!(discover(&lab.path(format!("outer/{name}"))), None, "{content:?}");
    }
    lab.write("outer/huge/.git", vec![b'x'; 1_000_000]);
    assert_eq!(discover(&lab.path("outer/huge")), None);
    symlink(".git", lab.path("home/.git")).unwrap();
    assert_eq!(discover(&lab.path("home")), None, "a link to itself");
}

#[tokio::test]
async fn the_head_is_read_as_git_sees_it() {
    let lab = Lab::new();
    let repository = lab.repository("project").await;
    let commit = lab.must("project", &["rev-parse", "HEAD"]).await[..7].to_owned();
    for prepare in [&["pack-refs", "--all"][..], &["checkout", "--quiet", "-b", "feature/tea"]] {
        lab.must("project", prepare).await;
        let branch = lab.must("project", &["branch", "--show-current"]).await;
        let read = head(&repository).unwrap();
        assert_eq!((read.branch, read.commit.as_ref()), (Some(branch), Some(&commit)));
    }
    lab.must("project", &["checkout", "--quiet", "--detach"]).await;
    lab.must("project", &["bisect", "start"]).await;
    let read = head(&repository).unwrap();
    assert_eq!((read.branch, read.commit, read.operation), (None, Some(commit), Some(Operation::Bisect)));
}

const ANSWER_FILE: &str = "LOOPWRIGHT_TEST_ANSWER_FILE";
const QUESTION: &str = "LOOPWRIGHT_TEST_QUESTION";

/// The process that is misled: does nothing unless the test below started it.
#[tokio::test]
async fn ask() {
    let (Some(file), Some(project)) = (env::var_os(ANSWER_FILE), env::var_os(QUESTION)) else { return };
    let repository = discover(Path::new(&project)).unwrap();
    let git = loopwright_vcs::Git::locate(&search_path()).unwrap();
    let summary = git.inspect(&repository).summary().await.unwrap();
    fs::write(file, format!("{} {:?}", repository.work_tree.display(), summary.branch)).unwrap();
}

#[tokio::test]
async fn variables_of_our_own_environment_mislead_nobody() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.repository("other").await;
    lab.must("other", &["checkout", "--quiet", "-b", "wrong"]).await;
    let misled = Command::new(env::current_exe().unwrap(), "/")
        .args(["--exact", "discover::ask"])
        .env(ANSWER_FILE, lab.path("answer"))
        .env(QUESTION, lab.path("project"))
        .env("PATH", search_path())
        .env("HOME", lab.path("home"))
        .env("GIT_DIR", lab.path("other/.git"))
        .env("GIT_WORK_TREE", lab.path("other"))
        .env("GIT_INDEX_FILE", lab.path("other/.git/index"))
        .env("GIT_CONFIG_PARAMETERS", format!("'core.fsmonitor={}'", lab.canary("parameters")))
        .env("GIT_TRACE2", lab.path("canaries/trace"))
        .env("GIT_EXEC_PATH", lab.path("other"));
    assert!(run(misled).await.unwrap().exit.success());
    let answer = fs::read_to_string(lab.path("answer")).unwrap();
    assert_eq!(answer, format!("{} Some(\"main\")", lab.path("project").display()));
    assert!(lab.fired().is_empty());
}
