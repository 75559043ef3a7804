//! Memory: what fixed failures and how far that is trusted, what goes into a prompt and why, what it all costs.

pub mod assembly;
pub mod citation;
pub mod effect;
pub mod health;
pub mod health_rules;
pub mod likeness;
pub mod metric_facts;
pub mod metric_rules;
pub mod metrics;
pub mod metrics_csv;
pub mod prompt_item;
pub mod solution;
pub mod solution_trust;
pub mod user_pattern;

#[cfg(test)]
mod figures_tests;
