//! Ignored files that a run changed: no snapshot has them, so they are told.

use std::fs;
use std::path::Path;

use super::outside_files::Outside;
use super::run_start::RunStart;
use super::scan::{Scan, SkipReason};
use super::{Workspace, path_of, shown_path};
use crate::error::VcsError;
use crate::generated::is_generated;
use crate::secrets::is_own_state;
use crate::system;

/// As many files of ignored folders as are looked at in all.
const MOST_LOOKED_AT: usize = 5_000;
/// As many changed files as are named from one ignored folder.
const MOST_NAMED: usize = 50;

impl Scan {
    /// Names the ignored files that are new or changed since the run began. What compilers, package managers and test
    /// runners make is not looked at: it is made again from what is committed.
    pub(super) fn tell_ignored(&mut self, work_tree: &Path, start: &RunStart) {
        let mut left = MOST_LOOKED_AT;
        for listed in std::mem::take(&mut self.ignored) {
            if !is_own_state(&listed) && !is_generated(&listed) {
                match listed.strip_suffix(b"/") {
                    Some(folder) if start.is_new_folder(folder) && !start.knows_ignored(&listed) => {
                        self.outside.insert(listed.clone(), SkipReason::Ignored);
                        self.skip(folder, 0, SkipReason::Ignored, true);
                    }
                    Some(folder) => {
                        self.outside.insert(listed.clone(), SkipReason::Ignored);
                        let mut named = 0;
                        self.tell_folder(work_tree, folder, start, &mut left, &mut named);
                    }
                    None => drop(self.tell_file(work_tree, &listed, start)),
                }
            }
            self.ignored.push(listed);
        }
        self.partial = left == 0;
        self.skipped.sort_by(|one, other| one.path.cmp(&other.path));
    }

    /// Names a file if it was changed, and says whether it was.
    fn tell_file(&mut self, work_tree: &Path, name: &[u8], start: &RunStart) -> bool {
        self.outside.insert(name.to_vec(), SkipReason::Ignored);
        let metadata = path_of(name).and_then(|path| work_tree.join(path).symlink_metadata().ok());
        let changed = metadata.filter(|metadata| start.changed(name, metadata));
        if let Some(metadata) = &changed {
            self.skip(name, metadata.len(), SkipReason::Ignored, true);
        }
        changed.is_some()
    }

    fn tell_folder(
        &mut self,
        work_tree: &Path,
        folder: &[u8],
        start: &RunStart,
        left: &mut usize,
        named: &mut usize,
    ) {
        let Some(path) = path_of(folder).map(|path| work_tree.join(path)) else { return };
        let Ok(entries) = fs::read_dir(path) else { return };
        for entry in entries.flatten() {
            if *left == 0 {
                return;
            }
            *left -= 1;
            let name = [folder, b"/", &system::text_for_git(entry.file_name().as_ref())].concat();
            if is_generated(&name) {
                continue;
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                self.tell_folder(work_tree, &name, start, left, named);
            } else if *named >= MOST_NAMED {
                self.outside.insert(name, SkipReason::Ignored);
            } else if self.tell_file(work_tree, &name, start) {
                *named += 1;
            }
        }
    }

    /// Tells what is new since the run began from what was there. New repositories inside this one are left out too.
    pub(super) fn tell_new(&mut self, start: &RunStart, outside: &Outside) {
        for name in self.nested.clone() {
            if start.is_new_folder(&name) && !outside.was_at_start(&shown_path(&name)) {
                self.skip(&name, 0, SkipReason::Nested, true);
            }
        }
        for skipped in self.skipped.iter_mut().filter(|skipped| skipped.changed) {
            skipped.new = !outside.was_at_start(&skipped.path);
        }
    }

    /// Adds what a person wants in snapshots although it is ignored.
    pub(super) fn add_included(&mut self, work_tree: &Path, start: &RunStart) {
        let included: Vec<Vec<u8>> = start.included().cloned().collect();
        for name in included {
            self.add_below(work_tree, &name);
        }
    }

    fn add_below(&mut self, work_tree: &Path, name: &[u8]) {
        let Some(path) = path_of(name).map(|path| work_tree.join(path)) else { return };
        let Ok(metadata) = path.symlink_metadata() else { return };
        if is_own_state(name) || name == b".git" {
            return;
        }
        if !metadata.is_dir() {
            if (metadata.is_file() || metadata.is_symlink()) && self.update.insert(name.to_vec()) {
                self.bytes += metadata.len();
            }
            return;
        }
        let Ok(entries) = fs::read_dir(path) else { return };
        for entry in entries.flatten().filter(|entry| entry.file_name() != ".git") {
            let below = system::text_for_git(entry.file_name().as_ref());
            self.add_below(work_tree, &[name, b"/", &below].concat());
        }
    }
}

impl Workspace {
    /// Takes files or folders into this run's snapshots although their size, number, name or a rule keeps them out. A
    /// person has decided so.
    ///
    /// # Errors
    /// A path is not one below the work tree, or it cannot be written down.
    pub async fn include(&self, paths: &[&Path]) -> Result<(), VcsError> {
        self.decide(paths, true).await
    }

    /// Notes that a person has seen that these are left out of this run's snapshots: they are not told again until they
    /// change.
    ///
    /// # Errors
    /// As [`Workspace::include`].
    pub async fn accept_left_out(&self, paths: &[&Path]) -> Result<(), VcsError> {
        self.decide(paths, false).await
    }

    /// Of these, the ones that no person has decided about in this run since they changed.
    ///
    /// # Errors
    /// The repository is gone.
    pub async fn undecided<'a>(&self, paths: &[&'a Path]) -> Result<Vec<&'a Path>, VcsError> {
        let memory = self.remembered().await?;
        let is_open = |path: &&&Path| {
            let found = self.repository.work_tree.join(path).symlink_metadata();
            found.is_ok_and(|found| !memory.private.start.is_decided(&system::text_for_git(path), &found))
        };
        Ok(paths.iter().filter(is_open).copied().collect())
    }

    /// Whether something at a path was made or changed since the run began and since a person has decided about it.
    ///
    /// # Errors
    /// The repository is gone.
    pub async fn changed_in_run(&self, path: &Path) -> Result<bool, VcsError> {
        let memory = self.remembered().await?;
        let (start, name) = (&memory.private.start, system::text_for_git(path));
        Ok(!start.includes(&name) && start.changed_on_disk(&self.repository.work_tree, &name))
    }

    async fn decide(&self, paths: &[&Path], include: bool) -> Result<(), VcsError> {
        let mut names = Vec::with_capacity(paths.len());
        for path in paths {
            let below = path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
            let name = system::text_for_git(path);
            if !below || name.is_empty() || name.contains(&0) {
                return Err(VcsError::BadName { name: crate::display_text::shown(&name) });
            }
            names.push(name);
        }
        let mut memory = self.remembered().await?;
        if include {
            // Nothing could be saved any more once more than this were part of every snapshot.
            let mut below = Scan::default();
            names.iter().for_each(|name| below.add_below(&self.repository.work_tree, name));
            self.refuse_too_much(&below)?;
        }
        let folder = memory.private.kept_folder().to_owned();
        let (included, accepted) = if include { (&names[..], &[][..]) } else { (&[][..], &names[..]) };
        let written = memory.private.start.decide(&folder, included, accepted);
        written.map_err(|error| VcsError::file(&folder, &error))?;
        memory.private.start = RunStart::load(&folder);
        Ok(())
    }
}
