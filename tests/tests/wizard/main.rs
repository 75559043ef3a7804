//! The wizard through the real `loopwright`: from an idea, a document or code to a finished run, with the scripted agent;
//! answers of every bad sort; being cut off at any point; and an HTTP API as the agent.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test a panic is the report")]

mod answers;
mod api;
mod by_hand;
mod journeys;
mod scene;
