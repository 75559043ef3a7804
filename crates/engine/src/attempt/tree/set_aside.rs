//! Files that are set aside while checks run once more without them. A list of them is written first, so that a process
//! that ends in between leaves nothing behind: whoever works here next moves them back.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use loopwright_config::text_file::{io_fault, make_private};
use loopwright_domain::Fault;
use serde::{Deserialize, Serialize};

const FOLDER: &str = "set-aside";
const LIST: &str = "list.json";

#[derive(Debug, Serialize, Deserialize)]
struct List {
    work_tree: PathBuf,
    paths: Vec<PathBuf>,
}

/// Files that are set aside.
#[derive(Debug)]
pub(crate) struct SetAside {
    folder: PathBuf,
    list: List,
}

impl SetAside {
    /// Moves files and folders of a work tree into the state folder. One that cannot be moved, or that lies behind a
    /// link, stays.
    pub(crate) fn begin(state: &Path, work_tree: &Path, paths: &BTreeSet<PathBuf>) -> Result<Self, Fault> {
        move_back(state)?;
        let folder = state.join(FOLDER);
        let list = List { work_tree: work_tree.to_owned(), paths: paths.iter().cloned().collect() };
        let written = make_private(&folder)
            .and_then(|()| fs::write(folder.join(LIST), serde_json::to_vec(&list).unwrap_or_default()));
        written.map_err(|error| io_fault("write", &folder, &error))?;
        for (number, path) in list.paths.iter().enumerate() {
            if folders_above(work_tree, path).iter().all(|above| is_folder(above)) {
                let _ = fs::rename(work_tree.join(path), folder.join(number.to_string()));
            }
        }
        Ok(Self { folder, list })
    }

    /// Moves them back. What the checks made in their places, or in those of the folders above, goes.
    pub(crate) fn end(self) -> Result<(), Fault> {
        for (number, path) in self.list.paths.iter().enumerate() {
            let (aside, place) = (self.folder.join(number.to_string()), self.list.work_tree.join(path));
            if aside.symlink_metadata().is_err() {
                continue;
            }
            let made = |depth: usize| self.folder.join(format!("{number}.{depth}.made"));
            let back = || -> std::io::Result<()> {
                for (depth, above) in folders_above(&self.list.work_tree, path).iter().enumerate() {
                    if !is_folder(above) {
                        move_away(above, &made(depth + 1))?;
                        fs::create_dir(above)?;
                    }
                }
                move_away(&place, &made(0))?;
                fs::rename(&aside, &place)
            };
            back().map_err(|error| io_fault("move back", &place, &error))?;
        }
        fs::remove_dir_all(&self.folder).map_err(|error| io_fault("remove", &self.folder, &error))
    }
}

/// The folders of a work tree above a path, the highest first.
fn folders_above(work_tree: &Path, path: &Path) -> Vec<PathBuf> {
    let mut above: Vec<PathBuf> = path.ancestors().skip(1).map(|folder| work_tree.join(folder)).collect();
    above.reverse();
    above
}

/// Whether this is a folder itself, and no link to one.
fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_dir())
}

fn move_away(path: &Path, to: &Path) -> std::io::Result<()> {
    if path.symlink_metadata().is_ok() { fs::rename(path, to) } else { Ok(()) }
}

/// Moves back what a process that ended in between had set aside. The caller holds the run lock.
pub(crate) fn move_back(state: &Path) -> Result<(), Fault> {
    let folder = state.join(FOLDER);
    let Ok(bytes) = fs::read(folder.join(LIST)) else { return Ok(()) };
    match serde_json::from_slice(&bytes) {
        Ok(list) => SetAside { folder, list }.end(),
        // Cut off while it was written: nothing had been moved.
        Err(_) => fs::remove_dir_all(&folder).map_err(|error| io_fault("remove", &folder, &error)),
    }
}

#[cfg(test)]
mod tests {
    use tempfile::tempdir;

    use super::*;

    #[test]
    fn what_is_set_aside_comes_back_whoever_moves_it() {
        let (state, tree) = (tempdir().unwrap(), tempdir().unwrap());
        fs::create_dir(tree.path().join("out")).unwrap();
        fs::write(tree.path().join("out/a.js"), "agent").unwrap();
        let paths = BTreeSet::from([PathBuf::from("out/a.js"), PathBuf::from("gone")]);
        for cut_off in [false, true] {
            let aside = SetAside::begin(state.path(), tree.path(), &paths).unwrap();
            assert!(!tree.path().join("out/a.js").exists());
            fs::write(tree.path().join("out/a.js"), "check").unwrap();
            match cut_off {
                true => move_back(state.path()).unwrap(),
                false => aside.end().unwrap(),
            }
            assert_eq!(fs::read_to_string(tree.path().join("out/a.js")).unwrap(), "agent");
            assert!(!state.path().join(FOLDER).exists());
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_moved_from_or_to_behind_a_link() {
        use std::os::unix::fs::symlink;
        let (state, tree, outside) = (tempdir().unwrap(), tempdir().unwrap(), tempdir().unwrap());
        fs::write(outside.path().join("x"), "mine").unwrap();
        symlink(outside.path(), tree.path().join("data")).unwrap();
        fs::create_dir(tree.path().join("gen")).unwrap();
        fs::write(tree.path().join("gen/x"), "agent").unwrap();
        let paths = BTreeSet::from([PathBuf::from("data/x"), PathBuf::from("gen/x")]);
        let aside = SetAside::begin(state.path(), tree.path(), &paths).unwrap();
        assert_eq!(fs::read_to_string(outside.path().join("x")).unwrap(), "mine");
        fs::remove_dir(tree.path().join("gen")).unwrap();
        symlink(outside.path(), tree.path().join("gen")).unwrap();
        aside.end().unwrap();
        assert_eq!(fs::read_to_string(outside.path().join("x")).unwrap(), "mine");
        assert_eq!(fs::read_to_string(tree.path().join("gen/x")).unwrap(), "agent");
        assert!(is_folder(&tree.path().join("gen")));
    }
}
