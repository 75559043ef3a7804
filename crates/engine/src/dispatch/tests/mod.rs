//! The dispatcher's rules with attempts that are played: no process, no git, no checks of a project.

mod at_once;
mod rules;
mod stub;
