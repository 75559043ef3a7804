//! The lines git writes where it could not merge.

use super::LineFinding;
use crate::diff::ChangedFile;

/// Finds `<<<<<<<`, `|||||||`, `=======` and `>>>>>>>` at the beginning of a line. A line of seven `=` alone is a
/// heading in several languages for documents, so it counts only between the others.
pub(super) fn find(_file: &ChangedFile, text: &str) -> Vec<LineFinding> {
    let mut found = Vec::new();
    let mut open = false;
    for (number, line) in (1..).zip(text.lines()) {
        let Some(marker) = marker(line) else { continue };
        match marker {
            b'<' => open = true,
            b'>' => open = false,
            _ if !open => continue,
            _ => {}
        }
        let shown = char::from(marker).to_string().repeat(LENGTH);
        found.push((number, format!("merge marker {shown} was left in the file")));
    }
    found
}

const LENGTH: usize = 7;

/// The marker's character: exactly seven of them, and then a space or the line's end.
fn marker(line: &str) -> Option<u8> {
    let bytes = line.as_bytes();
    let first = *bytes.first().filter(|first| b"<|=>".contains(first))?;
    let run = bytes.iter().take_while(|byte| **byte == first).count();
    (run == LENGTH && matches!(bytes.get(LENGTH), None | Some(b' ' | b'\r'))).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<u32> {
        let file = ChangedFile { path: "a.md".into(), added: Vec::new() };
        find(&file, text).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn all_four_markers_are_found_with_their_lines() {
        let text = "a\n<<<<<<< HEAD\nmine\n||||||| base\nold\n=======\ntheirs\n>>>>>>> branch\n";
        assert_eq!(lines(text), [2, 4, 6, 8]);
        assert_eq!(lines("<<<<<<<\r\n=======\r\n>>>>>>>\r\n"), [1, 2, 3]);
    }

    #[test]
    fn headings_tables_and_other_lengths_are_no_markers() {
        assert_eq!(lines("Heading\n=======\n\n||||||| x\n"), [] as [u32; 0]);
        assert_eq!(lines("<<<<<<<< eight\n >>>>>>> indented\n<<<<<<<x\n"), [] as [u32; 0]);
    }
}
