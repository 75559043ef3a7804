//! What an agent only repeats of its prompt.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::lines::as_shown;
use super::{CLOSE, OPEN};
use crate::markdown::bare;
use crate::signal::word_of;

/// Takes out of an agent's output what it only repeats of its prompt: the prompt as a whole, and each longer line of it
/// that speaks of a claim.
#[must_use]
pub fn without_echo(output: &str, prompt: &str) -> String {
    let prompt_lines: Vec<&str> = prompt.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let output_lines: Vec<&str> = output.lines().collect();
    let mut kept = Vec::new();
    let mut rest = output_lines.as_slice();
    while let Some((first, behind)) = rest.split_first() {
        if let Some(after) = echo_length(rest, &prompt_lines).and_then(|length| rest.get(length..)) {
            rest = after;
            continue;
        }
        let line = first.trim();
        let says_something =
            (line.contains(OPEN) && !is_only_a_tag(line)) || (line.contains(':') && word_of(line).is_some());
        let repeats = says_something && prompt_lines.contains(&line);
        if !repeats {
            kept.push(*first);
        }
        rest = behind;
    }
    kept.join("\n")
}

/// How many lines at the beginning are the whole prompt again.
fn echo_length(output: &[&str], prompt: &[&str]) -> Option<usize> {
    let mut wanted = prompt.iter();
    let mut next = wanted.next()?;
    if output.first()?.trim() != *next || prompt.len() < 2 {
        return None;
    }
    for (index, line) in output.iter().enumerate() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if line != *next {
            return None;
        }
        match wanted.next() {
            Some(line) => next = line,
            None => return Some(index + 1),
        }
    }
    None
}

fn is_only_a_tag(line: &str) -> bool {
    let line = bare(line);
    line.starts_with(OPEN) && line.ends_with(CLOSE)
}

/// Takes every part of an echo out of plain output: lines that stand beside each other as they do in the prompt, in its
/// order or backwards, numbered, quoted or coloured; and all of it when nothing but lines of the prompt is there.
///
/// Lines are left out that an agent may have meant; so this is for looking for claims, not for reading.
#[must_use]
pub fn without_echoed_lines(output: &str, prompt: &str) -> String {
    let asked: Vec<u64> = prompt.lines().filter_map(key).collect();
    let beside: HashSet<(u64, u64)> =
        asked.iter().zip(asked.iter().skip(1)).map(|(line, next)| (*line, *next)).collect();
    let said: Vec<(&str, Option<u64>)> = output.lines().map(|line| (line, key(line))).collect();
    let keys: Vec<u64> = said.iter().filter_map(|(_, key)| *key).collect();
    if keys.len() > 1 && are_among(&keys, &asked) {
        return String::new();
    }
    let are_beside = |one: Option<&u64>, other: u64| {
        one.is_some_and(|one| beside.contains(&(*one, other)) || beside.contains(&(other, *one)))
    };
    let mut place = 0_usize;
    let own = said.into_iter().filter(|(_, key)| {
        let Some(key) = key else { return true };
        let (before, after) = (place.checked_sub(1).and_then(|it| keys.get(it)), keys.get(place + 1));
        place += 1;
        !are_beside(before, *key) && !are_beside(after, *key)
    });
    own.map(|(line, _)| line).collect::<Vec<_>>().join("\n")
}

/// Whether all lines are in the prompt, each as often at least.
fn are_among(keys: &[u64], asked: &[u64]) -> bool {
    let mut left: HashMap<u64, u32> = HashMap::new();
    for line in asked {
        *left.entry(*line).or_default() += 1;
    }
    keys.iter().all(|key| match left.get_mut(key) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    })
}

/// What makes a line the same line; none for one without words.
fn key(line: &str) -> Option<u64> {
    let shown = as_shown(line);
    let mut text = shown.trim();
    loop {
        let before = text.len();
        text = text.trim_start_matches([' ', '\t', '>', '|', '#', '*', '-', '+', '•']);
        let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
        if behind.len() < text.len() && behind.starts_with(['.', ':', ')', '|', ' ', '\t']) {
            text = behind.trim_start_matches(['.', ':', ')', '|']).trim_start();
        }
        if text.len() == before {
            break;
        }
    }
    let text = text.trim_matches(['"', '\'', '`', '*', '_', '“', '”', ' ', '\t']);
    if text.is_empty() {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    Some(hasher.finish())
}
