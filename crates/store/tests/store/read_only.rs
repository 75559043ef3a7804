//! Folders and files that may not be written. The processes are this test program again, running only
//! `the_ordinary_user`: root may write everywhere, so as root it is started as another user.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};

use loopwright_domain::{Event, TaskId};
use loopwright_store::{Store, StoreError};
use tempfile::TempDir;

use crate::support::{NOW, contents, only_test, runtime};

const NOBODY: u32 = 65_534;

fn event() -> Event {
    Event::TaskAdded { task: TaskId(1), title: "Brew".into() }
}

async fn open_and_append(database: &Path) -> (&'static str, Result<(), StoreError>) {
    let store = match Store::open(database, NOW).await {
        Ok((store, _)) => store,
        Err(error) => return ("open", Err(error)),
    };
    let appended = store.append(NOW, &event()).await.map(drop);
    let read = store.recent_events(1).await.map(drop);
    ("append", read.and(appended))
}

#[test]
#[ignore = "a process that the other tests start as an ordinary user"]
fn the_ordinary_user() {
    let database = std::env::var_os("STORE_TEST_DATABASE").unwrap();
    let (stage, result) = runtime().block_on(open_and_append(Path::new(&database)));
    let code = result.map_or_else(|error| error.problem.code().to_string(), |()| "fine".into());
    println!("\n{stage}: {code}");
}

/// A folder that everybody can enter, with a copy of this program that everybody can start.
struct Ground {
    folder: TempDir,
    program: PathBuf,
}

impl Ground {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let program = folder.path().join("program");
        fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
        fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
        fs::create_dir(folder.path().join("state")).unwrap();
        Self { folder, program }
    }

    fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    fn database(&self) -> PathBuf {
        self.state().join("state.db")
    }

    fn make_database(&self) {
        runtime().block_on(async {
            let (store, _) = Store::open(&self.database(), NOW).await.unwrap();
            store.append(NOW, &event()).await.unwrap();
            store.close().await.unwrap();
        });
    }

    fn allow(&self, path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    /// What the program says when it opens the database and appends to it.
    fn tried_by_an_ordinary_user(&self) -> String {
        let mut command = only_test(&self.program, "read_only::the_ordinary_user", &self.database());
        command.current_dir("/");
        if fs::metadata(self.folder.path()).unwrap().uid() == 0 {
            command.uid(NOBODY).gid(NOBODY);
        }
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        said.lines().find(|line| line.contains(": ")).map_or(said.clone(), str::to_owned)
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        self.allow(&self.state(), 0o755);
    }
}

#[test]
fn a_folder_that_may_be_written_is_fine() {
    let ground = Ground::new();
    ground.allow(&ground.state(), 0o777);
    assert_eq!(ground.tried_by_an_ordinary_user(), "append: fine");
}

#[test]
fn a_database_cannot_be_made_in_a_read_only_folder() {
    let ground = Ground::new();
    ground.allow(&ground.state(), 0o555);
    assert_eq!(ground.tried_by_an_ordinary_user(), "open: store.read_only");
    assert_eq!(contents(&ground.state()), BTreeMap::new());
}

#[test]
fn a_database_in_a_read_only_folder_cannot_be_opened_and_stays_as_it_is() {
    for lock_file in [false, true] {
        let ground = Ground::new();
        ground.make_database();
        ground.allow(&ground.database(), 0o666);
        if lock_file {
            ground.allow(&ground.state().join("state.db.lock"), 0o666);
        } else {
            fs::remove_file(ground.state().join("state.db.lock")).unwrap();
        }
        ground.allow(&ground.state(), 0o555);
        let before = contents(&ground.state());
        assert_eq!(ground.tried_by_an_ordinary_user(), "open: store.read_only", "{lock_file}");
        assert_eq!(contents(&ground.state()), before);
    }
}

#[test]
fn a_read_only_database_can_be_read_but_not_written() {
    let ground = Ground::new();
    ground.make_database();
    ground.allow(&ground.database(), 0o444);
    ground.allow(&ground.state(), 0o777);
    let before = fs::read(ground.database()).unwrap();
    assert_eq!(ground.tried_by_an_ordinary_user(), "append: store.read_only");
    assert_eq!(fs::read(ground.database()).unwrap(), before);
}

#[test]
fn a_database_that_may_not_even_be_read_is_told() {
    let ground = Ground::new();
    ground.make_database();
    ground.allow(&ground.database(), 0o000);
    ground.allow(&ground.state(), 0o777);
    ground.allow(&ground.state().join("state.db.lock"), 0o666);
    let said = ground.tried_by_an_ordinary_user();
    ground.allow(&ground.database(), 0o600);
    assert_eq!(said, "open: io.failed");
}
