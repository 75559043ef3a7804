//! A change as the rules look at it: the lines that differ between two trees, file by file.

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// It is new.
    Added,
    /// It has another content or other permissions.
    Modified,
    /// It is gone.
    Deleted,
    /// It has another name, and perhaps another content.
    Renamed,
}

/// A file that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// Its path, counted from the work tree, with `/` between its parts.
    pub path: String,
    /// The path it had before, when it was renamed.
    pub old_path: Option<String>,
    /// What happened to it.
    pub kind: FileKind,
    /// Whether a program wrote it: a lock file, a bundle. Nobody reads those line by line.
    pub generated: bool,
    /// Whether git takes it for no text: its lines are not in `hunks`.
    pub binary: bool,
    /// Lines added, also when they are not all in `hunks`.
    pub added: u32,
    /// Lines removed, also when they are not all in `hunks`.
    pub removed: u32,
    /// What changed; empty for what is no text.
    pub hunks: Vec<Hunk>,
}

/// Lines that changed, with a few of those around them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunk {
    /// What git says they are in: a function, a module.
    pub section: String,
    /// The lines in the order of the diff.
    pub lines: Vec<Line>,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number on the older side, counted from 1; none when it is new.
    pub old: Option<u32>,
    /// Its number on the newer side; none when it is gone.
    pub new: Option<u32>,
    /// Its text without the line break.
    pub text: String,
}

impl ChangedFile {
    /// The lines that are new.
    pub(crate) fn added_lines(&self) -> impl Iterator<Item = &Line> {
        self.lines().filter(|line| line.old.is_none())
    }

    /// The lines that are gone.
    pub(crate) fn removed_lines(&self) -> impl Iterator<Item = &Line> {
        self.lines().filter(|line| line.new.is_none())
    }

    fn lines(&self) -> impl Iterator<Item = &Line> {
        self.hunks.iter().flat_map(|hunk| &hunk.lines)
    }

    /// The path it has, and the one it had.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.path.as_str()).chain(self.old_path.as_deref())
    }
}
