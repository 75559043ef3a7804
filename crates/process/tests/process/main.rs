//! This crate through real programs.
#![cfg(unix)]

#[cfg(all(test, target_os = "linux"))]
mod ancestry;
#[cfg(test)]
mod group;
#[cfg(test)]
mod run;
#[cfg(test)]
mod start;
#[cfg(test)]
mod support;
