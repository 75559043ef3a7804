//! Settings of Loopwright: the table of keys, the files, which of several values holds, and typed access to it; what a
//! folder would execute and whether a person trusts it; the projects that are known on this machine.
//!
//! Nothing here executes anything. A [`Host`] says what machine this is, a [`Layout`] where things are in a project,
//! [`Config::load`] reads every layer and keeps each value with its origin, [`trust`] compares what a folder would
//! execute with what a person agreed to, and a [`TrustedConfig`] is what commands are built from.
#![deny(missing_docs)]

pub mod check;
mod config;
pub mod edit;
mod file;
mod host;
mod known_projects;
mod layout;
pub mod schema;
pub mod settings;
pub mod text_file;
pub mod trust;
mod trusted_config;
pub mod value;

pub use self::config::{
    Config, OriginLayer, Resolved, ResolvedHarness, ResolvedPrice, SettingOrigin, unknown_key,
};
pub use self::edit::check_edit;
pub use self::file::{FILE_LIMIT, HarnessCommand, PROJECT_FILE, Source, line_of};
pub use self::host::{Host, LoginPath};
pub use self::known_projects::{ProjectRecord, Registry, TaskCounts, TrustRecord};
pub use self::layout::{Layout, PROJECT_DIR, folder};
pub use self::schema::{
    DirtyMode, Group, KEYS, Key, KeySpec, LogLevel, SandboxMode, Scope, SettingValue, StateErrorMode, Theme,
    editors, key,
};
pub use self::trust::TrustReport;
pub use self::trusted_config::{TrustedCheck, TrustedConfig};
pub use self::value::{Value, ValueKind};
