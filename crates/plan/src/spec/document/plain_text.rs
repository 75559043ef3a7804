//! Headings of plain text: lines that stand alone and carry a number, as people write them without any markup.

/// A heading is short.
const LONGEST_HEADING: usize = 80;

/// Marks the headings of a plain text as Markdown's. A line such as `2.1 Brewing` is one when it stands between blank
/// lines; Markdown's own headings stay what they are.
pub(super) fn mark_headings(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let blank = |place: Option<usize>| {
        place.and_then(|place| lines.get(place)).is_none_or(|line| line.trim().is_empty())
    };
    let mut marked = String::with_capacity(text.len() + 64);
    for (place, line) in lines.iter().enumerate() {
        if blank(place.checked_sub(1)) && blank(place.checked_add(1)) {
            push_heading(&mut marked, line);
        } else {
            marked.push_str(line);
        }
        marked.push('\n');
    }
    marked
}

/// Appends a line, as a heading if it looks like one.
fn push_heading(text: &mut String, line: &str) {
    if let Some(depth) = heading_depth(line) {
        text.push_str(&"#".repeat(depth));
        text.push(' ');
        text.push_str(line.trim());
    } else {
        text.push_str(line);
    }
}

/// How deep the heading is that a line looks like: `1 Tea` and `1. Tea` are 2 deep, `1.1 Pot` is 3 deep.
pub(super) fn heading_depth(line: &str) -> Option<usize> {
    let line = line.trim();
    let (number, title) = line.split_once([' ', '\t'])?;
    let parts: Vec<&str> = number.trim_end_matches(['.', ')']).split('.').collect();
    let digits =
        |part: &&str| !part.is_empty() && part.len() <= 3 && part.bytes().all(|byte| byte.is_ascii_digit());
    let titled = title.trim_start().starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase());
    let sentence = line.ends_with(['.', ',', ';', ':', '!', '?']);
    (parts.iter().all(digits) && titled && !sentence && line.chars().count() <= LONGEST_HEADING)
        .then_some((parts.len() + 1).min(6))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_lines_that_stand_alone_are_headings() {
        let text = "Tea house\n\n1 Brewing\n\nWater boils.\n\n1.1 Leaves\n\n1. Boil\n2. Pour\n\n2. Serving\n\nCups.\n";
        let expected = "Tea house\n\n## 1 Brewing\n\nWater boils.\n\n### 1.1 Leaves\n\n1. Boil\n2. Pour\n\n## 2. Serving\n\nCups.\n";
        assert_eq!(mark_headings(text), expected);
        assert_eq!(mark_headings(""), "");
    }

    #[test]
    fn what_looks_like_a_heading_and_what_does_not() {
        let long = format!("1 A{}", "a".repeat(LONGEST_HEADING));
        let cases = [
            ("1 Tea", Some(2)),
            ("2.1.3 Cups", Some(4)),
            ("1.1.1.1.1.1.1 Deep", Some(6)),
            ("3) Rest", Some(2)),
            ("12 monkeys", None),
            ("2024 Plan", None),
            ("1 Boil the water.", None),
            ("Tea", None),
            ("1", None),
            ("1..2 Tea", None),
            (long.as_str(), None),
        ];
        for (line, expected) in cases {
            assert_eq!(heading_depth(line), expected, "{line}");
        }
    }
}
