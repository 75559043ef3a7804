//! Loopwright desktop app.
