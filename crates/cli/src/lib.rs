//! The loopwright command.
