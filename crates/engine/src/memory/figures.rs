//! Figures of a project and its health.

use jiff::{SignedDuration, Timestamp};
use loopwright_domain::memory::health_rules::health;
use loopwright_domain::memory::metric_facts::Seconds;
use loopwright_domain::memory::metric_rules::{metrics, patterns};
use loopwright_domain::{Fault, HealthReport, Metrics, PatternMetrics, PatternStatus};

use crate::project::ProjectMemory;

/// Over how many days the history of health goes back.
const HISTORY_DAYS: i64 = 30;

impl ProjectMemory<'_> {
    /// Patterns of failures that were met within so many days, or ever; the most frequent first.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn patterns(&self, days: Option<u32>) -> Result<Vec<PatternMetrics>, Fault> {
        let facts = self.project.store().metric_facts().await?;
        Ok(patterns(&facts, days, self.moment().as_second(), &self.described()))
    }

    /// The figures of so many days, counted back from now, or of all time. Days are those of UTC.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn metrics(&self, days: Option<u32>) -> Result<Metrics, Fault> {
        let facts = self.project.store().metric_facts().await?;
        Ok(metrics(&facts, days, self.moment().as_second(), &self.described()))
    }

    /// How well the project is doing: six factors, each only from enough cases, and what would raise them.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn health(&self) -> Result<HealthReport, Fault> {
        let facts = self.project.store().metric_facts().await?;
        let now = self.moment();
        Ok(health(&facts, now.as_second(), &days_until(now)))
    }

    /// What a pattern means, and whether it is built in.
    fn described(&self) -> impl Fn(&str) -> (String, PatternStatus) {
        let known = self.project.failures().known_patterns();
        move |name| {
            let found = known.iter().find(|pattern| pattern.name == name);
            found.map_or_else(
                || (String::new(), PatternStatus::Confirmed),
                |known| (known.about.clone(), known.status),
            )
        }
    }

    /// Now; the beginning of time where the clock is out of every range.
    fn moment(&self) -> Timestamp {
        self.now().parse().unwrap_or(Timestamp::UNIX_EPOCH)
    }
}

/// The last days, the oldest first, each with its end; the last one ends now.
fn days_until(now: Timestamp) -> Vec<(String, Seconds)> {
    let day = |back: i64| {
        let moment = now.checked_sub(SignedDuration::from_hours(24 * back)).ok()?;
        let date = moment.strftime("%Y-%m-%d").to_string();
        let end = match back {
            0 => now.as_second(),
            _ => format!("{date}T23:59:59Z").parse::<Timestamp>().ok()?.as_second(),
        };
        Some((date, end))
    };
    (0..HISTORY_DAYS).rev().filter_map(day).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_day_ends_now_and_the_others_at_midnight() {
        let days = days_until("2026-03-01T12:00:00Z".parse().unwrap());
        assert_eq!(days.len(), 30);
        let moment = |text: &str| text.parse::<Timestamp>().unwrap().as_second();
        assert_eq!(days[29], ("2026-03-01".to_owned(), moment("2026-03-01T12:00:00Z")));
        assert_eq!(days[28], ("2026-02-28".to_owned(), moment("2026-02-28T23:59:59Z")));
        assert_eq!(days[0].0, "2026-01-31");
    }
}
