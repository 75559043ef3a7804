//! The section of a plan that speaks of one task.

use loopwright_domain::Task;
use serde::{Deserialize, Serialize};

use super::outline::{Heading, outline};

/// How much of a plan is handed along when nothing in it speaks of the task, in characters.
const FALLBACK: usize = 2_000;

/// What a plan says about a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanSection {
    /// The section with its heading and subsections; the plan's beginning when there is none.
    pub text: String,
    /// Whether a section for the task was found.
    pub found: bool,
}

/// How a heading names a task.
#[derive(Clone, Copy)]
enum Form {
    /// `Task 3` or `Task 3: Brew`.
    Word,
    /// `3`, `3.` or `3. Brew`.
    Number,
}

/// The headings that are looked for, in this order, before any other level is.
const WANTED: [(u32, Form); 4] = [(2, Form::Word), (3, Form::Number), (4, Form::Word), (2, Form::Number)];

/// Finds a task's section in a plan: by the number it has where it was imported from, else by its own, and at last by
/// its title. It ends at the next heading of the same or a higher level. Headings in code are none.
#[must_use]
pub fn plan_section(plan: &str, task: &Task) -> PlanSection {
    let headings = outline(plan).headings;
    let own = task.id.0.to_string();
    let name = task.external.as_deref().map_or(own.as_str(), local);
    let by_level = WANTED.iter().find_map(|(level, form)| {
        headings.iter().position(|heading| heading.level == *level && names(heading, *form, name))
    });
    let place = by_level
        .or_else(|| {
            let named =
                |heading: &Heading<'_>| [Form::Word, Form::Number].iter().any(|f| names(heading, *f, name));
            headings.iter().position(named)
        })
        .or_else(|| headings.iter().position(|heading| titled(heading, &task.draft.title)));
    let Some((heading, rest)) = place.and_then(|place| headings.get(place..)?.split_first()) else {
        return PlanSection { text: plan.chars().take(FALLBACK).collect(), found: false };
    };
    let end = rest.iter().find(|next| next.level <= heading.level).map_or(plan.len(), |next| next.start);
    let text = plan.get(heading.start..end).unwrap_or_default().trim_end().to_owned();
    PlanSection { text, found: true }
}

/// An external name without the group before it: `tea:3` is 3 there.
fn local(external: &str) -> &str {
    external.rsplit_once(':').map_or(external, |(_, local)| local)
}

fn names(heading: &Heading<'_>, form: Form, name: &str) -> bool {
    let title = heading.title.as_str();
    let rest = match form {
        Form::Word => title
            .get(..4)
            .filter(|word| word.eq_ignore_ascii_case("task"))
            .and_then(|_| title.get(4..))
            .filter(|rest| rest.starts_with([' ', '\t', '#']))
            .map(|rest| rest.trim_start().trim_start_matches('#')),
        Form::Number => Some(title),
    };
    rest.and_then(|rest| rest.strip_prefix(name)).is_some_and(ends_a_name)
}

/// Whether a number ends here: `1` does not in `10`, `1.2` or `1-a`.
fn ends_a_name(rest: &str) -> bool {
    let mut chars = rest.chars();
    match (chars.next(), chars.next()) {
        (None, _) => true,
        (Some(c), _) if c.is_whitespace() => true,
        (Some(':'), next) => next.is_none_or(|next| !next.is_ascii_digit()),
        (Some('.' | ')' | '-' | '–' | '—' | ','), next) => next.is_none_or(char::is_whitespace),
        _ => false,
    }
}

/// Whether a heading is the task's title, with or without a number before it.
fn titled(heading: &Heading<'_>, title: &str) -> bool {
    let wanted = title.trim().to_lowercase();
    let found = heading.title.to_lowercase();
    let found = found.strip_prefix("task ").unwrap_or(&found);
    let bare = found.trim_start_matches(|c: char| c.is_ascii_digit() || " .:)-–—".contains(c));
    !wanted.is_empty() && (found == wanted || bare == wanted)
}

#[cfg(test)]
mod tests {
    use loopwright_domain::{TaskDraft, TaskId};
    use proptest::prelude::*;

    use super::*;

    fn task(id: u32, external: Option<&str>) -> Task {
        let mut task = Task::new(TaskId(id), TaskDraft::titled("Brew tea"), "");
        task.external = external.map(str::to_owned);
        task
    }

    #[test]
    fn the_seeds_headings_are_tried_in_their_order() {
        let cases = [
            ("## 1\na\n## Task 1: Brew\nb\n## 2\nc", 1, "## Task 1: Brew\nb"),
            ("## 1\na\n### 1. Brew\nb\n#### more\nc\n## 2", 1, "### 1. Brew\nb\n#### more\nc"),
            ("## 1\na\n#### Task 1\nb\n### x", 1, "#### Task 1\nb"),
            ("## 10\na\n## 1\nb\n### deep\nc\n## 2\nd", 1, "## 1\nb\n### deep\nc"),
            ("### 5. Five\na\n### 6. Six\nb\n## End", 5, "### 5. Five\na"),
            ("# Task 1 - top\na\n## Sub\nb", 1, "# Task 1 - top\na\n## Sub\nb"),
            ("## 1.2 Other\nx\n## 12\ny\n## BREW TEA\nz", 1, "## BREW TEA\nz"),
            ("## 7. Brew tea\nz", 1, "## 7. Brew tea\nz"),
            ("```\n## Task 1:\n```\n## Task 1: x\n```\n## 2\n```\n", 1, "## Task 1: x\n```\n## 2\n```"),
            ("## Task 1:Brew\nz\n", 1, "## Task 1:Brew\nz"),
        ];
        for (plan, id, expected) in cases {
            let section = plan_section(plan, &task(id, None));
            assert_eq!((section.text.as_str(), section.found), (expected, true), "{plan}");
        }
    }

    #[test]
    fn an_imported_task_goes_by_its_name_there() {
        let plan = "## Task 3: ours\na\n## Task 1.2: theirs\nb\n";
        assert_eq!(plan_section(plan, &task(3, Some("tea:1.2"))).text, "## Task 1.2: theirs\nb");
        assert_eq!(plan_section(plan, &task(3, None)).text, "## Task 3: ours\na");
    }

    #[test]
    fn without_a_section_it_is_the_beginning_and_says_so() {
        let plan = "ä".repeat(3_000);
        let section = plan_section(&plan, &task(1, None));
        assert_eq!((section.text.chars().count(), section.found), (2_000, false));
    }

    proptest! {
        #[test]
        fn any_plan_gives_part_of_itself(plan in "([#1.0 `:\n]|Task|Brew tea|€){0,60}", id in 0_u32..12) {
            prop_assert!(plan.contains(&plan_section(&plan, &task(id, None)).text));
        }
    }
}
