//! Commands that judge the work, in a Makefile, a justfile or a `package.json`.

use std::collections::BTreeSet;

use super::change::{ChangedFile, FileKind, Line};
use super::check_scripts::assignment;
use super::strictness::LENIENT;
use super::tokens::compact;

/// Names of targets and scripts that judge the work.
const TARGETS: &[&str] =
    &["test", "tests", "check", "lint", "ci", "verify", "coverage", "typecheck", "clippy"];
/// Options that change what is printed, and nothing else.
const HARMLESS: &[&str] = &[
    "--coverage",
    "--ci",
    "--verbose",
    "-v",
    "--silent",
    "--runInBand",
    "--color",
    "--colors",
    "--run",
    "--reporter",
    "--strict",
    "--locked",
    "--all",
    "--workspace",
    "--all-targets",
    "-race",
    "--race",
    "--max-warnings=0",
    "-Werror",
    "--no-cache",
    "-q",
    "--quiet",
];
const CHANGED: &str = "a command that checks the work was changed";
const LENIENT_NOW: &str = "something is left out of the checks, or may fail";

pub(crate) fn is_recipe_file(name: &str) -> bool {
    ["Makefile", "makefile", "GNUmakefile", "justfile", "Justfile"].iter().any(|one| name.starts_with(one))
        || [".mk", ".just"].iter().any(|ending| name.ends_with(ending))
}

fn is_target(name: &str) -> bool {
    name.split([':', '-', '_', ' ', '.']).any(|part| TARGETS.contains(&part))
}

/// A line of a recipe that judges the work, by its name or because a check runs it.
pub(crate) fn changed_target<'a>(
    file: &'a ChangedFile,
    is_check: &dyn Fn(&str) -> bool,
) -> Option<(&'a Line, &'static str)> {
    let judges = |name: &str| is_target(name) || is_check(&format!("{}#{name}", file.path));
    if file.kind == FileKind::Added {
        return None;
    }
    let came: BTreeSet<String> = file.added_lines().map(|line| compact(&line.text)).collect();
    let gone: BTreeSet<String> = file.removed_lines().map(|line| compact(&line.text)).collect();
    for hunk in &file.hunks {
        let mut target = hunk.section.split(':').next().unwrap_or_default().to_owned();
        for line in &hunk.lines {
            let text = line.text.trim();
            let is_recipe = line.text.starts_with([' ', '\t']);
            if !is_recipe
                && let Some((names, _)) =
                    line.text.split_once(':').filter(|_| assignment(&line.text).is_none())
            {
                target = names.to_owned();
            }
            let is_touched = line.old.is_none() || line.new.is_none();
            if !is_touched || text.is_empty() || text.starts_with('#') {
                continue;
            }
            if !is_recipe && let Some(detail) = changed_setting(file, line, is_check) {
                return Some((line, detail));
            }
            let is_judge = target.split_whitespace().any(judges);
            let is_assignment = !is_recipe && assignment(&line.text).is_some();
            if !is_judge || is_assignment {
                continue;
            }
            if line.new.is_none() && !came.contains(&compact(text)) && !is_kept(file, text, is_recipe) {
                return Some((line, CHANGED));
            }
            let is_lenient =
                LENIENT.iter().any(|word| text.contains(word)) || text.starts_with('-') || ends_well(text);
            if line.old.is_none() && is_recipe && is_lenient && !gone.contains(&compact(text)) {
                return Some((line, LENIENT_NOW));
            }
        }
    }
    None
}

/// Whether a command ends all that follows it, and says that it went well.
fn ends_well(text: &str) -> bool {
    let text = text.trim_start_matches(['@', '+']);
    text == "exit 0" || text.starts_with("exit 0;") || text.ends_with("exit 0")
}

/// Variables that a check uses, and settings of make by which failures no longer count.
fn changed_setting(file: &ChangedFile, line: &Line, is_check: &dyn Fn(&str) -> bool) -> Option<&'static str> {
    let text = line.text.trim();
    if line.old.is_none() && text.starts_with(".IGNORE") {
        return Some(LENIENT_NOW);
    }
    let (name, value) = assignment(text)?;
    match name {
        "SHELL"
            if line.old.is_none()
                && !value.split_whitespace().next().is_some_and(|shell| shell.ends_with("sh")) =>
        {
            Some(LENIENT_NOW)
        }
        "MAKEFLAGS" | "GNUMAKEFLAGS"
            if line.old.is_none()
                && value.split_whitespace().any(|flag| {
                    ["-i", "-k", "-n", "--ignore-errors", "--keep-going", "--dry-run", "i"].contains(&flag)
                }) =>
        {
            Some(LENIENT_NOW)
        }
        ".DEFAULT_GOAL" if is_check(&format!("{}#", file.path)) => Some(CHANGED),
        _ => (line.new.is_none() && is_check(&format!("{}#{name}", file.path))).then_some(CHANGED),
    }
}

