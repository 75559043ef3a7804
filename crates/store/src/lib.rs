//! The only place that opens SQLite.
