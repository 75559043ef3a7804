//! What a check's command runs: the scripts it names, those which they name in turn, targets of a Makefile, scripts of a
//! `package.json`. What a test runner discovers is not among it, nor is the program under test.
//!
//! A file is its path, in which a `*` stands for any part of its name; a target or a script is the path of its file, `#`,
//! and its name; a file that a check compares with is `<` and its path.

use std::collections::BTreeSet;

use super::started::{compared, started_for_each};

/// Endings of scripts, which do nothing but what somebody runs them for.
const SCRIPTS: &[&str] = &[".sh", ".bash", ".zsh", ".fish", ".ps1", ".bat", ".cmd", ".mk"];
/// Endings of programs that an interpreter runs.
const PROGRAMS: &[&str] =
    &[".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".lua", ".awk", ".exs"];
/// Words in the names of programs whose work it is to judge.
const JUDGING: &[&str] = &["check", "lint", "verify", "validate"];
/// Folders of programs that help with the work, and are not the work.
const FOLDERS: &[&str] = &["scripts", "script", "tools", "ci", ".ci", "hack", "dev"];
pub(super) const SHELLS: &[&str] = &["sh", "bash", "zsh", "dash", "ksh", "fish", "pwsh", "powershell", "cmd"];
const INTERPRETERS: &[&str] =
    &["python", "python3", "node", "ruby", "perl", "php", "deno", "bun", "tsx", "ts-node", "lua", "elixir"];
const MAKERS: &[&str] = &["make", "gmake", "just"];
const PACKAGERS: &[&str] = &["npm", "pnpm", "yarn", "bun"];
/// Programs that run the scripts of a `package.json` by name.
const SCRIPT_RUNNERS: &[&str] = &["run-s", "run-p", "npm-run-all"];
/// Programs that start another one.
const STARTERS: &[&str] = &[
    "env", "exec", "time", "nice", "command", "sudo", "!", "if", "then", "else", "do", "while", "until",
    "eval", "-", "@", "xvfb-run",
];
/// As many folders as a text may go to, one within the other.
const MOST_FOLDERS: usize = 32;
/// Programs that look at a script and do not run it.
const READERS: &[&str] = &[
    "shellcheck",
    "shfmt",
    "test",
    "[",
    "[[",
    "grep",
    "cat",
    "rm",
    "cp",
    "mv",
    "chmod",
    "ls",
    "diff",
    "wc",
    "head",
    "tail",
    "echo",
    "printf",
    "touch",
    "sed",
    "git",
    "stat",
    "find",
    "cd",
    "mkdir",
    "export",
    "local",
    "bats",
    "prettier",
];

/// What a command names, given as its words, run in a folder of the project.
#[must_use]
pub fn named_by(argv: &[String], folder: &str) -> Vec<String> {
    let mut found = BTreeSet::new();
    let words: Vec<&str> = argv.iter().map(String::as_str).collect();
    command(&words, &[folder], &mut found);
    found.into_iter().collect()
}

/// Whether a file, a target or a script is among what checks run.
#[must_use]
pub fn is_among(items: &BTreeSet<String>, path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let fits = |item: &String| {
        let (of, pattern) = item.rsplit_once('/').unwrap_or(("", item));
        let ends = pattern.split_once('*').filter(|_| of == folder && !item.starts_with('<'));
        ends.is_some_and(|(begin, end)| {
            name.len() >= begin.len() + end.len() && name.starts_with(begin) && name.ends_with(end)
        })
    };
    items.contains(path) || items.iter().any(fits)
}

/// Whether a check compares with a file.
#[must_use]
pub fn is_compared(items: &BTreeSet<String>, path: &str) -> bool {
    items.contains(&format!("<{path}"))
}

/// What something that a check runs names in turn, given the text of its file.
#[must_use]
pub fn named_in(item: &str, text: &str) -> Vec<String> {
    let (path, target) = item.split_once('#').map_or((item, None), |(path, name)| (path, Some(name)));
    let (folder, name) = path.rsplit_once('/').unwrap_or((".", path));
    let mut found = BTreeSet::new();
    match target {
        Some(script) if name == "package.json" => {
            for (other, command) in package_scripts(text) {
                let around = other.strip_prefix("pre").or_else(|| other.strip_prefix("post"));
                if other == script || around == Some(script) {
                    found.insert(format!("{path}#{other}"));
                    shell(&command, &[folder], &mut found);
                }
            }
        }
        Some(target) => {
            // Those that make would read instead.
            let preferred: &[&str] = match name {
                "Makefile" => &["GNUmakefile", "makefile"],
                "makefile" => &["GNUmakefile"],
                _ => &[],
            };
            found.extend(preferred.iter().map(|name| within(folder, name)));
            recipe(path, target, text, folder, &mut found);
        }
        None if PROGRAMS.iter().any(|ending| name.ends_with(ending)) => {
            imports(folder, text, &mut found);
            scripts_in_quotes(text, &mut found);
        }
        None => shell(text, &[folder, "."], &mut found),
    }
    found.remove(item);
    found.into_iter().collect()
}

/// The commands of a text that a shell reads. Behind a `cd` they are looked for in that folder too.
fn shell(text: &str, folders: &[&str], found: &mut BTreeSet<String>) {
    let mut folders: Vec<String> = folders.iter().map(|folder| (*folder).to_owned()).collect();
    for line in text.replace("\\\n", " ").lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        for path in started_for_each(line) {
            let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
            file(Some(&path), &folders, found);
        }
        for part in line.split([';', '&', '|', '(', ')', '{', '}', '`']) {
            let words: Vec<&str> = part
                .split_whitespace()
                .map(|word| word.trim_matches(['"', '\'']))
                .filter(|word| !word.is_empty() && *word != "$")
                .collect();
            if let ["cd" | "pushd", folder] = words.as_slice()
                && folders.len() < MOST_FOLDERS
                && !folder.starts_with(['/', '~', '-'])
                && !folder.contains(['$', '*'])
            {
                let entered: Vec<String> = folders.iter().map(|base| within(base, folder)).collect();
                folders.extend(entered);
                folders.dedup();
            }
            let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
            command(&words, &folders, found);
        }
    }
}

