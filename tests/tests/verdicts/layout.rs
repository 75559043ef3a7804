//! The repositories that projects are in.

use std::fs;
use std::path::{Path, PathBuf};

use loopwright_testkit::Sandbox;

use crate::scenario::Layout;

/// A folder for the project, in a repository of this kind or in none. The first commit is still to be made, except
/// where the layout needs one.
pub(crate) fn make(sandbox: &Sandbox, layout: Layout) -> PathBuf {
    let root = sandbox.root();
    let work = sandbox.work();
    let git = |folder: &Path, args: &[&str]| sandbox.git(folder, args);
    let begin = |folder: &Path, more: &[&str]| {
        fs::create_dir_all(folder).unwrap();
        git(folder, &[&["init", "--quiet", "--initial-branch=main"], more].concat());
    };
    let commit = |folder: &Path, name: &str| {
        fs::write(folder.join(name), "here before\n").unwrap();
        git(folder, &["add", "--all"]);
        git(folder, &["commit", "--quiet", "--message", "Earlier"]);
    };
    match layout {
        Layout::Plain | Layout::Detached => begin(&work, &[]),
        Layout::Reftable => begin(&work, &["--ref-format=reftable"]),
        Layout::Sha256 => begin(&work, &["--object-format=sha256"]),
        Layout::NoGit => {}
        Layout::Subfolder => {
            begin(&work, &[]);
            commit(&work, "beside.txt");
            let app = work.join("app");
            fs::create_dir(&app).unwrap();
            return app;
        }
        Layout::LinkedWorktree => {
            let main = root.join("main");
            begin(&main, &[]);
            commit(&main, "beside.txt");
            fs::remove_dir(&work).unwrap();
            git(&main, &["worktree", "add", "--quiet", "-b", "work", &work.display().to_string()]);
        }
        Layout::Submodule => {
            let library = root.join("library");
            begin(&library, &[]);
            commit(&library, "beside.txt");
            begin(&work, &[]);
            commit(&work, "above.txt");
            let from = library.display().to_string();
            git(&work, &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &from, "part"]);
            git(&work, &["commit", "--quiet", "--message", "With a part"]);
            return work.join("part");
        }
        Layout::Shallow => {
            let origin = root.join("origin");
            begin(&origin, &[]);
            commit(&origin, "beside.txt");
            commit(&origin, "later.txt");
            fs::remove_dir(&work).unwrap();
            let from = format!("file://{}", origin.display());
            git(root, &["clone", "--quiet", "--depth", "1", &from, &work.display().to_string()]);
        }
        Layout::Partial => {
            let origin = root.join("origin");
            begin(&origin, &[]);
            commit(&origin, "beside.txt");
            git(&origin, &["config", "uploadpack.allowFilter", "true"]);
            git(&origin, &["config", "uploadpack.allowAnySHA1InWant", "true"]);
            fs::remove_dir(&work).unwrap();
            let from = format!("file://{}", origin.display());
            git(root, &["clone", "--quiet", "--filter=blob:none", &from, &work.display().to_string()]);
        }
        Layout::BareWorktree => {
            let origin = root.join("origin");
            begin(&origin, &[]);
            commit(&origin, "beside.txt");
            let bare = root.join("bare.git");
            git(
                root,
                &["clone", "--quiet", "--bare", &origin.display().to_string(), &bare.display().to_string()],
            );
            fs::remove_dir(&work).unwrap();
            git(&bare, &["worktree", "add", "--quiet", "-b", "work", &work.display().to_string()]);
        }
        Layout::SeparateGitDir => {
            let elsewhere = root.join("elsewhere.git").display().to_string();
            begin(&work, &["--separate-git-dir", &elsewhere]);
        }
        Layout::LinkedGitDir => {
            begin(&work, &[]);
            let elsewhere = root.join("elsewhere.git");
            fs::rename(work.join(".git"), &elsewhere).unwrap();
            std::os::unix::fs::symlink(&elsewhere, work.join(".git")).unwrap();
        }
        Layout::Borrowing => {
            let origin = root.join("origin");
            begin(&origin, &[]);
            commit(&origin, "beside.txt");
            fs::remove_dir(&work).unwrap();
            let (from, to) = (origin.display().to_string(), work.display().to_string());
            git(root, &["clone", "--quiet", "--shared", &from, &to]);
        }
        Layout::OddPath => {
            let odd = root.join("we \"ird' : $x ;é #1");
            fs::create_dir(&odd).unwrap();
            begin(&odd, &[]);
            return odd;
        }
        Layout::Sparse => {
            begin(&work, &[]);
            fs::create_dir(work.join("far")).unwrap();
            commit(&work, "far/away.txt");
            git(&work, &["sparse-checkout", "set", "--no-cone", "/*", "!/far/"]);
        }
    }
    work
}
