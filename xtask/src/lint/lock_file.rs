//! The npm lock file covers every system, not only the one it was written on.
//!
//! npm leaves out optional packages it could not or need not fetch (each system's native binaries), and `npm ci` then
//! refuses the file, here or on another system.

use super::files::SourceFile;

/// Optional packages that the lock file names but has no entry for.
pub(super) fn gaps(file: &SourceFile) -> Vec<String> {
    if !file.ends_in(&["package-lock.json"]) {
        return Vec::new();
    }
    optional_packages(&file.text)
        .into_iter()
        .filter(|name| !file.text.contains(&format!("node_modules/{name}\": {{")))
        .map(|name| {
            format!("{}: no entry for the optional package {name}, so `npm ci` refuses the file", file.path)
        })
        .collect()
}

fn optional_packages(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        match line {
            r#""optionalDependencies": {"# => inside = true,
            _ if line.starts_with('}') => inside = false,
            _ if inside => names.extend(line.split('"').nth(1)),
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn optional_packages_without_an_entry_are_found() {
        let text = r#"{
          "packages": {
            "node_modules/tool": {
              "version": "1.0.0",
              "optionalDependencies": {
                "@tool/linux": "1.0.0",
                "@tool/mac": "1.0.0"
              }
            },
            "node_modules/@tool/linux": {
              "optional": true
            }
          }
        }"#;
        let file = SourceFile { path: "ui/package-lock.json".to_owned(), text: text.to_owned() };
        let found = gaps(&file);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found.iter().all(|gap| gap.contains("@tool/mac")));
    }
}
