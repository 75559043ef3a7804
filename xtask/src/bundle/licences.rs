//! The licence texts of everything that ends up inside the packages.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::failure::{Context, Failure, Outcome};
use crate::programs::npm;
use crate::workspace::Workspace;

/// One package that is built into Loopwright.
#[derive(Debug, PartialEq, Eq)]
struct Part {
    name: String,
    licence: String,
}

/// The text of the third-party licence file: each distinct licence text once, under the names it applies to.
pub(super) fn third_party(workspace: &Workspace, triple: &str) -> Outcome<String> {
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (part, folder) in crates(workspace, triple)?.into_iter().chain(npm_packages(workspace)?) {
        let heading = format!("{} ({})", part.name, part.licence);
        by_text.entry(texts_in(&folder)?).or_default().push(heading);
    }
    Ok(document(&by_text))
}

fn document(by_text: &BTreeMap<String, Vec<String>>) -> String {
    let mut document = String::from("Loopwright contains the following packages under their own licences.\n");
    for (text, names) in by_text {
        document.push_str(&format!("\n{}\n\n{}\n", "=".repeat(80), names.join("\n")));
        let said =
            if text.is_empty() { "The package names its licence but carries no text of it." } else { text };
        document.push_str(&format!("{}\n\n{said}\n", "-".repeat(80)));
    }
    document
}

/// The Rust crates linked into the programs, with the folders of their sources.
fn crates(workspace: &Workspace, triple: &str) -> Outcome<Vec<(Part, PathBuf)>> {
    let packages =
        ["loopwright-app", "loopwright-cli", "loopwright-rehearsal"].iter().flat_map(|name| ["-p", name]);
    let listed = workspace
        .step("cargo")
        .arg("tree")
        .args(packages)
        .args(["--edges", "normal", "--target", triple, "--prefix", "none", "--format", "{p}|{l}"])
        .capture_success()?;
    let sources = registry_sources()?;
    parts_of_tree(&listed)
        .into_iter()
        .map(|part| {
            let folder_name = part.name.replace(' ', "-");
            let folder =
                sources.iter().map(|source| source.join(&folder_name)).find(|folder| folder.is_dir());
            let folder = folder.ok_or_else(|| {
                Failure::new(format!("The sources of {} are not in cargo's cache.", part.name))
            })?;
            Ok((part, folder))
        })
        .collect()
}

/// Lines such as `serde v1.0.228|MIT OR Apache-2.0 (*)`; our own crates carry their folder and are left out.
fn parts_of_tree(listed: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for line in listed.lines() {
        let Some((package, licence)) = line.split_once('|') else { continue };
        let mut words = package.split_whitespace();
        let (Some(name), Some(version)) = (words.next(), words.next()) else { continue };
        if words.next().is_some_and(|rest| rest.contains(['/', '\\'])) {
            continue;
        }
        let name = format!("{name} {}", version.trim_start_matches('v'));
        if !parts.iter().any(|part| part.name == name) {
            parts.push(Part { name, licence: licence.trim_end_matches(" (*)").to_owned() });
        }
    }
    parts
}

/// Folders in which cargo keeps unpacked sources, one per registry.
fn registry_sources() -> Outcome<Vec<PathBuf>> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let home = home.ok_or_else(|| Failure::new("Cargo's home folder is not known. Set CARGO_HOME."))?;
    let sources = home.join("registry").join("src");
    let entries = fs::read_dir(&sources).context(format!("cannot read {}", sources.display()))?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}

/// The npm packages built into the UI, with their folders.
fn npm_packages(workspace: &Workspace) -> Outcome<Vec<(Part, PathBuf)>> {
    let ui = workspace.ui();
    let listed = workspace
        .step(npm())
        .args(["ls", "--all", "--omit=dev", "--parseable", "--long"])
        .dir(&ui)
        .capture_success()?;
    Ok(listed.lines().skip(1).filter_map(npm_part).collect())
}

/// Lines such as `…/node_modules/svelte:svelte@5.57.3:…`. The folder itself may hold a colon (a drive letter).
fn npm_part(line: &str) -> Option<(Part, PathBuf)> {
    let end_of_folder = line.find("node_modules")? + line.get(line.find("node_modules")?..)?.find(':')?;
    let (folder, rest) = line.split_at_checked(end_of_folder)?;
    let package = rest.trim_start_matches(':').split(':').next()?;
    let (name, version) = package.rsplit_once('@')?;
    let folder = PathBuf::from(folder);
    let licence =
        licence_in_package_json(&fs::read_to_string(folder.join("package.json")).unwrap_or_default());
    Some((Part { name: format!("{name} {version}"), licence }, folder))
}

/// The value of `"license": "…"`.
fn licence_in_package_json(text: &str) -> String {
    let value = text.split_once("\"license\"").and_then(|(_, rest)| rest.split('"').nth(1));
    value.unwrap_or("licence as in its text").to_owned()
}

/// The licence files in a package's folder, in a fixed order, as one text.
fn texts_in(folder: &Path) -> Outcome<String> {
    let entries = fs::read_dir(folder).context(format!("cannot read {}", folder.display()))?;
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| is_licence(path)).collect();
    files.sort();
    let texts = files.iter().filter_map(|file| fs::read_to_string(file).ok());
    Ok(texts.map(|text| text.trim().to_owned()).collect::<Vec<_>>().join("\n\n"))
}

fn is_licence(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_uppercase();
    let starts = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];
    path.is_file() && starts.iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_are_read_once_and_without_our_own() {
        let listed = "loopwright-app v0.1.0 (/some/where)|MIT OR Apache-2.0\nserde v1.0.228|MIT OR Apache-2.0\n\
                      serde_derive v1.0.228 (proc-macro)|MIT\nserde v1.0.228|MIT OR Apache-2.0 (*)\n\n";
        let part = |name: &str, licence: &str| Part { name: name.to_owned(), licence: licence.to_owned() };
        assert_eq!(
            parts_of_tree(listed),
            [part("serde 1.0.228", "MIT OR Apache-2.0"), part("serde_derive 1.0.228", "MIT")]
        );
    }

    #[test]
    fn npm_packages_are_read_with_scope_and_folder() {
        let (part, folder) =
            npm_part("/x/ui/node_modules/@tauri-apps/api:@tauri-apps/api@2.12.4:undefined").unwrap();
        assert_eq!(part.name, "@tauri-apps/api 2.12.4");
        assert_eq!(folder, Path::new("/x/ui/node_modules/@tauri-apps/api"));
        assert!(npm_part("/x/ui:loopwright-ui@0.1.0:").is_none());
    }

    #[test]
    fn licence_is_read_from_package_json() {
        assert_eq!(licence_in_package_json(r#"{"name": "a", "license": "MIT", "x": 1}"#), "MIT");
        assert_eq!(licence_in_package_json("{}"), "licence as in its text");
    }

    #[test]
    fn each_text_appears_once_under_all_its_names() {
        let mut by_text = BTreeMap::new();
        by_text.insert("The text".to_owned(), vec!["a 1.0.0 (MIT)".to_owned(), "b 2.0.0 (MIT)".to_owned()]);
        let document = document(&by_text);
        assert!(document.contains("a 1.0.0 (MIT)\nb 2.0.0 (MIT)\n"), "{document}");
        assert_eq!(document.matches("The text").count(), 1);
    }
}
