//! Changes to what judges the work: continuous integration, Loopwright's own files, the configuration of test runners
//! and linters.

use super::change::{ChangedFile, FileKind, Line};
use super::flag;
use super::test_files::is_test_by_name;
use super::{recipes, runners, strictness};
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
    "Taskfile",
    "deny.toml",
    "phpunit.xml",
    ".rspec",
    ".rubocop",
    "phpstan",
    ".swiftlint",
    "analysis_options",
    "detekt",
    "Directory.Build.props",
    "CMakeLists.txt",
    ".stylelintrc",
    ".stylelintignore",
    ".shellcheckrc",
    "mix.exs",
    "bunfig.toml",
];
/// Files that Python runs before any program.
const BEFORE_ALL: &[&str] = &["sitecustomize.py", "usercustomize.py"];
/// What switches a linter or a type checker off for a whole file.
const WHOLE_FILE: &[&str] = &[
    "// @ts-nocheck",
    "/* eslint-disable */",
    "# mypy: ignore-errors",
    "# flake8: noqa",
    "# ruff: noqa",
    "# pylint: skip-file",
    "# type: ignore-errors",
    "#![allow(warnings)]",
    "#![allow(clippy::all)]",
    "#![allow(unused)]",
];
/// Variables that change what every test runner does.
const VARIABLES: &[&str] = &["PYTEST_ADDOPTS", "PYTHONOPTIMIZE", "RUSTC_WRAPPER", "GOFLAGS"];

/// Changes to what judges the work. `is_check` says whether a check that Loopwright runs names a file, or a target or
/// script of one.
pub(crate) fn edited_checks(files: &[ChangedFile], is_check: &dyn Fn(&str) -> bool) -> Vec<RiskFlag> {
    files.iter().filter_map(|file| edited(file, is_check)).collect()
}

fn edited(file: &ChangedFile, is_check: &dyn Fn(&str) -> bool) -> Option<RiskFlag> {
    let found = |line, detail: &str| Some(flag(RiskKind::ChecksEdited, &file.path, line, detail));
    if file.paths().any(|path| is_in(path, ".loopwright/")) {
        return found(None, "Loopwright's own files were changed");
    }
    if file.paths().any(is_judge) {
        return found(None, "continuous integration or hooks were changed");
    }
    if file.paths().any(|path| is_check(path) && !is_test_by_name(path)) {
        return found(None, "a file that a check runs was changed");
    }
    let name = file.path.rsplit('/').next()?;
    if BEFORE_ALL.contains(&name) || file.path.ends_with(".pth") {
        return found(None, "Python runs this file before every program, tests too");
    }
    if let Some((line, detail)) = switched_off(file) {
        return found(line.new, detail);
    }
    let (line, detail) = if recipes::is_recipe_file(name) {
        recipes::changed_target(file, is_check)?
    } else if name == "package.json" {
        recipes::changed_script(file, is_check).or_else(|| configured(file, name))?
    } else if STRICTNESS.iter().any(|known| name.starts_with(known)) || is_project_file(&file.path) {
        if file.kind == FileKind::Deleted {
            return found(None, "the configuration of tests or linters was deleted");
        }
        configured(file, name)?
    } else {
        return None;
    };
    found(line.new.or(line.old), detail)
}

fn configured<'a>(file: &'a ChangedFile, name: &str) -> Option<(&'a Line, &'static str)> {
    let narrowed = runners::narrowed(file, name);
    // What is new takes nothing away from linters.
    narrowed.or_else(|| (file.kind != FileKind::Added).then(|| strictness::looser_line(file, name)).flatten())
}

fn is_judge(path: &str) -> bool {
    JUDGES.iter().any(|judge| match judge.strip_suffix('/') {
        Some(_) => path.starts_with(judge) || (judge.starts_with('.') && is_in(path, judge)),
        None => path.rsplit('/').next().is_some_and(|name| name.starts_with(judge)),
    })
}

/// Whether a path leads through a folder, at whatever depth: a project may be in a subfolder of its repository.
fn is_in(path: &str, folder: &str) -> bool {
    path.match_indices(folder)
        .any(|(at, _)| at == 0 || path.get(..at).is_some_and(|above| above.ends_with('/')))
}

/// Files of which only a few lines are about checks.
fn is_project_file(path: &str) -> bool {
    [".csproj", ".fsproj", ".cargo/config.toml", ".cargo/config", ".npmrc", ".runsettings"]
        .iter()
        .any(|ending| path.ends_with(ending))
}

/// A line that switches a linter, a type checker or every test off from where it stands.
fn switched_off(file: &ChangedFile) -> Option<(&Line, &'static str)> {
    let is_text = [".md", ".rst", ".txt", ".adoc"].iter().any(|ending| file.path.ends_with(ending));
    if file.generated || is_text {
        return None;
    }
    let was_there = |mark: &str| file.removed_lines().any(|line| line.text.contains(mark));
    let whole = file
        .added_lines()
        .find(|line| WHOLE_FILE.iter().any(|mark| line.text.trim() == *mark && !was_there(mark)));
    if let Some(line) = whole {
        return Some((line, "a linter or a type checker is switched off for a whole file"));
    }
    let sets = |line: &Line| {
        let text = line.text.trim();
        VARIABLES.iter().any(|name| {
            text.split_once(name).is_some_and(|(_, rest)| {
                rest.trim_start_matches(['"', '\'', ']', ' ']).starts_with(['=', ':'])
            }) && !was_there(name)
        })
    };
    file.added_lines().find(|line| sets(line)).map(|line| (line, "a variable is set that test runners obey"))
}
