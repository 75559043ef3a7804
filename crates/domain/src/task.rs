//! Tasks: the units of work a project is made of.

use serde::{Deserialize, Serialize};

use crate::ids::{SectionId, TaskId};
use crate::word::words;

words! {
    /// Where a task stands.
    TaskStatus {
        /// Not begun.
        Pending = "pending",
        /// Being worked on.
        InProgress = "in_progress",
        /// Waiting at a gate for a person.
        AwaitingApproval = "awaiting_approval",
        /// Finished and checked.
        Done = "done",
        /// Cannot go on without help.
        Blocked = "blocked",
        /// Will not be done.
        Cancelled = "cancelled",
    }
}

impl TaskStatus {
    /// Whether something is left to do: it is neither done nor cancelled.
    #[must_use]
    pub const fn is_unfinished(self) -> bool {
        !matches!(self, Self::Done | Self::Cancelled)
    }
}

words! {
    /// How much work a task is.
    TaskSize {
        /// One file, a quarter of an hour.
        S = "S",
        /// One or two files, half an hour.
        M = "M",
        /// Two or three files, three quarters of an hour.
        L = "L",
        /// More than one attempt should take: better split.
        XL = "XL",
    }
}

words! {
    /// What kind of work a task is.
    TaskKind {
        /// Something new.
        Feature = "feature",
        /// Something that does not work.
        Fix = "fix",
        /// Tests.
        Test = "test",
        /// The same in a better shape.
        Refactor = "refactor",
        /// Build, settings, tools.
        Config = "config",
        /// Documents.
        Docs = "docs",
        /// Making sure that something holds.
        Verification = "verification",
    }
}

/// The complexities a task can have: Fibonacci numbers, as in SCUD. 0 is not estimated.
pub const COMPLEXITIES: &[u32] = &[0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89];

/// The priority of a task that nobody gave one.
pub const DEFAULT_PRIORITY: u32 = 5;

/// The longest title, in characters.
pub const LONGEST_TITLE: usize = 500;
/// The longest tag, in characters.
pub const LONGEST_TAG: usize = 100;
/// The longest description, test strategy, notes or acceptance criterion, in bytes.
pub const LONGEST_TEXT: usize = 256 * 1024;
/// The most acceptance criteria, sections or dependencies of one task.
pub const MOST_ITEMS: usize = 1_000;

/// What is wrong with what a person wrote about a task.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DraftProblem {
    /// Nothing but blanks.
    #[error("it has no title")]
    NoTitle,
    /// A title is one line.
    #[error("its title is longer than one line")]
    TitleOfLines,
    /// A title is short.
    #[error("its title is longer than {LONGEST_TITLE} characters")]
    LongTitle,
    /// A tag is a short word or two.
    #[error("its tag is not a line of 1 to {LONGEST_TAG} characters")]
    Tag,
    /// Complexities are Fibonacci numbers.
    #[error("its complexity is {0}, and not one of 0, 1, 2, 3, 5, 8, 13, 21, 34, 55 or 89")]
    Complexity(u32),
    /// A text is too long.
    #[error("its {0} is longer than 256 KiB")]
    LongText(&'static str),
    /// A list is too long.
    #[error("it has more than {MOST_ITEMS} {0}")]
    LongList(&'static str),
}

/// Why a task is blocked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Blocked {
    /// In words.
    pub reason: String,
    /// How often it had failed by then.
    pub attempts: u32,
    /// When.
    pub at: String,
}

/// What a person writes about a task: all of it can be edited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct TaskDraft {
    /// One line.
    pub title: String,
    /// What is to be done, in full.
    pub description: String,
    /// What must hold when it is done, one sentence each.
    pub acceptance: Vec<String>,
    /// How it is tested.
    pub test_strategy: String,
    /// Smaller is sooner.
    pub priority: u32,
    /// How much work it is.
    pub size: Option<TaskSize>,
    /// How hard it is: one of [`COMPLEXITIES`].
    pub complexity: u32,
    /// What kind of work it is.
    pub kind: Option<TaskKind>,
    /// The group it belongs to: a phase, a release, an epic.
    pub tag: Option<String>,
    /// The sections of the spec it carries out.
    pub sections: Vec<SectionId>,
    /// The tasks that must be done before it.
    pub depends_on: Vec<TaskId>,
    /// What people want to remember about it.
    pub notes: String,
}

