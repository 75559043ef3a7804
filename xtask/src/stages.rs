//! The stages of a long command: time and result of each, and the closing count.

use std::time::{Duration, Instant};

use crate::failure::{Failure, Outcome};
use crate::tally::Tally;
use crate::watch::Watched;

/// Everything that ran so far.
#[derive(Debug, Default)]
pub(crate) struct Stages(Vec<Stage>);

#[derive(Debug)]
struct Stage {
    name: String,
    took: Duration,
    tally: Tally,
    result: Result<(), Problem>,
}

#[derive(Debug)]
enum Problem {
    Failed(String),
    Skipped(String),
}

impl Stages {
    /// Runs one stage and records it. True when it went well.
    pub(crate) fn run(&mut self, name: &str, work: impl FnOnce() -> Outcome) -> bool {
        self.record(name, || work().map(|()| Watched::default()))
    }

    /// Runs one stage that counts tests and records it. True when it went well. A stage that fails without a failed
    /// test (it did not compile, it crashed) counts as one.
    pub(crate) fn record(&mut self, name: &str, work: impl FnOnce() -> Outcome<Watched>) -> bool {
        eprintln!("\n== {name}");
        let started = Instant::now();
        let (mut tally, problem) = match work() {
            Ok(watched) => (watched.tally, watched.problem),
            Err(failure) => (Tally::default(), Some(failure)),
        };
        if let Some(problem) = &problem {
            eprintln!("{name}: {problem}");
            tally.failed = tally.failed.max(1);
        }
        let failed = tally.failed > 0;
        let result = if failed { Err(Problem::Failed(first_line(problem.as_ref()))) } else { Ok(()) };
        self.0.push(Stage { name: name.to_owned(), took: started.elapsed(), tally, result });
        !failed
    }

    /// Notes a stage that cannot run because an earlier one failed or this system lacks something.
    pub(crate) fn skip(&mut self, name: &str, reason: &str) {
        eprintln!("\n== {name}: not run, {reason}");
        let result = Err(Problem::Skipped(reason.to_owned()));
        self.0.push(Stage { name: name.to_owned(), took: Duration::ZERO, tally: Tally::default(), result });
    }

    /// Prints the table of stages and the closing line, and fails unless something passed and nothing failed.
    pub(crate) fn close(&self) -> Outcome {
        let total = self.total();
        println!("\n{}", self.table());
        println!("{}", closing_line(total));
        if total.failed > 0 {
            return Err(Failure::new("Something failed: see the stages above."));
        }
        if total.passed == 0 {
            return Err(Failure::new("No test ran, so nothing is shown to work."));
        }
        Ok(())
    }

    /// Whether any stage so far failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.total().failed > 0
    }

    fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.0.iter().for_each(|stage| total += stage.tally);
        total
    }

    fn table(&self) -> String {
        let width = self.0.iter().map(|stage| stage.name.len()).max().unwrap_or(0).max("stage".len());
        let mut rows = vec![format!("{:width$}  {:>8}  result", "stage", "time")];
        rows.extend(
            self.0.iter().map(|stage| {
                format!("{:width$}  {:>8}  {}", stage.name, duration(stage.took), stage.summary())
            }),
        );
        let whole = self.0.iter().map(|stage| stage.took).sum();
        rows.push(format!("{:width$}  {:>8}", "total", duration(whole)));
        rows.join("\n")
    }
}

/// A skipped test is among the passed ones for its runner, and not here.
fn closing_line(total: Tally) -> String {
    let passed = total.passed.saturating_sub(total.skipped);
    let skipped = if total.skipped > 0 { format!(", {} skipped", total.skipped) } else { String::new() };
    format!("{passed} passed, {} failed{skipped}", total.failed)
}

impl Stage {
    fn summary(&self) -> String {
        let counted = self.tally.passed > 0;
        match &self.result {
            Ok(()) if counted => format!("{} passed", self.tally.passed),
            Ok(()) => "ok".to_owned(),
            Err(Problem::Skipped(reason)) => format!("not run: {reason}"),
            Err(Problem::Failed(why)) if counted => {
                format!("FAILED: {} passed, {} failed. {why}", self.tally.passed, self.tally.failed)
            }
            Err(Problem::Failed(why)) => format!("FAILED: {why}"),
        }
    }
}

fn first_line(problem: Option<&Failure>) -> String {
    problem
        .map(ToString::to_string)
        .and_then(|text| text.lines().next().map(str::to_owned))
        .unwrap_or_default()
}

/// A duration as people read it: `0.4 s`, `3m 07s`.
pub(crate) fn duration(took: Duration) -> String {
    let seconds = took.as_secs_f64();
    if seconds < 60.0 {
        return format!("{seconds:.1} s");
    }
    format!("{}m {:02}s", took.as_secs() / 60, took.as_secs() % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watched(passed: u32, failed: u32, problem: Option<&str>) -> Outcome<Watched> {
        Ok(Watched { tally: Tally { passed, failed, skipped: 0 }, problem: problem.map(Failure::new) })
    }

    #[test]
    fn counts_are_summed_and_a_crash_counts_as_one_failure() {
        let mut stages = Stages::default();
        assert!(stages.record("unit", || watched(7, 0, None)));
        assert!(!stages.record("window", || watched(2, 1, Some("`cargo test` failed"))));
        assert!(!stages.record("ui", || watched(0, 0, Some("`npm test` failed"))));
        assert!(!stages.run("lint", || Err(Failure::new("clippy failed\nlong output"))));
        assert_eq!(stages.total(), Tally { passed: 9, failed: 3, skipped: 0 });
        assert!(stages.has_failed());
        let table = stages.table();
        assert!(table.contains("7 passed"), "{table}");
        assert!(table.contains("FAILED: 2 passed, 1 failed. `cargo test` failed"), "{table}");
        assert!(table.contains("FAILED: clippy failed"), "{table}");
        assert!(!table.contains("long output"), "{table}");
        assert!(stages.close().is_err());
    }

    #[test]
    fn nothing_run_is_no_success() {
        let mut stages = Stages::default();
        stages.run("setup", || Ok(()));
        stages.skip("window", "there is no driver");
        assert!(stages.close().is_err());
        assert!(stages.record("unit", || watched(1, 0, None)));
        assert!(stages.close().is_ok());
    }

    #[test]
    fn durations_read_well() {
        assert_eq!(duration(Duration::from_millis(420)), "0.4 s");
        assert_eq!(duration(Duration::from_secs(187)), "3m 07s");
    }
}
