/** What the mock remembers of failures: patterns, what fixed them, what was learned. */
import type {
  Failure,
  FailureCategory,
  PatternMetrics,
  SolutionDetail,
  SolutionState,
  TrustChange,
  TrustReason,
} from "../types";

import { HOSTILE_TEXTS } from "./hostile";
import { iterationIdOf, runIdOf } from "./iteration-data";
import { learningData } from "./learning-data";
import type { Scenario } from "./scenarios";

const DAY = 86_400_000;
const ago = (days: number, now: number): string => new Date(now - days * DAY).toISOString();

/** How much there is to remember. */
export type Amount = "none" | "little" | "much" | "hostile" | "huge";

export function amountOf(scenario: Scenario): Amount {
  switch (scenario) {
    case "sample":
    case "empty":
    case "untrusted":
      return "none";
    case "hostile":
      return "hostile";
    case "large":
    case "tasks-large":
      return "huge";
    case "tasks":
    case "review":
    case "completed":
      return "much";
    default:
      return "little";
  }
}

type PatternSeed = [
  string,
  FailureCategory,
  string,
  failures: number,
  resolved: number,
  trend: number[],
  cents: number,
];

const PATTERNS: PatternSeed[] = [
  ["time_zone_mismatch", "test", "times of two zones are compared", 14, 11, [1, 0, 2, 1, 3, 1, 2, 1, 1, 2], 610],
  [
    "typescript_error",
    "build",
    "the TypeScript compiler refuses the code",
    11,
    11,
    [3, 2, 2, 1, 1, 1, 0, 1, 0, 0],
    388,
  ],
  ["module_not_found", "import", "a module that the code uses is not there", 7, 4, [0, 0, 0, 1, 0, 1, 2, 1, 1, 1], 402],
  ["database_locked", "runtime", "another process writes to the database", 6, 6, [2, 1, 1, 1, 0, 1, 0, 0, 0, 0], 174],
  ["assertion_failed", "test", "an assertion does not hold", 5, 3, [0, 1, 0, 1, 1, 0, 1, 1, 0, 0], 235],
  ["snapshot_mismatch", "test", "output differs from its stored snapshot", 4, 2, [0, 0, 1, 0, 0, 1, 0, 1, 0, 1], 96],
  ["lint", "build", "a linter refuses the code", 4, 4, [1, 1, 1, 0, 1, 0, 0, 0, 0, 0], 61],
  ["port_in_use", "environment", "another program listens on the port", 3, 3, [1, 0, 0, 1, 0, 0, 1, 0, 0, 0], 48],
  ["test_timeout", "test", "a test took too long", 2, 0, [0, 0, 0, 0, 0, 0, 0, 1, 0, 1], 122],
  ["out_of_memory", "environment", "there is no memory left", 1, 1, [0, 0, 1, 0, 0, 0, 0, 0, 0, 0], 31],
  ["unknown", "unknown", "no pattern fits", 3, 1, [0, 1, 0, 0, 1, 0, 0, 1, 0, 0], 77],
];

function patternOf(
  [pattern, category, about, failures, resolved, trend, cents]: PatternSeed,
  now: number,
): PatternMetrics {
  const newest = trend.findLastIndex((count) => count > 0);
  const own = pattern === "time_zone_mismatch" || pattern === "database_locked";
  return {
    pattern,
    category,
    about,
    status: own ? "trusted" : "built_in",
    failures,
    resolved,
    resolved_by_solution: Math.floor(resolved * 0.7),
    resolved_by_hand: resolved > 5 ? 1 : 0,
    first_at: ago(138, now),
    last_at: ago((9 - newest) * 3 + 0.02, now),
    attempts_until_resolved: resolved === 0 ? null : 1.2 + (failures % 5) * 0.2,
    usage: { input: failures * 41_000, output: failures * 3_300, cost_micros: cents * 10_000 },
    elapsed_ms: failures * 288_000,
    trend,
    solutions: SOLUTIONS.filter((each) => each.pattern === pattern && each.state !== "retired").length,
  };
}

interface SolutionSeed {
  pattern: string;
  title: string;
  text: string;
  files: string[];
  state: SolutionState;
  /** Reasons, with how many days ago and the trust after, the oldest first. */
  history: [TrustReason, number, number][];
  effect: [without: number | null, with_: number | null, n: number];
}

