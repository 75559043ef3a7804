/** The tasks and the spec of the mock's projects. Overview, tasks, waves and gates all tell of these. */
import type { Section, SectionRow, Task, TaskKind, TaskSize, TaskStatus } from "../types";

import { HOSTILE_TEXTS } from "./hostile";
import type { Scenario } from "./scenarios";

const HOUR = 3_600_000;

/** When the plan was made: some days ago, and always the same within a page. */
const MADE = new Date(Date.now() - 50 * HOUR).toISOString();

/** A task with nothing but what is named. */
export function mockTask(id: number, title: string, more: Partial<Task> = {}): Task {
  return {
    id,
    title,
    description: "",
    acceptance: [],
    test_strategy: "",
    priority: 5,
    size: null,
    complexity: 0,
    kind: null,
    tag: null,
    sections: [],
    depends_on: [],
    notes: "",
    status: "pending",
    blocked: null,
    attempts: 0,
    commit: more.status === "done" ? "5e1f0c2a9b7d4e6f8a3b1c5d7e9f0a2b4c6d8e0f" : null,
    failures: 0,
    external: null,
    created_at: MADE,
    updated_at: MADE,
    ...more,
  };
}

/** The sample project's plan: three waves, not started. */
export function sampleTasks(): Task[] {
  return [
    mockTask(1, "Describe a tea", {
      description: "A tea has a name, a steeping time in seconds and a temperature. Keep it in teas.txt, one per line.",
      acceptance: ["teas.txt has at least five teas", "Every line reads name;seconds;celsius"],
      sections: [2],
    }),
    mockTask(2, "Count down", {
      description: 'Given a number of seconds, print what is left once a second and end with "Ready".',
      sections: [3],
    }),
    mockTask(3, "Pick a tea by name", {
      description: "Look the name up in teas.txt. An unknown name ends with exit code 2 and lists the known ones.",
      acceptance: ["An unknown name ends with exit code 2", "The known names are listed, sorted"],
      depends_on: [1],
      sections: [4],
    }),
    mockTask(4, "Steep the chosen tea", {
      description: "Join picking and counting: the timer takes a tea's name and counts its steeping time.",
      depends_on: [1, 2],
      sections: [3, 4],
    }),
    mockTask(5, "Ring at the end", {
      description: "Print the bell character once when the tea is ready, unless --quiet is given.",
      depends_on: [2],
    }),
    mockTask(6, "Remember the last tea", {
      description: "Without a name, the timer uses the tea of last time. Needs approval: it writes to the user's home.",
      depends_on: [3, 4],
    }),
    mockTask(7, "Write the manual page", {
      description: "One page: what it does, its options, its exit codes. Every option is shown by an example.",
      depends_on: [4, 5],
      kind: "docs",
    }),
  ];
}

function progressTasks(): Task[] {
  const statuses: TaskStatus[] = [
    "done",
    "done",
    "awaiting_approval",
    "in_progress",
    "blocked",
    "pending",
    "cancelled",
  ];
  return sampleTasks().map((task, index) => {
    const status = statuses[index] ?? "pending";
    const reason = "The bell makes no sound where the checks run, and --quiet is not described.";
    const blocked =
      status === "blocked" ? { reason, attempts: 3, at: new Date(Date.now() - HOUR).toISOString() } : null;
    return { ...task, status, blocked };
  });
}

type Planned = [
  title: string,
  tag: string,
  kind: TaskKind,
  size: TaskSize,
  complexity: number,
  priority: number,
  depends_on: number[],
  status: TaskStatus,
];