/// What one command names.
fn command(words: &[&str], folders: &[&str], found: &mut BTreeSet<String>) {
    let is_prefix = |word: &&&str| STARTERS.contains(*word) || (word.contains('=') && !word.contains('/'));
    let mut words = words.iter().skip_while(is_prefix).copied();
    let Some(first) = words.next() else { return };
    let first = first.trim_start_matches(['@', '-', '+']);
    let rest: Vec<&str> = words.collect();
    let program = first.rsplit('/').next().unwrap_or(first);
    let operand = || rest.iter().find(|word| !word.starts_with('-')).copied();
    if let Some(started) = super::started::by_another(program, &rest) {
        return command(started, folders, found);
    }
    for path in compared(program, &rest) {
        found.extend(folders.iter().map(|folder| format!("<{}", within(folder, path))));
    }
    if program == "timeout" {
        let at = rest.iter().position(|word| word.starts_with(|first: char| first.is_ascii_digit()));
        return command(rest.get(at.map_or(0, |at| at + 1)..).unwrap_or_default(), folders, found);
    }
    if SHELLS.contains(&program) {
        let is_text = |word: &&str| word.starts_with('-') && word.ends_with('c');
        match rest.iter().position(is_text) {
            Some(at) => shell(&rest.get(at + 1..).unwrap_or_default().join(" "), folders, found),
            None => file(operand(), folders, found),
        }
    } else if matches!(program, "." | "source") {
        file(rest.first().copied(), folders, found);
    } else if MAKERS.contains(&program) {
        targets(program, &rest, folders, found);
    } else if let Some((folder, scripts)) = package_scripts_named(program, &rest) {
        for base in folders {
            let path = within(&within(base, folder), "package.json");
            found.extend(scripts.iter().map(|script| format!("{path}#{script}")));
        }
    } else if program.ends_with("awk") {
        let option = rest.iter().position(|word| *word == "-f");
        file(option.and_then(|at| rest.get(at + 1)).copied(), folders, found);
    } else if INTERPRETERS.contains(&program) || program == "npx" {
        let judges = |word: &&str| PROGRAMS.iter().any(|ending| word.ends_with(ending)) && is_tool(word);
        file(rest.iter().copied().find(judges), folders, found);
        let module = rest.iter().position(|word| *word == "-m").and_then(|at| rest.get(at + 1));
        let module = module.map(|name| format!("{}.py", name.replace('.', "/")));
        file(module.as_deref().filter(|path| is_tool(path)), folders, found);
    } else if !READERS.contains(&program) {
        let is_program = |word: &&str| {
            let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
            ends(SCRIPTS) || (ends(PROGRAMS) && is_tool(word))
        };
        let is_first = first.contains('/') && (is_tool(first) || matches!(program, "gradlew" | "mvnw"));
        file(Some(first).filter(|word| is_first || is_program(word)), folders, found);
        for word in rest.iter().copied().filter(is_program) {
            file(Some(word), folders, found);
        }
    }
}

