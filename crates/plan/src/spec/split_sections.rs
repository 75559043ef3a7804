//! A document cut into sections.

use std::collections::HashMap;

use loopwright_domain::{Section, SectionId};

use super::document::Format;
use super::outline::outline;

/// Cuts a document at its headings. Each section has the text up to the next heading, so subsections stand alone.
///
/// Numbers are those that the headings carry (`2.1 Brewing`, `3. Cups`), else the places of the headings. A first
/// heading that stands above all others is the document's title and has the number 0, as has a text before it.
pub(super) fn cut(text: &str, file: &str) -> Vec<Section> {
    let outline = outline(text);
    let mut sections = Vec::new();
    let mut numbers = Numbers::default();
    let section = |number: String, title: String, level: u32, body: &str| Section {
        id: SectionId(0),
        number,
        title,
        level,
        content: body.trim_start_matches(['\n', '\r']).trim_end().to_owned(),
        file: Some(file.to_owned()),
        words: words(body),
    };
    if !outline.preamble.trim().is_empty() {
        let title = file.rsplit('/').next().unwrap_or(file);
        let stem = title.rsplit_once('.').map(|(stem, _)| stem).filter(|_| Format::of(title).is_some());
        let title = stem.filter(|stem| !stem.is_empty()).unwrap_or(title);
        sections.push(section(numbers.once("0".into()), title.to_owned(), 1, outline.preamble));
    }
    let top = outline.headings.first().map_or(0, |heading| heading.level);
    let titled = top > 0 && outline.headings.iter().skip(1).all(|heading| heading.level > top);
    for (place, heading) in outline.headings.iter().enumerate() {
        if place == 0 && titled {
            let title = heading.title.clone();
            sections.push(section(numbers.once("0".into()), title, heading.level, heading.body));
            continue;
        }
        let (number, title) = numbers.next(heading.level, &heading.title);
        sections.push(section(number, title, heading.level, heading.body));
    }
    sections
}

/// How many words a text has.
pub(super) fn words(text: &str) -> u32 {
    u32::try_from(text.split_whitespace().count()).unwrap_or(u32::MAX)
}

/// The numbers of headings, one after the other.
#[derive(Default)]
struct Numbers {
    /// The open headings: level and number.
    open: Vec<(u32, String)>,
    /// How many headings stand below a number.
    below: HashMap<String, u32>,
    used: HashMap<String, u32>,
}

impl Numbers {
    fn next(&mut self, level: u32, title: &str) -> (String, String) {
        while self.open.last().is_some_and(|(open, _)| *open >= level) {
            self.open.pop();
        }
        let above = self.open.last().map(|(_, number)| number.clone()).unwrap_or_default();
        let count = self.below.entry(above.clone()).or_default();
        *count += 1;
        let place = if above.is_empty() { count.to_string() } else { format!("{above}.{count}") };
        let (number, title) = match carried(title, &place) {
            Some((number, rest)) => (number.to_owned(), rest.to_owned()),
            None => (place, title.to_owned()),
        };
        let number = self.once(number);
        self.open.push((level, number.clone()));
        (number, title)
    }

    /// A number that is used again gets a suffix.
    fn once(&mut self, number: String) -> String {
        let times = self.used.entry(number.clone()).or_default();
        *times += 1;
        let unique = if *times == 1 { number } else { format!("{number}_{times}") };
        self.used.entry(unique.clone()).or_insert(1);
        unique
    }
}

/// The number a heading carries, and its title without it. A bare number counts only where it is the heading's place:
/// "10 ways to brew" has none.
fn carried<'t>(title: &'t str, place: &str) -> Option<(&'t str, &'t str)> {
    let (first, rest) = title.split_once([' ', '\t'])?;
    let number = first.trim_end_matches(['.', ')']);
    let digits =
        |part: &str| !part.is_empty() && part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    let dotted = number.split('.').all(digits);
    let sure = first != number || number.contains('.') || number == place;
    let rest = rest.trim_start_matches(['-', '–', '—', ':', ' ', '\t']);
    (dotted && sure && !rest.is_empty()).then_some((number, rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn numbered(text: &str) -> Vec<String> {
        cut(text, "docs/tea.md")
            .iter()
            .map(|section| format!("{} {}", section.number, section.title))
            .collect()
    }

    #[test]
    fn numbers_are_places_or_what_headings_carry() {
        let cases: &[(&str, &[&str])] = &[
            ("# Tea\n## Pot\n### Lid\n## Cup\n", &["0 Tea", "1 Pot", "1.1 Lid", "2 Cup"]),
            ("# Pot\n# Cup\n### Handle\n", &["1 Pot", "2 Cup", "2.1 Handle"]),
            ("# T\n## 2.1 Brew\n## 3. Cups\n## 7) Rest\n", &["0 T", "2.1 Brew", "3 Cups", "7 Rest"]),
            ("# T\n## 1 Pot\n## 10 ways\n## 2024 plan\n", &["0 T", "1 Pot", "2 10 ways", "3 2024 plan"]),
            ("# T\n## 1. A\n## 1. B\n### C\n", &["0 T", "1 A", "1_2 B", "1_2.1 C"]),
            ("before\n# A\n# B\n", &["0 tea", "1 A", "2 B"]),
            ("only text\n", &["0 tea"]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(numbered(text), *expected, "{text:?}");
        }
    }

    #[test]
    fn content_has_no_subsections_and_is_counted() {
        let sections = cut("# Tea\n\n  Two words.\n\n## Pot\n```\n# code\n```\n", "t.md");
        assert_eq!((sections[0].content.as_str(), sections[0].words), ("  Two words.", 2));
        assert_eq!(sections[1].content, "```\n# code\n```");
    }

    proptest! {
        #[test]
        fn numbers_are_never_used_twice(text in "(#{1,4} (1|2|1.1|a|1_2)[.]?( x)?\n){0,20}") {
            let mut numbers: Vec<String> = cut(&text, "f").into_iter().map(|section| section.number).collect();
            let all = numbers.len();
            numbers.sort();
            numbers.dedup();
            prop_assert_eq!(numbers.len(), all);
        }
    }
}