const SOLUTIONS: SolutionSeed[] = [
  {
    pattern: "time_zone_mismatch",
    title: "Keep slots in UTC, convert once",
    text: "Store and compare every slot in UTC. Convert to the house’s zone in one function at the edge, never in a component.",
    files: ["src/lib/availability.ts", "src/lib/hours.ts"],
    state: "trusted",
    history: [
      ["made", 138, 0.3],
      ["helped", 121, 0.45],
      ["helped", 120, 0.6],
      ["failed_again", 101, 0.4],
      ["helped", 89, 0.55],
      ["helped", 77, 0.7],
      ["decayed", 47, 0.65],
      ["decayed", 17, 0.6],
      ["helped", 6, 0.75],
    ],
    effect: [2.1, 1.2, 14],
  },
  {
    pattern: "time_zone_mismatch",
    title: "Set TZ=UTC for every check",
    text: "Put TZ=UTC into the environment of the check itself, so that a machine’s own zone cannot change the result.",
    files: ["package.json"],
    state: "trusted",
    history: [
      ["made", 60, 0.3],
      ["helped", 44, 0.45],
      ["helped", 9, 0.6],
    ],
    effect: [1.9, 1.4, 9],
  },
  {
    pattern: "time_zone_mismatch",
    title: "Freeze the clock in availability tests",
    text: "Use fake timers in every test that asks for the current time.",
    files: ["tests/availability.test.ts"],
    state: "trial",
    history: [
      ["made", 30, 0.3],
      ["helped", 12, 0.45],
    ],
    effect: [null, null, 3],
  },
  {
    pattern: "time_zone_mismatch",
    title: "Use a Temporal polyfill",
    text: "Replace Date by Temporal.ZonedDateTime.",
    files: ["package.json", "src/lib/hours.ts"],
    state: "sinking",
    history: [
      ["made", 55, 0.3],
      ["helped", 40, 0.45],
      ["failed_again", 31, 0.25],
      ["failed_again", 21, 0.05],
    ],
    effect: [null, null, 3],
  },
  {
    pattern: "typescript_error",
    title: "Derive props from the schema",
    text: "Take the component’s props from the zod schema instead of writing them a second time.",
    files: ["src/lib/schema.ts"],
    state: "trusted",
    history: [
      ["made", 80, 0.3],
      ["helped", 70, 0.45],
      ["helped", 52, 0.6],
      ["helped", 20, 0.75],
      ["helped", 4, 0.9],
    ],
    effect: [1.8, 1.1, 11],
  },
  {
    pattern: "database_locked",
    title: "Open SQLite with a busy timeout",
    text: "Set PRAGMA busy_timeout = 5000 on every connection and use one writer.",
    files: ["src/lib/db.ts"],
    state: "trusted",
    history: [
      ["added", 90, 0.3],
      ["helped", 66, 0.45],
      ["helped", 41, 0.6],
      ["refreshed", 10, 0.6],
    ],
    effect: [2.4, 1.3, 6],
  },
  {
    pattern: "lint",
    title: "Run eslint --fix before reporting",
    text: "Run the linter with --fix once before you report that the work is complete.",
    files: [],
    state: "retired",
    history: [
      ["imported", 70, 0.3],
      ["retired", 35, 0.3],
    ],
    effect: [null, null, 0],
  },
];

