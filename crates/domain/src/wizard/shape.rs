//! What the form of each phase holds: the one table that prompts, answers, validation, command line and app come from.

use serde::Serialize;

use super::phase::WizardPhase;
use crate::word::words;

words! {
    /// What a field takes.
    FieldKind {
        /// One line of text.
        Line = "line",
        /// Text of any length, as Markdown.
        Text = "text",
        /// Several lines of text.
        Texts = "texts",
        /// One word of several.
        Choice = "choice",
        /// A whole number.
        Number = "number",
        /// Yes or no.
        Flag = "flag",
    }
}

/// A field of a form, or of the items of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct FieldShape {
    /// Its name in paths and in JSON.
    pub name: &'static str,
    /// What people call it.
    pub label: &'static str,
    /// What belongs there, for people and for the agent.
    pub help: &'static str,
    /// What it takes.
    pub kind: FieldKind,
    /// The words of a choice, the usual one first.
    pub choices: &'static [&'static str],
}

/// A list of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct ListShape {
    /// Its name in paths and in JSON.
    pub name: &'static str,
    /// What people call it.
    pub label: &'static str,
    /// What belongs there, for people and for the agent.
    pub help: &'static str,
    /// The fields of an item. The first one names it.
    pub fields: &'static [FieldShape],
}

/// What the form of a phase holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct FormShape {
    /// The phase.
    pub phase: WizardPhase,
    /// Its fields, in order.
    pub fields: &'static [FieldShape],
    /// Its lists, in order.
    pub lists: &'static [ListShape],
}

impl FormShape {
    /// The shape of a phase's form.
    #[must_use]
    pub const fn of(phase: WizardPhase) -> &'static Self {
        match phase {
            WizardPhase::Vision => &VISION,
            WizardPhase::Functionality => &FUNCTIONALITY,
            WizardPhase::Technical => &TECHNICAL,
            WizardPhase::Gaps => &GAPS,
            WizardPhase::Generate => &GENERATE,
            WizardPhase::TaskReview => &TASK_REVIEW,
            WizardPhase::BuildTest => &BUILD_TEST,
            WizardPhase::IterationMode => &ITERATION_MODE,
            WizardPhase::Launch => &LAUNCH,
        }
    }

    /// The field with this name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static FieldShape> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The list with this name.
    #[must_use]
    pub fn list(&self, name: &str) -> Option<&'static ListShape> {
        self.lists.iter().find(|list| list.name == name)
    }

    /// The names of its fields and lists.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.fields.iter().map(|field| field.name).chain(self.lists.iter().map(|list| list.name))
    }
}

impl ListShape {
    /// The field with this name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static FieldShape> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The field that names an item.
    #[must_use]
    pub const fn key(&self) -> &'static FieldShape {
        match self.fields {
            [first, ..] => first,
            [] => &NAMELESS,
        }
    }

    /// Whether an item is one text and nothing else.
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        self.fields.len() == 1
    }
}

const fn field(name: &'static str, label: &'static str, kind: FieldKind, help: &'static str) -> FieldShape {
    FieldShape { name, label, help, kind, choices: &[] }
}

const fn choice(
    name: &'static str,
    label: &'static str,
    choices: &'static [&'static str],
    help: &'static str,
) -> FieldShape {
    FieldShape { name, label, help, kind: FieldKind::Choice, choices }
}

const fn list(
    name: &'static str,
    label: &'static str,
    fields: &'static [FieldShape],
    help: &'static str,
) -> ListShape {
    ListShape { name, label, help, fields }
}

use FieldKind::{Flag, Line, Number, Text, Texts};

/// Stands in for the key of a list without fields; there is none.
const NAMELESS: FieldShape = field("text", "Text", Text, "");
/// The only field of a plain list.
const PLAIN: &[FieldShape] = &[NAMELESS];

const VISION: FormShape = FormShape {
    phase: WizardPhase::Vision,
    fields: &[
        field("project_name", "Name", Line, "What it is called."),
        field("elevator_pitch", "In one sentence", Text, "What it is and for whom, in one sentence."),
        field("problem_statement", "Problem", Text, "What is wrong today, and for whom."),
    ],
    lists: &[
        list("target_users", "Who uses it", PLAIN, "Each kind of person who uses it."),
        list(
            "success_criteria",
            "How success shows",
            PLAIN,
            "What can be observed when it succeeded, each testable.",
        ),
        list("scope_exclusions", "Not part of it", PLAIN, "What is left out on purpose."),
    ],
};