const PLANNED: Planned[] = [
  ["Read teas.txt into a list", "core", "feature", "S", 2, 1, [], "done"],
  ["Count down once a second", "core", "feature", "M", 3, 1, [], "done"],
  ["Set up the command line", "core", "config", "S", 1, 3, [], "done"],
  ["Describe the file format", "docs", "docs", "S", 1, 5, [], "done"],
  ["Refuse malformed lines by number", "core", "fix", "M", 3, 2, [1], "done"],
  ["Pick a tea by name", "core", "feature", "M", 3, 2, [1, 3], "done"],
  ["Show what is left in the title", "screen", "feature", "S", 2, 3, [2], "done"],
  ["Test the countdown against a false clock", "core", "test", "M", 5, 4, [2], "in_progress"],
  ["Ask the weather for the room's temperature", "shop", "feature", "M", 8, 3, [3], "blocked"],
  ["Ring at the end", "core", "feature", "S", 1, 5, [2], "pending"],
  ["Explain every option in the help", "docs", "docs", "S", 2, 6, [3], "pending"],
  ["Steep the chosen tea", "core", "feature", "L", 8, 1, [2, 6], "pending"],
  ["Draw the cup while it steeps", "screen", "feature", "L", 5, 4, [7], "pending"],
  ["Correct the time for a cold room", "shop", "feature", "M", 5, 5, [9, 6], "pending"],
  ["Split the reader from the rules", "core", "refactor", "M", 3, 6, [5, 6], "pending"],
  ["Share teas between two computers", "shop", "feature", "XL", 13, 7, [6], "cancelled"],
  ["Remember the last tea", "core", "feature", "M", 3, 2, [12], "pending"],
  ["Keep a diary of teas", "shop", "feature", "M", 5, 5, [12, 10], "pending"],
  ["Choose a tea with the arrow keys", "screen", "feature", "L", 8, 4, [13, 12], "pending"],
  ["Merge teas that came from elsewhere", "shop", "feature", "M", 5, 7, [16], "pending"],
  ["Make sure that Ctrl-C restores the screen", "screen", "verification", "S", 3, 3, [13], "pending"],
  ["Suggest a tea by the time of day", "shop", "feature", "M", 5, 6, [17, 18], "pending"],
  ["Write the manual page", "docs", "docs", "M", 2, 5, [11, 17], "pending"],
  ["Make the first release", "release", "config", "M", 3, 9, [15, 19, 21, 22, 23], "pending"],
];

/** What was tried before, by task: attempts and, of these, failures. */
const TRIED: Record<number, [number, number]> = { 5: [2, 1], 6: [1, 0], 8: [1, 1], 9: [3, 3] };

/** A larger plan in the middle of a run: one task is worked on, or waits at a gate. */
function workshopTasks(busy: TaskStatus): Task[] {
  return PLANNED.map(([title, tag, kind, size, complexity, priority, depends_on, planned], index) => {
    const id = index + 1;
    const status = planned === "in_progress" ? busy : planned;
    const [attempts, failures] = TRIED[id] ?? [status === "done" ? 1 : 0, 0];
    const reason = "There is no key for the weather service. Put one into the environment, or take the service out.";
    const blocked =
      status === "blocked" ? { reason, attempts: 3, at: new Date(Date.now() - HOUR).toISOString() } : null;
    const counted = { attempts, failures, blocked, status };
    return mockTask(id, title, { tag, kind, size, complexity, priority, depends_on, ...counted, ...(TEXTS[id] ?? {}) });
  });
}

const TEXTS: Record<number, Partial<Task>> = {
  8: {
    description:
      "The countdown is tested by waiting, which takes a minute and fails on slow machines.\n\nGive it a clock that the tests can move, and test the last second, a pause of the machine and a clock that goes back.",
    acceptance: [
      "No test waits for real time",
      "A clock that goes back does not lengthen the countdown",
      "The tests run in less than a second",
    ],
    test_strategy: "Run the tests a hundred times under load; none may fail.",
    sections: [3],
    notes: "Ada: the clock of the first version went back when the laptop woke up.",
  },
  9: {
    description: "A tea steeps longer in a cold room. Ask a weather service for the temperature.",
    acceptance: ["Without the network the timer works as before"],
    sections: [5],
  },
  12: {
    description: "Join picking and counting: the timer takes a tea's name and counts its steeping time.",
    acceptance: ["`tea assam` counts 240 seconds", "An unknown name starts nothing"],
    test_strategy: "One test for each tea of the sample file.",
    sections: [3, 4],
  },
};

function hostileTasks(): Task[] {
  const text = (index: number) => HOSTILE_TEXTS[index % HOSTILE_TEXTS.length] ?? "";
  return HOSTILE_TEXTS.map((title, index) =>
    mockTask(index + 1, title, {
      description: text(index + 1),
      acceptance: [text(index + 2), text(index + 3)],
      notes: text(index + 4),
      tag: text(index),
      depends_on: index > 2 ? [index] : [],
      ...(index === 1 ? { status: "blocked", blocked: { reason: text(2), attempts: 1, at: MADE } } : {}),
    }),
  );
}

