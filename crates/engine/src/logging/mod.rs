//! The log: JSON lines in files that change every day, the same for the CLI and the app. A line tells in which run,
//! iteration and phase it was written.

mod daily;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use jiff::Timestamp;
use loopwright_config::LogLevel;
use loopwright_config::text_file::io_fault;
use loopwright_domain::Fault;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use daily::DailyFile;

/// The logs of this many days are kept.
const KEPT: usize = 14;

/// Where logs are below the user's data folder.
#[must_use]
pub fn folder(data_dir: &Path) -> PathBuf {
    data_dir.join("logs")
}

/// Begins to write the log of this process. Later calls in the same process change nothing.
///
/// # Errors
/// The folder cannot be written.
pub fn begin(data_dir: &Path, level: LogLevel) -> Result<(), Fault> {
    let level = match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    let folder = folder(data_dir);
    let file = DailyFile::open(folder.clone(), KEPT, Timestamp::now)
        .map_err(|error| io_fault("write logs to", &folder, &error))?;
    let lines = tracing_subscriber::fmt::layer()
        .json()
        .flatten_event(true)
        .with_current_span(false)
        .with_span_list(true)
        .with_writer(Mutex::new(file));
    // A subscriber that is there already is the embedding program's own, and stays.
    if tracing_subscriber::registry().with(level).with(lines).try_init().is_ok() {
        note_panics();
    }
    Ok(())
}

/// Makes a folder of logs, and deletes the oldest in it so that with one more that many are kept. Their names tell their
/// age.
///
/// # Errors
/// The folder cannot be made or read.
pub fn make_room(folder: &Path, kept: usize) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut logs: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    logs.retain(|path| path.extension().is_some_and(|ending| ending == "log"));
    logs.sort_unstable();
    for old in logs.iter().take((logs.len() + 1).saturating_sub(kept)) {
        // One that cannot be deleted is tried again next time.
        let _kept = fs::remove_file(old);
    }
    Ok(())
}

/// A defect that ends a thread or the whole process leaves its words in the log: an app has no terminal.
fn note_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tracing::error!("{panic}");
        before(panic);
    }));
}

/// One line of the log for each phase, so that a run's log can be read phase by phase.
pub(crate) fn log_phase(phase: &'static str, begun: std::time::Instant, outcome: &str) {
    tracing::info!(phase, duration_ms = crate::report::millis(begun.elapsed()), outcome, "phase ended");
}
