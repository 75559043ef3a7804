//! The languages the placeholder check reads, and how each writes comments and texts.

/// A programming language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Rust,
    Python,
    /// JavaScript and TypeScript.
    Script,
    Go,
    Java,
    CSharp,
}

/// How a text is quoted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quote {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// A backslash takes the next character's meaning.
    pub(super) escapes: bool,
    /// It goes on over the line's end.
    pub(super) many_lines: bool,
    /// The closing quote twice is one of the text.
    pub(super) doubles: bool,
}

const fn quote(open: &'static str, close: &'static str) -> Quote {
    Quote { open, close, escapes: true, many_lines: false, doubles: false }
}

const fn long_quote(open: &'static str, escapes: bool) -> Quote {
    Quote { open, close: open, escapes, many_lines: true, doubles: false }
}

const DOUBLE: Quote = quote("\"", "\"");
const SINGLE: Quote = quote("'", "'");
/// C#'s text that takes backslashes as they are.
const VERBATIM: Quote = Quote { open: "@\"", close: "\"", escapes: false, many_lines: true, doubles: true };

impl Language {
    /// The language of a file, by its ending.
    pub(super) fn of_path(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let (_, ending) = name.rsplit_once('.')?;
        Some(match ending {
            "rs" => Self::Rust,
            "py" => Self::Python,
            "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" => Self::Script,
            "go" => Self::Go,
            "java" => Self::Java,
            "cs" => Self::CSharp,
            _ => return None,
        })
    }

    /// What begins a comment up to the line's end.
    pub(super) const fn line_comment(self) -> &'static str {
        if matches!(self, Self::Python) { "#" } else { "//" }
    }

    /// Whether `/*` begins a comment.
    pub(super) const fn has_block_comments(self) -> bool {
        !matches!(self, Self::Python)
    }

    /// The quotes, longer ones first. Rust's raw texts and characters are read apart.
    pub(super) const fn quotes(self) -> &'static [Quote] {
        match self {
            Self::Rust => const { &[long_quote("\"", true)] },
            Self::Python => const { &[long_quote("\"\"\"", true), long_quote("'''", true), DOUBLE, SINGLE] },
            Self::Script => const { &[long_quote("`", true), DOUBLE, SINGLE] },
            Self::Go => const { &[long_quote("`", false), DOUBLE, SINGLE] },
            Self::Java => const { &[long_quote("\"\"\"", true), DOUBLE, SINGLE] },
            Self::CSharp => const { &[long_quote("\"\"\"", false), VERBATIM, DOUBLE, SINGLE] },
        }
    }

    /// Code that reports a failure, whose text may say that there is nothing yet.
    pub(super) const fn failing_code(self) -> &'static [&'static str] {
        match self {
            Self::Rust => &["panic!", "bail!", "anyhow!", "Err("],
            Self::Python => &["raise "],
            Self::Script => &["throw ", "reject("],
            Self::Go => &["panic(", "errors.New(", "fmt.Errorf("],
            Self::Java | Self::CSharp => &["throw "],
        }
    }

    /// Code that says by its name alone that there is nothing yet.
    pub(super) const fn telling_names(self) -> &'static [&'static str] {
        match self {
            Self::Rust => &["todo!", "unimplemented!"],
            Self::Script => &["throw new NotImplementedError", "throw new NotImplementedException"],
            Self::Java | Self::CSharp => {
                &["throw new NotImplementedException", "throw new NotImplementedError"]
            }
            Self::Python | Self::Go => &[],
        }
    }
}
