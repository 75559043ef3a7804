/** What the mock's agent answers in each phase: the tea house of the pictures. */
import type { FieldOrigin, FieldValue, WizardPhase } from "../types";

type Values = Record<string, FieldValue>;
export interface MockAnswer {
  fields?: Values;
  lists?: Record<string, Values[]>;
}

/** Where what the agent says came from, by a part of its text; all else is assumed. */
export function mockOrigin(value: FieldValue): FieldOrigin {
  const text = String(value);
  if (/allergen|table|phone|eight/i.test(text)) {
    return { from: "words", quote: "book a table for up to eight people" };
  }
  if (/price/i.test(text)) {
    return { from: "document", document: "owner.md", quote: "Prices come from a file that only the owner may change." };
  }
  return /vite|node|typescript/i.test(text) ? { from: "code", file: "package.json" } : { from: "assumed" };
}

const task = (title: string, size: string, depends_on: string[] = [], more: Values = {}): Values => ({
  title,
  description: `${title}, as the spec says.`,
  acceptance: ["npm test passes"],
  test_strategy: "A test for each criterion.",
  size,
  priority: 5,
  kind: "feature",
  depends_on,
  sections: ["2.1"],
  rationale: "The spec asks for it.",
  ...more,
});

const TASKS: Values[] = [
  task("Set up the project and its checks", "S"),
  task("Design tokens and base layout", "M"),
  task("Menu data from menu.yaml", "M"),
  task("Opening hours model", "S"),
  task("Menu page with allergen filters", "M", ["Design tokens and base layout", "Menu data from menu.yaml"]),
  task("Opening hours in the header", "S", ["Design tokens and base layout", "Opening hours model"]),
  task("Reservation schema and migrations", "M", ["Set up the project and its checks"]),
  task("Booking form with live availability", "L", [
    "Opening hours in the header",
    "Reservation schema and migrations",
  ]),
  task("Booking API: create and cancel", "M", ["Reservation schema and migrations"]),
  task("Staff view of today's tables", "L", ["Booking form with live availability", "Booking API: create and cancel"], {
    acceptance: ["The page is fast"],
  }),
  task("End-to-end test of a full booking", "M", ["Staff view of today's tables"], { kind: "test" }),
];

