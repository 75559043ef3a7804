//! Carrying a plan out, file by file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::SystemTime;

use loopwright_process::Exit;

use super::super::folders::parent;
use super::super::scan::passes_link;
use super::super::{LISTING_LIMIT, Memory, Workspace, shown_path};
use super::disk::{PathEntry, write};
use super::{Conflict, RestorePlan, Restored, Step, Unsaved};
use crate::error::VcsError;
use crate::oid::Oid;

/// Before a path: below the work tree, whatever the path begins with.
const HERE: &[u8] = b"./";

impl Workspace {
    /// Puts lists of ignored files back first: by them it is decided which new files are none of ours. Then deletes,
    /// then writes. Returns the names of the files that were put back.
    pub(super) async fn act(
        &self,
        memory: &Memory,
        plan: &RestorePlan,
        restored: &mut Restored,
    ) -> Result<BTreeSet<Vec<u8>>, VcsError> {
        let mut touched = BTreeSet::new();
        let (rules, others): (Vec<&Step>, Vec<&Step>) =
            plan.steps.iter().partition(|step| is_rule(&step.name));
        for steps in [rules, others] {
            let (writes, deletes): (Vec<_>, Vec<_>) =
                steps.into_iter().partition(|step| step.wanted.is_some());
            let ignored = self.ignored(memory, &deletes).await?;
            for step in deletes {
                let done = if ignored.contains(&step.name) {
                    Err(Unsaved::Ignored)
                } else {
                    self.delete(memory, step)
                };
                if done.is_ok() {
                    self.remove_emptied_folders(&step.name, plan.since);
                }
                note(step, done, &mut restored.deleted, &mut restored.left, &mut touched);
            }
            for chunk in self.chunks(memory, writes).await? {
                let contents = self.contents(memory, &chunk).await?;
                for step in chunk {
                    let done = self.put_back(memory, step, &contents);
                    note(step, done, &mut restored.written, &mut restored.left, &mut touched);
                }
            }
        }
        Ok(touched)
    }

    /// Of the files to be deleted, those that are ignored again. The run may have made git see them, but may not have
    /// made them.
    async fn ignored(&self, memory: &Memory, steps: &[&Step]) -> Result<BTreeSet<Vec<u8>>, VcsError> {
        let work_tree = &self.repository.work_tree;
        let counts = |step: &&&Step| !is_rule(&step.name) && !passes_link(work_tree, parent(&step.name));
        let steps: Vec<_> = steps.iter().filter(counts).collect();
        if steps.is_empty() {
            return Ok(BTreeSet::new());
        }
        let mut call = self.privately(memory, &["check-ignore", "-z", "--stdin", "--no-index"]);
        // This command knows no literal paths; a path that begins so is one in any case.
        call.unset("GIT_LITERAL_PATHSPECS");
        call.input = steps.iter().flat_map(|step| [HERE, &step.name, b"\0"].concat()).collect();
        let finished = self.git.finish(call).await?;
        match finished.exit {
            // Some, or none.
            Exit::Code(0 | 1) => {
                let paths = finished.output.stdout.split(|byte| *byte == 0);
                Ok(paths.filter_map(|path| path.strip_prefix(HERE).map(<[u8]>::to_vec)).collect())
            }
            exit => Err(VcsError::from_refusal("git check-ignore".to_owned(), exit, &finished.output.stderr)),
        }
    }

    /// Deletes a file that the run made and nobody has changed since.
    fn delete(&self, memory: &Memory, step: &Step) -> Result<(), Unsaved> {
        let found = self.found(memory, &step.name);
        if found == PathEntry::Nothing {
            return Ok(());
        }
        if !found.is(step.produced.as_ref()) {
            return Err(Unsaved::Edited);
        }
        let path = self.on_disk(&step.name).ok_or(Unsaved::Refused)?;
        self.in_open_folder(&step.name, || fs::remove_file(&path)).map_err(|_| Unsaved::Refused)
    }

    /// Does something to a path. Where the folder it is in lets nobody write, its owner is let: an attempt worked in it, so
    /// it could be written, or was made so, before.
    fn in_open_folder<T>(&self, name: &[u8], act: impl Fn() -> io::Result<T>) -> io::Result<T> {
        let folder = Some(parent(name)).filter(|folder| !folder.is_empty());
        match (act(), folder.and_then(|folder| self.on_disk(folder))) {
            (Err(error), Some(folder)) if error.kind() == io::ErrorKind::PermissionDenied => {
                crate::system::let_owner_write(&folder)?;
                act()
            }
            (done, _) => done,
        }
    }

    fn put_back(
        &self,
        memory: &Memory,
        step: &Step,
        contents: &BTreeMap<Oid, Vec<u8>>,
    ) -> Result<(), Unsaved> {
        let Some(wanted) = &step.wanted else { return Ok(()) };
        let content = contents.get(&wanted.oid).ok_or(Unsaved::Refused)?;
        // Git itself does not look whether an object is what its name says.
        if memory.profile.format.blob(content) != wanted.oid {
            return Err(Unsaved::Damaged);
        }
        let work_tree = &self.repository.work_tree;
        if self.found(memory, &step.name) == PathEntry::Folder {
            self.remove_empty_tree(&step.name);
        }
        if !self.found(memory, &step.name).is(step.produced.as_ref()) {
            return Err(Unsaved::Edited);
        }
        let scratch = memory.private.file("");
        let written =
            self.in_open_folder(&step.name, || write(work_tree, &step.name, wanted, content, &scratch));
        written.map_err(|error| match error.kind() {
            io::ErrorKind::DirectoryNotEmpty
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::AlreadyExists => Unsaved::InTheWay,
            _ => Unsaved::Refused,
        })
    }

