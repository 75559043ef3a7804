//! A run on a terminal: lines that stay, and below them a status area that is redrawn in place.

mod agent_stream;
mod canvas;
mod screen;
mod status_area;

pub(crate) use agent_stream::{AgentStream, StreamMode, cut};
pub(crate) use screen::{Screen, hidden, is_live_terminal, line_width, width};
pub(crate) use status_area::{StatusArea, TaskCounts};
