//! What an agent has used so far, in a small file beside its output: for whoever looks at the run meanwhile, and for
//! whoever finds it after a crash, so that nothing that was spent is forgotten.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use loopwright_config::text_file;
use loopwright_domain::{AgentEvent, Usage};

/// The file is not written more often than this.
const APART: Duration = Duration::from_millis(250);
/// No such file is longer.
const LIMIT: u64 = 4096;

/// Keeps the file of one agent up to date. A file that cannot be written stops nobody.
pub(crate) struct UsageFile {
    path: PathBuf,
    used: Usage,
    written: Usage,
    last: Option<Instant>,
}

impl UsageFile {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, used: Usage::default(), written: Usage::default(), last: None }
    }

    /// Takes what an agent says it has used.
    pub(crate) fn see(&mut self, event: &AgentEvent) {
        if let AgentEvent::Usage { usage } = event {
            self.used = *usage;
        }
    }

    /// Writes what is new, unless it was written a moment ago.
    pub(crate) fn keep(&mut self) {
        let recent = self.last.is_some_and(|last| last.elapsed() < APART);
        if self.used == self.written || recent {
            return;
        }
        self.last = Some(Instant::now());
        if let Ok(text) = serde_json::to_string(&self.used)
            && text_file::write(&self.path, &text).is_ok()
        {
            self.written = self.used;
        }
    }
}

/// What an agent had used when its file was last written.
pub(crate) fn read(path: &Path) -> Option<Usage> {
    let text = text_file::read(path, LIMIT).ok()??;
    serde_json::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(input: u64) -> AgentEvent {
        AgentEvent::Usage { usage: Usage { input, ..Usage::default() } }
    }

    #[test]
    fn the_newest_is_kept_and_not_too_often() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("usage.json");
        let mut spending = UsageFile::new(path.clone());
        spending.keep();
        assert_eq!(read(&path), None, "nothing was used");
        spending.see(&used(5));
        spending.keep();
        spending.see(&used(7));
        spending.keep();
        assert_eq!(read(&path).map(|usage| usage.input), Some(5), "a moment later");
        spending.last = None;
        spending.keep();
        assert_eq!(read(&path).map(|usage| usage.input), Some(7));
        std::fs::write(&path, "{\"input\":").unwrap();
        assert_eq!(read(&path), None, "half a file says nothing");
    }
}
