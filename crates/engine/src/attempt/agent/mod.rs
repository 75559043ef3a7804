//! The agent of an attempt: how it is launched, supervised, listened to and understood.

pub(crate) mod heartbeat;
pub(crate) mod mcp_server;
pub(crate) mod monitor;
pub(crate) mod process;
pub(crate) mod result;
pub(crate) mod run;
pub(crate) mod signal;
pub(crate) mod signal_endpoint;
pub(crate) mod usage_file;
