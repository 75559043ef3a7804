//! Supervised jobs through real programs.
#![cfg(unix)]

#[cfg(test)]
mod family;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod output;
#[cfg(test)]
mod sandboxed;
#[cfg(test)]
mod support;
#[cfg(test)]
mod survivors;
