//! This crate through real programs.
#![cfg(unix)]

#[cfg(target_os = "linux")]
#[cfg(test)]
mod ancestry;
#[cfg(test)]
mod group;
#[cfg(test)]
mod run;
#[cfg(test)]
mod start;
#[cfg(test)]
mod support;