impl TaskDraft {
    /// A draft with nothing but a title.
    #[must_use]
    pub fn titled(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            description: String::new(),
            acceptance: Vec::new(),
            test_strategy: String::new(),
            priority: DEFAULT_PRIORITY,
            size: None,
            complexity: 0,
            kind: None,
            tag: None,
            sections: Vec::new(),
            depends_on: Vec::new(),
            notes: String::new(),
        }
    }
}

impl TaskDraft {
    /// Whether a task can be this.
    ///
    /// # Errors
    /// Names what is wrong with it. Whether its dependencies and sections exist is not looked at here.
    pub fn check(&self) -> Result<(), DraftProblem> {
        let one_line = |text: &str| !text.trim().is_empty() && !text.contains(['\n', '\r']);
        match &self.title {
            title if title.trim().is_empty() => return Err(DraftProblem::NoTitle),
            title if !one_line(title) => return Err(DraftProblem::TitleOfLines),
            title if title.chars().count() > LONGEST_TITLE => return Err(DraftProblem::LongTitle),
            _ => {}
        }
        if self.tag.as_ref().is_some_and(|tag| !one_line(tag) || tag.chars().count() > LONGEST_TAG) {
            return Err(DraftProblem::Tag);
        }
        if !COMPLEXITIES.contains(&self.complexity) {
            return Err(DraftProblem::Complexity(self.complexity));
        }
        let texts = [
            ("description", &self.description),
            ("test strategy", &self.test_strategy),
            ("notes", &self.notes),
        ];
        let criteria = self.acceptance.iter().map(|text| ("acceptance criterion", text));
        if let Some((name, _)) = texts.into_iter().chain(criteria).find(|(_, text)| text.len() > LONGEST_TEXT)
        {
            return Err(DraftProblem::LongText(name));
        }
        let lists = [
            ("acceptance criteria", self.acceptance.len()),
            ("sections", self.sections.len()),
            ("dependencies", self.depends_on.len()),
        ];
        match lists.into_iter().find(|(_, length)| *length > MOST_ITEMS) {
            Some((name, _)) => Err(DraftProblem::LongList(name)),
            None => Ok(()),
        }
    }

    /// The same without what only looks different: blanks around texts, empty criteria, an empty tag, and lists in order
    /// and without repetitions.
    #[must_use]
    pub fn tidied(mut self) -> Self {
        let trim = |text: &mut String| *text = text.trim().to_owned();
        for text in [&mut self.title, &mut self.description, &mut self.test_strategy, &mut self.notes] {
            trim(text);
        }
        self.acceptance.iter_mut().for_each(trim);
        self.acceptance.retain(|criterion| !criterion.is_empty());
        self.tag = self.tag.map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty());
        self.sections.sort_unstable();
        self.sections.dedup();
        self.depends_on.sort_unstable();
        self.depends_on.dedup();
        self
    }

    /// The names of what differs in another draft.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<&'static str> {
        let fields = [
            ("title", self.title != other.title),
            ("description", self.description != other.description),
            ("acceptance", self.acceptance != other.acceptance),
            ("test_strategy", self.test_strategy != other.test_strategy),
            ("priority", self.priority != other.priority),
            ("size", self.size != other.size),
            ("complexity", self.complexity != other.complexity),
            ("kind", self.kind != other.kind),
            ("tag", self.tag != other.tag),
            ("sections", self.sections != other.sections),
            ("depends_on", self.depends_on != other.depends_on),
            ("notes", self.notes != other.notes),
        ];
        fields.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect()
    }
}

