//! Which tests a test runner finds, and what it makes of their failures.

use super::change::{ChangedFile, FileKind, Line};
use super::strictness::is_comment;
use super::tokens::words;

/// What a `conftest.py` does to leave tests out, or to make good of their failures.
const HOOKS: &[&str] = &[
    "items.clear",
    "items[:]",
    "items.remove",
    "items.pop",
    "del items",
    "deselected",
    "pytest_ignore_collect",
    "pytest_collect_file",
    "pytest_runtest_protocol",
    "pytest_pyfunc_call",
    "collect_ignore",
    ".outcome =",
    "outcome=",
    ".exitstatus =",
    "force_result",
    "os._exit",
    "sys.exit",
    "pytest.exit",
    "pytest.skip",
    "mark.skip",
    "mark.xfail",
    ".runtest =",
    ".obj =",
    "testsfailed",
    "excinfo = None",
];
/// Options of pytest by which tests are left out.
const OPTIONS: &[&str] = &[
    "-k",
    "-m",
    "--ignore",
    "--ignore-glob",
    "--deselect",
    "--co",
    "--collect-only",
    "--lf",
    "--last-failed",
    "--sw",
    "--stepwise",
    "--noconftest",
    "--suppress-no-test-exit-code",
    "--suppress-tests-failed-exit-code",
    "--reruns",
    "-p",
    "--override-ini",
];
/// Settings that name the files or functions in which tests are looked for.
const DISCOVERY: &[&str] = &[
    "python_files",
    "python_functions",
    "python_classes",
    "testpaths",
    "testMatch",
    "testRegex",
    "testNamePattern",
    "specPattern",
    "testDir",
    "default-filter",
    "roots",
    "required-features",
];
/// Settings of a new file that leave tests out.
const LEAVES_OUT: &[&str] = &[
    "collect_ignore",
    "norecursedirs",
    "testPathIgnorePatterns",
    "passWithNoTests",
    "testNamePattern",
    "default-filter",
    "autotests = false",
    "ignoreFailures",
    "testFailureIgnore",
    "skipTests",
    "bail: false",
    "runner =",
    "rustc-wrapper",
    "script-shell",
    "ignore-scripts",
];

/// The first line by which fewer tests are found, or failures no longer count.
pub(crate) fn narrowed<'a>(file: &'a ChangedFile, name: &str) -> Option<(&'a Line, &'static str)> {
    let detail = "tests are left out, or their failures no longer count";
    if name == "conftest.py" {
        let was_there = |mark: &str| file.removed_lines().any(|line| line.text.contains(mark));
        let hook = |line: &&Line| {
            let text = line.text.trim();
            !is_comment(text) && HOOKS.iter().any(|mark| text.contains(mark) && !was_there(mark))
        };
        return file.added_lines().find(hook).map(|line| (line, detail));
    }
    if name == "Cargo.toml" {
        return switched_off_target(file).map(|line| (line, detail));
    }
    let added = file.added_lines().filter(|line| !is_comment(line.text.trim()));
    let mut found = added.filter(|line| leaves_out(file, line) || misses(file, line));
    found.next().map(|line| (line, detail))
}

/// Options that leave tests out, and settings of a new file that do.
fn leaves_out(file: &ChangedFile, line: &Line) -> bool {
    let text = line.text.trim();
    let key = text.split(['=', ':']).next().unwrap_or_default();
    // Options may stand on lines of their own below their key.
    let is_options = key.contains("addopts")
        || key.contains("commands")
        || text.starts_with(['-', '"', '\''])
        || text.contains("pytest ");
    let was_there = |option: &str| file.removed_lines().any(|line| has_option(&line.text, option));
    let is_harmless = |option: &str| option == "-p" && text.contains("-p no:");
    let options = is_options
        && OPTIONS
            .iter()
            .any(|option| has_option(text, option) && !was_there(option) && !is_harmless(option));
    let settings = file.kind == FileKind::Added && LEAVES_OUT.iter().any(|mark| text.contains(mark));
    options || settings
}

fn has_option(text: &str, option: &str) -> bool {
    text.split([' ', '"', '\'', ',', '[', ']', '=']).any(|word| word == option)
}

/// A setting of where tests are, by which some are no longer found.
fn misses(file: &ChangedFile, line: &Line) -> bool {
    let key = |text: &str| {
        text.split(['=', ':']).next().unwrap_or_default().trim().trim_matches(['"', '\'']).to_owned()
    };
    let own = key(&line.text);
    if !DISCOVERY.contains(&own.as_str()) {
        return false;
    }
    let value = |text: &str| text.split_once(['=', ':']).map_or("", |(_, value)| value).to_owned();
    let now = value(&line.text);
    if own == "default-filter" {
        return !now.contains("all()") && !file.removed_lines().any(|line| key(&line.text) == own);
    }
    let mut before = file.removed_lines().filter(|line| key(&line.text) == own).peekable();
    if before.peek().is_none() {
        // What everybody has is found by itself.
        let usual = ["test", "spec", "src", "\".\"", "rootDir"];
        return !now.trim().is_empty() && now.trim() != "[" && !usual.iter().any(|word| now.contains(word));
    }
    before.any(|line| {
        let old = value(&line.text);
        words(&old).any(|word| !words(&now).any(|other| other == word))
    })
}

/// `test = false` and the like, outside of a benchmark.
fn switched_off_target(file: &ChangedFile) -> Option<&Line> {
    file.hunks.iter().find_map(|hunk| {
        let mut section = hunk.section.trim().to_owned();
        hunk.lines.iter().filter(|line| line.new.is_some()).find(|line| {
            let text = line.text.trim();
            if text.starts_with('[') {
                section = text.to_owned();
            }
            let setting: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
            let is_off = matches!(
                setting.as_str(),
                "test=false" | "doctest=false" | "autotests=false" | "harness=false"
            ) || setting.starts_with("required-features=") && section.contains("[[test]]");
            line.old.is_none() && is_off && !section.contains("bench") && !section.contains("example")
        })
    })
}
