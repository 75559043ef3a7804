//! Making projects, the sample among them, and seeing whether this machine has what they need.

pub(crate) mod create;
pub(crate) mod demo;
pub(crate) mod doctor;