/// Whether a command is still there, with something more. What a target needs may grow too.
fn is_kept(file: &ChangedFile, text: &str, is_recipe: bool) -> bool {
    file.added_lines().any(|line| {
        let new = line.text.trim();
        if is_recipe {
            return line.text.starts_with([' ', '\t']) && includes(text, new);
        }
        let (Some((name, old)), Some((other, now))) = (text.split_once(':'), new.split_once(':')) else {
            return false;
        };
        name == other && old.split_whitespace().all(|need| now.split_whitespace().any(|other| other == need))
    })
}

/// Whether all commands of one line are in another, unchanged or with options that do not matter.
fn includes(old: &str, new: &str) -> bool {
    let commands =
        |text: &str| -> Vec<String> { text.split("&&").map(|part| part.trim().to_owned()).collect() };
    let is_lenient = LENIENT.iter().any(|word| new.contains(word) && !old.contains(word));
    let has_more = (new.contains("||") && !old.contains("||")) || (new.contains(';') && !old.contains(';'));
    let is_harmless = |rest: &str| {
        rest.split_whitespace().all(|word| {
            HARMLESS.iter().any(|option| {
                word == *option || word.strip_prefix(option).is_some_and(|rest| rest.starts_with('='))
            })
        })
    };
    let is_in = |command: &String| {
        commands(new).iter().any(|other| {
            other
                .strip_prefix(command.as_str())
                .is_some_and(|rest| rest.is_empty() || (rest.starts_with(' ') && is_harmless(rest)))
        })
    };
    !is_lenient && !has_more && commands(old).iter().all(is_in)
}

/// A script of a `package.json` that judges the work.
pub(crate) fn changed_script<'a>(
    file: &'a ChangedFile,
    is_check: &dyn Fn(&str) -> bool,
) -> Option<(&'a Line, &'static str)> {
    if file.kind == FileKind::Added {
        return None;
    }
    let judges = |name: &str| is_target(name) || is_check(&format!("{}#{name}", file.path));
    let added: Vec<(&str, &str)> = file.added_lines().filter_map(|line| script(&line.text)).collect();
    let gone = file.removed_lines().find(|line| {
        let Some((name, command)) = script(&line.text).filter(|(name, _)| judges(name)) else { return false };
        !added.iter().any(|(other, now)| {
            *other == name && (includes(command, now) || is_delegated(command, now, &added))
        })
    });
    if let Some(line) = gone {
        return Some((line, CHANGED));
    }
    // Of two scripts of a name the later one counts.
    let lines = || file.hunks.iter().flat_map(|hunk| &hunk.lines);
    let stays = |name: &str| {
        lines().any(|line| {
            line.old.is_some()
                && line.new.is_some()
                && script(&line.text).is_some_and(|(other, _)| other == name)
        })
    };
    let again = |name: &str| added.iter().filter(|(other, _)| *other == name).count() > 1;
    let twice: Vec<&Line> = file
        .added_lines()
        .filter(|line| {
            script(&line.text).is_some_and(|(name, _)| judges(name) && (stays(name) || again(name)))
        })
        .collect();
    twice.last().map(|line| (*line, CHANGED))
}

/// Whether a command became a script of its own that is run in its place.
fn is_delegated(old: &str, now: &str, added: &[(&str, &str)]) -> bool {
    let is_lenient = LENIENT.iter().any(|word| now.contains(word)) || now.contains("||") || now.contains(';');
    !is_lenient
        && added
            .iter()
            .any(|(name, command)| includes(old, command) && now.split([' ', '"']).any(|word| word == *name))
}

/// The name and the command of a script. A dependency has a version in its place.
fn script(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.trim().strip_prefix('"')?.split_once('"')?;
    let command = rest
        .trim_start()
        .strip_prefix(':')?
        .trim()
        .trim_end_matches(',')
        .strip_prefix('"')?
        .strip_suffix('"')?;
    let version = command.trim_start_matches(['^', '~', '>', '=', '<', 'v', ' ']);
    let is_version = version.starts_with(|first: char| first.is_ascii_digit() || first == '*')
        || ["workspace:", "file:", "link:", "npm:", "git", "latest"]
            .iter()
            .any(|mark| command.starts_with(mark) && !command.contains(' '));
    (!is_version && !name.is_empty()).then_some((name, command))
}
