/** The mock's figures: days, agents, tasks left, health. */
import type { AgentMetrics, DayMetrics, HealthFactor, HealthReport, Metrics, PatternMetrics } from "../types";

import type { Amount } from "./memory-data";

const DAY = 86_400_000;
/** Passed and failed, the oldest day first; nothing on days without work. */
const DAYS: ([number, number] | null)[] = [
  [9, 5],
  [14, 6],
  [12, 7],
  null,
  null,
  [17, 5],
  [15, 4],
  [19, 6],
  [22, 4],
  [16, 5],
  null,
  null,
  [21, 3],
  [9, 3],
];
const HARNESSES = ["claude", "codex", "gemini"];

function dayOf([passed, failed]: [number, number], place: number, of: number, now: number): DayMetrics {
  const iterations = passed + failed;
  const costs = [0.16, place < 3 ? 0.1 : 0.13, place < 5 ? 0 : 0.03].map((dollars) =>
    Math.round(dollars * iterations * 1e6),
  );
  return {
    date: new Date(now - (of - 1 - place) * DAY).toISOString().slice(0, 10),
    iterations,
    passed,
    failed,
    usage: {
      input: iterations * 48_000,
      output: iterations * 4_100,
      cost_micros: costs.reduce((sum, cost) => sum + cost, 0),
    },
    elapsed_ms: iterations * 290_000,
    cost_by_harness: HARNESSES.map((harness, index) => ({ harness, cost_micros: costs[index] ?? 0 })).filter(
      ({ cost_micros }) => cost_micros > 0,
    ),
  };
}

type AgentSeed = [
  harness: string,
  model: string | null,
  iterations: number,
  rate: number | null,
  attempts: number,
  minutes: number,
  cents: number,
];
const AGENTS: AgentSeed[] = [
  ["claude", "sonnet-4.5", 118, 84, 1.3, 5.1, 58],
  ["codex", "gpt-5", 71, 76, 1.5, 6.4, 71],
  ["claude", "haiku-4.5", 34, 65, 1.9, 3.2, 29],
  ["codex", "gpt-5-mini", 22, 68, 1.8, 3.9, 33],
  ["gemini", "2.5-pro", 6, null, 0, 2.4, 0],
];

function agentOf([harness, model, iterations, rate, attempts, minutes, cents]: AgentSeed): AgentMetrics {
  const passed = Math.round((iterations * (rate ?? 60)) / 100);
  return {
    harness,
    model,
    iterations,
    passed,
    failed: iterations - passed,
    usage: { input: iterations * 48_000, output: iterations * 4_100, cost_micros: iterations * 160_000 },
    elapsed_ms: iterations * minutes * 60_000,
    finished: rate === null ? 2 : Math.round(iterations / attempts),
    pass_rate: rate,
    attempts_per_task: rate === null ? null : attempts,
    minutes,
    cost_per_task_micros: rate === null ? null : cents * 10_000,
  };
}

export function metricsData(
  amount: Amount,
  patterns: PatternMetrics[],
  days: number | null,
  now = Date.now(),
): Metrics {
  const none = { iterations: 0, passed: 0, failed: 0, usage: {}, elapsed_ms: 0 };
  const shown = amount === "none" ? [] : amount === "little" ? [[3, 2] as [number, number]] : DAYS;
  const per_day = shown
    .map((day, place) => (day === null ? null : dayOf(day, place, shown.length, now)))
    .filter((day) => day !== null)
    .filter((day) => days === null || Date.parse(day.date) >= now - days * DAY);
  const totals = per_day.reduce(
    (sum, day) => ({
      iterations: sum.iterations + day.iterations,
      passed: sum.passed + day.passed,
      failed: sum.failed + day.failed,
      usage: {
        cost_micros: (sum.usage.cost_micros ?? 0) + (day.usage.cost_micros ?? 0),
        input: (sum.usage.input ?? 0) + (day.usage.input ?? 0),
      },
      elapsed_ms: sum.elapsed_ms + day.elapsed_ms,
    }),
    none as Metrics["totals"],
  );
  const agents =
    amount === "none"
      ? []
      : amount === "little"
        ? AGENTS.slice(-1).map((seed) => ({ ...agentOf(seed), iterations: 5, passed: 3, failed: 2 }))
        : AGENTS.map(agentOf);
  const burndown =
    amount === "none"
      ? []
      : Array.from({ length: amount === "little" ? 2 : 10 }, (_, index) => ({
          at: new Date(now - (90 - index * 8 - (index % 3) * 4) * 60_000).toISOString(),
          left: 20 - index,
        }));
  return {
    days,
    runs: amount === "none" ? 0 : amount === "little" ? 1 : 4,
    totals,
    tasks: amount === "none" ? 0 : 20,
    tasks_done: burndown.length === 0 ? 0 : 20 - (burndown.at(-1)?.left ?? 20),
    tasks_blocked: amount === "none" ? 0 : 1,
    failures: patterns.reduce((sum, each) => sum + each.failures, 0),
    failures_resolved: patterns.reduce((sum, each) => sum + each.resolved, 0),
    solutions: 7,
    learnings: 7,
    per_day,
    agents,
    patterns: patterns.toSorted((left, right) => (right.usage.cost_micros ?? 0) - (left.usage.cost_micros ?? 0)),
    burndown,
  };
}

type FactorSeed = [
  HealthFactor["factor"],
  weight: number,
  score: number,
  n: number,
  needed: number,
  detail: string,
  raise: string | null,
  gain: number,
];
const FACTORS: FactorSeed[] = [
  [
    "success_rate",
    30,
    85,
    20,
    10,
    "17 of the last 20 iterations passed",
    "Solve module not found, 3 failures are open",
    5,
  ],
  ["success_trend", 15, 55, 20, 20, "Last ten 90 %, the ten before 80 %", "Rises by itself while passes hold", 3],
  ["solution_trust", 15, 75, 7, 3, "7 solutions, mean trust 0.75", "Retire Use a Temporal polyfill", 2],
  ["unblocked_tasks", 15, 95, 20, 1, "1 of 20 tasks is blocked", "Unblock task 14", 1],
  ["failures_resolved", 15, 77, 64, 5, "49 of 64 failures were solved", "Name 3 unknown failures", 3],
  ["learnings_used", 10, 59, 41, 3, "24 of 41 learnings were in a prompt", "Merge 6 near-duplicates", 4],
];

export function healthData(amount: Amount, now = Date.now()): HealthReport {
  const enough = amount !== "none" && amount !== "little";
  const factors = FACTORS.map(([factor, weight, score, n, needed, detail, raise, gain]): HealthFactor => {
    const known = enough || (amount === "little" && factor === "unblocked_tasks");
    const cases = known ? n : amount === "little" ? Math.min(needed - 1, 5) : 0;
    return known
      ? { factor, weight, score, n: cases, needed, detail, raise, gain }
      : {
          factor,
          weight,
          score: null,
          n: cases,
          needed,
          detail: `not enough data, ${cases} of ${needed}`,
          raise: null,
          gain: 0,
        };
  });
  const scores = [66, 65, 67, 68, 67, 69, 70, 69, 71, 72, 72, 73, 71, 72, 73, 73, 74, 73, 75, 75, 76, 76, 77];
  return {
    score: enough ? 77 : null,
    week_ago: enough ? 71 : null,
    direction: enough ? "improving" : null,
    factors,
    best: enough ? "success_rate" : null,
    history: enough
      ? scores.map((score, index) => ({
          date: new Date(now - (scores.length - 1 - index) * DAY).toISOString().slice(0, 10),
          score,
        }))
      : [],
  };
}
