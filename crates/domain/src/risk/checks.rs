//! Changes to what judges the work: continuous integration, Loopwright's own files, the configuration of test runners
//! and linters.

use super::change::{ChangedFile, FileKind, Line};
use super::flag;
use super::language::is_test_file;
use super::words::{numbers, without_literals};
use crate::gate::{RiskFlag, RiskKind};

/// Folders and files that judge the work, whatever is changed in them.
const JUDGES: &[&str] = &[
    ".github/workflows/",
    ".github/actions/",
    ".gitlab-ci.yml",
    ".gitlab/ci/",
    ".circleci/",
    ".travis.yml",
    ".buildkite/",
    ".drone.yml",
    ".woodpecker",
    ".teamcity/",
    ".azure-pipelines/",
    "azure-pipelines",
    "bitbucket-pipelines.yml",
    "appveyor.yml",
    ".appveyor.yml",
    "Jenkinsfile",
    ".ci/",
    "ci/",
    ".husky/",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    "codecov.yml",
    ".codecov.yml",
    "sonar-project.properties",
];
/// Names of files that say how strict tests and linters are.
const STRICTNESS: &[&str] = &[
    "jest.config",
    "vitest.config",
    "vite.config",
    "playwright.config",
    "cypress.config",
    "karma.conf",
    ".mocharc",
    ".nycrc",
    "pytest.ini",
    "tox.ini",
    "setup.cfg",
    "pyproject.toml",
    "conftest.py",
    "noxfile.py",
    ".coveragerc",
    "mypy.ini",
    ".mypy.ini",
    "ruff.toml",
    ".ruff.toml",
    ".flake8",
    ".pylintrc",
    ".eslintrc",
    "eslint.config",
    ".eslintignore",
    "tsconfig",
    "biome.json",
    ".golangci",
    "clippy.toml",
    ".clippy.toml",
    "nextest.toml",
    "tarpaulin.toml",
    "Cargo.toml",
    "checkstyle",
    "pmd.xml",
    "pom.xml",
    "build.gradle",
    "package.json",
    "Makefile",
    "makefile",
    "justfile",
    "Justfile",
    "Taskfile",
    "deny.toml",
];
/// Words of lines that leave something out or let failures through.
const LENIENT: &[&str] = &[
    "|| true",
    "|| :",
    "; exit 0",
    "|| exit 0",
    "set +e",
    "continue-on-error",
    "allow_failure",
    "passWithNoTests",
    "pass-with-no-tests",
    "--no-verify",
    "--deselect",
    "--ignore",
    "-k \"not",
    "-k 'not",
    "collect_ignore",
    "testPathIgnorePatterns",
    "coveragePathIgnorePatterns",
    "norecursedirs",
    "per-file-ignores",
    "ignore_errors",
    "ignore_missing_imports",
    "disable_error_code",
    "ignoreFailures",
    "testFailureIgnore",
    "skipTests",
    "maven.test.skip",
    "skipLibCheck",
    "DskipTests",
    "-x test",
    "\"off\"",
    "'off'",
    "= \"allow\"",
    "--cap-lints",
    "-A clippy",
    "-A warnings",
    "max-warnings",
    "exclude",
    "omit",
    "ignore = ",
    "ignore=",
    "ignores:",
    "disable",
];
/// What is left out by everybody.
const USUAL: &[&str] = &[
    "node_modules",
    "dist",
    "build",
    "coverage",
    ".venv",
    "venv",
    "target",
    "vendor",
    ".git",
    "__pycache__",
    "out",
];
/// Names of targets and scripts that judge the work.
const TARGETS: &[&str] = &["test", "check", "lint", "ci", "verify", "coverage", "typecheck", "clippy"];

/// Changes to what judges the work. `is_check` says whether a check that Loopwright runs names a file.
pub(crate) fn edited_checks(files: &[ChangedFile], is_check: &dyn Fn(&str) -> bool) -> Vec<RiskFlag> {
    files.iter().filter_map(|file| edited(file, is_check)).collect()
}

fn edited(file: &ChangedFile, is_check: &dyn Fn(&str) -> bool) -> Option<RiskFlag> {
    let found = |line, detail: &str| Some(flag(RiskKind::ChecksEdited, &file.path, line, detail));
    if file.paths().any(|path| path.starts_with(".loopwright/")) {
        return found(None, "Loopwright's own files were changed");
    }
    if file.paths().any(is_judge) {
        return found(None, "continuous integration or hooks were changed");
    }
    if file.paths().any(|path| is_check(path) && !is_test_file(path)) {
        return found(None, "a file that a check runs was changed");
    }
    let name = file.path.rsplit('/').next()?;
    if !STRICTNESS.iter().any(|known| name.starts_with(known)) || file.kind == FileKind::Added {
        return None;
    }
    if file.kind == FileKind::Deleted {
        return found(None, "the configuration of tests or linters was deleted");
    }
    let (line, detail) = looser_line(file, name)?;
    found(line.new.or(line.old), detail)
}

fn is_judge(path: &str) -> bool {
    JUDGES.iter().any(|judge| match judge.strip_suffix('/') {
        Some(_) => path.starts_with(judge),
        None => path.rsplit('/').next().is_some_and(|name| name.starts_with(judge)),
    })
}

