//! What differs between two trees.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use loopwright_process::Captured;
use serde::{Deserialize, Serialize};

use super::{LISTING_LIMIT, Memory, Workspace, shown_path};
use crate::error::VcsError;
use crate::git::Call;
use crate::oid::Oid;

/// The unchanged lines around a change, as git has it by itself.
const CONTEXT: u32 = 3;
/// Room for what git prints before the content of a file.
const NAME_LIMIT: usize = 8192;

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// It has another content.
    Modified,
    /// It is gone.
    Deleted,
    /// It has another name, and perhaps another content.
    Renamed,
    /// Only its kind or its permission to be executed changed.
    Mode,
}

/// One changed file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct FileChange {
    /// The path, counted from the work tree.
    pub path: PathBuf,
    /// The path it had before, when it was renamed.
    pub old_path: Option<PathBuf>,
    /// What happened to it.
    pub kind: ChangeKind,
    /// How many lines were added; 0 for binary files.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub added: u64,
    /// How many lines were deleted; 0 for binary files.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub deleted: u64,
    /// Whether it is not text.
    pub binary: bool,
    /// Its mode before, such as `100644`; none when it is new.
    pub old_mode: Option<String>,
    /// Its mode now; none when it is gone.
    pub new_mode: Option<String>,
}

impl FileChange {
    /// The paths it has and had.
    fn paths(&self) -> Vec<&Path> {
        self.old_path.iter().chain([&self.path]).map(PathBuf::as_path).collect()
    }
}

/// A patch as git prints it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    /// The text; files are in it byte by byte.
    pub text: Vec<u8>,
    /// Whether more was left out than fits the limit.
    pub truncated: bool,
}

/// A path in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its mode, six digits.
    pub(super) mode: String,
    /// Its content.
    pub(super) oid: Oid,
}

/// A difference between two trees, without regard to renames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) name: Vec<u8>,
    pub(super) old: Option<Entry>,
    pub(super) new: Option<Entry>,
}

impl Workspace {
    /// The files that differ between two trees, in the order of their paths.
    ///
    /// # Errors
    /// A tree is not there, or git fails.
    pub async fn changes(&self, from: &Oid, to: &Oid) -> Result<Vec<FileChange>, VcsError> {
        let memory = self.remembered().await?;
        self.list_changes(&memory, [from, to], true, &[]).await
    }

    /// The first file that differs between two trees and that is the one wanted. None when there is none: then nothing
    /// else is looked at.
    ///
    /// # Errors
    /// As [`Workspace::changes`].
    pub async fn change_of(
        &self,
        from: &Oid,
        to: &Oid,
        wanted: impl Fn(&FileChange) -> bool,
    ) -> Result<Option<FileChange>, VcsError> {
        let memory = self.remembered().await?;
        // Counting the lines of all files would take long.
        let files = self.list_changes(&memory, [from, to], false, &[]).await?;
        let Some(found) = files.into_iter().find(wanted) else { return Ok(None) };
        let counted = self.list_changes(&memory, [from, to], true, &found.paths()).await?;
        let same = |file: &FileChange| file.path == found.path && file.old_path == found.old_path;
        Ok(Some(counted.into_iter().find(same).unwrap_or(found)))
    }

    pub(super) async fn list_changes(
        &self,
        memory: &Memory,
        [from, to]: [&Oid; 2],
        counted: bool,
        paths: &[&Path],
    ) -> Result<Vec<FileChange>, VcsError> {
        let mut args = vec!["diff-tree", "-r", "-z", "-M", "--raw"];
        args.extend(counted.then_some("--numstat"));
        args.extend(["--no-ext-diff", "--no-textconv", "--abbrev=64", from.as_str(), to.as_str()]);
        let output = self.compare(memory, [from, to], self.privately(memory, &limited(&args, paths))).await?;
        parse_changes(&output.stdout, counted).ok_or(VcsError::Unexpected { command: "git diff-tree" })
    }

    /// The patch that leads from one tree to another, up to `limit` bytes of it.
    ///
    /// # Errors
    /// A tree is not there, or git fails.
    pub async fn diff(&self, from: &Oid, to: &Oid, limit: usize) -> Result<Patch, VcsError> {
        self.patch(from, to, &[], CONTEXT, limit).await
    }

    /// The same with so many unchanged lines around each change: who judges code wants to see the function it is in.
    ///
    /// # Errors
    /// As [`Workspace::diff`].
    pub async fn diff_in_context(
        &self,
        from: &Oid,
        to: &Oid,
        context: u32,
        limit: usize,
    ) -> Result<Patch, VcsError> {
        self.patch(from, to, &[], context, limit).await
    }

    /// The same for one file that differs. What lies below a folder of the same name may be in it too.
    ///
    /// # Errors
    /// As [`Workspace::diff`].
    pub async fn diff_of(
        &self,
        from: &Oid,
        to: &Oid,
        file: &FileChange,
        context: u32,
        limit: usize,
    ) -> Result<Patch, VcsError> {
        self.patch(from, to, &file.paths(), context, limit).await
    }

