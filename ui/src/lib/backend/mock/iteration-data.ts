/** The iterations of the mock's runs: how they went, what their checks found, and what was printed meanwhile. */
import type { AgentFacts, CheckResult, Entry, Iteration, IterationId, KindCounts, RunId, Usage } from "../types";

import { deniedFacts, factsOf, limitedFacts } from "./agent-facts";
import { entry, type Part, tool } from "./output-data";

/** What the agents of a good run say at their end, one after another. */
export const PREVIEWS = [
  "Read SPEC.md and teas.txt. The file has 42 teas and three fields each; a price is missing everywhere.",
  "Added the fourth field to the green teas and taught the parser to read it.",
  "Priced the black teas. The format check still refuses three lines with a comma in the price.",
  "Wrote prices in cents without a comma, as the specification asks, and sorted the file again.",
  "Priced the white teas and noted in docs/teas.md why two of them have no market price.",
  "Added a test for a tea without a price: it is listed, and the timer says so.",
  "Priced the oolongs. Split a line that held two names.",
  "Priced the herbal teas and removed a duplicate of chamomile.",
  "Working on the blends: each is priced by its parts, weighted by share.",
];

/** An id that sorts by its number, in the form the real ones have. */
const idOf = (kind: string, number: number): string =>
  `0193${kind}-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;

export const runIdOf = (number: number): RunId => idOf("aaaa", number);
export const iterationIdOf = (run: number, place: number): IterationId => idOf("bbbb", run * 1_000_000 + place);

const tree = (number: number): string => number.toString(16).padStart(40, "4f2c91e0");

export function usageOf(number: number): Usage {
  return {
    input: 9_200 + (number % 7) * 840,
    output: 2_100 + (number % 5) * 610,
    cache_read: 48_000 + (number % 11) * 3_900,
    cache_write: 4_100,
    cost_micros: 182_000 + (number % 9) * 21_400,
    estimated: false,
  };
}

export function tokensOf(usage: Usage): number {
  return (usage.input ?? 0) + (usage.output ?? 0) + (usage.cache_read ?? 0) + (usage.cache_write ?? 0);
}

/** The sum of what iterations used; money is unknown as long as nobody named any. */
export function usageSum(iterations: readonly Iteration[]): Usage {
  const sum = { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_micros: null as number | null };
  let estimated = false;
  for (const { usage } of iterations) {
    sum.input += usage.input ?? 0;
    sum.output += usage.output ?? 0;
    sum.cache_read += usage.cache_read ?? 0;
    sum.cache_write += usage.cache_write ?? 0;
    const cost = usage.cost_micros ?? null;
    sum.cost_micros = cost === null ? sum.cost_micros : (sum.cost_micros ?? 0) + cost;
    estimated ||= usage.estimated ?? false;
  }
  return { ...sum, estimated };
}

/** An iteration that has just been planned. */
export function plannedIteration(run: number, place: number, number: number, attempt: number, at: number): Iteration {
  return {
    id: iterationIdOf(run, place),
    run: runIdOf(run),
    number,
    attempt,
    task: null,
    wave: null,
    by_hand: false,
    restored: false,
    phase: "planned",
    outcome: null,
    cause: null,
    message: null,
    started_at: new Date(at).toISOString(),
    ended_at: null,
    agent_ms: 0,
    elapsed_ms: 0,
    pid: null,
    process_started: null,
    exit_code: null,
    exit_signal: null,
    end: null,
    claim: "none",
    claim_text: null,
    promise_checked: true,
    preview: "",
    usage: {},
    prompt_tokens: 412 + number * 9,
    head: "main",
    checkpoint: tree(place * 2),
    tree_before: tree(place * 2),
    tree_after: null,
    commit: null,
    failing: [],
    agent: {},
  };
}

/** How an iteration came out: in the history of the mock every third, seventh, … goes wrong in its own way. */
export type Fate = "good" | "checks" | "exit" | "idle" | "interrupted" | "rejected" | "skipped" | "denied" | "limit";

export function fateOf(number: number): Fate {
  if (number % 10 === 2) {
    return "checks";
  }
  return number % 17 === 5 ? "exit" : number % 41 === 30 ? "idle" : "good";
}

const FATES: Record<Fate, Partial<Iteration>> = {
  good: { outcome: "succeeded", exit_code: 0, end: "exited" },
  checks: {
    outcome: "failed",
    cause: "checks",
    message: "A required check failed: teas are well formed.",
    exit_code: 0,
    end: "exited",
    failing: ["teas are well formed"],
  },
  exit: {
    outcome: "failed",
    cause: "agent_exit",
    message: "The agent ended with exit code 1.",
    exit_code: 1,
    end: "exited",
  },
  idle: {
    outcome: "failed",
    cause: "idle_timeout",
    message: "The agent said nothing for 30 minutes and was stopped.",
    exit_signal: 15,
    end: "idle_timeout",
  },
  rejected: { outcome: "failed", cause: "rejected", message: "Rejected.", exit_code: 0, end: "exited" },
  skipped: { outcome: "failed", cause: "skipped", message: "Put aside.", exit_code: 0, end: "exited" },
  denied: {
    outcome: "failed",
    cause: "denied",
    message: "The agent was not allowed to use Bash and WebFetch, and changed nothing.",
    exit_code: 0,
    end: "exited",
  },
  limit: {
    outcome: "interrupted",
    cause: "limit",
    message: "The agent's account has reached its limit.",
    exit_code: 1,
    end: "exited",
  },
  interrupted: { outcome: "interrupted", message: "Stopped from outside.", exit_signal: 2, end: "interrupted" },
};

/** The iteration, settled `elapsed` milliseconds after it began. */
export function settled(iteration: Iteration, fate: Fate, elapsed: number): Iteration {
  const stopped = fate === "interrupted" || fate === "idle";
  return {
    ...iteration,
    ...FATES[fate],
    phase: "settled",
    ended_at: new Date(Date.parse(iteration.started_at) + elapsed).toISOString(),
    agent_ms: Math.round(elapsed * 0.8),
    elapsed_ms: elapsed,
    preview: PREVIEWS[iteration.number % (PREVIEWS.length - 1)] ?? "",
    usage: usageOf(iteration.number),
    agent: agentOf(iteration, fate),
    tree_after: stopped ? iteration.tree_before : tree(parseInt(iteration.id.slice(-12), 16) * 2 + 1),
    commit: fate === "good" ? tree(iteration.number + 7).slice(0, 40) : null,
  };
}

function agentOf({ number, agent }: Iteration, fate: Fate): AgentFacts {
  if (fate === "denied") {
    return deniedFacts(number);
  }
  return fate === "limit" ? limitedFacts(number) : factsOf(number, agent.harness ?? "claude");
}

/** A history of settled iterations, the last of which ended `endedAgo` milliseconds before now. */
export function settledIterations(run: number, count: number, endedAgo: number): Iteration[] {
  const length = (number: number) => (85 + ((number * 37) % 120)) * 1000;
  const all: Iteration[] = [];
  let total = 0;
  for (let number = 0; number < count; number++) {
    total += length(number) + 2000;
  }
  let at = Date.now() - endedAgo - total;
  for (let number = 0; number < count; number++) {
    all.push(settled(plannedIteration(run, number, number, 1, at), fateOf(number), length(number)));
    at += length(number) + 2000;
  }
  return all;
}

/** The failures since the last success, over settled iterations. */
export function failuresInARow(iterations: readonly Iteration[]): number {
  let count = 0;
  for (const { outcome } of iterations) {
    count = outcome === "failed" ? count + 1 : outcome === "succeeded" ? 0 : count;
  }
  return count;
}

/** What keeps checks from being run: there is nothing to check. */
const NO_CHECKS: Iteration["cause"][] = ["agent_exit", "denied", "limit"];

/** How the checks of an iteration went. */
export function checksOf(iteration: Iteration): CheckResult[] {
  if (iteration.phase !== "settled" || NO_CHECKS.includes(iteration.cause) || iteration.outcome === "interrupted") {
    return [];
  }
  const bad = iteration.cause === "checks";
  const result = (position: number, name: string, required: boolean, rest: Partial<CheckResult> = {}): CheckResult => ({
    name,
    position,
    required,
    status: "passed",
    exit_code: 0,
    elapsed_ms: 240 + position * 130,
    issues: [],
    excerpt: "",
    problem: null,
    ...rest,
  });
  return [
    result(0, "teas are well formed", true, bad ? MALFORMED : { excerpt: "42 teas, all well formed" }),
    result(1, "no markers left", true, bad ? { status: "skipped", exit_code: null, elapsed_ms: 0 } : {}),
    result(2, "manual mentions every option", false, bad ? { status: "skipped", exit_code: null, elapsed_ms: 0 } : {}),
  ];
}

const MALFORMED: Partial<CheckResult> = {
  status: "failed",
  exit_code: 1,
  excerpt: "teas.txt:12: expected name;seconds;celsius;cents\nteas.txt:19: expected name;seconds;celsius;cents",
  issues: [
    { severity: "error", file: "teas.txt", line: 12, message: "expected name;seconds;celsius;cents" },
    { severity: "error", file: "teas.txt", line: 19, message: "expected name;seconds;celsius;cents" },
    { severity: "warning", file: "docs/teas.md", line: 3, message: "two teas share one line" },
  ],
};

function lastWords({ cause, preview }: Iteration): Part[] {
  switch (cause) {
    case "agent_exit":
      return [["error", "connection", "The connection to the model was lost three times.", { failed: true }]];
    case "denied":
      return [
        tool("Bash", "cargo test --quiet", [
          "Claude requested permissions to use Bash, but you haven't granted it yet.",
          "denied",
        ]),
        ["message", null, "I could not run the tests: **Bash is not allowed here**. Nothing was changed."],
      ];
    case "limit":
      return [
        ["error", "retry", "Overloaded, status 529, try 2 of 10, in 20.0s"],
        ["note", "limit", "You've hit your session limit, until 2026-11-16T14:05:00Z"],
        ["error", "usage_limit", "You've hit your session limit · resets 2:05pm, status 429", { failed: true }],
      ];
    default:
      return [["message", null, preview]];
  }
}

/** How long an agent takes for what it prints, in milliseconds. */
const ENTRIES_APART = 12_000;

/** What the agent and the checks of an iteration printed. */
export function entriesOf(iteration: Iteration): Entry[] {
  const bad = iteration.cause === "checks";
  const parts: Part[] = [
    ["note", "session", "claude-sonnet-4-5, 7d1f0c3e-52aa-4c19"],
    ["message", null, "I will read the specification and the file first."],
    tool("Read", "SPEC.md", ["# Tea timer\n\nA tea has a name, a steeping time in seconds and a temperature."]),
    tool("Read", "teas.txt", ["assam;240;95\nbancha;120;80\nchamomile;300;95\ndarjeeling;180;90"]),
    ["aside", null, "Prices are missing everywhere; the blends depend on the others, so they come last."],
    tool("Edit", "teas.txt", ["12 lines changed"]),
    tool("Bash", "git grep -nE '^[a-z ]+;[0-9]+;[0-9]+;[0-9]+$' -- teas.txt | wc -l", bad ? ["39", "failed"] : ["42"]),
    ...lastWords(iteration),
    ...checksOf(iteration)
      .filter((check) => check.status !== "skipped")
      .map((check): Part => {
        return ["check", check.name, check.excerpt || check.status, { failed: check.status === "failed" }];
      }),
  ];
  const began = Date.parse(iteration.started_at);
  return parts.map((part, n) => ({ ...entry(n, part), at: began + n * ENTRIES_APART }));
}

export function countsOf(entries: readonly Entry[]): KindCounts {
  const counts = { message: 0, aside: 0, tool_call: 0, tool_result: 0, error: 0, check: 0, note: 0, line: 0 };
  for (const entry of entries) {
    counts[entry.kind]++;
  }
  return counts;
}