function solutionOf(seed: SolutionSeed, index: number, now: number): SolutionDetail {
  const { pattern, title, text, files, state, effect } = seed;
  const history: TrustChange[] = seed.history.map(([reason, days, after], place) => ({
    at: ago(days, now),
    reason,
    before: place === 0 ? null : (seed.history[place - 1]?.[2] ?? null),
    after,
    iteration: reason === "helped" || reason === "failed_again" || reason === "made" ? iterationIdOf(1, place) : null,
    number: reason === "helped" || reason === "failed_again" || reason === "made" ? place * 2 + 3 : null,
    note: "",
  }));
  const count = (reason: TrustReason) => history.filter((change) => change.reason === reason).length;
  const [without, withIt, n] = effect;
  const origin = history[0]?.reason === "added" ? "person" : history[0]?.reason === "imported" ? "import" : "loop";
  return {
    id: index + 1,
    pattern,
    category: PATTERNS.find(([name]) => name === pattern)?.[1] ?? "unknown",
    title,
    text,
    files,
    cause: "expected '02:30' to equal '02:30 (UTC+1)'",
    trust: history.at(-1)?.after ?? 0.3,
    state,
    origin,
    provenance: origin === "import" ? "teapot, 12 Sep 2026" : null,
    task: origin === "loop" ? 4 : null,
    iteration: history[0]?.iteration ?? null,
    created_at: history[0]?.at ?? ago(0, now),
    validated_at: history.at(-1)?.at ?? ago(0, now),
    included: n,
    helped: count("helped"),
    failed: count("failed_again"),
    resolved: count("helped"),
    effect: { with: withIt, without, n, n_without: without === null ? 0 : n + 3 },
    effect_text:
      without === null || withIt === null
        ? n === 0
          ? "not used yet"
          : `used at ${n} of the 5 tasks it takes to measure`
        : `attempts ${without.toFixed(1)} without it, ${withIt.toFixed(1)} with it, n = ${n}`,
    history: history.toReversed(),
  };
}

function failureOf(pattern: PatternMetrics, index: number, now: number): Failure {
  const solved = index >= pattern.failures - pattern.resolved;
  return {
    id: index + 1,
    run: runIdOf(1),
    iteration: iterationIdOf(1, index),
    task: 3 + (index % 9),
    check: pattern.category === "environment" ? null : "unit",
    pattern: pattern.pattern,
    category: pattern.category,
    cause: "AssertionError: expected '02:30' to equal '02:30 (UTC+1)'",
    file: "tests/availability.test.ts",
    line: 64,
    excerpt:
      "FAIL tests/availability.test.ts > the night the clocks go back\nAssertionError: expected '02:30' to equal '02:30 (UTC+1)'\n  at tests/availability.test.ts:64:22",
    fingerprint: `f${index}`,
    solution: solved ? 1 : null,
    at: ago(index * 2.4, now),
    resolved_by: solved ? iterationIdOf(1, index + 1) : null,
  };
}

/** All of it, as much as there is in this situation. */
export function memoryData(amount: Amount, now = Date.now()) {
  if (amount === "none") {
    return { patterns: [], solutions: [], learnings: [], failures: () => [] };
  }
  const seeds = amount === "little" ? PATTERNS.slice(4, 6) : PATTERNS;
  let patterns = seeds.map((seed) => patternOf(seed, now));
  let solutions = amount === "little" ? [] : SOLUTIONS.map((seed, index) => solutionOf(seed, index, now));
  let learnings = learningData(amount === "little" ? 1 : amount === "huge" ? 10_000 : undefined, now);
  if (amount === "little") {
    patterns = patterns.map((each) => ({
      ...each,
      failures: 2,
      resolved: 1,
      resolved_by_solution: 0,
      trend: [0, 0, 0, 0, 0, 0, 0, 0, 1, 1],
      first_at: ago(1, now),
      usage: { input: 41_000, output: 2_000 },
      solutions: 0,
    }));
  }
  const hostile = (index: number): string => HOSTILE_TEXTS[index % HOSTILE_TEXTS.length] ?? "";
  if (amount === "hostile") {
    patterns = patterns.map((each, index) => ({ ...each, about: hostile(index) }));
    solutions = solutions.map((each, index) => ({
      ...each,
      title: hostile(index),
      text: hostile(index + 1).repeat(40),
      files: [hostile(index + 2)],
    }));
    learnings = learnings.map((each, index) => ({
      ...each,
      title: hostile(index),
      when: hostile(index + 1),
      text: hostile(index + 3),
    }));
  }
  const failures = (pattern: string | null): Failure[] =>
    patterns
      .filter((each) => pattern === null || each.pattern === pattern)
      .flatMap((each) => Array.from({ length: each.failures }, (_, index) => failureOf(each, index, now)))
      .map((each, index) =>
        amount === "hostile"
          ? { ...each, cause: hostile(index), excerpt: HOSTILE_TEXTS.join("\n"), file: hostile(index) }
          : each,
      )
      .sort((left, right) => Date.parse(right.at) - Date.parse(left.at));
  return { patterns, solutions, learnings, failures };
}
