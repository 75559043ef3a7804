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
    /// Shells and bats.
    Shell,
    /// Another one, whose assertions are found by their names alone: C#, Ruby, PHP, Swift, Elixir, C++ and the like.
    Other,
}

const BY_ENDING: &[(&[&str], Language)] = &[
    (&["rs"], Language::Rust),
    (&["py", "pyi"], Language::Python),
    (&["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue", "svelte"], Language::Script),
    (&["go"], Language::Go),
    (&["java", "kt", "kts", "scala", "groovy"], Language::Java),
    (&["sh", "bash", "zsh", "bats"], Language::Shell),
    (
        &[
            "rb", "php", "cs", "fs", "vb", "swift", "m", "c", "cc", "cpp", "cxx", "ex", "exs", "erl", "dart",
            "lua", "pl", "t", "r", "jl", "zig", "hs", "ml", "clj", "feature", "robot",
        ],
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
            Self::Python | Self::Shell if line.starts_with('#') => "",
            // An attribute of PHP, a macro of Swift.
            Self::Other if line.starts_with('#') && !is_hash_code(line) => "",
            // To Go itself this is no comment: it says which files belong to a build.
            Self::Go if line.starts_with("//go:build") || line.starts_with("// +build") => line,
            _ if line.starts_with("//") || line.starts_with("/*") || line.starts_with("* ") => "",
            _ => line.get(..self.comment_start(line)).unwrap_or(line).trim_end(),
        }
    }

    /// Where a comment at the end of a line begins: outside of quotes, after a blank.
    fn comment_start(self, line: &str) -> usize {
        let marks: &[&str] = match self {
            Self::Python | Self::Shell => &["#"],
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
                None if before.is_whitespace()
                    && marks.iter().any(|mark| line.get(at..).is_some_and(|rest| rest.starts_with(mark))) =>
                {
                    return at;
                }
                None => {}
            }
            before = letter;
        }
        line.len()
    }
}

fn is_hash_code(line: &str) -> bool {
    ["#[", "#expect", "#require", "#if"].iter().any(|mark| line.starts_with(mark))
}

/// Whether a path is that of a file with tests, by the habits of its language.
pub(crate) fn is_test_file(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    // A Go file is a test by its name alone, whatever its folder is called.
    is_test_by_name(path)
        || (Language::of(path).is_some_and(|language| language != Language::Go) && in_test_folder(folders))
}

/// Whether the name of a file says that it has tests, wherever it is.
pub(crate) fn is_test_by_name(path: &str) -> bool {
    let Some(language) = Language::of(path) else { return false };
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let lower = stem.to_ascii_lowercase();
    let ends = |marks: &[&str]| marks.iter().any(|mark| stem.ends_with(mark));
    match language {
        Language::Rust => matches!(stem, "tests" | "test") || ends(&["_test", "_tests"]),
        Language::Python => stem.starts_with("test_") || stem.ends_with("_test") || stem == "tests",
        Language::Script => [".test", ".spec", ".cy"].iter().any(|mark| lower.ends_with(mark)),
        Language::Go => stem.ends_with("_test"),
        Language::Java => ends(&["Test", "Tests", "TestCase", "IT", "Spec"]) || stem.starts_with("Test"),
        Language::Shell => {
            ending == "bats" || lower.starts_with("test_") || ends(&["_test", "_tests", "-test", ".test"])
        }
        Language::Other => {
            matches!(ending, "feature" | "robot" | "t")
                || ends(&["_spec", "_test", "_tests", "-test", "Test", "Tests", "Spec", "Specs"])
                || matches!(lower.as_str(), "test" | "tests")
                || lower.starts_with("test_")
        }
    }
}

fn in_test_folder(folders: &str) -> bool {
    let is_tests = |part: &str| {
        let lower = part.to_ascii_lowercase();
        FOLDERS.contains(&lower.as_str()) || part.ends_with("Tests") || lower.ends_with(".tests")
    };
    let is_data = |part: &str| DATA_FOLDERS.contains(&part.to_ascii_lowercase().as_str());
    folders.split('/').any(is_tests) && !folders.split('/').any(is_data)
}

/// Whether a file holds what tests compare with, written by the tests themselves.
pub(crate) fn is_snapshot(path: &str) -> bool {
    path.split('/').any(|part| part == "__snapshots__" || part == "snapshots") || path.ends_with(".snap")
}

/// Whether a file holds what tests compare with, by its name.
pub(crate) fn is_golden(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let in_tests = lower.split('/').any(|part| FOLDERS.contains(&part) || part == "testdata");
    let name = lower.rsplit('/').next().unwrap_or_default();
    lower.ends_with(".golden") || (in_tests && (name.contains("expected") || lower.contains("golden")))
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
            "Shop.Tests/Cart.cs",
            "ShopTests/Cart.swift",
            "CartTests.cs",
            "CartTest.php",
            "checks/cart.bats",
            "cart_test.exs",
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
            "src/latest.rb",
            "src/Contest.cs",
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
            (Language::Shell, "x=1 # one", "x=1"),
            (Language::Other, "#[Test]", "#[Test]"),
            (Language::Other, "# gone", ""),
        ];
        for (language, line, code) in cases {
            assert_eq!(language.code(line), code, "{line}");
        }
    }
}
