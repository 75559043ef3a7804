import type { RunState, Usage } from "$lib/backend/types";

import { costText, countText } from "./measure";
import { numberText } from "./locale";

/** All tokens of an iteration, a task or a run. */
export function tokensOf({ input = 0, output = 0, cache_read = 0, cache_write = 0 }: Usage): number {
  return input + output + cache_read + cache_write;
}

/** Two uses as one; money is unknown only where neither names any. */
export function usageSum(left: Usage, right: Usage): Usage {
  const money = [left.cost_micros, right.cost_micros].filter((cost) => typeof cost === "number");
  return {
    input: (left.input ?? 0) + (right.input ?? 0),
    output: (left.output ?? 0) + (right.output ?? 0),
    cache_read: (left.cache_read ?? 0) + (right.cache_read ?? 0),
    cache_write: (left.cache_write ?? 0) + (right.cache_write ?? 0),
    cost_micros: money.length === 0 ? null : money.reduce((sum, cost) => sum + cost, 0),
    estimated: (left.estimated ?? false) || (right.estimated ?? false),
  };
}

/** What a run has used until now, with the iteration under way. */
export function usedUntilNow({ run, current }: RunState): Usage {
  return current !== null && current.phase !== "settled"
    ? usageSum(run.progress.usage, current.usage)
    : run.progress.usage;
}

/** What tokens were used for, each in a word and a number; what nobody used is left out. */
export function tokenParts(usage: Usage): { name: string; text: string; exact: string }[] {
  const parts: [string, number | undefined][] = [
    ["in", usage.input],
    ["out", usage.output],
    ["from cache", usage.cache_read],
    ["to cache", usage.cache_write],
  ];
  return parts.flatMap(([name, count = 0]) =>
    count > 0 ? [{ name, text: countText(count), exact: `${numberText(count)} tokens ${name}` }] : [],
  );
}

/** What something cost, in words: "about" where it was computed from a price list. */
export function costWords({ cost_micros, estimated }: Pick<Usage, "cost_micros" | "estimated">): string | null {
  if (cost_micros === null || cost_micros === undefined) {
    return null;
  }
  return estimated ? `about ${costText(cost_micros)}` : costText(cost_micros);
}
