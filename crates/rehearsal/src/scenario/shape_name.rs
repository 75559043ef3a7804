//! The names of the shapes that a scenario can ask for.

/// The shapes there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeName {
    /// Plain lines for people.
    Text,
    /// `claude -p --output-format stream-json --verbose`.
    Claude,
    /// `codex exec --json`.
    Codex,
    /// `gemini -o stream-json`.
    Gemini,
    /// `copilot --output-format json`.
    Copilot,
    /// `opencode run --format json`.
    Opencode,
}

impl ShapeName {
    /// Every shape.
    pub const ALL: [Self; 6] =
        [Self::Text, Self::Claude, Self::Codex, Self::Gemini, Self::Copilot, Self::Opencode];

    /// The name in scenarios and on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Copilot => "copilot",
            Self::Opencode => "opencode",
        }
    }
}
