/**
 * The runs of the mock's projects. Every part of the mock tells of these same runs and iterations, so that what one view
 * shows can be looked up in another.
 */
import type { Entry, Iteration, IterationId, RunOptions, RunSummary } from "../types";

import { claudeRests, factsOf } from "./agent-facts";
import { HOSTILE_TEXTS } from "./hostile";
import {
  entriesOf,
  type Fate,
  failuresInARow,
  plannedIteration,
  PREVIEWS,
  runIdOf,
  settled,
  settledIterations,
  usageOf,
  usageSum,
} from "./iteration-data";
import type { Scenario } from "./scenarios";

const MINUTE = 60_000;

/** A run with everything the mock knows of it. */
export interface RecordedRun {
  summary: RunSummary;
  options: RunOptions;
  /** When a person looks at the work of a run over tasks; the project's own mode unless it was chosen. */
  mode?: string | null;
  /** In the order they happened. Made when they are first asked for: there may be very many. */
  readonly iterations: Iteration[];
}

export const PROMPT = [
  "Price every tea in teas.txt.",
  "",
  "Each line gets a fourth field: the price of 100 g in cents. Keep the file sorted, keep the checks green, and write",
  "one line about each decision into docs/teas.md.",
].join("\n");

export const OPTIONS: RunOptions = {
  prompt: PROMPT,
  procedure: null,
  context: [],
  agent: { name: "claude", command: null, prompt_mode: null, output_format: null, model: null },
  limits: {
    max_iterations: 20,
    failure_threshold: 3,
    no_progress: 3,
    max_runtime_ms: 8 * 60 * MINUTE,
    max_cost_micros: 25_000_000,
    max_tokens: 20_000_000,
  },
  goal: "promise",
  promise: "COMPLETE",
  plain_promise: false,
  include_iteration_context: true,
  token_budget: 100_000,
  automation: "auto",
  times: { wall_ms: null, idle_ms: 30 * MINUTE, start_ms: 15 * MINUTE, grace_ms: 10_000 },
  git: {
    checkpoints: true,
    auto_commit: true,
    commit_template: "loop: iteration {iteration}",
    create_branch: false,
    branch_template: "loop/{timestamp}",
  },
  include_dirty: false,
  working_dir: null,
  hold_on_state_error: false,
};

/** What a run's summary says of its settled iterations. */
export function progressOf(iterations: readonly Iteration[]): RunSummary["progress"] {
  const over = iterations.filter((iteration) => iteration.phase === "settled");
  return {
    iteration: over.filter((iteration) => iteration.outcome !== "interrupted").length,
    consecutive_failures: failuresInARow(over),
    unchanged: 0,
    worked_ms: over.reduce((sum, iteration) => sum + iteration.elapsed_ms, 0),
    usage: usageSum(over),
  };
}

function record(run: number, iterations: () => Iteration[], about: Partial<RunSummary>): RecordedRun {
  let made: Iteration[] | null = null;
  const all = () => (made ??= iterations());
  const options = { ...OPTIONS, agent: { ...OPTIONS.agent, name: about.harness ?? "claude" } };
  const summary = (): RunSummary => {
    const first = all()[0];
    return {
      id: runIdOf(run),
      kind: "loop",
      title: "Price every tea in teas.txt.",
      procedure: null,
      harness: "claude",
      status: "completed",
      waiting: null,
      reason: null,
      code: null,
      message: null,
      holds: [],
      limits: options.limits,
      progress: progressOf(all()),
      goal: true,
      origin: "app",
      started_at: first?.started_at ?? new Date().toISOString(),
      last_iteration_at: all().findLast((iteration) => iteration.ended_at !== null)?.ended_at ?? null,
      ended_at: null,
      ...about,
    };
  };
  let known: RunSummary | null = null;
  return {
    get summary() {
      return (known ??= summary());
    },
    set summary(next) {
      known = next;
    },
    options,
    get iterations() {
      return all();
    },
  };
}

const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString();

/** An earlier run that ended well, so that the newest is not the only one. */
function earlierRun(): RecordedRun {
  return record(1, () => settledIterations(1, 2, 26 * 60 * MINUTE), {
    kind: "fix",
    title: "Mend what fails",
    reason: "checks_pass",
    message: "Every required check passes.",
    ended_at: ago(26 * 60),
  });
}

/** A run that waits by itself until its agent's account may be used again. */
function atRest(): RecordedRun {
  const iterations = () => {
    const all = settledIterations(2, 8, 23 * MINUTE);
    const last = all.at(-1);
    return last ? [...all.slice(0, -1), settled(last, "limit", 9_000)] : all;
  };
  return record(2, iterations, { status: "waiting", waiting: "limit", holds: [claudeRests(41)] });
}

/** A run whose agent was refused the tools it needs, again and again. */
function notAllowed(): RecordedRun {
  const iterations = () =>
    settledIterations(2, 3, 4 * MINUTE).map((iteration) => settled(iteration, "denied", iteration.elapsed_ms));
  return record(2, iterations, {
    status: "aborted",
    reason: "failure_threshold",
    message: "3 iterations failed in a row.",
    ended_at: ago(4),
  });
}

/** A run at work on its ninth iteration: the agent has been at it for a minute and a half. */
function atWork(about: Partial<RunSummary> = {}, harness = "claude"): RecordedRun {
  const iterations = () => [
    ...settledIterations(2, 8, 95_000),
    {
      ...plannedIteration(2, 8, 8, 1, Date.now() - 92_000),
      phase: "running" as const,
      pid: 48_213,
      process_started: "4821300",
      preview: PREVIEWS[8] ?? "",
      usage: { ...usageOf(8), estimated: harness !== "claude" },
      agent: factsOf(8, harness),
    },
  ];
  return record(2, iterations, { status: "running", ...about });
}