/// Whether a program helps with the work, by its name or its folder.
fn is_tool(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    JUDGING.iter().any(|part| name.contains(part))
        || path.split('/').rev().skip(1).any(|part| FOLDERS.contains(&part))
}

fn file(word: Option<&str>, folders: &[&str], found: &mut BTreeSet<String>) {
    let Some(word) = word else { return };
    // `$DIR/lib.sh`, and what is left of `$(dirname "$0")/lib.sh`.
    let word = if word.starts_with('$') { word.split_once('/').map_or("", |(_, rest)| rest) } else { word };
    let word = word.trim_start_matches('/');
    let (folder, name) = word.rsplit_once('/').unwrap_or(("", word));
    let is_wild =
        folder.contains('*') || (name.contains('*') && !SCRIPTS.iter().any(|end| name.ends_with(end)));
    let is_path = !word.is_empty() && !is_wild && !word.contains(['$', '<', '>', '\n', '#']);
    found.extend(folders.iter().filter(|_| is_path).map(|folder| within(folder, word)));
}

/// A path from the project folder, without `.` and `..`.
fn within(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// `make -C dir -f file target`. Without a target the first one is meant, which has no name here.
fn targets(program: &str, words: &[&str], folders: &[&str], found: &mut BTreeSet<String>) {
    let mut folder = None;
    let mut files: Vec<&str> = if program == "just" {
        vec!["justfile", "Justfile"]
    } else {
        vec!["GNUmakefile", "Makefile", "makefile"]
    };
    let mut names = Vec::new();
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "-C" | "--directory" => folder = words.next(),
            "-f" | "--file" | "--makefile" | "--justfile" => files = words.next().into_iter().collect(),
            "-j" => {}
            word if word.starts_with('-') || word.contains('=') || word.contains(['$', '>', '<']) => {}
            word => names.push(word),
        }
    }
    if names.is_empty() {
        names.push("");
    }
    for base in folders {
        let base = folder.map_or_else(|| (*base).to_owned(), |folder| within(base, folder));
        for path in &files {
            let path = within(&base, path);
            found.extend(names.iter().map(|name| format!("{path}#{name}")));
        }
    }
}

/// The scripts of a `package.json` that a command runs, and the folder it names for it.
fn package_scripts_named<'a>(program: &str, words: &[&'a str]) -> Option<(&'a str, Vec<&'a str>)> {
    let option = words.iter().position(|word| ["--prefix", "-C", "--cwd", "--dir"].contains(word));
    let folder = option.and_then(|at| words.get(at + 1)).copied().unwrap_or(".");
    let is_folder = |at: usize| option.is_some_and(|option| at == option + 1);
    let plain = || {
        let words = words.iter().enumerate();
        words.filter(|(at, word)| !word.starts_with('-') && !is_folder(*at)).map(|(_, word)| *word)
    };
    if SCRIPT_RUNNERS.contains(&program) {
        return Some((folder, plain().collect()));
    }
    if !PACKAGERS.contains(&program) {
        return None;
    }
    let first = plain().next()?;
    let script = match first {
        "run" | "run-script" => plain().nth(1)?,
        "test" | "t" | "tst" => "test",
        "start" | "stop" | "restart" => first,
        // Yarn, pnpm and bun run a script by its name alone.
        _ if program == "npm" || first.contains(['/', '.']) => return None,
        other => other,
    };
    Some((folder, vec![script]))
}

/// The scripts of a `package.json`: their names and commands.
fn package_scripts(text: &str) -> Vec<(String, String)> {
    let Some((_, rest)) = text.split_once("\"scripts\"") else { return Vec::new() };
    let Some((_, rest)) = rest.split_once('{') else { return Vec::new() };
    let mut letters = rest.chars();
    let mut texts = Vec::new();
    while let Some(letter) = letters.next() {
        match letter {
            '}' => break,
            '"' => {
                let mut text = String::new();
                while let Some(letter) = letters.next().filter(|letter| *letter != '"') {
                    text.push(if letter == '\\' { letters.next().unwrap_or(letter) } else { letter });
                }
                texts.push(text);
            }
            _ => {}
        }
    }
    texts.chunks_exact(2).filter_map(|pair| Some((pair.first()?.clone(), pair.get(1)?.clone()))).collect()
}

