//! What the tests share.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The time that the tests' clocks show.
pub(crate) const NOW: &str = "2026-01-02T03:04:05Z";

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// Every file of a folder with its bytes.
pub(crate) fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
        })
        .collect()
}

/// A test program that runs only one of its tests, told which database to use.
#[expect(clippy::disallowed_methods, reason = "tests start programs themselves")]
pub(crate) fn only_test(program: &Path, test: &str, database: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(["--exact", test, "--ignored", "--nocapture"]).env("STORE_TEST_DATABASE", database);
    command
}
