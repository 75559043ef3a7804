//! Which language a file is in, which files are tests, and what of a line is code.

/// A language whose tests are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Rust,
    Python,
    /// JavaScript and TypeScript.
    Script,
    Go,
    /// Java, Kotlin and Scala.
    Java,
    /// Another one, whose assertions are found by their names alone.
    Other,
}

const BY_ENDING: &[(&[&str], Language)] = &[
    (&["rs"], Language::Rust),
    (&["py", "pyi"], Language::Python),
    (&["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue", "svelte"], Language::Script),
    (&["go"], Language::Go),
    (&["java", "kt", "kts", "scala", "groovy"], Language::Java),
    (
        &["rb", "php", "cs", "fs", "swift", "c", "cc", "cpp", "ex", "exs", "dart", "lua", "sh", "bats"],
        Language::Other,
    ),
];

/// Folders whose files are tests.
const FOLDERS: &[&str] =
    &["test", "tests", "__tests__", "spec", "specs", "e2e", "integration-tests", "integration_tests"];
/// Folders inside of those with what tests need, and not tests themselves.
const DATA_FOLDERS: &[&str] =
    &["fixtures", "__fixtures__", "data", "testdata", "resources", "mocks", "__mocks__"];

impl Language {
    /// The language of a file; none for what is no code.
    pub(crate) fn of(path: &str) -> Option<Self> {
        let (_, ending) = path.rsplit_once('.')?;
        let ending = ending.to_ascii_lowercase();
        BY_ENDING
            .iter()
            .find(|(endings, _)| endings.contains(&ending.as_str()))
            .map(|(_, language)| *language)
    }

    /// What of a line is code: without its comment and the blanks around it.
    pub(crate) fn code(self, line: &str) -> &str {
        let line = line.trim();
        match self {
            Self::Python | Self::Other if line.starts_with('#') => "",
            // To Go itself this is no comment: it says which files belong to a build.
            Self::Go if line.starts_with("//go:build") => line,
            _ if line.starts_with("//") || line.starts_with("/*") || line.starts_with("* ") => "",
            _ => line[..self.comment_start(line)].trim_end(),
        }
    }

    /// Where a comment at the end of a line begins: outside of quotes, after a blank.
    fn comment_start(self, line: &str) -> usize {
        let marks: &[&str] = match self {
            Self::Python => &["#"],
            _ => &["//"],
        };
        let mut quote = None;
        let mut before = ' ';
        for (at, letter) in line.char_indices() {
            match quote {
                Some(open) if letter == open && before != '\\' => quote = None,
                Some(_) => {}
                None if letter == '"' || letter == '`' || (letter == '\'' && self != Self::Rust) => {
                    quote = Some(letter);
                }
                None if before.is_whitespace() && marks.iter().any(|mark| line[at..].starts_with(mark)) => {
                    return at;
                }
                None => {}
            }
            before = letter;
        }
        line.len()
    }
}

/// Whether a path is that of a file with tests, by the habits of its language.
pub(crate) fn is_test_file(path: &str) -> bool {
    let Some(language) = Language::of(path) else { return false };
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let lower = stem.to_ascii_lowercase();
    let by_name = match language {
        Language::Rust => {
            matches!(stem, "tests" | "test") || stem.ends_with("_test") || stem.ends_with("_tests")
        }
        Language::Python => stem.starts_with("test_") || stem.ends_with("_test") || stem == "tests",
        Language::Script => lower.ends_with(".test") || lower.ends_with(".spec") || lower.ends_with(".cy"),
        Language::Go => stem.ends_with("_test"),
        Language::Java => {
            ["Test", "Tests", "TestCase", "IT", "Spec"].iter().any(|end| stem.ends_with(end))
                || stem.starts_with("Test")
        }
        Language::Other => {
            ["_spec", "_test", "test", "tests"].iter().any(|end| lower.ends_with(end))
                || lower.starts_with("test_")
        }
    };
    // A Go file is a test by its name alone, whatever its folder is called.
    by_name || (language != Language::Go && in_test_folder(folders))
}

fn in_test_folder(folders: &str) -> bool {
    let parts = || folders.split('/').map(str::to_ascii_lowercase);
    parts().any(|part| FOLDERS.contains(&part.as_str()))
        && !parts().any(|part| DATA_FOLDERS.contains(&part.as_str()))
}

/// Whether a file holds what tests compare with, written by the tests themselves.
pub(crate) fn is_snapshot(path: &str) -> bool {
    path.split('/').any(|part| part == "__snapshots__" || part == "snapshots") || path.ends_with(".snap")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_known_by_their_paths() {
        for path in [
            "tests/cart.rs",
            "src/cart_tests.rs",
            "src/cart/tests.rs",
            "tests/test_cart.py",
            "cart_test.py",
            "src/cart.test.ts",
            "src/__tests__/cart.js",
            "e2e/login.spec.ts",
            "cart_test.go",
            "src/test/java/CartTest.java",
            "CartIT.java",
            "spec/cart_spec.rb",
        ] {
            assert!(is_test_file(path), "{path}");
        }
        for path in [
            "src/cart.rs",
            "src/latest.py",
            "tests/fixtures/cart.py",
            "src/contest.ts",
            "tests/helper.go",
            "README.md",
            "src/main/java/Cart.java",
            "tests/data/cart.json",
            "",
        ] {
            assert!(!is_test_file(path), "{path}");
        }
    }

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
        ];
        for (language, line, code) in cases {
            assert_eq!(language.code(line), code, "{line}");
        }
    }
}
