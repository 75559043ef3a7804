//! Figures as a table that spreadsheets read.

use std::fmt::Write as _;

use crate::memory::metrics::Metrics;

/// A line for each day, under a head. Money is in US dollars and empty where nobody knows it.
#[must_use]
pub fn metrics_csv(metrics: &Metrics) -> String {
    let mut text = "date,iterations,passed,failed,tokens,cost_usd,seconds\n".to_owned();
    for day in &metrics.per_day {
        let totals = &day.totals;
        let cost = totals
            .usage
            .cost_micros
            .map(|micros| format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000))
            .unwrap_or_default();
        // Writing to a text cannot fail.
        let _written = writeln!(
            text,
            "{},{},{},{},{},{cost},{}",
            day.date,
            totals.iterations,
            totals.passed,
            totals.failed,
            totals.usage.tokens(),
            totals.elapsed_ms / 1000
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::metric_facts::MetricFacts;
    use crate::memory::metric_rules::metrics;
    use crate::memory::metrics::{DayMetrics, MetricTotals};
    use crate::memory::user_pattern::PatternStatus;
    use crate::usage::Usage;

    #[test]
    fn each_day_is_a_line() {
        let describe = |_: &str| (String::new(), PatternStatus::BuiltIn);
        let mut figures = metrics(&MetricFacts::default(), None, 0, &describe);
        let day = |date: &str, cost_micros| DayMetrics {
            date: date.to_owned(),
            totals: MetricTotals {
                iterations: 3,
                passed: 2,
                failed: 1,
                usage: Usage { input: 5, output: 2, cost_micros, ..Usage::default() },
                elapsed_ms: 61_500,
            },
            cost_by_harness: Vec::new(),
        };
        figures.per_day = vec![day("2026-11-17", None), day("2026-11-18", Some(1_020_000))];
        assert_eq!(
            metrics_csv(&figures),
            "date,iterations,passed,failed,tokens,cost_usd,seconds\n\
             2026-11-17,3,2,1,7,,61\n\
             2026-11-18,3,2,1,7,1.020000,61\n"
        );
    }
}
