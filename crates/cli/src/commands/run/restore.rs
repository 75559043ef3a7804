//! `loopwright restore`: going back to what an iteration left, and taking that back.

use std::process::ExitCode;

use loopwright_domain::{ErrorCode, Fault, Origin};
use loopwright_engine::Project;
use loopwright_engine::run::{RestorePreview, TreeOf, TreeRestored, TreeSide};

use super::find_run;
use crate::args::RestoreArgs;
use crate::context::Context;
use crate::output::{self, BAD, CARE, GOOD, HEADING, QUIET, count, plain, say, styled};
use crate::prompt;

/// As many files as are named on a terminal.
const NAMED: usize = 20;

/// What to go back to.
enum Target {
    Tree(TreeOf),
    /// What was there before a restore.
    Safety(String),
}

pub(in crate::commands) fn restore(context: &Context, args: &RestoreArgs) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let (target, title) = target(context, &project, args)?;
    let preview = context.wait(async {
        match &target {
            Target::Tree(tree) => project.restore().preview(*tree).await,
            Target::Safety(commit) => project.restore().preview_undo(commit).await,
        }
    })?;
    let nothing_to_do = preview.writes_total + preview.deletes_total == 0;
    if args.dry_run || nothing_to_do {
        if context.json {
            return output::json(&preview);
        }
        show_preview(&title, &preview);
        return Ok(ExitCode::SUCCESS);
    }
    if !args.yes {
        ask(context, &title, &preview)?;
    }
    let restored = context.wait(async {
        match &target {
            Target::Tree(tree) => project.restore().apply(*tree, &preview.now, Origin::Cli).await,
            Target::Safety(commit) => project.restore().undo(commit, &preview.now, Origin::Cli).await,
        }
    })?;
    if context.json {
        return output::json(&restored);
    }
    show_restored(&title, &restored);
    Ok(ExitCode::SUCCESS)
}

fn target(context: &Context, project: &Project, args: &RestoreArgs) -> Result<(Target, String), Fault> {
    if let Some(commit) = &args.undo {
        let named = Some(commit.as_str()).filter(|commit| !commit.is_empty());
        let commit = context.wait(project.restore().safety_checkpoint(named))?;
        return Ok((Target::Safety(commit), "the files before the last restore".to_owned()));
    }
    let run = find_run(context, project, &args.which)?;
    let iteration = context.wait(project.iterations().numbered(&run, args.iteration))?;
    let (side, word) = if args.before { (TreeSide::Before, "before") } else { (TreeSide::After, "after") };
    let title = format!("the files {word} iteration {}", iteration.number + 1);
    Ok((Target::Tree(TreeOf { iteration: iteration.id, side }), title))
}

/// A person agrees at a terminal; elsewhere it has to be said on the command line.
fn ask(context: &Context, title: &str, preview: &RestorePreview) -> Result<(), Fault> {
    if context.json || !prompt::interactive() {
        return Err(Fault::new(
            ErrorCode::ConfirmationDeclined,
            "files would be overwritten; nothing was restored",
        )
        .hint("Look at it with --dry-run, then add --yes."));
    }
    show_preview(title, preview);
    if prompt::agree("Restore? Everything as it is now is kept first.") {
        return Ok(());
    }
    Err(Fault::new(ErrorCode::ConfirmationDeclined, "nothing was restored"))
}

fn show_preview(title: &str, preview: &RestorePreview) {
    let (writes, deletes) = (preview.writes_total as usize, preview.deletes_total as usize);
    if writes + deletes == 0 {
        say!("Nothing to do: these are {title}.");
    } else {
        say!(
            "{} {title}: {} to write, {} to delete",
            styled(HEADING, "Back to"),
            count(writes, "file", "files"),
            count(deletes, "file", "files"),
        );
    }
    show_paths(&preview.writes, writes, &styled(GOOD, "write "));
    show_paths(&preview.deletes, deletes, &styled(BAD, "delete"));
    show_paths(&preview.kept, preview.kept.len(), &styled(CARE, "keep  "));
}

fn show_paths(paths: &[String], total: usize, what: &str) {
    for path in paths.iter().take(NAMED) {
        say!("  {what} {}", plain(path));
    }
    let more = total.saturating_sub(paths.len().min(NAMED));
    if more > 0 {
        say!("  {what} … and {}", count(more, "more", "more"));
    }
}

fn show_restored(title: &str, restored: &TreeRestored) {
    say!(
        "{} {title}: {} written, {} deleted",
        styled(GOOD, "Restored"),
        count(restored.written as usize, "file", "files"),
        count(restored.deleted as usize, "file", "files"),
    );
    for note in &restored.notes {
        say!("  {}", styled(CARE, plain(note)));
    }
    say!("  Everything as it was is kept in {}.", styled(QUIET, &restored.safety));
    say!("  \"loopwright restore --undo\" brings it back.");
}
