import type { Iteration } from "$lib/backend/types";

/** The tabs of an iteration's page, in order. */
export const TITLES = {
  prompt: "Prompt",
  transcript: "Transcript",
  checks: "Checks",
  diff: "Diff",
  usage: "Usage",
  journal: "Journal",
} as const;

export type TabName = keyof typeof TITLES;

export function isTab(name: string | null): name is TabName {
  return name !== null && Object.hasOwn(TITLES, name);
}

/** What a person most likely wants to see: why the checks failed, else what the agent did. */
export function firstTab({ cause }: Pick<Iteration, "cause">): TabName {
  return cause === "checks" || cause === "not_improved" ? "checks" : "transcript";
}