/// A unit of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Task {
    /// Its number in the project.
    pub id: TaskId,
    /// What people wrote about it.
    #[serde(flatten)]
    pub draft: TaskDraft,
    /// Where it stands.
    pub status: TaskStatus,
    /// Why it is blocked; only then.
    pub blocked: Option<Blocked>,
    /// Attempts that were settled, over all runs; interruptions are none.
    pub attempts: u32,
    /// Of these, failed.
    pub failures: u32,
    /// The commit of its last good attempt, its own or that of its wave; none for one that is done without a commit.
    pub commit: Option<String>,
    /// What it is called where it was imported from.
    pub external: Option<String>,
    /// When it was added.
    pub created_at: String,
    /// When anything about it changed.
    pub updated_at: String,
}

impl Task {
    /// A task as it is when it is added.
    #[must_use]
    pub fn new(id: TaskId, draft: TaskDraft, at: impl Into<String>) -> Self {
        let at = at.into();
        Self {
            id,
            draft,
            status: TaskStatus::Pending,
            blocked: None,
            attempts: 0,
            failures: 0,
            commit: None,
            external: None,
            created_at: at.clone(),
            updated_at: at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_names_agree_with_json_and_parse_back() {
        for status in TaskStatus::ALL {
            assert_eq!(serde_json::to_string(status).unwrap(), format!("\"{}\"", status.as_str()));
            assert_eq!(TaskStatus::parse(status.as_str()), Some(*status));
        }
        assert_eq!(TaskStatus::parse("finished"), None);
    }

    #[test]
    fn a_draft_is_refused_with_what_is_wrong() {
        let good = || TaskDraft::titled("Brew");
        let text = |length: usize| "x".repeat(length);
        let cases = [
            (TaskDraft::titled(" \t"), DraftProblem::NoTitle),
            (TaskDraft::titled("Two\nlines"), DraftProblem::TitleOfLines),
            (TaskDraft::titled("é".repeat(501)), DraftProblem::LongTitle),
            (TaskDraft { tag: Some(" ".into()), ..good() }, DraftProblem::Tag),
            (TaskDraft { tag: Some(text(101)), ..good() }, DraftProblem::Tag),
            (TaskDraft { complexity: 4, ..good() }, DraftProblem::Complexity(4)),
            (TaskDraft { notes: text(LONGEST_TEXT + 1), ..good() }, DraftProblem::LongText("notes")),
            (
                TaskDraft { acceptance: vec![text(LONGEST_TEXT + 1)], ..good() },
                DraftProblem::LongText("acceptance criterion"),
            ),
            (
                TaskDraft { depends_on: vec![TaskId(1); 1_001], ..good() },
                DraftProblem::LongList("dependencies"),
            ),
        ];
        for (draft, problem) in cases {
            assert_eq!(draft.check(), Err(problem));
        }
        let full =
            TaskDraft { tag: Some("tea".into()), complexity: 89, description: text(LONGEST_TEXT), ..good() };
        assert_eq!(full.check(), Ok(()));
    }

    #[test]
    fn tidying_takes_away_what_only_looks_different() {
        let untidy = TaskDraft {
            tag: Some("  ".into()),
            acceptance: vec![" hot ".into(), " ".into()],
            depends_on: vec![TaskId(2), TaskId(1), TaskId(2)],
            ..TaskDraft::titled(" Brew ")
        };
        let tidy = untidy.clone().tidied();
        assert_eq!(tidy.differences(&untidy), ["title", "acceptance", "tag", "depends_on"]);
        assert_eq!((tidy.title.as_str(), &tidy.tag), ("Brew", &None));
        assert_eq!(tidy.acceptance, ["hot"]);
        assert_eq!(tidy.depends_on, [TaskId(1), TaskId(2)]);
        assert_eq!(tidy.clone().tidied(), tidy);
    }

    #[test]
    fn a_task_is_one_flat_object_in_json() {
        let task = Task::new(TaskId(3), TaskDraft::titled("Brew"), "2026-01-02T03:04:05Z");
        let json = serde_json::to_value(&task).unwrap();
        assert_eq!(json["title"], "Brew");
        assert_eq!(json["status"], "pending");
        assert_eq!(serde_json::from_value::<Task>(json).unwrap(), task);
    }
}
