import type { CheckStatus, IterationDetail } from "$lib/backend/types";
import { costText, countText, durationText } from "$lib/format/measure";

import { tokensOf } from "$lib/format/usage";

import { CHECK_WORDS, exitText, outcomeText } from "../texts";

/** One thing that can be said of both iterations. */
export interface Fact {
  name: string;
  older: string;
  newer: string;
  /** How much more or less it is in the newer one; empty where that makes no sense. */
  change: string;
}

export function factsOf(older: IterationDetail, newer: IterationDetail): Fact[] {
  const fact = (name: string, write: (detail: IterationDetail) => string, change = ""): Fact => ({
    name,
    older: write(older),
    newer: write(newer),
    change,
  });
  const tokens = (detail: IterationDetail) => tokensOf(detail.iteration.usage);
  const cost = (detail: IterationDetail) => detail.iteration.usage.cost_micros ?? null;
  const [oldCost, newCost] = [cost(older), cost(newer)];
  return [
    fact("Outcome", ({ iteration, run }) => outcomeText(iteration, run.status)),
    fact(
      "Took",
      ({ iteration }) => durationText(iteration.elapsed_ms),
      signed(newer.iteration.elapsed_ms - older.iteration.elapsed_ms, durationText),
    ),
    fact("Exit", ({ iteration }) => exitText(iteration)),
    fact("Tokens", (detail) => countText(tokens(detail)), signed(tokens(newer) - tokens(older), countText)),
    fact(
      "Cost",
      ({ iteration: { usage } }) =>
        usage.cost_micros === undefined || usage.cost_micros === null
          ? "–"
          : costText(usage.cost_micros, usage.estimated),
      oldCost === null || newCost === null ? "" : signed(newCost - oldCost, costText),
    ),
  ];
}

function signed(difference: number, write: (value: number) => string): string {
  return difference === 0 ? "" : `${difference > 0 ? "+" : "−"}${write(Math.abs(difference))}`;
}

/** A check that ended differently in the two iterations. */
export interface CheckChange {
  name: string;
  older: CheckStatus | null;
  newer: CheckStatus | null;
}

export function checkChanges(older: IterationDetail, newer: IterationDetail): CheckChange[] {
  const statuses = (detail: IterationDetail) => new Map(detail.checks.map((check) => [check.name, check.status]));
  const [before, after] = [statuses(older), statuses(newer)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name) => ({ name, older: before.get(name) ?? null, newer: after.get(name) ?? null }))
    .filter((change) => change.older !== change.newer);
}

/** How a check ended; a check that was not there has no status. */
export function statusWords(status: CheckStatus | null): string {
  return status === null ? "Not run" : CHECK_WORDS[status];
}
