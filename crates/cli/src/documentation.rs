//! Every `loopwright …` of the documents is a command line that the program reads.

use std::path::{Path, PathBuf};

use clap::CommandFactory;
use clap::error::ErrorKind;

use crate::args::Cli;
use crate::topics;

/// What ends a command line inside of a longer one.
const ENDS: [&str; 8] = ["|", "||", "&&", ";", ">", ">>", "<", "#"];

fn markdown_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![root.join("README.md"), root.join("CONTRIBUTING.md"), root.join("SECURITY.md")];
    for folder in ["docs", "docs/guide"] {
        let entries = std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        files.extend(entries.filter(|path| path.extension().is_some_and(|end| end == "md")));
    }
    files
}

/// The command lines of a document: in code spans, in fenced and in indented code.
fn command_lines(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") {
            fenced = !fenced;
        } else if fenced || line.starts_with("    ") {
            let line = trimmed.strip_prefix("$ ").unwrap_or(trimmed);
            found
                .extend(line.split(" && ").map(str::trim).filter(|part| is_command(part)).map(str::to_owned));
        } else {
            let spans = line.split('`').skip(1).step_by(2);
            found.extend(spans.filter(|span| is_command(span)).map(str::to_owned));
        }
    }
    found
}

fn is_command(text: &str) -> bool {
    text.strip_prefix("loopwright ").is_some_and(|rest| !rest.starts_with(['=', ':']))
}

/// The words of a command line: of alternatives the first, without what is in brackets.
fn words(line: &str) -> Vec<String> {
    let all = shell_words::split(line).unwrap_or_default();
    let mut words: Vec<String> = Vec::new();
    let mut bracketed = false;
    for word in all.into_iter().take_while(|word| !ENDS.contains(&word.as_str())) {
        bracketed |= word.starts_with('[');
        let is_value = words.last().is_some_and(|last| last.starts_with('-'));
        if !bracketed && (is_value || !matches!(word.as_str(), "…" | "...")) {
            words.push(word.split('|').next().unwrap_or_default().to_owned());
        }
        bracketed &= !word.ends_with(']');
    }
    words
}

/// What is wrong with a command line; a part that is missing is not.
fn problem(line: &str) -> Option<String> {
    let words = words(line);
    if let [_, help, topic] = words.as_slice()
        && help == "help"
    {
        let known = topic == "topics" || topics::find(topic).is_some();
        return (!known && Cli::command().find_subcommand(topic).is_none()).then(|| line.to_owned());
    }
    let error = Cli::command().try_get_matches_from(&words).err()?;
    let incomplete = matches!(
        error.kind(),
        ErrorKind::MissingRequiredArgument
            | ErrorKind::MissingSubcommand
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
            | ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
    );
    (!incomplete).then(|| format!("{line}: {}", error.to_string().lines().next().unwrap_or_default()))
}

#[test]
fn every_command_of_the_documents_is_one() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for file in markdown_files() {
        for line in command_lines(&std::fs::read_to_string(&file).unwrap()) {
            count += 1;
            wrong.extend(problem(&line).map(|problem| format!("{}: {problem}", file.display())));
        }
    }
    assert!(count > 200, "only {count} commands were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_command_that_is_none_is_found() {
    assert!(problem("loopwright task frobnicate").is_some());
    assert!(problem("loopwright run --no-such-option").is_some());
    assert!(problem("loopwright help nothing").is_some());
    assert_eq!(problem("loopwright show 3 # the third"), None);
    assert_eq!(problem("loopwright help exit-codes"), None);
}
