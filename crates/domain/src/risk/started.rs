//! Programs that start others, and programs that compare files: what they are given as words.

use super::check_scripts::SHELLS;

/// Programs that start another one for what they read or find.
const XARGS: &[&str] = &["xargs", "parallel"];
/// Options of theirs whose value is a word of its own.
const WITH_VALUE: &[&str] = &["-n", "-P", "-I", "-L", "-d", "-a", "-s", "-E", "-j", "-N"];
/// What begins the command that `find` starts.
const EXEC: &[&str] = &["-exec", "-execdir", "-ok", "-okdir"];
/// Programs that compare files.
const COMPARING: &[&str] = &["diff", "cmp", "comm", "sdiff"];
/// Programs that compare files with sums in another one.
const SUMS: &[&str] = &["sha256sum", "sha1sum", "sha512sum", "md5sum", "b2sum", "shasum", "cksum"];
/// Endings of documents: they are compared with what makes them, and judge nothing.
const DOCUMENTS: &[&str] = &[".md", ".rst", ".adoc"];

/// The command that `xargs` or `find` starts, of the words they are given.
pub(super) fn by_another<'a>(program: &str, words: &'a [&'a str]) -> Option<&'a [&'a str]> {
    if program == "find" {
        let at = words.iter().position(|word| EXEC.contains(word))?;
        return words.get(at + 1..);
    }
    if !XARGS.contains(&program) {
        return None;
    }
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.starts_with('-')) {
        at += if WITH_VALUE.contains(word) { 2 } else { 1 };
    }
    Some(words.get(at..).unwrap_or_default())
}

/// The scripts that a line lists and has a shell run one by one: `ls dir/*.sh | xargs sh`.
pub(super) fn started_for_each(line: &str) -> Vec<String> {
    let mut before: Vec<Vec<&str>> = Vec::new();
    for part in line.split('|') {
        let words: Vec<&str> = part.split_whitespace().map(|word| word.trim_matches(['"', '\''])).collect();
        let started = words.split_first().and_then(|(program, rest)| by_another(program, rest));
        if let Some((shell, rest)) = started.and_then(<[&str]>::split_first)
            && SHELLS.contains(shell)
            && rest.iter().all(|word| word.starts_with('-'))
        {
            return before.iter().flat_map(|words| listed(words)).collect();
        }
        before.push(words);
    }
    Vec::new()
}

/// The paths that a command lists; of `find` those with the name it looks for, in the folders it looks in.
fn listed(words: &[&str]) -> Vec<String> {
    let plain = words.iter().skip(1).take_while(|word| !word.starts_with('-'));
    match words.iter().position(|word| *word == "-name").and_then(|at| words.get(at + 1)) {
        Some(name) if words.first() == Some(&"find") => {
            plain.map(|folder| format!("{folder}/{name}")).collect()
        }
        _ => words
            .iter()
            .skip(1)
            .filter(|word| !word.starts_with('-'))
            .map(|word| (*word).to_owned())
            .collect(),
    }
}

/// The files that a command compares with.
pub(super) fn compared<'a>(program: &str, words: &'a [&'a str]) -> Vec<&'a str> {
    let sums = SUMS.contains(&program) && words.iter().any(|word| matches!(*word, "-c" | "--check"));
    if !COMPARING.contains(&program) && !sums {
        return Vec::new();
    }
    let is_file = |word: &&str| {
        !word.starts_with(['-', '/', '+'])
            && !word.contains(['$', '*', '<', '>', '~', '#', '='])
            && !word.is_empty()
    };
    let judges = |word: &&str| !DOCUMENTS.iter().any(|ending| word.ends_with(ending));
    words.iter().copied().filter(is_file).filter(judges).collect()
}
