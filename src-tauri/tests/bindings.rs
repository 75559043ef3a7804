//! The UI's bindings are generated from the commands and events. `UPDATE_BINDINGS=1` writes them anew.
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").unwrap()).to_path_buf()
}

fn fresh() -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bindings.ts");
    loopwright_app::bindings::write(&file).unwrap();
    std::fs::read_to_string(file).unwrap()
}

fn is_up_to_date(file: &str, current: &str) {
    let file = root().join(file);
    if std::env::var_os("UPDATE_BINDINGS").is_some() {
        std::fs::write(&file, current).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == current,
        "{} is stale: the commands or their types have changed.\nWrite it anew with \"cargo xtask bindings\".",
        file.display()
    );
}

#[test]
fn the_committed_bindings_are_up_to_date() {
    is_up_to_date("ui/src/lib/backend/bindings.ts", &fresh());
}

#[test]
fn the_isolation_frame_knows_the_commands() {
    let table = loopwright_app::bindings::isolation_commands(&fresh());
    assert!(
        table.contains("\n  overview: [],\n") && table.contains("\n  open_file: [\"path\", \"line\"],\n")
    );
    is_up_to_date("src-tauri/isolation/commands.js", &table);
}