    async fn patch(
        &self,
        from: &Oid,
        to: &Oid,
        paths: &[&Path],
        context: u32,
        limit: usize,
    ) -> Result<Patch, VcsError> {
        let memory = self.remembered().await?;
        let context = format!("--unified={context}");
        let args = [
            "diff-tree",
            "-r",
            "-p",
            &context,
            "-M",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "--src-prefix=a/",
            "--dst-prefix=b/",
            from.as_str(),
            to.as_str(),
        ];
        let mut call = self.privately(&memory, &limited(&args, paths));
        call.output_limit = limit;
        let output = self.compare(&memory, [from, to], call).await?;
        Ok(Patch { truncated: output.truncated(), text: output.stdout })
    }

    /// Whether a tree has a file at this path, from the top of the repository.
    ///
    /// # Errors
    /// Git cannot be run.
    pub async fn has_file(&self, tree: &Oid, path: &str) -> Result<bool, VcsError> {
        let memory = self.remembered().await?;
        let call = self.privately(&memory, &["cat-file", "-t", &format!("{tree}:{path}")]);
        let output = self.git.finish(call).await?;
        Ok(output.exit.success() && output.output.stdout.trim_ascii() == b"blob")
    }

    /// The contents of files of a tree, in the order of the paths; none for what is no file there or larger than `limit`
    /// bytes.
    ///
    /// # Errors
    /// Git cannot be run.
    pub async fn read_files(
        &self,
        tree: &Oid,
        paths: &[&str],
        limit: usize,
    ) -> Result<Vec<Option<Vec<u8>>>, VcsError> {
        let memory = self.remembered().await?;
        // One name a line; no file that is asked for by name has a line break in it.
        let named: Vec<&str> = paths.iter().copied().filter(|path| !path.contains('\n')).collect();
        let mut found = BTreeMap::new();
        if !named.is_empty() {
            let mut call = self.privately(&memory, &["cat-file", "--batch"]);
            call.input = named.iter().flat_map(|path| format!("{tree}:{path}\n").into_bytes()).collect();
            call.output_limit = limit.saturating_mul(named.len()).saturating_add(named.len() * NAME_LIMIT);
            let output = self.git.run(call).await?;
            found = named.into_iter().zip(parse_contents(&output.stdout)).collect();
        }
        let content =
            |path: &&str| found.get(path).cloned().flatten().filter(|text: &Vec<u8>| text.len() <= limit);
        Ok(paths.iter().map(content).collect())
    }

    /// Whether a tree has a file or folder at this path, from the top of the repository.
    ///
    /// # Errors
    /// Git cannot be run.
    pub async fn has_path(&self, tree: &Oid, path: &str) -> Result<bool, VcsError> {
        let memory = self.remembered().await?;
        let call = self.privately(&memory, &["cat-file", "-e", &format!("{tree}:{path}")]);
        Ok(self.git.finish(call).await?.exit.success())
    }

    /// Runs a call that compares two trees. When git fails because one of them is gone, the error says so.
    async fn compare(&self, memory: &Memory, trees: [&Oid; 2], call: Call) -> Result<Captured, VcsError> {
        let failed = match self.git.run(call).await {
            Err(error @ VcsError::Failed { .. }) => error,
            done => return done,
        };
        for tree in trees {
            let there = self.privately(memory, &["cat-file", "-e", &format!("{tree}^{{tree}}")]);
            if !self.git.finish(there).await?.exit.success() {
                return Err(VcsError::Missing { name: format!("the tree {tree}") });
            }
        }
        Err(failed)
    }

    /// What differs, file by file, without regard to renames.
    pub(super) async fn differences(
        &self,
        memory: &Memory,
        from: &Oid,
        to: &Oid,
    ) -> Result<Vec<Difference>, VcsError> {
        if from == to {
            return Ok(Vec::new());
        }
        let args =
            ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", from.as_str(), to.as_str()];
        let mut call = self.privately(memory, &args);
        call.output_limit = 4 * LISTING_LIMIT;
        let output = self.compare(memory, [from, to], call).await?;
        if output.truncated() {
            return Err(VcsError::Unexpected { command: "git diff-tree" });
        }
        parse_differences(&output.stdout).ok_or(VcsError::Unexpected { command: "git diff-tree" })
    }
}

/// A command line about some paths only; about all without any. Paths are taken literally.
/// Reads `<oid> blob <size>`, the content, and so on; what is not there is one line that ends with `missing`. Output that
/// ends early ends the list.
fn parse_contents(printed: &[u8]) -> Vec<Option<Vec<u8>>> {
    let mut contents = Vec::new();
    let mut rest = printed;
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let head = String::from_utf8_lossy(rest.get(..end).unwrap_or_default()).into_owned();
        let body = rest.get(end + 1..).unwrap_or_default();
        let mut words = head.rsplit(' ');
        let size = words.next().and_then(|size| size.parse::<usize>().ok());
        let kind = words.next();
        let Some(size) = size.filter(|_| !head.ends_with(" missing")) else {
            contents.push(None);
            rest = body;
            continue;
        };
        let Some(content) = body.get(..size) else { break };
        contents.push((kind == Some("blob")).then(|| content.to_vec()));
        rest = body.get(size + 1..).unwrap_or_default();
    }
    contents
}

