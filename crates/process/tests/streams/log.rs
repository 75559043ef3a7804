//! Logs keep the beginning and the end of any output.
use std::fs;
use std::path::Path;

use crate::split::pieces;
use loopwright_process::{CappedLog, LogLimits, LogSummary};
use proptest::prelude::*;
use tempfile::tempdir;

fn write<'a>(path: &Path, limits: LogLimits, pieces: impl IntoIterator<Item = &'a [u8]>) -> CappedLog {
    let mut log = CappedLog::create(path, limits).unwrap();
    for piece in pieces {
        log.write(piece);
    }
    log
}

fn expected(bytes: &[u8], limits: LogLimits) -> Vec<u8> {
    let (head, tail) = (limits.head as usize, limits.tail as usize);
    if bytes.len() <= head + tail {
        return bytes.to_vec();
    }
    let skipped = bytes.len() - head - tail;
    let gap = format!("\n[loopwright: {skipped} bytes left out here]\n");
    [&bytes[..head], gap.as_bytes(), &bytes[bytes.len() - tail..]].concat()
}

fn files(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

proptest! {
    /// Whatever the output and however it arrives, the file holds its two ends; also when the end is put together
    /// by another process after a crash.
    #[test]
    fn both_ends_are_kept(length in 0usize..300, head in 0u64..40, tail in 0u64..60, seed: u64) {
        let dir = tempdir().unwrap();
        let path = dir.path().join("output.log");
        let limits = LogLimits { head, tail };
        let bytes: Vec<u8> = (0..length).map(|index| b'!' + (index % 90) as u8).collect();
        let wanted = expected(&bytes, limits);

        let LogSummary { bytes: counted, skipped, lost, failure } =
            write(&path, limits, pieces(&bytes, seed)).finish();
        prop_assert!(failure.is_none());
        prop_assert_eq!((counted, lost), (length as u64, 0));
        prop_assert_eq!(skipped, (length as u64).saturating_sub(head + tail));
        prop_assert_eq!(fs::read(&path).unwrap(), wanted.clone());
        prop_assert_eq!(files(dir.path()), 1);

        drop(write(&path, limits, pieces(&bytes, seed)));
        CappedLog::recover(&path, limits).unwrap();
        CappedLog::recover(&path, limits).unwrap();
        prop_assert_eq!(fs::read(&path).unwrap(), wanted);
        prop_assert_eq!(files(dir.path()), 1);
    }
}

#[test]
fn bytes_can_be_read_as_soon_as_they_are_written() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("output.log");
    let mut log = CappedLog::create(&path, LogLimits { head: 4, tail: 4 }).unwrap();
    for (piece, seen) in [("one", "one"), ("two", "onetwo"), ("three", "onetwoth")] {
        log.write(piece.as_bytes());
        assert_eq!(fs::read_to_string(&path).unwrap(), seen);
    }
    assert!(log.finish().failure.is_none());
    assert_eq!(fs::read_to_string(&path).unwrap(), "onet\n[loopwright: 3 bytes left out here]\nhree");
}

#[test]
fn a_new_log_takes_the_place_of_an_old_one_with_its_parts() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("output.log");
    let limits = LogLimits { head: 2, tail: 4 };
    drop(write(&path, limits, [&b"0123456789abcdef"[..]]));
    assert!(files(dir.path()) > 1);
    assert!(write(&path, limits, [&b"new"[..]]).finish().failure.is_none());
    assert_eq!((fs::read(&path).unwrap(), files(dir.path())), (b"new".to_vec(), 1));
}

#[cfg(unix)]
#[test]
fn only_this_user_may_read_a_log() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempdir().unwrap();
    let path = dir.path().join("output.log");
    let limits = LogLimits { head: 2, tail: 4 };
    let log = write(&path, limits, [&b"0123456789"[..]]);
    let private = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777 == 0o600;
    assert!(fs::read_dir(dir.path()).unwrap().all(|entry| private(&entry.unwrap().path())));
    assert!(log.finish().failure.is_none() && private(&path));
}

/// The device that is always full stands for a disk that is.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_and_stops_nothing() {
    let mut log = CappedLog::create("/dev/full", LogLimits::default()).unwrap();
    log.write(b"lost");
    log.write(b"too");
    let summary = log.finish();
    assert_eq!((summary.bytes, summary.lost), (7, 7));
    assert_eq!(summary.failure.unwrap().kind(), std::io::ErrorKind::StorageFull);
}
