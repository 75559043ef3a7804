//! Relative links and images in Markdown files lead somewhere.

use std::path::Path;

use super::files::SourceFile;

/// Links of a Markdown file whose target does not exist.
pub(super) fn dead(file: &SourceFile, root: &Path) -> Vec<String> {
    if !file.ends_in(&[".md"]) {
        return Vec::new();
    }
    let folder = Path::new(&file.path).parent().unwrap_or(Path::new(""));
    targets(&file.text)
        .into_iter()
        .filter(|(_, target)| is_dead(target, root, folder))
        .map(|(line, target)| format!("{}:{line}: link leads nowhere: {target}", file.path))
        .collect()
}

fn is_dead(target: &str, root: &Path, folder: &Path) -> bool {
    let path = target.split(['#', '?']).next().unwrap_or_default();
    let elsewhere = path.contains("://") || path.starts_with("mailto:") || path.is_empty();
    !elsewhere && !root.join(folder).join(path).exists()
}

/// Link and image targets with their line numbers; code blocks and code spans hold none.
fn targets(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut in_code = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if !in_code {
            found.extend(targets_in(line).into_iter().map(|target| (index + 1, target)));
        }
    }
    found
}

fn targets_in(line: &str) -> Vec<&str> {
    let outside_code = line.split('`').step_by(2);
    outside_code.flat_map(|part| after(part, "](", ')').chain(after(part, "src=\"", '"'))).collect()
}

fn after<'text>(text: &'text str, start: &'static str, end: char) -> impl Iterator<Item = &'text str> {
    text.split(start).skip(1).filter_map(move |rest| rest.split([end, ' ']).next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_outside_code() {
        let text = "See [a](docs/a.md) and ![b](b.png \"title\").\n```\n[c](c.md)\n```\nNot `[d](d.md)` but <img src=\"e.png\">.";
        assert_eq!(targets(text), [(1, "docs/a.md"), (1, "b.png"), (5, "e.png")]);
    }

    #[test]
    fn only_relative_links_to_nothing_are_dead() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let file = SourceFile {
            path: "src/page.md".to_owned(),
            text: "[here](main.rs) [up](../Cargo.toml#lints) [web](https://example.org/x) [top](#top) [no](gone.md)".to_owned(),
        };
        assert_eq!(dead(&file, root), ["src/page.md:1: link leads nowhere: gone.md"]);
    }
}
