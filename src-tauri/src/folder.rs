//! Paths from the webview or the command line. They are checked here before anything looks at the disk.

use std::path::{Component, Path, PathBuf, is_separator};

use loopwright_domain::{ErrorCode, Fault};
use loopwright_engine::Host;

/// No system's own limit is higher than this many bytes.
const LONGEST: usize = 32 * 1024;

/// A path someone named: absolute or below `~`, of sane length, without tricks. It need not exist.
///
/// # Errors
/// It is none of that.
pub(crate) fn named(host: &Host, path: &str) -> Result<PathBuf, Fault> {
    sane(&expanded(path, host.home_named("HOME")))
}

/// A path as a person writes it, with `~` for the home folder. `~name` is another person's and is left as it is.
fn expanded(path: &str, home: Option<&Path>) -> PathBuf {
    let below = path.strip_prefix('~').filter(|below| below.is_empty() || below.starts_with(is_separator));
    match below.zip(home) {
        Some((below, home)) => home.join(below.trim_start_matches(is_separator)),
        None => PathBuf::from(path),
    }
}

/// A path as a person writes it, with `~` for the home folder.
pub(crate) fn shown(host: &Host, path: &Path) -> String {
    abbreviated(path, host.home_named("HOME"))
}

fn abbreviated(path: &Path, home: Option<&Path>) -> String {
    let below = home.filter(|home| home.parent().is_some()).and_then(|home| path.strip_prefix(home).ok());
    below.map_or_else(|| path.display().to_string(), |below| Path::new("~").join(below).display().to_string())
}

/// A folder that exists.
///
/// # Errors
/// The path is not usable, or is no folder.
pub(crate) fn existing(path: &Path) -> Result<PathBuf, Fault> {
    let path = sane(path)?;
    if path.is_dir() {
        return Ok(path);
    }
    let state = if path.exists() { "is not a folder" } else { "does not exist" };
    Err(bad(format!("{} {state}", path.display())).hint("Choose a folder that exists."))
}

fn sane(path: &Path) -> Result<PathBuf, Fault> {
    let bytes = path.as_os_str().as_encoded_bytes();
    if bytes.is_empty() || bytes.len() > LONGEST {
        return Err(bad("the path is empty or too long").hint("Choose another folder."));
    }
    if bytes.iter().any(u8::is_ascii_control) {
        return Err(bad("the path contains control characters").hint("Rename the folder, or choose another."));
    }
    if !path.is_absolute() || path.components().any(|part| part == Component::ParentDir) || is_device(path) {
        return Err(
            bad(format!("{} is not a full path", path.display())).hint("Name the folder from its root on.")
        );
    }
    Ok(path.to_path_buf())
}

/// Windows' doors to devices and to unchecked names.
fn is_device(path: &Path) -> bool {
    let text = path.to_string_lossy();
    text.starts_with(r"\\.\") || text.starts_with(r"\\?\")
}

fn bad(message: impl Into<String>) -> Fault {
    Fault::new(ErrorCode::ProjectBadFolder, message)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_full_plain_paths_are_taken() {
        let here = std::env::temp_dir();
        let inner = here.join("not there");
        assert_eq!(sane(&inner), Ok(inner.clone()));
        assert_eq!(existing(&here), Ok(here.clone()));
        assert_eq!(existing(&inner).unwrap_err().code, ErrorCode::ProjectBadFolder);
        let climbing = here.join("..").join("etc");
        let nul = format!("{}\0/etc", here.display());
        let long = format!("{}/{}", here.display(), "a".repeat(LONGEST));
        for path in [
            "",
            "relative",
            "~/x",
            "../x",
            r"\\?\C:\x",
            r"\\.\pipe\x",
            &climbing.to_string_lossy(),
            &nul,
            &long,
        ] {
            assert_eq!(sane(Path::new(path)).unwrap_err().code, ErrorCode::ProjectBadFolder, "{path:.80}");
        }
    }

    #[test]
    fn a_folder_below_home_is_shown_with_a_tilde() {
        let home = std::env::temp_dir();
        let code = home.join("code").join("tea");
        assert_eq!(
            abbreviated(&code, Some(&home)),
            Path::new("~").join("code").join("tea").display().to_string()
        );
        assert_eq!(abbreviated(&code, None), code.display().to_string());
        let root = code.ancestors().last().unwrap();
        assert_eq!(
            abbreviated(&code, Some(root)),
            code.display().to_string(),
            "a home that is the root tells nothing"
        );
        assert_eq!(expanded(&abbreviated(&code, Some(&home)), Some(&home)), code);
    }

    #[test]
    fn a_tilde_is_the_home_folder() {
        let home = std::env::temp_dir();
        for (path, full) in [
            ("~", home.clone()),
            ("~/", home.clone()),
            ("~/code/tea", home.join("code").join("tea")),
            ("~//code", home.join("code")),
            ("~ada/code", PathBuf::from("~ada/code")),
            ("/srv/~", PathBuf::from("/srv/~")),
        ] {
            assert_eq!(expanded(path, Some(&home)), full, "{path}");
        }
        assert_eq!(expanded("~/code", None), PathBuf::from("~/code"));
        let climbing = expanded("~/../etc", Some(&home));
        assert_eq!(sane(&climbing).unwrap_err().code, ErrorCode::ProjectBadFolder);
    }

    #[test]
    fn a_file_is_no_folder() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(existing(file.path()).unwrap_err().message.ends_with("is not a folder"));
    }

    proptest! {
        #[test]
        fn whatever_is_taken_is_absolute_and_does_not_climb(path in "(/|)(\\.\\.|[a-z]|\\PC|\\x00|/){0,20}") {
            if let Ok(taken) = sane(&expanded(&path, Some(Path::new("/home/ada")))) {
                prop_assert!(taken.is_absolute());
                prop_assert!(!taken.components().any(|part| part == Component::ParentDir));
                prop_assert!(!path.contains('\0'));
            }
        }
    }
}
