//! The verdict battery: scenarios in which a run could say done when it is not, say failed when it is not, or lose
//! somebody's work; each with what has to hold after every run.
//!
//! `LOOPWRIGHT_VERDICTS=TEXT` plays only those whose name or file holds the text (or one of several, with `|` between them).
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod clone;
mod expect;
mod judge;
mod layout;
mod machine;
mod run_scenario;
mod scenario;
mod scenarios;
mod table;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use scenario::Scenario;
use table::{Played, Table};

#[test]
fn every_verdict_is_right() {
    let all = scenarios::all();
    table::names_are_unique(&all);
    let chosen = std::env::var("LOOPWRIGHT_VERDICTS").unwrap_or_default();
    let confined = machine::has_sandbox();
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let workers = std::thread::available_parallelism().map_or(2, usize::from) + 1;
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((file, scenario)) = all.get(next.fetch_add(1, Ordering::SeqCst)) {
                    if !chosen.split('|').any(|part| scenario.name.contains(part) || file.contains(part)) {
                        continue;
                    }
                    let played = if scenario.sandboxed && !confined {
                        Played::skipped(file, scenario)
                    } else {
                        one(file, scenario)
                    };
                    results.lock().unwrap().push(played);
                }
            });
        }
    });
    let table = Table::of(results.into_inner().unwrap());
    println!("{table}");
    assert!(table.wrong() == 0, "{} verdicts are wrong", table.wrong());
}

fn one(file: &'static str, scenario: &Scenario) -> Played {
    let begun = Instant::now();
    let wrong =
        catch_unwind(AssertUnwindSafe(|| run_scenario::run_scenario(scenario))).unwrap_or_else(|cause| {
            let text = cause.downcast_ref::<String>().cloned();
            vec![text.unwrap_or_else(|| "the scenario itself failed".to_owned())]
        });
    Played::new(file, scenario, wrong, begun.elapsed())
}
