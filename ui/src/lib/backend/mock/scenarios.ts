/** The situations the mock can play. Each shows the UI one side of real life. */
export const SCENARIOS = [
  "sample",
  "empty",
  "untrusted",
  "changed",
  "problems",
  "progress",
  "running",
  "foreign",
  "paused",
  "waiting",
  "fallback",
  "denied",
  "completed",
  "aborted",
  "exhausted",
  "interrupted",
  "tasks",
  "review",
  "hostile",
  "large",
  "tasks-large",
  "slow",
  "failing",
] as const;

export type Scenario = (typeof SCENARIOS)[number];

export interface MockOptions {
  scenario: Scenario;
  window: "start" | "project";
  /** How long each answer takes, in milliseconds. */
  delay: number;
  /** How long the programs of agents take to answer, in milliseconds. */
  probing: number;
}

/** Reads the options from a query such as `?scenario=problems&window=project`; anything unknown gets its default. */
export function optionsFromQuery(query: string): MockOptions {
  const params = new URLSearchParams(query);
  const scenario = SCENARIOS.find((name) => name === params.get("scenario")) ?? "sample";
  const delay = Number(params.get("delay") ?? (scenario === "slow" ? 60_000 : 0));
  return {
    scenario,
    window: params.get("window") === "project" ? "project" : "start",
    delay: Number.isFinite(delay) ? delay : 0,
    probing: Number(params.get("probing") ?? 700) || 0,
  };
}
