//! Named places at which a test can make this process vanish, as a power cut would. Release builds have none.

/// Ends this process at once when `LOOPWRIGHT_CRASH_AT` names this place: `name` or `name#3` for the third time.
#[cfg(debug_assertions)]
pub(crate) fn point(name: &str) {
    use std::collections::BTreeMap;
    use std::sync::{Mutex, OnceLock, PoisonError};

    static WANTED: OnceLock<Option<(String, u32)>> = OnceLock::new();
    static SEEN: Mutex<BTreeMap<String, u32>> = Mutex::new(BTreeMap::new());
    let wanted = WANTED.get_or_init(|| {
        let text = std::env::var("LOOPWRIGHT_CRASH_AT").ok()?;
        let (name, count) = text.split_once('#').unwrap_or((&text, "1"));
        Some((name.to_owned(), count.parse().ok()?))
    });
    let Some((place, count)) = wanted else { return };
    if place != name {
        return;
    }
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    let times = seen.entry(name.to_owned()).or_default();
    *times += 1;
    if times == count {
        std::process::abort();
    }
}

/// Release builds do not crash on demand.
#[cfg(not(debug_assertions))]
pub(crate) fn point(_name: &str) {}

/// Every place that any run passes, for the tests that go through all of them.
pub const POINTS: &[&str] = &[
    "run.before",
    "run.after",
    "planned.before",
    "planned.after",
    "checkpoint.after",
    "agent.before",
    "agent.started",
    "running.after",
    "agent.ended",
    "agent_done.after",
    "checking.after",
    "checks.ended",
    "committing.after",
    "commit.made",
    "settled.before",
    "settled.after",
    "ended.before",
    "ended.after",
];

/// The further places of a run over tasks.
pub const TASK_POINTS: &[&str] = &[
    "judged.before",
    "judged.after",
    "attempt.kept",
    "attempt.restored",
    "gate.before",
    "gate.opened",
    "gate.decided",
    "wave.before",
    "wave.made",
    "wave.after",
];
