//! The editors that the setting `app.editor` takes by name. Where their programs are and how each is told a line is the
//! business of whoever opens files.

/// The setting that chooses the editor.
pub const KEY: &str = "app.editor";
/// The first known editor that is installed.
pub const AUTO: &str = "auto";
/// Whatever the desktop takes for the file.
pub const SYSTEM: &str = "system";

/// What the setting takes: the likeliest wish first.
pub const CHOICES: &[&str] = &[
    AUTO,
    SYSTEM,
    "code",
    "cursor",
    "windsurf",
    "zed",
    "codium",
    "subl",
    "idea",
    "rustrover",
    "webstorm",
    "pycharm",
    "goland",
    "clion",
    "phpstorm",
    "kate",
    "gedit",
    "gvim",
    "bbedit",
    "notepad++",
];
