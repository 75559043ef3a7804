//! The scripted agent. It plays a scenario file the way a real agent CLI would work: it talks, edits files,
//! runs commands, misbehaves on purpose, and always does the same for the same script.
//!
//! A [`scenario::Scenario`] is read whole and checked before anything happens. The [`cue::Cue`] (task, attempt,
//! prompt) picks one scene, and the [`scene_runner`] carries out its steps, speaking in one of the [`shape`]s.
//! `docs/rehearsal.md` describes the file format.

#![deny(missing_docs)]

pub mod cue;
pub mod family;
pub mod folder;
pub mod memory;
mod output;
pub mod scenario;
pub mod scene_runner;
pub mod shape;
pub mod signal_file;
mod system;