/// What a target of a Makefile or justfile needs and does: other targets, variables, commands.
fn recipe(path: &str, target: &str, text: &str, folder: &str, found: &mut BTreeSet<String>) {
    let text = text.replace("\\\n", " ");
    let mut is_own = false;
    let mut wanted = target.to_owned();
    for line in text.lines() {
        if line.starts_with([' ', '\t']) {
            if is_own {
                found.extend(variables(line).map(|name| format!("{path}#{name}")));
                let words = line.replace("$(MAKE)", "make").replace("${MAKE}", "make");
                shell(words.trim().trim_start_matches(['@', '-', '+']), &[folder], found);
            }
            continue;
        }
        if let Some(rest) = line.strip_prefix("include ") {
            found.extend(rest.split_whitespace().map(|name| within(folder, name)));
        }
        if let Some((name, value)) = assignment(line) {
            if name == target {
                shell(value, &[folder], found);
                found.extend(variables(value).map(|name| format!("{path}#{name}")));
            }
            continue;
        }
        let Some((names, needs)) = line.split_once(':') else { continue };
        if names.starts_with(['#', '.']) {
            continue;
        }
        if wanted.is_empty() {
            wanted = names.split_whitespace().next().unwrap_or_default().to_owned();
            found.insert(format!("{path}#{wanted}"));
        }
        is_own = names.split_whitespace().any(|name| name == wanted);
        if is_own {
            let needs = needs.trim_start_matches(':').split('#').next().unwrap_or_default();
            let plain = needs.split_whitespace().filter(|need| !need.contains(['$', '|', '=']));
            found.extend(plain.map(|need| format!("{path}#{need}")));
            found.extend(variables(needs).map(|name| format!("{path}#{name}")));
        }
    }
}

/// `NAME = value`, with whatever mark before the sign.
pub(crate) fn assignment(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim_end_matches([':', '?', '+', '!', ' ', '\t']);
    let name = name.trim_start_matches("export ").trim_start_matches("override ");
    let is_name = |letter: char| letter.is_alphanumeric() || "_.-".contains(letter);
    (!name.is_empty() && name.chars().all(is_name)).then_some((name, value.trim()))
}

/// The names of variables that a line of a Makefile or justfile uses.
pub(crate) fn variables(line: &str) -> impl Iterator<Item = &str> {
    let parts = line.split("$(").chain(line.split("${")).chain(line.split("{{")).skip(1);
    parts.filter_map(|part| {
        let part = part.trim_start();
        let end = part.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'))?;
        part.get(..end).filter(|name| !name.is_empty())
    })
}

/// The neighbours that a program imports, in a folder of programs that help with the work.
fn imports(folder: &str, text: &str, found: &mut BTreeSet<String>) {
    if !folder.split('/').any(|part| FOLDERS.contains(&part)) {
        return;
    }
    for line in text.lines().map(str::trim) {
        let python = line.strip_prefix("from ").or_else(|| line.strip_prefix("import "));
        if let Some(name) = python
            .and_then(|rest| rest.split([' ', ',', ';']).next())
            .filter(|name| !name.contains(['"', '\'', '{', '*']))
        {
            found.insert(within(folder, &format!("{}.py", name.trim_start_matches('.').replace('.', "/"))));
        }
        if line.contains("require(") || line.contains("import") {
            for name in
                line.split(['"', '\'']).filter(|name| name.starts_with("./") || name.starts_with("../"))
            {
                let has_ending = PROGRAMS.iter().any(|ending| name.ends_with(ending));
                let endings: &[&str] = if has_ending { &[""] } else { &[".js", ".mjs", ".ts"] };
                found.extend(endings.iter().map(|ending| within(folder, &format!("{name}{ending}"))));
            }
        }
    }
}

/// The scripts that a program names in quotes: it starts them.
fn scripts_in_quotes(text: &str, found: &mut BTreeSet<String>) {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with(['#', '/']));
    let words = lines.flat_map(|line| line.split(['"', '\''])).flat_map(str::split_whitespace);
    for word in words.filter(|word| SCRIPTS.iter().any(|ending| word.ends_with(ending))) {
        file(Some(word), &["."], found);
    }
}

#[cfg(test)]
#[path = "check_scripts_tests.rs"]
mod tests;
