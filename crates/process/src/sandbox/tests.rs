//! Which rule a place gets, on real folders.
use std::fs;

use super::*;

fn place(folders: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    for below in folders {
        fs::create_dir_all(root.join(below)).unwrap();
    }
    (folder, root)
}

/// The rules with their places told from the root.
fn told(sandbox: &Sandbox, root: &Path) -> Vec<(String, Access)> {
    let rules = sandbox.rules(&[("/", Access::Read)]);
    let below = |path: &Path| path.strip_prefix(root).ok().map(|path| path.display().to_string());
    rules.iter().filter_map(|(path, word)| Some((below(path)?, *word))).collect()
}

#[test]
fn the_deepest_rule_decides_and_the_way_to_it_is_held() {
    let (_folder, root) = place(&["tmp", "home/.config/fish", "home/code/app/.git/hooks"]);
    let at = |path: &str| root.join(path);
    let sandbox = Sandbox::new(at("tmp")).writable([at("home"), at("home/code/app")]).read_only([
        at("home/.config/fish"),
        at("home/code/app/.git/hooks"),
        at("missing"),
        at("tmp"),
    ]);
    let expected = [
        ("home", Access::Write),
        ("home/.config", Access::Write),
        ("home/.config/fish", Access::Read),
        ("home/code", Access::Write),
        ("home/code/app", Access::Write),
        ("home/code/app/.git", Access::Write),
        ("home/code/app/.git/hooks", Access::Read),
        ("tmp", Access::Write),
    ];
    assert_eq!(told(&sandbox, &root), expected.map(|(path, word)| (path.to_owned(), word)));
}

#[test]
fn what_changes_nothing_gets_no_rule_and_the_stricter_word_wins() {
    let (_folder, root) = place(&["tmp", "a/b", "c", "d"]);
    let at = |path: &str| root.join(path);
    let sandbox = Sandbox::new(at("tmp"))
        .writable([at("a"), at("a/b"), at("d")])
        .read_only([at("c"), at("d")])
        .hidden([at("c")]);
    let expected = [("a", Access::Write), ("c", Access::Hidden), ("tmp", Access::Write)];
    assert_eq!(told(&sandbox, &root), expected.map(|(path, word)| (path.to_owned(), word)));
}

#[test]
fn what_is_shown_is_read_among_temporary_files_and_changes_nothing_elsewhere() {
    let (_folder, root) = place(&["tmp", "shared/home/.keys", "shared/home/own", "open/bin", "shut"]);
    let at = |path: &str| root.join(path);
    let sandbox = Sandbox::new(at("tmp"))
        .writable([at("open"), at("shared/home/own")])
        .hidden([at("shared/home/.keys")])
        .visible([at("shared/home"), at("shared"), at("shared/home/.keys"), at("open/bin"), at("shut")]);
    let shared = at("shared").display().to_string();
    let rules = sandbox.rules(&[("/", Access::Read), (&shared, Access::Hidden)]);
    let below = |path: &str| access(&rules, &at(path));
    let found =
        ["shared", "shared/home", "shared/home/.keys", "shared/home/own", "open/bin", "shut"].map(below);
    assert_eq!(
        found,
        [Access::Hidden, Access::Read, Access::Hidden, Access::Write, Access::Write, Access::Read]
    );
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_what_no_fence_can_hold_is_told() {
    let (_folder, root) = place(&["tmp", "open", "real", "shut"]);
    let at = |path: &str| root.join(path);
    std::os::unix::fs::symlink(at("real"), at("open/link")).unwrap();
    let sandbox = Sandbox::new(at("tmp"))
        .writable([at("open"), at("real")])
        .read_only(["open/link", "open/missing", "shut/missing"].map(at));
    assert_eq!(sandbox.unguarded(), [at("open/link"), at("open/missing")]);
    let expected = [("open", Access::Write), ("tmp", Access::Write)];
    assert_eq!(told(&sandbox, &root), expected.map(|(path, word)| (path.to_owned(), word)));
    let shut = sandbox.read_only([at("open")]);
    assert!(shut.unguarded().is_empty(), "a place that is shut as a whole needs no more");
}
