//! `loopwright gate`, `approve`, `reject` and `revert`.

use clap::{Args, Subcommand};
use loopwright_domain::GateId;

#[derive(Debug, Subcommand)]
pub(crate) enum GateCommand {
    /// List what waits for you, and what was decided lately
    List,
    /// Show what a gate is about: the change, the checks, what is risky, what was asked for
    Show {
        /// The gate's number; the only open one when left out
        #[arg(value_parser = gate_id)]
        gate: Option<GateId>,
        /// Show the change itself: on a terminal in your pager, else as a patch that "git apply" takes
        #[arg(long)]
        diff: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ApproveArgs {
    /// The gate's number; the only open one when left out
    #[arg(value_parser = gate_id)]
    pub(crate) gate: Option<GateId>,
    /// Take the files as they are now, with your own edits: they are checked again first
    #[arg(long)]
    pub(crate) with_edits: bool,
    /// Of what is left out of the commit, have this in it: checked again first. May be given several times
    #[arg(long, value_name = "PATH", conflicts_with_all = ["include_all", "leave_out"])]
    pub(crate) include: Vec<String>,
    /// Have all in the commit that is left out of it: checked again first
    #[arg(long, conflicts_with = "leave_out")]
    pub(crate) include_all: bool,
    /// Commit without what is left out, although a check may have used it
    #[arg(long)]
    pub(crate) leave_out: bool,
    /// For scripts: the tree that was looked at; nothing is approved when it is another one by now
    #[arg(long, value_name = "ID")]
    pub(crate) tree: Option<String>,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RejectArgs {
    /// The gate's number; the only open one when left out
    #[arg(value_parser = gate_id)]
    pub(crate) gate: Option<GateId>,
    /// What should be different: it goes into the next prompt
    #[arg(short, long)]
    pub(crate) reason: String,
    /// Put the task aside instead of trying it again: it is blocked until you unblock it
    #[arg(long)]
    pub(crate) skip: bool,
    /// A remark on a line, written FILE:LINE:TEXT; FILE:-LINE:TEXT for a line that was removed. May be given several times
    #[arg(long = "comment", value_name = "FILE:LINE:TEXT", value_parser = remark)]
    pub(crate) comments: Vec<Remark>,
    /// For scripts: the tree that was looked at; nothing is rejected when it is another one by now
    #[arg(long, value_name = "ID")]
    pub(crate) tree: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct RevertArgs {
    /// The iteration's id, or its commit
    #[arg(value_name = "ITERATION|COMMIT")]
    pub(crate) work: String,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
}

/// A remark on a line as it is written on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remark {
    pub(crate) file: String,
    pub(crate) line: Option<u32>,
    pub(crate) old_side: bool,
    pub(crate) text: String,
}

fn gate_id(text: &str) -> Result<GateId, String> {
    text.trim_start_matches('#').parse().map(GateId).map_err(|_| "it is a number, such as 3".to_owned())
}

/// Reads `FILE:LINE:TEXT`. The file may have colons in its name: the line is the first number between two.
fn remark(text: &str) -> Result<Remark, String> {
    let parts: Vec<&str> = text.split(':').collect();
    let place = parts.iter().enumerate().skip(1).find(|(at, part)| {
        let number = part.strip_prefix('-').unwrap_or(part);
        at + 1 < parts.len() && (part.is_empty() || number.parse::<u32>().is_ok())
    });
    let (at, line) = place.ok_or("write it as FILE:LINE:TEXT")?;
    let joined = |parts: Option<&[&str]>| parts.map(|parts| parts.join(":")).unwrap_or_default();
    let file = joined(parts.get(..at));
    let remark = joined(parts.get(at + 1..)).trim().to_owned();
    if file.is_empty() || remark.is_empty() {
        return Err("write it as FILE:LINE:TEXT".to_owned());
    }
    let number = line.strip_prefix('-').unwrap_or(line);
    Ok(Remark { file, line: number.parse().ok(), old_side: line.starts_with('-'), text: remark })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_name_a_line() {
        let read = |text: &str| remark(text).map(|one| (one.file, one.line, one.old_side, one.text));
        let written = |file: &str, line, old, text: &str| Ok((file.to_owned(), line, old, text.to_owned()));
        assert_eq!(
            read("src/a.rs:12:too long: split it"),
            written("src/a.rs", Some(12), false, "too long: split it")
        );
        assert_eq!(read("a.rs:-3:why?"), written("a.rs", Some(3), true, "why?"));
        assert_eq!(read("c:d.txt:7:no"), written("c:d.txt", Some(7), false, "no"));
        assert_eq!(read("a.rs::all of it"), written("a.rs", None, false, "all of it"));
        for wrong in ["", "a.rs", "a.rs:12", "a.rs:12:", ":3:x", "a.rs:x:y"] {
            assert!(remark(wrong).is_err(), "{wrong}");
        }
    }
}
