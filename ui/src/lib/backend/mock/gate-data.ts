/** The gates of the mock's projects: what waits for a person, and what was decided before. */
import type { Gate, GateReason, Iteration, RiskFlag, Task } from "../types";

import { HOSTILE_TEXTS } from "./hostile";
import { runIdOf } from "./iteration-data";
import type { RunWorld } from "./run-data";
import type { Scenario } from "./scenarios";

const MINUTE = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString();

/** A tree nobody has seen yet. */
export const treeOf = (number: number): string => `7ree${number.toString(16).padStart(36, "0")}`;

/** What is risky about the mock's changes, in files and lines that its diff shows. */
const WEAKENED: RiskFlag[] = [
  {
    kind: "tests_deleted",
    path: "tests/test_three_fields.py",
    line: 3,
    detail: "The test test_three_fields is gone.",
  },
  { kind: "tests_weakened", path: "src/parse.rs", line: 41, detail: "A malformed line is no longer refused." },
];

export const PROTECTED: RiskFlag[] = [
  { kind: "protected_path", path: "teas.txt", line: 2, detail: "teas.txt is protected." },
];

const SUMMARY = [
  "The countdown takes its clock as an argument now, and the tests move it by hand.",
  "",
  "- The last second, a pause of the machine and a clock that goes back are tested.",
  "- I removed test_three_fields, which no longer applies.",
].join("\n");

const PLAN = [
  "1. Print the bell character once, after the last second, in src/ui/timer.ts.",
  "2. Leave it out when --quiet is given; the option exists already.",
  "3. Test both with the false clock; no test waits for real time.",
  "",
  "Nothing else is touched.",
].join("\n");

export const REVIEW_SUMMARY = "3 tasks were finished since the last review.";

/** A gate with nothing but what is named. */
export function mockGate(id: number, iteration: Iteration, more: Partial<Gate> = {}): Gate {
  return {
    id,
    kind: "work",
    run: iteration.run,
    iteration: iteration.id,
    task: iteration.task,
    reasons: ["mode"],
    flags: [],
    from: iteration.tree_before,
    tree: iteration.tree_after,
    summary: iteration.preview,
    status: "open",
    opened_at: new Date().toISOString(),
    decision: null,
    decided_at: null,
    decided_by: null,
    comments: [],
    ...more,
  };
}

export function planGate(id: number, iteration: Iteration, task: Task): Gate {
  return mockGate(id, iteration, { kind: "plan", task: task.id, reasons: ["plan"], summary: PLAN, tree: null });
}

export function reviewGate(id: number, iteration: Iteration): Gate {
  return mockGate(id, iteration, { kind: "review", task: null, summary: REVIEW_SUMMARY, tree: iteration.commit });
}

/** The gates of a run in the middle of its work: the newest waits, the others were decided. */
function workshopGates(iterations: readonly Iteration[]): Gate[] {
  const at = (place: number) => iterations[place] as Iteration;
  const last = at(iterations.length - 1);
  const risk: GateReason[] = ["mode", "risk"];
  const decided = (minutes: number, by: "app" | "cli") => ({ decided_at: ago(minutes), decided_by: by });
  return [
    mockGate(1, at(0), {
      status: "approved",
      decision: { kind: "approve" },
      opened_at: ago(52),
      ...decided(50, "app"),
    }),
    mockGate(2, at(4), {
      status: "rejected",
      decision: { kind: "reject", reason: "It refuses good lines too. Name the line's number, as the task says." },
      opened_at: ago(36),
      ...decided(33, "app"),
      comments: [
        {
          id: 1,
          path: "src/parse.rs",
          line: 44,
          old_side: false,
          quoted: "if name.is_empty() {",
          text: "A name of blanks gets through.",
        },
      ],
    }),
    mockGate(3, at(10), {
      status: "skipped",
      decision: { kind: "skip", reason: "We have no key for the weather service yet." },
      opened_at: ago(14),
      ...decided(12, "cli"),
    }),
    { ...reviewGate(4, at(7)), opened_at: ago(9) },
    mockGate(5, last, {
      reasons: risk,
      flags: [...WEAKENED, ...PROTECTED],
      summary: SUMMARY,
      opened_at: ago(1),
      tree: treeOf(5),
    }),
  ];
}

function hostileGates(iterations: readonly Iteration[]): Gate[] {
  const text = (index: number) => HOSTILE_TEXTS[index % HOSTILE_TEXTS.length] ?? "";
  const [first] = iterations;
  if (!first) {
    return [];
  }
  const comment = { id: 1, path: `src/${text(0)}`, line: 1, old_side: false, quoted: text(1), text: text(2) };
  const flags: RiskFlag[] = HOSTILE_TEXTS.map((detail) => ({ kind: "secret", path: `src/${detail}`, line: 1, detail }));
  return [mockGate(1, first, { task: 1, reasons: ["risk"], flags, summary: text(3), comments: [comment] })];
}

/** The gates each scenario begins with, the oldest first. */
export function gatesFor(scenario: Scenario, world: RunWorld): Gate[] {
  const run = world.runs.find((each) => each.summary.id === runIdOf(2));
  if (!run) {
    return [];
  }
  switch (scenario) {
    case "review":
      return workshopGates(run.iterations);
    case "hostile":
      return hostileGates(run.iterations);
    default:
      return [];
  }
}
