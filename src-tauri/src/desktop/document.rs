//! Files of a project that are opened outside.

use std::path::{Path, PathBuf};

use loopwright_domain::{ErrorCode, Fault};

/// No system's own limit is higher than this many bytes.
const LONGEST: usize = 32 * 1024;

/// What no system runs or interprets when it is opened. Anything else only goes to an editor.
const DOCUMENTS: &[&str] = &[
    "txt", "md", "markdown", "rst", "adoc", "log", "csv", "tsv", "json", "jsonc", "jsonl", "toml", "yaml",
    "yml", "ini", "cfg", "conf", "lock", "css", "scss", "rs", "go", "c", "h", "cc", "cpp", "hpp", "java",
    "kt", "swift", "tsx", "jsx", "svelte", "vue", "sql", "diff", "patch", "proto", "graphql", "png", "jpg",
    "jpeg", "gif", "webp",
];

/// The file of a project that a page names: relative to its root or in full, as it is on disk.
///
/// # Errors
/// It is outside of the project, is not there, or is no plain file.
pub(crate) fn of_project(root: &Path, named: &str) -> Result<PathBuf, Fault> {
    let refused =
        |why: String| Fault::new(ErrorCode::UsageInvalid, why).hint("Only files of this project are opened.");
    if named.is_empty() || named.len() > LONGEST || named.chars().any(char::is_control) {
        return Err(refused("the path is empty, too long or not plain text".into()));
    }
    let missing = |_| {
        Fault::new(ErrorCode::UsageInvalid, format!("{named} is not there"))
            .hint("It may have been moved or deleted since.")
    };
    let root = dunce::canonicalize(root).map_err(missing)?;
    let file = dunce::canonicalize(root.join(named)).map_err(missing)?;
    if !file.starts_with(&root) {
        return Err(refused(format!("{named} is outside of the project")));
    }
    if !file.is_file() {
        return Err(refused(format!("{named} is no file")));
    }
    Ok(file)
}

/// Whether the desktop may be asked to open a file: it would show it and never run it.
pub(crate) fn is_document(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    extension.is_some_and(|extension| DOCUMENTS.contains(&extension.as_str())) && !is_executable(file)
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().map_or(true, |metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_file: &Path) -> bool {
    // Here the ending alone decides.
    false
}

/// Why a file is not handed to the desktop, and what to do.
pub(crate) fn no_editor(file: &Path) -> Fault {
    Fault::new(
        ErrorCode::ProcessMissing,
        "no editor was found, and your desktop might run this file instead of showing it",
    )
    .hint(format!("Choose an editor in the settings under App, or open it yourself: {}", file.display()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn only_files_inside_of_the_project_are_opened() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("tea");
        fs::create_dir_all(root.join("src")).unwrap();
        fs::write(root.join("src/a b.rs"), "").unwrap();
        fs::write(place.path().join("secret"), "").unwrap();
        let real = dunce::canonicalize(root.join("src/a b.rs")).unwrap();
        assert_eq!(of_project(&root, "src/a b.rs"), Ok(real.clone()));
        assert_eq!(of_project(&root, "src/../src/a b.rs"), Ok(real.clone()));
        assert_eq!(of_project(&root, real.to_str().unwrap()), Ok(real));
        let outside = place.path().join("secret");
        for bad in ["", "src", "gone.rs", "../secret", outside.to_str().unwrap(), "src/a b.rs\0", "a\nb"] {
            assert_eq!(
                of_project(&root, bad).map_err(|fault| fault.code),
                Err(ErrorCode::UsageInvalid),
                "{bad:?}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_project_is_not_followed() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("tea");
        fs::create_dir_all(&root).unwrap();
        fs::write(place.path().join("secret.txt"), "").unwrap();
        std::os::unix::fs::symlink("../secret.txt", root.join("notes.txt")).unwrap();
        assert!(of_project(&root, "notes.txt").unwrap_err().message.contains("outside"));
    }

    #[cfg(unix)]
    #[test]
    fn the_desktop_opens_documents_and_nothing_it_might_run() {
        use std::os::unix::fs::PermissionsExt as _;
        let place = tempfile::tempdir().unwrap();
        for (name, mode, opened) in [
            ("notes.md", 0o644, true),
            ("LOUD.TXT", 0o600, true),
            ("notes.txt", 0o755, false),
            ("run.sh", 0o644, false),
            ("tea.desktop", 0o644, false),
            ("page.html", 0o644, false),
            ("tool.jar", 0o644, false),
            ("setup.py", 0o644, false),
            ("Makefile", 0o644, false),
        ] {
            let file = place.path().join(name);
            fs::write(&file, "").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(is_document(&file), opened, "{name}");
        }
        assert!(!is_document(&place.path().join("gone.txt")));
    }
}