const FUNCTIONALITY: FormShape = FormShape {
    phase: WizardPhase::Functionality,
    fields: &[],
    lists: &[
        list(
            "features",
            "Features of the first version",
            &[
                field("name", "Feature", Line, "A short name."),
                field("description", "Description", Text, "What it does, concretely."),
                choice(
                    "priority",
                    "Priority",
                    &["must", "should", "could"],
                    "How much the first version needs it.",
                ),
            ],
            "What the first version does.",
        ),
        list(
            "later",
            "Later",
            &[
                field("name", "Feature", Line, "A short name."),
                field("description", "Description", Text, "What it would do."),
                field("rationale", "Why later", Text, "Why it is not in the first version."),
            ],
            "What is left for later.",
        ),
        list(
            "workflows",
            "Workflows",
            &[
                field("name", "Workflow", Line, "What a user wants to get done."),
                field("steps", "Steps", Texts, "What the user and the program do, in order."),
            ],
            "How users get something done, step by step.",
        ),
    ],
};

const TECHNICAL: FormShape = FormShape {
    phase: WizardPhase::Technical,
    fields: &[
        field("languages", "Languages", Texts, "Programming languages."),
        field("frameworks", "Frameworks and libraries", Texts, "Frameworks and libraries that matter."),
        field("database", "Database", Line, "Where data is kept; empty for none."),
        field("hosting", "Runs on", Line, "Where it runs."),
    ],
    lists: &[
        list(
            "data_model",
            "Data",
            &[
                field("entity", "Entity", Line, "What is kept."),
                field("fields", "Fields", Texts, "Its fields, each with its type."),
                field("relationships", "Relationships", Texts, "How it relates to other entities."),
            ],
            "What is kept, and how it hangs together.",
        ),
        list(
            "integrations",
            "Integrations",
            &[
                field("service", "Service", Line, "The other system."),
                field("purpose", "Purpose", Text, "What it is used for."),
                field("api_type", "Interface", Line, "How it is reached, such as REST or a file."),
            ],
            "Other systems it works with.",
        ),
        list("constraints", "Constraints", PLAIN, "What it has to obey."),
        list("performance", "Performance", PLAIN, "How fast, how much, how many: with figures."),
    ],
};

const GAPS: FormShape = FormShape {
    phase: WizardPhase::Gaps,
    fields: &[],
    lists: &[
        list(
            "findings",
            "Findings",
            &[
                field("title", "Finding", Line, "What is missing, contradictory or vague, in one line."),
                choice("severity", "Severity", &["medium", "high", "low"], "How much harm it would do."),
                choice("kind", "Kind", &["gap", "contradiction", "vague"], "What sort of finding it is."),
                field("concerns", "Concerns", Texts, "The fields or lists it is about, as phase.name."),
                field("detail", "Detail", Text, "Why it matters."),
                field(
                    "resolution",
                    "Proposed resolution",
                    Text,
                    "The text that would settle it, ready to be taken over.",
                ),
                choice(
                    "target",
                    "Goes to",
                    super::finding::TARGETS,
                    "Where the resolution belongs, as phase.name.",
                ),
                choice(
                    "status",
                    "Decision",
                    &["open", "merged", "dismissed"],
                    "What was decided. Always \"open\" in an answer.",
                ),
                field("reason", "Reason", Text, "Why it was dismissed. Empty in an answer."),
            ],
            "What is missing, contradictory or vague, at most 12.",
        ),
        list(
            "ratings",
            "How specific it is",
            &[
                field("part", "Part", Line, "The part of the plan, as phase.name."),
                choice("rating", "Rating", &["specific", "needs_detail", "vague"], "How specific it is."),
                field("issues", "What is missing", Text, "What would make it specific."),
            ],
            "A rating of each part, at most 10. This is an opinion.",
        ),
    ],
};

const TASK_FIELDS: &[FieldShape] = &[
    field("title", "Task", Line, "What is to be done, in one line."),
    field(
        "description",
        "Description",
        Text,
        "What is to be done, in full, for an agent that knows only the spec.",
    ),
    field(
        "acceptance",
        "Done when",
        Texts,
        "What must hold when it is done: 1 to 4 sentences, each testable.",
    ),
    field("test_strategy", "Test", Text, "How it is tested."),
    choice(
        "size",
        "Size",
        &["M", "S", "L", "XL"],
        "S: 1 file, 15 minutes. M: 1 to 2 files, 30 minutes. L: 2 to 3 files, 45 minutes. XL must be split.",
    ),
    field("priority", "Priority", Number, "Smaller is sooner; 5 is usual."),
    choice(
        "kind",
        "Kind",
        &["feature", "fix", "test", "refactor", "config", "docs", "verification"],
        "What kind of work it is.",
    ),
    field("depends_on", "After", Texts, "The titles of the tasks that must be done before it."),
    field("sections", "Sections", Texts, "The numbers or titles of the spec's sections that it carries out."),
    field("rationale", "Reason", Text, "Why there is this task, in this size and place."),
];

