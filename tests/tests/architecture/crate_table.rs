//! The table of crates in the documentation: made of each package's description and of what it may use.

use std::path::Path;

use serde_json::Value;

use super::{MAY_USE, name, root};

const BEGIN: &str = "<!-- crates: written by the architecture test with LOOPWRIGHT_WRITE_DOCS=1 -->\n";
const END: &str = "<!-- end of crates -->\n";
/// With this variable the table is written instead of compared.
const WRITE: &str = "LOOPWRIGHT_WRITE_DOCS";

/// Compares the table in a document with the one of these packages, or writes it.
pub(crate) fn check(document: &Path, packages: &[Value]) {
    let text = std::fs::read_to_string(document).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (found, after) = rest.split_once(END).unwrap();
    let table = table(packages);
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(document, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
    } else {
        assert_eq!(found, table, "the table of crates is not as the crates are; set {WRITE}=1 to write it");
    }
}

fn table(packages: &[Value]) -> String {
    let mut table = "| crate | what it holds | may use |\n|---|---|---|\n".to_owned();
    for (crate_name, may_use) in MAY_USE {
        let package = packages.iter().find(|package| name(package) == *crate_name).unwrap();
        let used: Vec<&str> = may_use.iter().map(|used| short(used)).collect();
        let used = if used.is_empty() { "nothing of ours".to_owned() } else { used.join(", ") };
        let description = package["description"].as_str().unwrap().trim_end_matches('.');
        table.push_str(&format!("| `{}` | {description} | {used} |\n", folder(package)));
    }
    table
}

fn short(crate_name: &str) -> &str {
    crate_name.strip_prefix("loopwright-").unwrap_or(crate_name)
}

/// Where a package's sources are, from the repository's root.
fn folder(package: &Value) -> String {
    let manifest = Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap();
    let folder = manifest.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
    if folder.is_empty() { "src-tauri".to_owned() } else { folder }
}
