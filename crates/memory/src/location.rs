//! Which file and line a cause is about.

use std::sync::LazyLock;

use regex::Regex;

/// As many lines as are looked at before and after the cause.
const AROUND: usize = 24;
/// As far as a line is looked at, in bytes.
const LONGEST_LINE: usize = 1_000;

/// What is not the project's own: libraries, runtimes, tools.
const FOREIGN: &[&str] = &[
    "node_modules/",
    "node:",
    "site-packages/",
    "dist-packages/",
    "/lib/python",
    "/rustc/",
    ".cargo/registry",
    ".rustup/",
    "/usr/lib",
    "/usr/include",
    "/usr/share",
    "/usr/local/go",
    "<frozen",
    "<string>",
    "java.base",
];

static PLACES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        r#"File "(?P<file>[^"]+)", line (?P<line>\d+)"#,
        r"(?P<file>[\w@./\\+-]+\.\w+):\[(?P<line>\d+),\d+\]",
        r"(?P<file>[\w@./\\+-]+\.\w+)\((?P<line>\d+)(?:,\d+)?\)",
        r"(?P<file>(?:node:|\b[A-Za-z]:)?[\w@./\\+-]*[\w+-]\.[A-Za-z]\w{0,9}):(?P<line>\d+)(?::\d+)?",
        r"(?P<file>[\w@./\\+-]*[Mm]akefile):(?P<line>\d+)",
        r"in (?P<file>\S+\.php) on line (?P<line>\d+)",
        r"(?P<file>[\w@./\\+-]+\.\w+): \w*Error: .*\((?P<line>\d+):\d+\)",
        r"(?P<file>[\w@./\\+-]+\.\w+): line (?P<line>\d+)",
        r"(?P<file>[\w@./\\+-]+\.sh): (?P<line>\d+): ",
    ]
    .iter()
    .filter_map(|place| Regex::new(place).ok())
    .collect()
});

static IN_LISTING: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\s+(\d+):\d+\s+error\s").ok());

/// The file and line that the line beginning at `start`, or one near it, is about.
pub(crate) fn of(text: &str, start: usize) -> Option<(String, Option<u32>)> {
    let mut after = text.get(start..).unwrap_or_default().lines();
    let cause = cut(after.next()?);
    let before: Vec<&str> =
        text.get(..start).unwrap_or_default().lines().rev().take(AROUND).map(cut).collect();
    if let Some(listed) = in_listing(cause, &before) {
        return Some(listed);
    }
    let after: Vec<&str> = after.take(AROUND).map(cut).collect();
    let is_trace = |line: &&&str| line.trim_start().starts_with("File \"");
    in_line(cause)
        .or_else(|| before.iter().filter(is_trace).find_map(|line| in_line(line)))
        .or_else(|| after.iter().filter(is_trace).filter_map(|line| in_line(line)).next_back())
        .or_else(|| after.iter().find_map(|line| in_line(line)))
        .or_else(|| before.iter().find_map(|line| in_line(line)))
}

fn cut(line: &str) -> &str {
    line.get(..line.floor_char_boundary(LONGEST_LINE)).unwrap_or(line)
}

/// A file has a heading of its own, and its errors stand below it with their lines.
fn in_listing(cause: &str, before: &[&str]) -> Option<(String, Option<u32>)> {
    let line = IN_LISTING.as_ref()?.captures(cause)?.get(1)?.as_str().parse().ok();
    let file = before.iter().find(|line| line.starts_with(|c: char| !c.is_whitespace()))?;
    Some((file.trim().to_owned(), line))
}

fn in_line(line: &str) -> Option<(String, Option<u32>)> {
    PLACES.iter().find_map(|place| {
        place.captures_iter(line).find_map(|found| {
            let whole = found.get(0)?.as_str();
            let file = found.name("file")?.as_str();
            let foreign = FOREIGN.iter().any(|part| file.contains(part) || whole.contains(part));
            let named = file.contains(|c: char| c.is_alphabetic());
            (named && !foreign)
                .then(|| (file.to_owned(), found.name("line").and_then(|l| l.as_str().parse().ok())))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_as_tools_write_them() {
        for (text, file, line) in [
            ("error[E0308]: mismatched types\n --> src/lib.rs:2:5\n", "src/lib.rs", 2),
            ("till.ts(3,7): error TS2322: Type\n", "till.ts", 3),
            ("till.c:4:9: error: 'a' undeclared\n", "till.c", 4),
            ("[ERROR] /p/src/Till.java:[2,13] incompatible types\n", "/p/src/Till.java", 2),
            ("PHP Parse error:  syntax error in /p/till.php on line 2\n", "/p/till.php", 2),
            ("run.sh: line 3: tea: command not found\n", "run.sh", 3),
            ("CMake Error at CMakeLists.txt:3 (message):\n", "CMakeLists.txt", 3),
            ("Makefile:2: *** missing separator.  Stop.\n", "Makefile", 2),
            ("Error: shut\n    at a (node:internal/x.js:1:2)\n    at /p/till.js:7:3\n", "/p/till.js", 7),
        ] {
            assert_eq!(of(text, 0), Some((file.to_owned(), Some(line))), "{text}");
        }
    }

    #[test]
    fn the_nearest_line_of_a_trace_is_taken() {
        let text =
            "  File \"a.py\", line 9, in <module>\n  File \"b.py\", line 3, in f\n    x()\nKeyError: 'a'\n";
        assert_eq!(of(text, text.find("KeyError").unwrap()), Some(("b.py".to_owned(), Some(3))));
    }

    #[test]
    fn a_listing_names_its_file_above() {
        let text = "/p/till.js\n  1:1  warning  x\n  4:7  error  'a' is unused\n";
        assert_eq!(of(text, text.find("  4:7").unwrap()), Some(("/p/till.js".to_owned(), Some(4))));
    }
}
