use std::fs;

use super::*;

const PATIENCE: Duration = Duration::from_secs(20);

struct Watched {
    _watch: Watch,
    told: Receiver<()>,
}

impl Watched {
    fn new(folder: &Path, open: fn(Vec<WatchedFolder>, &Sender<Signal>) -> Eyes) -> Self {
        let (tell, told) = mpsc::channel();
        let places = vec![WatchedFolder { folder: folder.to_path_buf(), depth: Depth::Below }];
        let watch = Watch::with_eyes(
            places,
            open,
            || {},
            move || {
                let _ended = tell.send(());
            },
        );
        // The watch is set up on its own thread.
        thread::sleep(Duration::from_millis(300));
        Self { _watch: watch, told }
    }

    fn is_told(&self) -> bool {
        self.told.recv_timeout(PATIENCE).is_ok()
    }

    fn stays_quiet(&self) -> bool {
        self.told.recv_timeout(QUIET * 5).is_err()
    }
}

fn polling_only(places: Vec<WatchedFolder>, sender: &Sender<Signal>) -> Eyes {
    Eyes::with_notices(places, None, sender)
}

#[test]
fn a_burst_of_writes_is_told_once_and_reading_is_not_told() {
    let folder = tempfile::tempdir().unwrap();
    let watched = Watched::new(folder.path(), Eyes::open);
    for number in 0..50 {
        fs::write(folder.path().join("config.toml"), number.to_string()).unwrap();
    }
    assert!(watched.is_told());
    assert!(watched.stays_quiet());
    fs::read(folder.path().join("config.toml")).unwrap();
    fs::write(folder.path().join("state.db-shm"), "x").unwrap();
    fs::write(folder.path().join("index.lock"), "x").unwrap();
    assert!(watched.stays_quiet());
}

#[test]
fn a_folder_that_appears_later_or_is_made_again_is_watched() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("later");
    let watched = Watched::new(&folder, Eyes::open);
    for _ in 0..2 {
        fs::create_dir(&folder).unwrap();
        assert!(watched.is_told(), "it appeared");
        thread::sleep(LATEST);
        while watched.told.try_recv().is_ok() {}
        fs::write(folder.join("file"), "x").unwrap();
        assert!(watched.is_told(), "a file was written");
        fs::remove_dir_all(&folder).unwrap();
        assert!(watched.is_told(), "it vanished");
        thread::sleep(LATEST);
        while watched.told.try_recv().is_ok() {}
    }
}

#[test]
fn what_the_system_cannot_watch_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let watched = Watched::new(folder.path(), polling_only);
    fs::write(folder.path().join("file"), "x").unwrap();
    assert!(watched.is_told());
}

#[test]
fn a_dropped_watch_tells_nothing_more() {
    let folder = tempfile::tempdir().unwrap();
    let Watched { _watch: watch, told } = Watched::new(folder.path(), Eyes::open);
    drop(watch);
    fs::write(folder.path().join("file"), "x").unwrap();
    assert!(told.recv_timeout(PATIENCE).is_err(), "the callback is gone with its thread");
}
