//! This crate through the real git and real repositories, honest and hostile ones.
#![cfg(unix)]

#[cfg(all(test, target_os = "linux"))]
mod agent_repository;
#[cfg(test)]
mod canaries;
#[cfg(test)]
mod checkpoint;
#[cfg(test)]
mod commit;
#[cfg(test)]
mod commit_hooks;
#[cfg(test)]
mod corrupt;
#[cfg(test)]
mod cost;
#[cfg(test)]
mod create;
#[cfg(test)]
mod diff;
#[cfg(test)]
mod discover;
mod edits;
#[cfg(test)]
mod environment;
#[cfg(test)]
mod findings;
#[cfg(test)]
mod formats;
#[cfg(test)]
mod hooks;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod outside;
#[cfg(test)]
mod own_index;
#[cfg(test)]
mod owner;
#[cfg(test)]
mod random;
#[cfg(test)]
mod restore;
#[cfg(test)]
mod returning;
#[cfg(test)]
mod revert;
#[cfg(test)]
mod summary;
#[cfg(test)]
mod support;
#[cfg(test)]
mod vandal;