export const MOCK_ANSWERS: Record<WizardPhase, MockAnswer> = {
  vision: {
    fields: {
      project_name: "Quiet Kettle",
      elevator_pitch: "A small site on which guests of a tea house read the menu and book a table.",
      problem_statement: "Guests call to ask for opening hours and allergens, and to book a table.",
    },
    lists: {
      target_users: [{ text: "Guests on a phone" }, { text: "Staff with an old tablet" }],
      success_criteria: [
        { text: "A guest books a table for up to eight people without an account" },
        { text: "The menu is shown within 1 s on slow 3G" },
      ],
      scope_exclusions: [{ text: "Accounts and online payment" }],
    },
  },
  functionality: {
    lists: {
      features: [
        {
          name: "Menu with allergens",
          description: "Read by category, hide what contains an allergen.",
          priority: "must",
        },
        { name: "Opening hours", description: "Today's hours on every page, holidays from a file.", priority: "must" },
        { name: "Table booking", description: "Up to eight guests, free slots only, no account.", priority: "must" },
        { name: "Staff view for the old tablet", description: "Today's tables in one glance.", priority: "must" },
        { name: "Gift vouchers", description: "Buy and redeem three fixed amounts.", priority: "should" },
      ],
      later: [
        {
          name: "Newsletter",
          description: "News by e-mail.",
          rationale: "Needs consent texts nobody has written yet.",
        },
      ],
      workflows: [{ name: "Book a table", steps: ["Choose day and time", "Say name and phone", "Get a confirmation"] }],
    },
  },
  technical: {
    fields: {
      languages: ["TypeScript"],
      frameworks: ["SvelteKit", "Vite"],
      database: "SQLite",
      hosting: "One small Debian server",
    },
    lists: {
      data_model: [
        { entity: "Booking", fields: ["day: date", "slot: time", "party: 1 to 8"], relationships: ["has one table"] },
      ],
      integrations: [],
      constraints: [{ text: "Prices come from a file that only the owner may change" }],
      performance: [{ text: "The menu weighs less than 40 kB without images" }],
    },
  },
  gap_analysis: {
    lists: {
      findings: [
        {
          title: "Nobody says how a guest cancels",
          severity: "high",
          kind: "gap",
          concerns: ["functionality.features"],
          detail: "Without accounts a cancelling link has to be its own proof.",
          resolution: "The confirmation holds a link that cancels once, up to two hours before.",
          target: "functionality.features",
          status: "open",
          reason: "",
        },
        {
          title: "“Fast” is no figure",
          severity: "medium",
          kind: "vague",
          concerns: ["technical.performance"],
          detail: "An agent cannot tell when it is met.",
          resolution: "The menu is shown within 1 s on slow 3G.",
          target: "technical.constraints",
          status: "open",
          reason: "",
        },
      ],
      ratings: [
        { part: "functionality.workflows", rating: "needs_detail", issues: "Nothing about a slot taken meanwhile." },
      ],
    },
  },
  generate: {
    lists: {
      sections: [
        { title: "Problem", number: "1", content: "Guests call to ask for opening hours and allergens." },
        { title: "The house", number: "2", content: "" },
        { title: "Menu", number: "2.1", content: "Every dish with its price and allergens." },
        { title: "Booking", number: "2.2", content: "A guest books a table for one to eight people." },
      ],
      terms: [{ term: "slot", definition: "A quarter of an hour in house time.", variants: ["slots"], avoid: [] }],
      tasks: TASKS,
    },
  },
  task_review: {
    lists: {
      tasks: TASKS,
      changes: [
        {
          title: "Split Booking into form and API",
          kind: "split",
          rationale: "They touch different files and can run side by side.",
        },
        { title: "Merged Add prices into Menu data", kind: "merge", rationale: "Both only write data/menu.yaml." },
      ],
    },
  },
  build_test: {
    lists: {
      checks: [
        {
          name: "types",
          command: "npx tsc --noEmit",
          required: true,
          timeout: 60,
          use: true,
          rationale: "From package.json.",
        },
        {
          name: "lint",
          command: "npx eslint .",
          required: true,
          timeout: 60,
          use: true,
          rationale: "From package.json.",
        },
        {
          name: "unit",
          command: "npx vitest run",
          required: true,
          timeout: 120,
          use: true,
          rationale: "AGENTS.md names it.",
        },
        {
          name: "e2e",
          command: "npx playwright test",
          required: false,
          timeout: 300,
          use: false,
          rationale: "Section 2.2.",
        },
      ],
      protected: [{ path: "data/prices.yaml", rationale: "Prices come from a file that only the owner may change." }],
    },
  },
  iteration_mode: {
    fields: {
      mode: "review_every",
      review_every: 5,
      automation: "auto",
      agent: "",
      model: "",
      max_cost: 25,
      max_hours: 8,
      max_tokens: 20,
      max_iterations: 33,
      max_attempts: 3,
    },
    lists: {
      reasons: [{ text: "2 of 11 tasks are large." }, { text: "11 tasks are too many to find out at the end." }],
    },
  },
  launch: {},
};

/** What a re-run answers otherwise: one feature reworded, one more, one gone. */
export const MOCK_AGAIN: Partial<Record<WizardPhase, MockAnswer>> = {
  functionality: {
    lists: {
      ...MOCK_ANSWERS.functionality.lists,
      features: [
        {
          name: "Menu with allergens",
          description: "Read by category, hide what contains an allergen.",
          priority: "must",
        },
        { name: "Opening hours", description: "Today's hours on every page, holidays from a file.", priority: "must" },
        {
          name: "Table booking",
          description: "Up to eight guests, free slots only, with a link to cancel.",
          priority: "must",
        },
        { name: "Cancel by link", description: "The confirmation holds a link that cancels once.", priority: "must" },
        { name: "Staff view for the old tablet", description: "Today's tables in one glance.", priority: "must" },
      ],
    },
  },
};
