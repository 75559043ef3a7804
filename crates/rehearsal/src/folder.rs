//! The working folder. Nothing outside it is ever written, changed or deleted by a file step.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::scenario::RelativePath;

/// Why a file step did not work.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A symlink on the way leads out of the folder, or nowhere.
    #[error("\"{0}\" leads out of the working folder through a symlink")]
    Outside(RelativePath),
    /// The text to replace is not there.
    #[error("\"{0}\" does not hold the text to replace")]
    NotFound(RelativePath),
    /// The text to replace is there more than once.
    #[error("\"{0}\" holds the text to replace {1} times; set \"all = true\" or give more of the text")]
    Ambiguous(RelativePath, usize),
    /// The system refused.
    #[error("\"{place}\": {source}")]
    Io {
        /// The file.
        place: RelativePath,
        /// The system's reason.
        source: io::Error,
    },
}

/// The folder the agent works in.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    /// The same without symlinks; on Windows in a form that not every program takes.
    root: PathBuf,
}

impl Folder {
    /// Takes a folder as the working folder.
    ///
    /// # Errors
    /// When the folder is not there.
    pub fn new(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), root: path.canonicalize()? })
    }

    /// The folder as it was given.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The full path of a place. Everything that exists on the way, symlinks followed, is inside the folder.
    ///
    /// # Errors
    /// When a symlink leads out of the folder or nowhere.
    pub fn resolve(&self, place: &RelativePath) -> Result<PathBuf, FolderError> {
        self.resolve_parts(place, place.parts().count())
    }

    /// Like `resolve`, with only the first `followed` parts looked at.
    fn resolve_parts(&self, place: &RelativePath, followed: usize) -> Result<PathBuf, FolderError> {
        let mut path = self.root.clone();
        for (index, part) in place.parts().enumerate() {
            path.push(part);
            let exists = fs::symlink_metadata(&path).is_ok();
            if exists && index < followed {
                let real = path.canonicalize().map_err(|_| FolderError::Outside(place.clone()))?;
                if !real.starts_with(&self.root) {
                    return Err(FolderError::Outside(place.clone()));
                }
            }
        }
        Ok(path)
    }

    /// Writes a whole file, making folders as needed. Says whether the file is new.
    ///
    /// # Errors
    /// When the place leads outside or cannot be written.
    pub fn write(&self, place: &RelativePath, content: &[u8]) -> Result<bool, FolderError> {
        let path = self.resolve(place)?;
        let created = !path.exists();
        let written = make_parent(&path).and_then(|()| fs::write(&path, content));
        written.map(|()| created).map_err(|source| FolderError::Io { place: place.clone(), source })
    }

    /// Adds to the end of a file, making it and its folders if needed.
    ///
    /// # Errors
    /// When the place leads outside or cannot be written.
    pub fn append(&self, place: &RelativePath, content: &[u8]) -> Result<(), FolderError> {
        let path = self.resolve(place)?;
        let file =
            make_parent(&path).and_then(|()| fs::OpenOptions::new().append(true).create(true).open(&path));
        file.and_then(|mut file| file.write_all(content))
            .map_err(|source| FolderError::Io { place: place.clone(), source })
    }

    /// Replaces text in a file: the one occurrence, or `all`.
    ///
    /// # Errors
    /// When the text is missing or ambiguous, or the place leads outside or cannot be written.
    pub fn edit(
        &self,
        place: &RelativePath,
        find: &str,
        replace: &str,
        all: bool,
    ) -> Result<(), FolderError> {
        let path = self.resolve(place)?;
        let io = |source| FolderError::Io { place: place.clone(), source };
        let text = fs::read_to_string(&path).map_err(io)?;
        match text.matches(find).count() {
            0 => Err(FolderError::NotFound(place.clone())),
            count if count > 1 && !all => Err(FolderError::Ambiguous(place.clone(), count)),
            _ => fs::write(&path, text.replace(find, replace)).map_err(io),
        }
    }

    /// Deletes a file, a symlink (not what it points to) or a folder with all it holds.
    ///
    /// # Errors
    /// When the place leads outside, is not there or cannot be deleted.
    pub fn delete(&self, place: &RelativePath) -> Result<(), FolderError> {
        let path = self.resolve_parts(place, place.parts().count().saturating_sub(1))?;
        let deleted = fs::symlink_metadata(&path)
            .and_then(|meta| if meta.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) });
        deleted.map_err(|source| FolderError::Io { place: place.clone(), source })
    }
}

fn make_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> RelativePath {
        RelativePath::new(text).unwrap()
    }

    #[test]
    fn edits_are_exact_or_refused() {
        let temp = tempfile::tempdir().unwrap();
        let folder = Folder::new(temp.path()).unwrap();
        assert!(folder.write(&place("a/b.txt"), b"one two one").unwrap());
        assert!(!folder.write(&place("a/b.txt"), b"one two one").unwrap());
        let b = place("a/b.txt");
        assert!(matches!(folder.edit(&b, "three", "", false), Err(FolderError::NotFound(_))));
        assert!(matches!(folder.edit(&b, "one", "", false), Err(FolderError::Ambiguous(_, 2))));
        folder.edit(&b, "two", "2", false).unwrap();
        folder.edit(&b, "one", "1", true).unwrap();
        folder.append(&b, b"!").unwrap();
        assert_eq!(fs::read_to_string(temp.path().join("a/b.txt")).unwrap(), "1 2 1!");
        folder.delete(&place("a")).unwrap();
        assert!(!temp.path().join("a").exists());
        assert!(matches!(folder.delete(&place("a")), Err(FolderError::Io { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn symlinks_never_lead_out() {
        use std::os::unix::fs::symlink;
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("keep.txt"), "safe").unwrap();
        let temp = tempfile::tempdir().unwrap();
        let folder = Folder::new(temp.path()).unwrap();
        symlink(outside.path(), temp.path().join("way")).unwrap();
        symlink(outside.path().join("keep.txt"), temp.path().join("keep")).unwrap();
        symlink(outside.path().join("missing"), temp.path().join("dangling")).unwrap();
        for escape in ["way/new.txt", "way/keep.txt", "keep", "dangling"] {
            let escape = place(escape);
            assert!(matches!(folder.write(&escape, b"x"), Err(FolderError::Outside(_))), "{escape}");
            assert!(matches!(folder.append(&escape, b"x"), Err(FolderError::Outside(_))), "{escape}");
            assert!(matches!(folder.edit(&escape, "s", "x", true), Err(FolderError::Outside(_))), "{escape}");
        }
        assert!(matches!(folder.delete(&place("way/keep.txt")), Err(FolderError::Outside(_))));
        folder.delete(&place("keep")).unwrap();
        folder.delete(&place("way")).unwrap();
        assert_eq!(fs::read_to_string(outside.path().join("keep.txt")).unwrap(), "safe");
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn symlinks_inside_are_fine() {
        let temp = tempfile::tempdir().unwrap();
        let folder = Folder::new(temp.path()).unwrap();
        folder.write(&place("real/a.txt"), b"a").unwrap();
        std::os::unix::fs::symlink("real", temp.path().join("link")).unwrap();
        folder.write(&place("link/a.txt"), b"b").unwrap();
        assert_eq!(fs::read(temp.path().join("real/a.txt")).unwrap(), b"b");
    }
}
