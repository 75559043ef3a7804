//! A run over tasks: what is particular about it. Everything else it shares with the other kinds of runs.

mod background;
mod carry_out;
mod conclude;
mod facts;
mod gates;
mod handoff;
mod in_step;
mod next;
mod prompt;
mod put_back;
mod review;
mod rules;
mod waves;

pub(crate) use carry_out::Carried;
pub(crate) use facts::Planning;
pub use handoff::{BlockedWork, Handoff};
pub(crate) use prompt::Asked;
pub(crate) use put_back::attempt_reference;
pub use rules::TaskRules;
pub(crate) use waves::commit_of;
