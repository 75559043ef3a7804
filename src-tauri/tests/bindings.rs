//! The UI's bindings are generated from the commands and events. `UPDATE_BINDINGS=1` writes them anew.

use std::path::Path;

#[test]
fn the_committed_bindings_are_up_to_date() {
    let file =
        Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").unwrap()).join("ui/src/lib/backend/bindings.ts");
    if std::env::var_os("UPDATE_BINDINGS").is_some() {
        loopwright_app::bindings::write(&file).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let fresh = folder.path().join("bindings.ts");
    loopwright_app::bindings::write(&fresh).unwrap();
    let current = std::fs::read_to_string(fresh).unwrap();
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == current,
        "{} is stale: the commands or their types have changed.\nWrite it anew with \"cargo xtask bindings\".",
        file.display()
    );
}
