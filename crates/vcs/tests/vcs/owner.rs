//! Repositories that belong to somebody else. Git itself is told to think so, since only root could arrange it.

use std::path::PathBuf;

use loopwright_domain::{ErrorCode, Fault};
use loopwright_vcs::{Git, Repository, VcsError};

use crate::support::{Lab, real_git};

fn suspicious_git(lab: &Lab) -> Git {
    let body = format!("GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {} \"$@\"", real_git().display());
    let program: PathBuf = lab.script("bin/git", &body);
    Git::locate(program.parent().unwrap().as_os_str()).unwrap().with_home(&lab.path("home"))
}

/// A filter is switched off only when git, which has to see the repository for that, lists its name.
async fn filtered_repository(lab: &Lab) -> Repository {
    let repository = lab.repository("project").await;
    let filter = format!("[filter \"evil\"]\n\tclean = \"{}; /bin/cat\"\n", lab.canary("filter"));
    lab.append("project/.git/config", &filter);
    lab.write("project/.git/info/attributes", "* filter=evil\n");
    lab.age("project/file.txt");
    repository
}

#[tokio::test]
async fn git_refuses_and_so_do_we_with_a_way_out() {
    let lab = Lab::new();
    let repository = filtered_repository(&lab).await;
    let refused = suspicious_git(&lab).inspect(&repository).summary().await.unwrap_err();
    assert!(matches!(refused, VcsError::ForeignOwner { .. }), "{refused}");
    let fault = Fault::from(refused);
    assert_eq!(fault.code, ErrorCode::GitForeignOwner);
    assert!(fault.hint.unwrap().contains("safe.directory"));
    assert!(lab.fired().is_empty());
}

#[tokio::test]
async fn the_users_own_exception_is_honoured_and_the_profile_stays() {
    let lab = Lab::new();
    let repository = filtered_repository(&lab).await;
    lab.append("home/.gitconfig", &format!("[safe]\n\tdirectory = {}\n", lab.path("project").display()));
    let summary = suspicious_git(&lab).inspect(&repository).summary().await.unwrap();
    assert_eq!(summary.branch.as_deref(), Some("main"));
    assert!(lab.fired().is_empty());
    lab.plain("project", &["status"]).await;
    assert!(lab.fired().contains("filter"), "this canary is dead");
}

#[tokio::test]
async fn the_repository_cannot_make_its_own_exception() {
    let lab = Lab::new();
    let repository = filtered_repository(&lab).await;
    lab.append("project/.git/config", "[safe]\n\tdirectory = *\n");
    let refused = suspicious_git(&lab).inspect(&repository).summary().await.unwrap_err();
    assert!(matches!(refused, VcsError::ForeignOwner { .. }), "{refused}");
    lab.append("home/.gitconfig", "[safe]\n\tdirectory = /somewhere/else\n");
    assert!(suspicious_git(&lab).inspect(&repository).summary().await.is_err());
}