/// The first line that makes a configuration less strict.
fn looser_line<'a>(file: &'a ChangedFile, name: &str) -> Option<(&'a Line, &'static str)> {
    let removed: Vec<&Line> = file.removed_lines().collect();
    let lenient = file.added_lines().find(|line| {
        let text = line.text.trim();
        let words = || LENIENT.iter().filter(|word| text.contains(*word));
        let only_usual = USUAL.iter().any(|usual| text.contains(usual));
        let was_there = |word: &str| {
            removed.iter().any(|before| before.text.contains(word) && before.text.len() >= text.len())
        };
        !is_comment(text) && words().any(|word| !was_there(word)) && !only_usual
    });
    if let Some(line) = lenient {
        return Some((line, "something is left out of the checks, or may fail"));
    }
    let less =
        file.added_lines().find(|line| removed.iter().any(|before| is_less_strict(&before.text, &line.text)));
    if let Some(line) = less {
        return Some((line, "tests or linters are less strict"));
    }
    let gone = removed.iter().find(|line| is_strict(&line.text) && !has_replacement(file, &line.text));
    if let Some(line) = gone {
        return Some((line, "a strict setting of tests or linters was removed"));
    }
    command_of_a_target(file, name).map(|line| (line, "a command that checks the work was changed"))
}

fn is_comment(text: &str) -> bool {
    ["#", "//", "<!--"].iter().any(|mark| text.starts_with(mark))
}

/// A switch that was turned off, a level that was lowered, a threshold that sank.
fn is_less_strict(before: &str, after: &str) -> bool {
    let (old, new) = (before.trim(), after.trim());
    let key = |text: &str| text.split(['=', ':']).next().unwrap_or_default().trim().to_owned();
    if old == new || key(old) != key(new) {
        return false;
    }
    let turned = |from: &str, to: &str| {
        old.contains(from) && !old.contains(to) && new.contains(to) && !new.contains(from)
    };
    let levels = [
        "\"forbid\"",
        "\"deny\"",
        "\"error\"",
        "'error'",
        "\"warn\"",
        "'warn'",
        "\"allow\"",
        "\"off\"",
        "'off'",
    ];
    let level = |text: &str| levels.iter().position(|level| text.contains(level));
    if is_strict_key(&key(old)) && (turned("true", "false") || turned("True", "False")) {
        return true;
    }
    if let (Some(was), Some(is)) = (level(old), level(new)) {
        return is > was;
    }
    let same = without_literals(old) == without_literals(new);
    let (was, is) = (numbers(old), numbers(new));
    is_threshold(&key(old)) && same && was.iter().zip(&is).any(|(was, is)| is < was)
}

fn is_strict_key(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    [
        "strict",
        "noimplicit",
        "nounused",
        "nounchecked",
        "nofallthrough",
        "disallow",
        "warn",
        "fail",
        "error",
        "check",
        "exact",
    ]
    .iter()
    .any(|word| key.contains(word))
}

fn is_threshold(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    [
        "threshold",
        "fail_under",
        "fail-under",
        "branches",
        "functions",
        "lines",
        "statements",
        "minimum",
        "coverage",
    ]
    .iter()
    .any(|word| key.contains(word))
}

/// Whether a line by itself asks for strictness.
fn is_strict(text: &str) -> bool {
    let key = text.split(['=', ':']).next().unwrap_or_default();
    let on = ["true", "True", "\"deny\"", "\"forbid\"", "\"error\"", "'error'"]
        .iter()
        .any(|word| text.contains(word));
    (is_strict_key(key) && on && !is_comment(text.trim())) || (is_threshold(key) && !numbers(text).is_empty())
}

fn has_replacement(file: &ChangedFile, text: &str) -> bool {
    let key = |text: &str| text.split(['=', ':']).next().unwrap_or_default().trim().to_owned();
    file.added_lines().any(|line| key(&line.text) == key(text))
}

/// A command of a target or a script that judges the work, which is gone or another one now.
fn command_of_a_target<'a>(file: &'a ChangedFile, name: &str) -> Option<&'a Line> {
    if name == "package.json" {
        return file.removed_lines().find(|line| {
            let text = line.text.trim();
            let script =
                text.strip_prefix('"').and_then(|text| text.split_once('"')).map_or("", |(script, _)| script);
            is_target(script) && text.contains("\": \"") && !text.contains("\": \"^") && !grows(file, text)
        });
    }
    let is_recipe_file =
        ["Makefile", "makefile", "justfile", "Justfile", "Taskfile"].iter().any(|one| name.starts_with(one));
    if !is_recipe_file {
        return None;
    }
    file.hunks.iter().find_map(|hunk| {
        let mut target = hunk.section.trim_end().trim_end_matches(':').to_owned();
        hunk.lines.iter().find(|line| {
            if !line.text.starts_with([' ', '\t']) && line.text.contains(':') && line.old.is_some() {
                target = line.text.split(':').next().unwrap_or_default().to_owned();
            }
            line.new.is_none()
                && !line.text.trim().is_empty()
                && is_target(&target)
                && !grows(file, line.text.trim())
        })
    })
}

/// Whether a line of a script is still there with something more at its end.
fn grows(file: &ChangedFile, text: &str) -> bool {
    let begin = text.trim_end_matches([',', '"']);
    file.added_lines().any(|line| line.text.trim().starts_with(begin))
}

fn is_target(name: &str) -> bool {
    name.split([':', '-', '_', ' ', '.']).any(|part| TARGETS.contains(&part))
}
