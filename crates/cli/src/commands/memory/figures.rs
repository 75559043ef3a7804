//! `loopwright stats` and `loopwright health`.

use std::process::ExitCode;

use loopwright_domain::figures::{cost, elapsed, grouped, money};
use loopwright_domain::memory::metrics_csv::metrics_csv;
use loopwright_domain::{AgentMetrics, Fault, HealthReport, Metrics, Usage};

use crate::args::{StatsArgs, StatsFormat};
use crate::context::Context;
use crate::output::{self, BAD, CARE, GOOD, HEADING, QUIET, padded, plain, say, styled};

/// As many patterns as are shown.
const PATTERNS: usize = 10;

/// `loopwright stats`.
pub(crate) fn stats(context: &Context, args: &StatsArgs) -> Result<ExitCode, Fault> {
    let metrics = context.wait(context.project()?.memory().metrics(args.trend))?;
    match args.format {
        _ if context.json => output::json(&metrics),
        StatsFormat::Json => output::json(&metrics),
        StatsFormat::Csv => {
            say!("{}", metrics_csv(&metrics).trim_end());
            Ok(ExitCode::SUCCESS)
        }
        StatsFormat::Text => {
            show(&metrics, args.trend.is_some());
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn show(metrics: &Metrics, daily: bool) {
    let totals = &metrics.totals;
    let span = metrics.days.map_or_else(|| "All time".to_owned(), |days| format!("The last {days} days"));
    say!("{}", styled(HEADING, span));
    let rate = totals.pass_rate().map(|rate| format!(" ({rate:.0} %)")).unwrap_or_default();
    let rows = [
        ("runs", metrics.runs.to_string()),
        (
            "iterations",
            format!("{}, {} passed{rate}, {} failed", totals.iterations, totals.passed, totals.failed),
        ),
        (
            "tasks",
            format!("{} of {} done, {} blocked", metrics.tasks_done, metrics.tasks, metrics.tasks_blocked),
        ),
        ("failures", format!("{}, {} resolved", metrics.failures, metrics.failures_resolved)),
        ("memory", format!("{} solutions, {} learnings", metrics.solutions, metrics.learnings)),
        ("time", elapsed(totals.elapsed_ms)),
        ("tokens", grouped(totals.usage.tokens())),
        ("cost", told_cost(&totals.usage)),
    ];
    for (name, value) in rows {
        say!("  {}  {value}", styled(QUIET, format!("{name:<10}")));
    }
    if daily && !metrics.per_day.is_empty() {
        say!("\n{}", styled(HEADING, "By day"));
        for day in &metrics.per_day {
            say!(
                "  {}  {:>4} passed {:>4} failed  {:>12} tokens  {}",
                day.date,
                day.totals.passed,
                day.totals.failed,
                grouped(day.totals.usage.tokens()),
                told_cost(&day.totals.usage)
            );
        }
    }
    if !metrics.agents.is_empty() {
        say!("\n{}", styled(HEADING, "By agent"));
        metrics.agents.iter().for_each(agent_line);
    }
    if !metrics.patterns.is_empty() {
        say!("\n{}", styled(HEADING, "By failure"));
        for one in metrics.patterns.iter().take(PATTERNS) {
            say!(
                "  {}  {:>4} failures, {} resolved ({} with a solution)  {}  {}",
                padded(&plain(&one.pattern), 22),
                one.failures,
                one.resolved,
                one.resolved_by_solution,
                elapsed(one.elapsed_ms),
                told_cost(&one.usage)
            );
        }
    }
}

fn told_cost(usage: &Usage) -> String {
    cost(usage).unwrap_or_else(|| "cost not told".to_owned())
}

fn agent_line(agent: &AgentMetrics) {
    let name = match &agent.model {
        Some(model) => format!("{} {}", plain(&agent.harness), plain(model)),
        None => plain(&agent.harness),
    };
    let n = agent.totals.iterations;
    let standing = match agent.pass_rate {
        Some(rate) => {
            let attempts =
                agent.attempts_per_task.map(|it| format!(", {it:.1} attempts per task")).unwrap_or_default();
            let cost =
                agent.cost_per_task_micros.map(|it| format!(", {} per task", money(it))).unwrap_or_default();
            let minutes = agent.minutes.map(|it| format!(", {it:.1} min each")).unwrap_or_default();
            format!("{rate:.0} % passed{attempts}{minutes}{cost}")
        }
        None => "too few to say".to_owned(),
    };
    say!("  {}  n = {n}, {standing}", padded(&name, 30));
}

/// `loopwright health`.
pub(crate) fn health(context: &Context) -> Result<ExitCode, Fault> {
    let health = context.wait(context.project()?.memory().health())?;
    if context.json {
        return output::json(&health);
    }
    show_health(&health);
    Ok(ExitCode::SUCCESS)
}

fn show_health(health: &HealthReport) {
    match health.score {
        Some(score) => {
            let style = match score {
                70.. => GOOD,
                40..70 => CARE,
                _ => BAD,
            };
            let direction = health.direction.map(|it| format!(", {it}")).unwrap_or_default();
            let before =
                health.week_ago.map(|it| format!("; {it} seven days ago{direction}")).unwrap_or_default();
            say!("{} {}{before}", styled(HEADING, "Health"), styled(style, score));
        }
        None => say!("{} not enough data yet", styled(HEADING, "Health")),
    }
    for factor in &health.factors {
        let score = factor.score.map_or_else(|| "  -".to_owned(), |score| format!("{score:>3}"));
        say!("  {}  {:>2} %  {score}  {}", padded(factor.factor.as_str(), 18), factor.weight, factor.detail);
    }
    let best = health.best.and_then(|best| health.factors.iter().find(|it| it.factor == best));
    if let Some(raise) = best.and_then(|factor| factor.raise.as_ref()) {
        say!("What would raise it most: {raise}");
    }
}
