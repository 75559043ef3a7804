//! Making new repositories.

use std::fs;

use loopwright_domain::{ErrorCode, Fault};
use loopwright_vcs::{Git, VcsError, discover};

use crate::support::{Lab, real_git};

#[tokio::test]
async fn everything_there_is_committed_on_main_in_the_users_name() {
    let lab = Lab::new();
    lab.write(
        "home/.gitconfig",
        "[user]\n\tname = Grace\n\temail = g@example.invalid\n[init]\n\tdefaultBranch = old\n",
    );
    lab.write("sample/SPEC.md", "# Tea\n");
    lab.write("sample/src/größe.txt", "1\n");
    lab.write("sample/.gitignore", "/run/\n");
    lab.write("sample/run/private", "");
    let message = "Begin the sample\n\nWith a body.\n# and a line that looks like a comment";
    let repository = lab.git().create_repository(&lab.path("sample"), message).await.unwrap();
    assert_eq!(Some(&repository), discover(&lab.path("sample")).as_ref());
    assert_eq!(
        lab.must("sample", &["log", "--format=%an|%ae|%cn|%ce"]).await,
        "Grace|g@example.invalid|Grace|g@example.invalid"
    );
    assert_eq!(lab.must("sample", &["log", "--format=%B"]).await, message);
    assert_eq!(lab.must("sample", &["branch", "--show-current"]).await, "main");
    assert_eq!(
        lab.must("sample", &["-c", "core.quotePath=false", "ls-files"]).await,
        ".gitignore\nSPEC.md\nsrc/größe.txt"
    );
    assert_eq!(lab.summary("sample").await.unwrap().changed, 0);
}

#[tokio::test]
async fn without_a_known_user_the_commit_has_a_neutral_name() {
    let lab = Lab::new();
    fs::remove_file(lab.path("home/.gitconfig")).unwrap();
    fs::create_dir(lab.path("sample")).unwrap();
    lab.git().create_repository(&lab.path("sample"), "empty").await.unwrap();
    let author = lab.must("sample", &["log", "--format=%an <%ae>"]).await;
    assert_eq!(author, "Loopwright sample <sample@loopwright.invalid>");
}

#[tokio::test]
async fn nothing_of_the_users_programs_runs() {
    let lab = Lab::new();
    for hook in ["pre-commit", "commit-msg", "post-commit", "reference-transaction", "post-index-change"] {
        lab.script(format!("home/hooks/{hook}"), &lab.canary(&format!("global-{hook}")));
        lab.script(format!("home/template/hooks/{hook}"), &lab.canary(&format!("template-{hook}")));
    }
    lab.write("home/attributes", "* filter=mine\n");
    let gpg = lab.script("home/gpg", &format!("{}; false", lab.canary("gpg")));
    lab.append(
        "home/.gitconfig",
        &format!(
            "[core]\n\thooksPath = ~/hooks\n\tattributesFile = ~/attributes\n\tfsmonitor = \"{fsmonitor}; :\"\n[init]\n\ttemplateDir = ~/template\n\
             [commit]\n\tgpgSign = true\n\ttemplate = ~/missing\n[gpg]\n\tprogram = {gpg}\n[filter \"mine\"]\n\tclean = \"{clean}; /bin/cat\"\n",
            fsmonitor = lab.canary("fsmonitor"),
            gpg = gpg.display(),
            clean = lab.canary("clean"),
        ),
    );
    lab.write("sample/file", "");
    lab.git().create_repository(&lab.path("sample"), "first").await.unwrap();
    assert!(lab.fired().is_empty(), "{:?}", lab.fired());
    assert!(!lab.path("sample/.git/hooks").exists(), "no templates");

    lab.write("plain/file", "");
    lab.plain("plain", &["init", "--quiet"]).await;
    lab.plain("plain", &["add", "--all"]).await;
    lab.plain("plain", &["commit", "--quiet", "--message", "first"]).await;
    assert!(lab.fired().len() >= 5, "these canaries are dead: {:?}", lab.fired());
}

#[tokio::test]
async fn a_repository_is_not_made_twice_and_an_outer_one_is_left_alone() {
    let lab = Lab::new();
    lab.repository("outer").await;
    let again = lab.git().create_repository(&lab.path("outer"), "again").await.unwrap_err();
    assert!(matches!(again, VcsError::AlreadyRepository { .. }), "{again}");
    lab.write("outer/inner/file", "");
    lab.git().create_repository(&lab.path("outer/inner"), "inner").await.unwrap();
    assert_eq!(lab.must("outer", &["rev-list", "--count", "HEAD"]).await, "1");
    let nowhere = lab.git().create_repository(&lab.path("nowhere"), "x").await.unwrap_err();
    assert_eq!(Fault::from(nowhere).code, ErrorCode::IoFailed);
}

#[tokio::test]
async fn only_a_repository_no_commit() {
    let lab = Lab::new();
    lab.write("project/file", "");
    let repository = lab.git().init(&lab.path("project")).await.unwrap();
    assert_eq!(discover(&lab.path("project")), Some(repository));
    let summary = lab.summary("project").await.unwrap();
    assert_eq!((summary.branch.as_deref(), summary.unborn, summary.changed), (Some("main"), true, 1));
}

#[tokio::test]
async fn a_failure_leaves_the_folder_as_it_was() {
    let lab = Lab::new();
    lab.write("sample/file", "kept");
    let body = format!(
        "case \" $* \" in *' commit '*) echo 'fatal: disk full' >&2; exit 1;; esac\nexec {} \"$@\"",
        real_git().display()
    );
    lab.script("bin/git", &body);
    let git = Git::locate(lab.path("bin").as_os_str()).unwrap().with_home(&lab.path("home"));
    let error = git.create_repository(&lab.path("sample"), "first").await.unwrap_err();
    assert!(error.to_string().contains("fatal: disk full"), "{error}");
    assert!(!lab.path("sample/.git").exists());
    assert_eq!(fs::read(lab.path("sample/file")).unwrap(), b"kept");
    lab.git().create_repository(&lab.path("sample"), "first").await.unwrap();
}
