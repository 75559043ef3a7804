//! The languages that are told apart, and how each writes comments and texts.

/// A programming language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Rust.
    Rust,
    /// Python.
    Python,
    /// JavaScript and TypeScript.
    Script,
    /// Go.
    Go,
    /// Java, Kotlin and Scala.
    Java,
    /// C#.
    CSharp,
    /// Shells and bats.
    Shell,
    /// Another one: Ruby, PHP, Swift, Elixir, C++ and the like.
    Other,
}

const BY_ENDING: &[(&[&str], Language)] = &[
    (&["rs"], Language::Rust),
    (&["py", "pyi"], Language::Python),
    (&["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue", "svelte"], Language::Script),
    (&["go"], Language::Go),
    (&["java", "kt", "kts", "scala", "groovy"], Language::Java),
    (&["cs"], Language::CSharp),
    (&["sh", "bash", "zsh", "bats"], Language::Shell),
    (
        &[
            "rb", "php", "fs", "vb", "swift", "m", "c", "cc", "cpp", "cxx", "ex", "exs", "erl", "dart",
            "lua", "pl", "t", "r", "jl", "zig", "hs", "ml", "clj", "feature", "robot",
        ],
        Language::Other,
    ),
];

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

impl Quote {
    /// How long the text is that a line begins with, with its quotes; one that goes on takes all of the line.
    fn length_in_line(&self, line: &str) -> usize {
        let mut rest = line.strip_prefix(self.open).unwrap_or_default();
        while let Some(first) = rest.chars().next() {
            if self.doubles && rest.starts_with("\"\"") {
                rest = rest.get(2..).unwrap_or_default();
            } else if let Some(after) = rest.strip_prefix(self.close) {
                return line.len() - after.len();
            } else {
                let escaped = rest.chars().nth(1).filter(|_| self.escapes && first == '\\');
                let length = first.len_utf8() + escaped.map_or(0, char::len_utf8);
                rest = rest.get(length..).unwrap_or_default();
            }
        }
        line.len()
    }
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
    /// The language of a file, by its ending; none for what is no code.
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        let (_, ending) = path.rsplit_once('.')?;
        let ending = ending.to_ascii_lowercase();
        let known = BY_ENDING.iter().find(|(endings, _)| endings.contains(&ending.as_str()));
        known.map(|(_, language)| *language)
    }

    /// What of a line is code: without its comment and the blanks around it. A comment at the end of the line is one
    /// after a blank only: `//` within a word may belong to a text that began on an earlier line.
    #[must_use]
    pub fn code_of_line(self, line: &str) -> &str {
        let line = line.trim();
        match self {
            Self::Python | Self::Shell if line.starts_with('#') => "",
            // An attribute of PHP, a macro of Swift.
            Self::CSharp | Self::Other if line.starts_with('#') && !is_hash_code(line) => "",
            // To Go itself this is no comment: it says which files belong to a build.
            Self::Go if line.starts_with("//go:build") || line.starts_with("// +build") => line,
            _ if line.starts_with("//") || line.starts_with("/*") || line.starts_with("* ") => "",
            _ => line.get(..self.comment_in_line(line)).unwrap_or(line).trim_end(),
        }
    }

    /// Where the comment at the end of a line begins; the line's length where there is none.
    fn comment_in_line(self, line: &str) -> usize {
        let mut rest = line;
        let mut after_blank = true;
        while let Some(first) = rest.chars().next() {
            if after_blank && rest.starts_with(self.line_comment()) {
                break;
            }
            let quote = self.quotes().iter().find(|quote| rest.starts_with(quote.open));
            let length = quote.map_or(first.len_utf8(), |quote| quote.length_in_line(rest));
            after_blank = first.is_whitespace();
            rest = rest.get(length..).unwrap_or_default();
        }
        line.len() - rest.len()
    }

    /// What begins a comment up to the line's end.
    pub(super) const fn line_comment(self) -> &'static str {
        if matches!(self, Self::Python | Self::Shell) { "#" } else { "//" }
    }

    /// Whether `/*` begins a comment.
    pub(super) const fn has_block_comments(self) -> bool {
        !matches!(self, Self::Python | Self::Shell)
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
            Self::Shell | Self::Other => const { &[long_quote("`", true), DOUBLE, SINGLE] },
        }
    }
}

fn is_hash_code(line: &str) -> bool {
    ["#[", "#expect", "#require", "#if"].iter().any(|mark| line.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_no_code() {
        let cases = [
            (Language::Rust, "  let a = 1; // one", "let a = 1;"),
            (Language::Rust, "#[ignore]", "#[ignore]"),
            (Language::Rust, "let url = \"http://x\";", "let url = \"http://x\";"),
            (Language::Python, "x = '#1'  # first", "x = '#1'"),
            (Language::Python, "# assert x", ""),
            (Language::Script, "// expect(1)", ""),
            (Language::Go, "/* gone */", ""),
            (Language::Shell, "x=1 # one", "x=1"),
            (Language::Other, "#[Test]", "#[Test]"),
            (Language::Other, "# gone", ""),
            (Language::CSharp, "var a = @\"c:\\\"; // two", "var a = @\"c:\\\";"),
            (Language::Script, "const a = 'it\\'s'; // one", "const a = 'it\\'s';"),
            (Language::Go, "see http://x", "see http://x"),
            (Language::Python, "x = \"\"\"a # b", "x = \"\"\"a # b"),
        ];
        for (language, line, code) in cases {
            assert_eq!(language.code_of_line(line), code, "{line}");
        }
    }
}
