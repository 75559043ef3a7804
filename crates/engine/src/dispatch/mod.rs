//! A run: which work comes next, what follows from its result, and what is written down of it.

pub(crate) mod availability;
pub(crate) mod begin;
pub(crate) mod changed_settings;
pub(crate) mod conclude;
pub(crate) mod conclude_prompt;
pub(crate) mod conclude_task;
pub(crate) mod current_task;
pub(crate) mod diagnosis;
pub(crate) mod dispatcher;
pub(crate) mod environment;
pub(crate) mod handoff;
pub(crate) mod journal;
pub(crate) mod lanes;
pub(crate) mod next_task;
pub(crate) mod requests;
pub(crate) mod serve;
pub(crate) mod settle;
pub(crate) mod steering;
pub(crate) mod step;
pub(crate) mod stop;
pub(crate) mod task_files;
pub(crate) mod waves;

#[cfg(test)]
mod tests;
