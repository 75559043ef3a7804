//! Files as tools print them, made paths from the project folder.

use std::path::Path;

/// A printed path as one from the project folder with forward slashes. A relative one is taken from the check's
/// folder, or from the project folder when only that has such a file. One that leads out stays as it is.
#[must_use]
pub(crate) fn from_project(root: &Path, dir: &str, printed: &str) -> String {
    let printed = printed.strip_prefix("file://").unwrap_or(printed).replace('\\', "/");
    let root_text = root.display().to_string().replace('\\', "/");
    if let Some(inner) = printed.strip_prefix(&root_text).and_then(|rest| rest.strip_prefix('/')) {
        return tidy(inner).unwrap_or_else(|| inner.to_owned());
    }
    if printed.starts_with('/') || Path::new(&printed).is_absolute() {
        return printed;
    }
    let below = tidy(&format!("{}/{printed}", dir.replace('\\', "/")));
    let direct = tidy(&printed);
    let there = |path: &Option<String>| path.as_ref().is_some_and(|path| root.join(path).exists());
    if !there(&below) && there(&direct) {
        return direct.unwrap_or(printed);
    }
    below.unwrap_or(printed)
}

/// Takes `.` and `..` out of a relative path; none when it leads out or to nothing.
fn tidy(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_paths_become_paths_from_the_project() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join("web/src")).unwrap();
        std::fs::write(root.join("web/src/a.ts"), "").unwrap();
        let absolute = root.join("web/src/a.ts").display().to_string();
        let cases = [
            (".", absolute.as_str(), "web/src/a.ts"),
            (".", "./web/src/a.ts", "web/src/a.ts"),
            ("web", "src/a.ts", "web/src/a.ts"),
            ("web", "src\\a.ts", "web/src/a.ts"),
            ("web", "web/src/a.ts", "web/src/a.ts"),
            ("web", "../web/src/./a.ts", "web/src/a.ts"),
            (".", "not/there.ts", "not/there.ts"),
            (".", "../outside.ts", "../outside.ts"),
            (".", "/usr/lib/x.h", "/usr/lib/x.h"),
        ];
        for (dir, printed, expected) in cases {
            assert_eq!(from_project(root, dir, printed), expected, "{dir} {printed}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_path_is_taken_without_harm(dir in "[a./\\\\]{0,8}", printed in "\\PC{0,40}") {
            let path = from_project(Path::new("/work/project"), &dir, &printed);
            proptest::prop_assert!(!path.contains('\\'));
        }
    }
}
