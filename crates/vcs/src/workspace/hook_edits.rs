//! A pre-commit hook that stages something else than was to be committed, or changes tracked files without staging
//! them, ends the commit before it is made.
//!
//! Git runs hooks from a folder of ours that leads to the user's; there the pre-commit hook is followed by a look at the
//! index and at the files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::commit_hooks::COMMIT_HOOKS;
use super::private_git_dir::Private;
use crate::harden::Environment;
use crate::hooks::has_any;
use crate::limited_read::read;
use crate::oid::Oid;
use crate::repository::Repository;
use crate::system;

/// The hook that can change what is committed: git reads the index again after it, and after no other.
const PRE_COMMIT: &str = "pre-commit";
/// The folder with our scripts, what is to be committed, and what a hook has made of it.
const FOLDER: &str = "commit-hooks";
const EXPECTED: &str = "commit-tree";
const STAGED: &str = "commit-tree-of-hook";
/// How tracked files differ from the last snapshot, with a digest of each. Files whose times alone changed do not.
const COMPARE: &str = "-c diff.autoRefreshIndex=true diff --no-ext-diff --no-textconv --no-color --full-index \
                       --ignore-submodules=dirty";
/// Longer than the name of any tree.
const LONGEST: u64 = 256;

/// Makes a folder of hooks that lets only this tree be committed. None where there is no pre-commit hook.
pub(super) fn guard(
    private: &Private,
    repository: &Repository,
    hooks: &Path,
    tree: &Oid,
    write_tree: &[&str],
) -> io::Result<Option<PathBuf>> {
    if !has_any(hooks, &[PRE_COMMIT]) {
        return Ok(None);
    }
    let (folder, expected, staged) = (private.file(FOLDER), private.file(EXPECTED), private.file(STAGED));
    fs::create_dir_all(&folder)?;
    fs::write(&expected, format!("{tree}\n"))?;
    remove(&staged)?;
    for name in COMMIT_HOOKS {
        let (own, theirs) = (folder.join(name), quoted(&hooks.join(name)));
        if !has_any(hooks, &[*name]) {
            remove(&own)?;
        } else if *name == PRE_COMMIT {
            let own_index = quoted(&private.index_of_commit());
            let (expected, staged, look) = (quoted(&expected), quoted(&staged), write_tree.join(" "));
            let compare = format!("{} git {COMPARE}", assignments(private, repository));
            // A hook may commit by itself, with another index. The files are compared with the last snapshot, before
            // and after the hook: what a person changed since the snapshot is not the hook's.
            let script = format!(
                "#!/bin/sh\n\
                 case \"$GIT_INDEX_FILE\" in */{own_index}) ;; *) exec {theirs} \"$@\" ;; esac\n\
                 files() {{ {compare} | git hash-object --stdin; }}\n\
                 before=$(files)\n{theirs} \"$@\" || exit\n\
                 staged=$(git {look}) || exit\nread -r expected < {expected}\n\
                 [ \"$staged\" = \"$expected\" ] && [ \"$(files)\" = \"$before\" ] && exit\n\
                 echo \"$staged\" > {staged}\nexit 1\n"
            );
            write_script(&own, &script)?;
        } else {
            write_script(&own, &format!("#!/bin/sh\nexec {theirs} \"$@\"\n"))?;
        }
    }
    Ok(Some(folder))
}

/// What was staged when a hook had changed it, or the files.
pub(super) fn staged_by_hook(private: &Private) -> Option<Oid> {
    Oid::from_line(&read(&private.file(STAGED), LONGEST).ok()?)
}

/// Writes a script, unless it is there: one that was just written cannot be executed while another process holds it open.
fn write_script(path: &Path, text: &str) -> io::Result<()> {
    if fs::read(path).is_ok_and(|found| found == text.as_bytes()) {
        return Ok(());
    }
    fs::write(path, text)?;
    system::set_executable(path, true)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The variables that lead git to the private folder and its index, which is only read, as a shell sets them.
fn assignments(private: &Private, repository: &Repository) -> String {
    let mut environment = Environment::new();
    private.place(&mut environment, repository);
    environment.insert("GIT_OPTIONAL_LOCKS".into(), "0".into());
    let words = environment
        .iter()
        .map(|(name, value)| format!("{}={}", name.to_string_lossy(), quoted(Path::new(value))));
    words.collect::<Vec<_>>().join(" ")
}

/// A path as a shell reads it.
fn quoted(path: &Path) -> String {
    let text = String::from_utf8_lossy(&system::text_for_git(path)).into_owned();
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_for_a_shell() {
        assert_eq!(quoted(Path::new("a b/it's")), r"'a b/it'\''s'");
    }
}
