//! The ends: of a window whose run this app works on, and of the app itself.

mod close_window;
mod quit;

pub use self::close_window::holds_back;
pub(crate) use self::close_window::{carry_out, shown};
pub(crate) use self::quit::{exit_requested, heed_signals};
