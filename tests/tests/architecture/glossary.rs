//! The glossary names types that exist, in the files where they are.

use std::fs;
use std::path::Path;

/// How many words it may have: fewer explain too little, more are no vocabulary.
const WORDS: std::ops::RangeInclusive<usize> = 30..=50;

/// What is wrong with the glossary below `root`.
pub(crate) fn mistakes(root: &Path) -> Vec<String> {
    let text = fs::read_to_string(root.join("docs/glossary.md")).unwrap();
    let rows: Vec<Row<'_>> = text.lines().filter_map(Row::read).collect();
    let mut wrong: Vec<String> = rows.iter().filter_map(|row| row.mistake(root)).collect();
    if !WORDS.contains(&rows.len()) {
        wrong.push(format!("it has {} words", rows.len()));
    }
    wrong
}

struct Row<'t> {
    word: &'t str,
    type_name: &'t str,
    file: &'t str,
}

impl<'t> Row<'t> {
    fn read(line: &'t str) -> Option<Self> {
        let cells: Vec<&str> = line.strip_prefix('|')?.split('|').map(str::trim).collect();
        let [word, _, type_name, file, ""] = cells.as_slice() else { return None };
        let code = |cell: &'t str| cell.strip_prefix('`')?.strip_suffix('`');
        Some(Self { word, type_name: code(type_name)?, file: code(file)? })
    }

    fn mistake(&self, root: &Path) -> Option<String> {
        let Self { word, type_name, file } = self;
        let Ok(source) = fs::read_to_string(root.join(file)) else {
            return Some(format!("{word}: there is no {file}"));
        };
        let declares = source.lines().any(|line| declares(line, type_name));
        (!declares).then(|| format!("{word}: {file} declares no {type_name}"))
    }
}

/// Whether a line begins the declaration of a type: plainly, or as an entry of the macro for enums of words.
fn declares(line: &str, type_name: &str) -> bool {
    let words: Vec<&str> =
        line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    let keyword = |word: &&str| matches!(*word, "struct" | "enum" | "trait" | "type");
    let plain =
        words.iter().zip(words.iter().skip(1)).any(|(first, name)| keyword(first) && *name == type_name);
    plain || line.trim() == format!("{type_name} {{")
}
