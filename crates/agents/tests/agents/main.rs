//! The harnesses as the loop uses them: a request in, printed lines in, events and a parsed out.
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod adapters;
mod any_bytes;
mod conformance;
mod damaged;
mod denials;
mod limits;
mod own_text;
mod prompt_delivery;
mod support;
mod tools;
mod transcripts;
mod troubles;