const GENERATE: FormShape = FormShape {
    phase: WizardPhase::Generate,
    fields: &[],
    lists: &[
        list(
            "sections",
            "Sections",
            &[
                field("title", "Heading", Line, "The heading, as in the template."),
                field("number", "Number", Line, "Its dotted number, such as 2.1."),
                field("content", "Text", Text, "The section's text, as Markdown without its heading."),
            ],
            "The sections of the spec, in the order of the template.",
        ),
        list(
            "terms",
            "Terms",
            &[
                field("term", "Term", Line, "The word."),
                field("definition", "Definition", Text, "What it means here."),
                field("variants", "Variants", Texts, "Other forms that may be used."),
                field("avoid", "To avoid", Texts, "Words that mean the same and are not to be used."),
            ],
            "Words with one meaning in this spec.",
        ),
        list("tasks", "Tasks", TASK_FIELDS, "The work, in pieces that one agent does in one go."),
    ],
};

const TASK_REVIEW: FormShape = FormShape {
    phase: WizardPhase::TaskReview,
    fields: &[],
    lists: &[
        list("tasks", "Tasks", TASK_FIELDS, "All tasks after the review, also those that stay as they are."),
        list(
            "changes",
            "What was changed",
            &[
                field(
                    "title",
                    "Change",
                    Line,
                    "What was changed, in one line, with the titles of the tasks.",
                ),
                choice(
                    "kind",
                    "Kind",
                    &["rewrite", "split", "merge", "add", "remove", "reorder"],
                    "What sort of change it is.",
                ),
                field("rationale", "Reason", Text, "Why."),
            ],
            "What was changed, and why.",
        ),
    ],
};

const BUILD_TEST: FormShape = FormShape {
    phase: WizardPhase::BuildTest,
    fields: &[],
    lists: &[
        list(
            "checks",
            "Checks",
            &[
                field("name", "Check", Line, "A short name in small letters, such as test or lint."),
                field(
                    "command",
                    "Command",
                    Line,
                    "The command line. It is run without a shell, in the project's folder.",
                ),
                field("required", "Required", Flag, "Whether a task is only done when it passes."),
                field("timeout", "Timeout", Number, "How many seconds it may take."),
                field("use", "Use", Flag, "Whether it becomes a check of the project."),
                field("rationale", "Reason", Text, "Why, and where it was found."),
            ],
            "Commands that decide whether a task is done.",
        ),
        list(
            "protected",
            "Protected files",
            &[
                field("path", "Files", Line, "A path or pattern, such as data/**."),
                field("rationale", "Reason", Text, "Why a change to it needs a person."),
            ],
            "Files whose change always needs a person's approval.",
        ),
    ],
};

const ITERATION_MODE: FormShape = FormShape {
    phase: WizardPhase::IterationMode,
    fields: &[
        choice(
            "mode",
            "Review",
            &["autonomous", "review_every", "review_each"],
            "When a run waits for a person.",
        ),
        field(
            "review_every",
            "After how many tasks",
            Number,
            "With review_every: after how many finished tasks.",
        ),
        choice(
            "automation",
            "The agent may",
            &["auto", "plan", "yolo", "manual"],
            "How much the agent may do by itself.",
        ),
        field("agent", "Agent that builds", Line, "The agent that builds; empty for the usual one."),
        field("model", "Model", Line, "Its model; empty leaves it to the agent."),
        field(
            "planner",
            "Agent that plans",
            Line,
            "The agent of later plans, as agent or agent/model; empty for the one that builds.",
        ),
        field(
            "fallback",
            "Takes over at a limit",
            Texts,
            "Agents that take over when the account of the one that builds is used up, in this order, as agent or \
             agent/model; empty to wait for the reset.",
        ),
        field("max_cost", "Money", Number, "The run stops at this many US dollars; 0 is without a limit."),
        field("max_hours", "Hours", Number, "The run stops after this many hours; 0 is without a limit."),
        field(
            "max_tokens",
            "Million tokens",
            Number,
            "The run stops at this many million tokens; 0 is without a limit.",
        ),
        field("max_iterations", "Iterations", Number, "The run stops after this many iterations."),
        field(
            "max_attempts",
            "Attempts per task",
            Number,
            "A task is blocked after this many failed attempts.",
        ),
    ],
    lists: &[list("reasons", "Reasons", PLAIN, "Why this is recommended.")],
};

const LAUNCH: FormShape = FormShape { phase: WizardPhase::Launch, fields: &[], lists: &[] };