    /// Removes a folder that holds nothing but empty folders, where a file has to go.
    fn remove_empty_tree(&self, name: &[u8]) {
        let Some(path) = self.on_disk(name) else { return };
        let Ok(entries) = fs::read_dir(&path) else { return };
        for entry in entries.flatten() {
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                return;
            }
            let below = [name, b"/", &crate::system::text_for_git(entry.file_name().as_ref())].concat();
            self.remove_empty_tree(&below);
        }
        // Refused by the system when anything is left in it.
        let _ = fs::remove_dir(path);
    }

    /// Removes the folders above a deleted file that are empty now and were made by the run.
    pub(in crate::workspace) fn remove_emptied_folders(&self, name: &[u8], since: Option<SystemTime>) {
        let Some(since) = since else { return };
        let mut folder = parent(name);
        while !folder.is_empty() {
            let Some(path) = self.on_disk(folder) else { return };
            let young =
                path.symlink_metadata().and_then(|found| found.created()).is_ok_and(|made| made >= since);
            if !young || self.in_open_folder(folder, || fs::remove_dir(&path)).is_err() {
                return;
            }
            folder = parent(folder);
        }
    }

    /// Groups of steps whose contents fit into memory together.
    pub(super) async fn chunks<'a>(
        &self,
        memory: &Memory,
        steps: Vec<&'a Step>,
    ) -> Result<Vec<Vec<&'a Step>>, VcsError> {
        if steps.is_empty() {
            return Ok(Vec::new());
        }
        let mut call = self.privately(memory, &["cat-file", "--batch-check=%(objectsize)"]);
        call.input = objects(&steps);
        let printed = self.git.run(call).await?.stdout;
        let text = String::from_utf8_lossy(&printed);
        let mut chunks = Vec::new();
        let mut room = 0;
        for (step, line) in steps.into_iter().zip(text.lines()) {
            let size: usize = line.parse().map_err(|_| VcsError::Missing { name: line.to_owned() })?;
            if size >= room {
                chunks.push(Vec::new());
                room = LISTING_LIMIT;
            }
            room = room.saturating_sub(size);
            if let Some(chunk) = chunks.last_mut() {
                chunk.push(step);
            }
        }
        Ok(chunks)
    }

    /// The contents that these steps need.
    async fn contents(&self, memory: &Memory, steps: &[&Step]) -> Result<BTreeMap<Oid, Vec<u8>>, VcsError> {
        let mut call = self.privately(memory, &["cat-file", "--batch"]);
        call.input = objects(steps);
        call.output_limit = usize::MAX;
        let printed = self.git.run(call).await?.stdout;
        parse_objects(&printed).ok_or(VcsError::Unexpected { command: "git cat-file" })
    }
}

/// Writes down what came of one step.
fn note(
    step: &Step,
    done: Result<(), Unsaved>,
    list: &mut Vec<PathBuf>,
    left: &mut Vec<Conflict>,
    touched: &mut BTreeSet<Vec<u8>>,
) {
    match done {
        Ok(()) => {
            list.push(shown_path(&step.name));
            touched.insert(step.name.clone());
        }
        Err(why) => left.push(Conflict::new(&step.name, why)),
    }
}

/// Whether a file says which others are ignored.
fn is_rule(name: &[u8]) -> bool {
    name == b".gitignore" || name.ends_with(b"/.gitignore")
}

fn objects(steps: &[&Step]) -> Vec<u8> {
    let wanted = steps.iter().filter_map(|step| step.wanted.as_ref());
    wanted.flat_map(|entry| format!("{}\n", entry.oid).into_bytes()).collect()
}

/// Reads `<oid> blob <size>`, the content, and so on.
fn parse_objects(printed: &[u8]) -> Option<BTreeMap<Oid, Vec<u8>>> {
    let mut objects = BTreeMap::new();
    let mut rest = printed;
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        let head = std::str::from_utf8(rest.get(..end)?).ok()?;
        let [oid, _, size] = head.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let size: usize = size.parse().ok()?;
        let content = rest.get(end + 1..)?.get(..size)?;
        objects.insert(Oid::parse(oid)?, content.to_vec());
        rest = rest.get(end + 1 + size + 1..)?;
    }
    Some(objects)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn contents_come_back_whatever_is_in_them(contents in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..40), 0..5)) {
            let format = crate::oid::ObjectFormat::Sha1;
            let mut printed = Vec::new();
            for content in &contents {
                printed.extend(format!("{} blob {}\n", format.blob(content), content.len()).into_bytes());
                printed.extend(content);
                printed.push(b'\n');
            }
            let objects = parse_objects(&printed).unwrap();
            for content in &contents {
                prop_assert_eq!(objects.get(&format.blob(content)), Some(content));
            }
        }

        #[test]
        fn any_bytes_are_read_without_harm(printed in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse_objects(&printed);
        }
    }
}
