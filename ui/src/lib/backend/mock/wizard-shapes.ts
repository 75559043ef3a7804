/** What the forms of the phases hold, as the engine tells it. */
import type { FieldShape, FormShape, ListShape } from "../types";

type Kind = FieldShape["kind"];

const field = (name: string, label: string, kind: Kind, help = "", choices: string[] = []): FieldShape => ({
  name,
  label,
  help,
  kind,
  choices,
});
const list = (name: string, label: string, help: string, fields: FieldShape[]): ListShape => ({
  name,
  label,
  help,
  fields,
});
const PLAIN = [field("text", "Text", "text")];

const TASK = [
  field("title", "Task", "line", "What is to be done, in one line."),
  field("description", "Description", "text", "What is to be done, in full."),
  field("acceptance", "Done when", "texts", "What must hold when it is done."),
  field("test_strategy", "Test", "text", "How it is tested."),
  field("size", "Size", "choice", "How large it is.", ["M", "S", "L", "XL"]),
  field("priority", "Priority", "number", "Smaller is sooner; 5 is usual."),
  field("kind", "Kind", "choice", "What kind of work it is.", ["feature", "fix", "test", "docs"]),
  field("depends_on", "After", "texts", "The tasks that must be done before it."),
  field("sections", "Sections", "texts", "The sections that it carries out."),
  field("rationale", "Reason", "text", "Why there is this task."),
];

export const MOCK_SHAPES: FormShape[] = [
  {
    phase: "vision",
    fields: [
      field("project_name", "Name", "line", "What it is called."),
      field("elevator_pitch", "In one sentence", "text", "What it is and for whom, in one sentence."),
      field("problem_statement", "Problem", "text", "What is wrong today, and for whom."),
    ],
    lists: [
      list("target_users", "Who uses it", "Each kind of person who uses it.", PLAIN),
      list("success_criteria", "How success shows", "What can be observed when it succeeded, each testable.", PLAIN),
      list("scope_exclusions", "Not part of it", "What is left out on purpose.", PLAIN),
    ],
  },
  {
    phase: "functionality",
    fields: [],
    lists: [
      list("features", "Features of the first version", "What the first version does.", [
        field("name", "Feature", "line"),
        field("description", "Description", "text"),
        field("priority", "Priority", "choice", "", ["must", "should", "could"]),
      ]),
      list("later", "Later", "What is left for later.", [
        field("name", "Feature", "line"),
        field("description", "Description", "text"),
        field("rationale", "Why later", "text"),
      ]),
      list("workflows", "Workflows", "How users get something done, step by step.", [
        field("name", "Workflow", "line"),
        field("steps", "Steps", "texts"),
      ]),
    ],
  },
  {
    phase: "technical",
    fields: [
      field("languages", "Languages", "texts", "Programming languages."),
      field("frameworks", "Frameworks and libraries", "texts", "Frameworks and libraries that matter."),
      field("database", "Database", "line", "Where data is kept; empty for none."),
      field("hosting", "Runs on", "line", "Where it runs."),
    ],
    lists: [
      list("data_model", "Data", "What is kept, and how it hangs together.", [
        field("entity", "Entity", "line"),
        field("fields", "Fields", "texts"),
        field("relationships", "Relationships", "texts"),
      ]),
      list("integrations", "Integrations", "Other systems it works with.", [
        field("service", "Service", "line"),
        field("purpose", "Purpose", "text"),
        field("api_type", "Interface", "line"),
      ]),
      list("constraints", "Constraints", "What it has to obey.", PLAIN),
      list("performance", "Performance", "How fast, how much, how many: with figures.", PLAIN),
    ],
  },
  {
    phase: "gap_analysis",
    fields: [],
    lists: [
      list("findings", "Findings", "What is missing, contradictory or vague.", [
        field("title", "Finding", "line"),
        field("severity", "Severity", "choice", "", ["medium", "high", "low"]),
        field("kind", "Kind", "choice", "", ["gap", "contradiction", "vague"]),
        field("concerns", "Concerns", "texts"),
        field("detail", "Detail", "text"),
        field("resolution", "Proposed resolution", "text"),
        field("target", "Goes to", "choice", "", [
          "technical.constraints",
          "vision.success_criteria",
          "functionality.features",
        ]),
        field("status", "Decision", "choice", "", ["open", "merged", "dismissed"]),
        field("reason", "Reason", "text"),
      ]),
      list("ratings", "How specific it is", "A rating of each part.", [
        field("part", "Part", "line"),
        field("rating", "Rating", "choice", "", ["specific", "needs_detail", "vague"]),
        field("issues", "What is missing", "text"),
      ]),
    ],
  },
  {
    phase: "generate",
    fields: [],
    lists: [
      list("sections", "Sections", "The sections of the spec.", [
        field("title", "Heading", "line"),
        field("number", "Number", "line"),
        field("content", "Text", "text"),
      ]),
      list("terms", "Terms", "Words with one meaning in this spec.", [
        field("term", "Term", "line"),
        field("definition", "Definition", "text"),
        field("variants", "Variants", "texts"),
        field("avoid", "To avoid", "texts"),
      ]),
      list("tasks", "Tasks", "The work, in pieces that one agent does in one go.", TASK),
    ],
  },
  {
    phase: "task_review",
    fields: [],
    lists: [
      list("tasks", "Tasks", "All tasks after the review.", TASK),
      list("changes", "What was changed", "What was changed, and why.", [
        field("title", "Change", "line"),
        field("kind", "Kind", "choice", "", ["rewrite", "split", "merge", "add", "remove", "reorder"]),
        field("rationale", "Reason", "text"),
      ]),
    ],
  },
  {
    phase: "build_test",
    fields: [],
    lists: [
      list("checks", "Checks", "Commands that decide whether a task is done.", [
        field("name", "Check", "line"),
        field("command", "Command", "line"),
        field("required", "Required", "flag"),
        field("timeout", "Timeout", "number"),
        field("use", "Use", "flag"),
        field("rationale", "Reason", "text"),
      ]),
      list("protected", "Protected files", "Files whose change always needs a person's approval.", [
        field("path", "Files", "line"),
        field("rationale", "Reason", "text"),
      ]),
    ],
  },
  {
    phase: "iteration_mode",
    fields: [
      field("mode", "Review", "choice", "When a run waits for a person.", [
        "autonomous",
        "review_every",
        "review_each",
      ]),
      field("review_every", "After how many tasks", "number"),
      field("automation", "The agent may", "choice", "", ["auto", "plan", "yolo", "manual"]),
      field("agent", "Agent that builds", "line", "The agent that builds; empty for the usual one."),
      field("model", "Model", "line", "Its model; empty leaves it to the agent."),
      field("planner", "Agent that plans", "line", "The agent of later plans; empty for the one that builds."),
      field("fallback", "Takes over at a limit", "texts", "Agents that take over at a limit, in this order."),
      field("max_cost", "Money", "number", "US dollars; 0 is without a limit."),
      field("max_hours", "Hours", "number"),
      field("max_tokens", "Million tokens", "number"),
      field("max_iterations", "Iterations", "number"),
      field("max_attempts", "Attempts per task", "number"),
    ],
    lists: [list("reasons", "Reasons", "Why this is recommended.", PLAIN)],
  },
  { phase: "launch", fields: [], lists: [] },
];
