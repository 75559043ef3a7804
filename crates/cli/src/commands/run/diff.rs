//! `loopwright diff`: what iterations changed.

use std::io::{IsTerminal, stdout};
use std::process::ExitCode;

use loopwright_domain::sanitize::escape_code;
use loopwright_domain::{ErrorCode, Fault, Iteration, Run};
use loopwright_engine::Project;
use loopwright_engine::pager::{PagedText, page};
use loopwright_engine::run::{
    Comparison, DiffFile, DiffReport, FileChange, FileStatus, Folded, TreeOf, TreeSide,
};
use serde::Serialize;

use super::{find_run, parse_run};
use crate::args::DiffArgs;
use crate::context::Context;
use crate::output::{self, BAD, CARE, GOOD, QUIET, complain, plain, say, styled};

/// As much of a patch is shown, in bytes.
pub(in crate::commands) const PATCH_LIMIT: usize = 8 * 1024 * 1024;

pub(in crate::commands) fn diff(context: &Context, args: &DiffArgs) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let run = find_run(context, &project, &args.which)?;
    let comparison = comparison(context, &project, &run, &args.iterations)?;
    if args.stat {
        let report = context.wait(project.iterations().diff_files(comparison))?;
        if context.json {
            return output::json(&report);
        }
        show_files(&report);
        return Ok(ExitCode::SUCCESS);
    }
    show_patch(context, &project, comparison)
}

/// Nothing: the whole run. One iteration: its own changes. Two: what differs between what they left.
fn comparison(
    context: &Context,
    project: &Project,
    run: &Run,
    words: &[String],
) -> Result<Comparison, Fault> {
    let words: Vec<&str> = match words {
        [range] => range.split_once("..").map_or_else(|| vec![range.as_str()], |(a, b)| vec![a, b]),
        words => words.iter().map(String::as_str).collect(),
    };
    let found = |word: &str| find_iteration(context, project, run, word);
    let tree = |iteration: &Iteration, side| TreeOf { iteration: iteration.id, side };
    let (from, to) = match words[..] {
        [] => {
            let last = context.wait(project.iterations().numbered(run, None))?;
            let first = context.wait(project.iterations().numbered(run, Some(1)))?;
            (tree(&first, TreeSide::Before), tree(&last, TreeSide::After))
        }
        [one] => {
            let iteration = found(one)?;
            (tree(&iteration, TreeSide::Before), tree(&iteration, TreeSide::After))
        }
        [from, to, ..] => (tree(&found(from)?, TreeSide::After), tree(&found(to)?, TreeSide::After)),
    };
    Ok(Comparison { from, to })
}

/// An iteration by its number, in another run when that is named before it.
fn find_iteration(context: &Context, project: &Project, run: &Run, word: &str) -> Result<Iteration, Fault> {
    let (named, number) = match word.rsplit_once(':') {
        Some((id, number)) => (Some(context.wait(project.runs().find(Some(parse_run(id)?)))?), number),
        None => (None, word),
    };
    let number = number.parse().map_err(|_| {
        Fault::new(ErrorCode::UsageInvalid, format!("\"{word}\" is not the number of an iteration"))
            .hint("Write 3, or 2..5, or RUN:3 for one of another run.")
    })?;
    context.wait(project.iterations().numbered(named.as_ref().unwrap_or(run), Some(number)))
}

pub(in crate::commands) fn show_files(report: &DiffReport) {
    if report.files.is_empty() {
        say!("Nothing changed.");
        return;
    }
    for file in &report.files {
        say!("{} {}  {}", letter(file), lines(file), name(file));
    }
    let shown = report.files.len();
    let more = (report.total as usize).saturating_sub(shown);
    if more > 0 {
        say!("{}", styled(CARE, format!("… and {}", output::count(more, "more file", "more files"))));
    }
    let files = output::count(report.total as usize, "file", "files");
    say!("{}", styled(QUIET, format!("{files}, {} lines added, {} removed", report.added, report.removed)));
}

fn letter(file: &DiffFile) -> String {
    match file.status {
        FileStatus::Added => styled(GOOD, "A"),
        FileStatus::Modified => styled(CARE, "M"),
        FileStatus::Deleted => styled(BAD, "D"),
        FileStatus::Renamed => styled(CARE, "R"),
        FileStatus::TypeChanged => styled(CARE, "T"),
    }
}

fn lines(file: &DiffFile) -> String {
    if file.folded == Some(Folded::Binary) {
        return format!("{:>13}", "binary");
    }
    let [added, removed] = [format!("+{}", file.added), format!("-{}", file.removed)];
    format!("{} {}", styled(GOOD, format!("{added:>6}")), styled(BAD, format!("{removed:>6}")))
}

fn name(file: &DiffFile) -> String {
    let modes = match (&file.old_mode, &file.new_mode) {
        (Some(old), Some(new)) if old != new => styled(QUIET, format!("  {old} → {new}")),
        _ => String::new(),
    };
    let path = plain(&file.path);
    match &file.old_path {
        Some(old) => format!("{} → {path}{modes}", plain(old)),
        None => format!("{path}{modes}"),
    }
}

/// What `diff --json` prints.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct PatchDocument<'a> {
    /// The files that differ.
    files: &'a [FileChange],
    /// The change as git writes it.
    patch: String,
    /// Whether the rest was left out because the change is very large.
    truncated: bool,
}

/// A terminal gets a coloured patch with unsafe characters made visible. A file or a pipe gets git's bytes unchanged,
/// so that `git apply` takes them.
fn show_patch(context: &Context, project: &Project, comparison: Comparison) -> Result<ExitCode, Fault> {
    let changes = context.wait(project.iterations().changes(comparison, PATCH_LIMIT))?;
    let patch = &changes.patch;
    if context.json {
        let (files, text) = (&changes.files, String::from_utf8_lossy(&patch.text).into_owned());
        return output::json(&PatchDocument { files, patch: text, truncated: patch.truncated });
    }
    if changes.files.is_empty() {
        say!("Nothing changed.");
    } else if stdout().is_terminal() {
        let coloured = coloured_patch(&patch.text);
        if !page(&context.host, PagedText { plain: &patch.text, coloured: &coloured })? {
            say!("{}", coloured.trim_end());
        }
    } else {
        output::bytes(&patch.text);
    }
    if patch.truncated {
        complain!("{}", styled(CARE, "The rest is left out: the change is very large."));
    }
    Ok(ExitCode::SUCCESS)
}

/// A patch as a terminal shows it.
pub(in crate::commands) fn coloured_patch(patch: &[u8]) -> String {
    String::from_utf8_lossy(patch).lines().map(|line| patch_line(line) + "\n").collect()
}

/// A line of a patch as a terminal shows it.
fn patch_line(line: &str) -> String {
    let style = match line.as_bytes().first() {
        Some(b'+') => GOOD,
        Some(b'-') => BAD,
        Some(b'@') => QUIET,
        _ => anstyle::Style::new(),
    };
    styled(style, escape_code(line).replace('\t', "    "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_patch_controls_the_terminal() {
        let line = patch_line("+pay(\u{202e}001)\t\u{1b}[2Ja\u{200d}b\r");
        assert_eq!(line, styled(GOOD, "+pay(<U+202E>001)    ␛[2Ja<U+200D>b␍"));
        assert_eq!(patch_line(" größe 茶"), styled(anstyle::Style::new(), " größe 茶"));
    }
}