fn limited(args: &[&str], paths: &[&Path]) -> Vec<OsString> {
    let mut words: Vec<OsString> = args.iter().map(Into::into).collect();
    words.push("--".into());
    words.extend(paths.iter().map(OsString::from));
    words
}

/// The words of a record: `:mode mode oid oid status`.
struct Raw {
    modes: [Option<String>; 2],
    oids: [Option<Oid>; 2],
    status: u8,
}

fn parse_raw(word: &[u8]) -> Option<Raw> {
    let text = std::str::from_utf8(word.strip_prefix(b":")?).ok()?;
    let [old_mode, new_mode, old, new, status] = text.split(' ').collect::<Vec<_>>().try_into().ok()?;
    let mode = |mode: &str| (mode.bytes().any(|digit| digit != b'0')).then(|| mode.to_owned());
    Some(Raw {
        modes: [mode(old_mode), mode(new_mode)],
        oids: [Oid::parse_or_zeros(old.as_bytes())?, Oid::parse_or_zeros(new.as_bytes())?],
        status: *status.as_bytes().first()?,
    })
}

fn words(printed: &[u8]) -> impl Iterator<Item = &[u8]> {
    printed.strip_suffix(b"\0").into_iter().flat_map(|whole| whole.split(|byte| *byte == 0))
}

fn parse_differences(printed: &[u8]) -> Option<Vec<Difference>> {
    let mut differences = Vec::new();
    let mut words = words(printed);
    while let Some(word) = words.next() {
        let Raw { modes: [old_mode, new_mode], oids: [old, new], .. } = parse_raw(word)?;
        let entry = |mode: Option<String>, oid| mode.zip(oid).map(|(mode, oid)| Entry { mode, oid });
        differences.push(Difference {
            name: words.next()?.to_vec(),
            old: entry(old_mode, old),
            new: entry(new_mode, new),
        });
    }
    Some(differences)
}

/// Reads the records of `--raw` and, when lines were counted, those of `--numstat`, which follow in the same order.
fn parse_changes(printed: &[u8], counted: bool) -> Option<Vec<FileChange>> {
    let mut changes = Vec::new();
    let mut words = words(printed).peekable();
    while let Some(word) = words.next_if(|word| word.starts_with(b":")) {
        let Raw { modes: [old_mode, new_mode], oids: [old, new], status } = parse_raw(word)?;
        let first = shown_path(words.next()?);
        let (old_path, path) = match status {
            b'R' | b'C' => (Some(first), shown_path(words.next()?)),
            _ => (None, first),
        };
        let kind = match status {
            b'A' | b'C' => ChangeKind::Added,
            b'D' => ChangeKind::Deleted,
            b'R' => ChangeKind::Renamed,
            _ if old == new => ChangeKind::Mode,
            _ => ChangeKind::Modified,
        };
        changes.push(FileChange {
            path,
            old_path,
            kind,
            added: 0,
            deleted: 0,
            binary: false,
            old_mode,
            new_mode,
        });
    }
    for change in changes.iter_mut().filter(|_| counted) {
        let numbers = words.next()?;
        let text = String::from_utf8_lossy(numbers);
        let mut parts = text.splitn(3, '\t');
        let (added, deleted, path) = (parts.next()?, parts.next()?, parts.next()?);
        change.binary = added == "-";
        change.added = added.parse().unwrap_or(0);
        change.deleted = deleted.parse().unwrap_or(0);
        if path.is_empty() {
            // The old and the new name of a rename follow.
            words.next().and(words.next())?;
        }
    }
    Some(changes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn changes_with_all_their_numbers_are_read() {
        let (a, b, zero) = ("a".repeat(40), "b".repeat(40), "0".repeat(40));
        let printed = format!(
            ":100644 100644 {a} {b} M\0x\ny\0:000000 100755 {zero} {a} A\0n\0:100644 100755 {a} {a} M\0m\0\
             :100644 100644 {a} {b} R090\0old\0new\x001\t2\tx\ny\0-\t-\tn\x000\t0\tm\x003\t4\t\0old\0new\0"
        );
        let changes = parse_changes(printed.as_bytes(), true).unwrap();
        let brief: Vec<_> = changes
            .iter()
            .map(|change| {
                (change.path.to_str().unwrap(), change.kind, change.added, change.deleted, change.binary)
            })
            .collect();
        assert_eq!(
            brief,
            [
                ("x\ny", ChangeKind::Modified, 1, 2, false),
                ("n", ChangeKind::Added, 0, 0, true),
                ("m", ChangeKind::Mode, 0, 0, false),
                ("new", ChangeKind::Renamed, 3, 4, false),
            ]
        );
        assert_eq!(changes[3].old_path.as_deref(), Some("old".as_ref()));
        assert_eq!((changes[1].old_mode.as_deref(), changes[1].new_mode.as_deref()), (None, Some("100755")));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(printed in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = (parse_changes(&printed, true), parse_changes(&printed, false), parse_differences(&printed));
        }
    }
}
