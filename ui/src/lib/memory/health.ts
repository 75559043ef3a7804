import type { HealthFactor, HealthFactorKind } from "$lib/backend/types";
import { plural } from "$lib/format/text";

export const FACTOR_WORDS: Record<HealthFactorKind, string> = {
  success_rate: "Success rate",
  success_trend: "Trend",
  solution_trust: "Solution trust",
  unblocked_tasks: "Unblocked tasks",
  failures_resolved: "Failures solved",
  learnings_used: "Learnings used",
};

/** What would raise the score most, and by how much at most. */
export function bestText({ factor, gain }: HealthFactor): string {
  return gain === 0
    ? `${FACTOR_WORDS[factor]} would raise it most.`
    : `${FACTOR_WORDS[factor]} would raise it most, by up to ${plural(gain, "point")}.`;
}