const MANY = 10_000;
const KINDS: TaskKind[] = ["feature", "fix", "test", "refactor", "config", "docs", "verification"];
const SIZES: TaskSize[] = ["S", "M", "L", "XL"];
const COMPLEXITIES = [1, 2, 3, 5, 8];
const WORK = ["Add", "Mend", "Test", "Split", "Rename", "Document", "Measure", "Remove"];
const PLACES = ["the parser", "the invoice page", "the import", "the queue", "the search", "the settings", "the log"];
const TAGS = ["billing", "import", "reports", "search", "sign-in", "storage"];

function largeTasks(): Task[] {
  return Array.from({ length: MANY }, (_, index) => {
    const id = index + 1;
    const depends_on = id > 500 ? [id - 500, Math.max(1, id - 777)] : [];
    return mockTask(id, `Task number ${id}`, { depends_on, status: id <= 700 ? "done" : "pending" });
  });
}

/** Ten thousand tasks with all there is to say about each, and five prerequisites for almost every one. */
function manyTasks(): Task[] {
  return Array.from({ length: MANY }, (_, index) => {
    const id = index + 1;
    const part = (id * 7919) % 9973;
    const pick = <T>(from: readonly T[], step: number): T => from[(part + step * id) % from.length] as T;
    const depends_on =
      id > 400 ? [400, 417, 433, 451, 469].map((back) => id - back).filter((before) => before > 0) : [];
    const failed = part % 23 === 0;
    const status: TaskStatus =
      id <= 900
        ? "done"
        : id === 903
          ? "in_progress"
          : part % 61 === 0
            ? "blocked"
            : part % 97 === 0
              ? "cancelled"
              : "pending";
    return mockTask(id, `${pick(WORK, 1)} ${pick(PLACES, 3)} (${id})`, {
      status,
      depends_on,
      priority: 1 + (part % 9),
      size: pick(SIZES, 5),
      complexity: pick(COMPLEXITIES, 2),
      kind: pick(KINDS, 4),
      tag: pick(TAGS, 1),
      attempts: status === "done" ? 1 + Number(failed) : Number(failed),
      failures: Number(failed),
      blocked: status === "blocked" ? { reason: "Two checks fail whatever is tried.", attempts: 3, at: MADE } : null,
    });
  });
}

/** The tasks each scenario begins with. */
export function tasksFor(scenario: Scenario): Task[] {
  switch (scenario) {
    case "empty":
      return [];
    case "problems":
    case "progress":
      return progressTasks();
    case "hostile":
      return hostileTasks();
    case "large":
      return largeTasks();
    case "tasks":
      return workshopTasks("in_progress");
    case "review":
      return workshopTasks("awaiting_approval");
    case "tasks-large":
      return manyTasks();
    default:
      return sampleTasks();
  }
}

function section(id: number, number: string, title: string, content: string): Section {
  const level = number.split(".").length;
  return { id, number, title, level, content, file: "SPEC.md", words: content.split(/\s+/).length };
}

/** The spec of every scenario but the empty one. */
export function sectionsFor(scenario: Scenario): Section[] {
  if (scenario === "empty") {
    return [];
  }
  return [
    section(1, "1", "Tea timer", "A small program for the terminal that tells when the tea is ready."),
    section(2, "1.1", "Teas", "Every tea has a name, a time in seconds and a temperature in degrees Celsius."),
    section(
      3,
      "1.2",
      "Counting",
      "What is left is shown once a second.\n\n- It never goes below zero.\n- It ends with Ready.",
    ),
    section(4, "2", "Picking", "A tea is picked by its name. An unknown name lists the known ones and ends with 2."),
    section(5, "2.1", "Room temperature", "In a cold room a tea steeps longer: a second for each degree below 20."),
    section(6, "3", "Manual", "Every option is explained and shown by an example."),
  ];
}

export function sectionRow({ id, number, title, level, file, words }: Section): SectionRow {
  return { id, number, title, level, file, words };
}