function stopped(count: number, about: Partial<RunSummary>): RecordedRun {
  return record(2, () => settledIterations(2, count, 4 * MINUTE), { ended_at: ago(4), ...about });
}

function failedInARow(): Iteration[] {
  const iterations = settledIterations(2, 5, 4 * MINUTE);
  return iterations.map((iteration, place) =>
    place < 2 ? iteration : settled(iteration, "checks", iteration.elapsed_ms),
  );
}

function hostileRun(): RecordedRun {
  const text = (index: number) => HOSTILE_TEXTS[index % HOSTILE_TEXTS.length] ?? "";
  const iterations = () =>
    settledIterations(2, 5, MINUTE).map((iteration, place) => ({
      ...iteration,
      preview: text(place),
      message: text(place + 1),
    }));
  return record(2, iterations, {
    title: text(0),
    harness: text(1),
    status: "aborted",
    reason: "failure_threshold",
    message: text(2),
    ended_at: ago(1),
  });
}

/** Which task each iteration of a run over tasks worked on, and how that went; the last one is under way. */
const TASK_ITERATIONS: [task: number, wave: number, fate: Fate][] = [
  [1, 1, "good"],
  [2, 1, "good"],
  [3, 1, "good"],
  [4, 1, "good"],
  [5, 2, "checks"],
  [5, 2, "good"],
  [6, 2, "good"],
  [7, 2, "good"],
  [9, 2, "checks"],
  [9, 2, "exit"],
  [9, 2, "checks"],
  [8, 2, "checks"],
  [8, 2, "good"],
];

/** A run over tasks whose last iteration is at work, or waits for a person. */
function overTasks(phase: "running" | "awaiting_approval"): RecordedRun {
  const iterations = () =>
    settledIterations(2, TASK_ITERATIONS.length, 20_000).map((iteration, place): Iteration => {
      const [task, wave, fate] = TASK_ITERATIONS[place] ?? [1, 1, "good"];
      const about = { ...plannedIteration(2, place, place, 1, Date.parse(iteration.started_at)), task, wave };
      if (place === TASK_ITERATIONS.length - 1) {
        const saved = phase === "awaiting_approval" ? iteration.tree_after : null;
        const process = { pid: 48_213, process_started: "4821300" };
        return { ...about, phase, ...process, preview: iteration.preview, tree_after: saved };
      }
      return { ...settled(about, fate, iteration.elapsed_ms), restored: fate !== "good" };
    });
  const waiting = phase === "awaiting_approval";
  return record(2, iterations, {
    kind: "run",
    title: "All tasks",
    // Each task has a limit of its own: none counts over different tasks.
    limits: { ...OPTIONS.limits, max_iterations: 100, failure_threshold: 0, no_progress: 0 },
    status: waiting ? "waiting" : "running",
    waiting: waiting ? "approval" : null,
  });
}

/** The runs each scenario begins with, the newest first. */
export function runsFor(scenario: Scenario): RecordedRun[] {
  switch (scenario) {
    case "running":
      return [atWork(), earlierRun()];
    case "tasks":
      return [overTasks("running"), earlierRun()];
    case "review":
      return [overTasks("awaiting_approval"), earlierRun()];
    case "foreign":
      return [atWork({ origin: "cli" }), earlierRun()];
    case "paused":
      return [stopped(8, { status: "paused", ended_at: null }), earlierRun()];
    case "waiting":
      return [atRest(), earlierRun()];
    case "fallback":
      return [atWork({ holds: [claudeRests(41)] }, "codex"), earlierRun()];
    case "denied":
      return [notAllowed(), earlierRun()];
    case "completed":
      return [stopped(12, { reason: "promise", message: "The agent promised to be done." }), earlierRun()];
    case "aborted":
      return [
        record(2, failedInARow, {
          status: "aborted",
          reason: "failure_threshold",
          message: "3 iterations failed in a row.",
          ended_at: ago(4),
        }),
        earlierRun(),
      ];
    case "exhausted":
      return [stopped(20, { status: "aborted", reason: "max_iterations", message: "All 20 iterations are used." })];
    case "interrupted":
      return [
        stopped(6, { status: "interrupted", reason: "interrupted", message: "Its process is gone." }),
        earlierRun(),
      ];
    case "hostile":
      return [hostileRun()];
    case "large":
      return [
        record(2, () => settledIterations(2, 100_000, 4 * MINUTE), {
          limits: {
            ...OPTIONS.limits,
            max_iterations: 0,
            max_cost_micros: null,
            max_tokens: null,
            max_runtime_ms: null,
          },
          status: "interrupted",
          reason: "interrupted",
          ended_at: ago(4),
        }),
      ];
    default:
      return [];
  }
}

/** What the parts of the mock know of the project's runs, while they change. */
export class RunWorld {
  /** The newest first. */
  runs: RecordedRun[];
  /** How much of an iteration's output is there already; all of it for those that are not named. */
  readonly printed = new Map<IterationId, number>();

  constructor(scenario: Scenario) {
    this.runs = runsFor(scenario);
  }

  iteration(id: IterationId): { run: RecordedRun; iteration: Iteration } | null {
    for (const run of this.runs) {
      const iteration = run.iterations.find((each) => each.id === id);
      if (iteration) {
        return { run, iteration };
      }
    }
    return null;
  }

  /** What an iteration has printed so far. */
  entries(iteration: Iteration): Entry[] {
    return entriesOf(iteration).slice(0, this.printed.get(iteration.id));
  }
}
