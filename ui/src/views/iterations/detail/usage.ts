import { numberText } from "$lib/format/locale";
import type { IterationDetail, Usage } from "$lib/backend/types";
import { costText, countText, durationText } from "$lib/format/measure";

import { tokensOf } from "$lib/format/usage";

/** A part of a whole, as a bar and in words. */
export interface Share {
  name: string;
  value: number;
  text: string;
}

/** Tokens by what they were used for; what nobody used is left out. */
export function tokenShares(usage: Usage): Share[] {
  const shares: [string, number | undefined][] = [
    ["Read afresh", usage.input],
    ["Read from the cache", usage.cache_read],
    ["Written into the cache", usage.cache_write],
    ["Written", usage.output],
  ];
  return shares
    .filter(([, value]) => (value ?? 0) > 0)
    .map(([name, value = 0]) => ({ name, value, text: numberText(value) }));
}

/** Where the time went. */
export function timeShares({ iteration }: IterationDetail): Share[] {
  const checks = Math.max(0, iteration.elapsed_ms - iteration.agent_ms);
  return [
    { name: "Agent", value: iteration.agent_ms, text: durationText(iteration.agent_ms) },
    { name: "Checks and the rest", value: checks, text: durationText(checks) },
  ].filter((share) => share.value > 0);
}

/** How much of one of the run's limits is used up, and what part of that this iteration used. */
export interface LimitUse {
  name: string;
  own: string;
  used: number;
  limit: number;
  text: string;
}

/** The limits the run has. */
export function limitUses({ iteration, run }: IterationDetail): LimitUse[] {
  const { limits, progress } = run;
  const all: [string, number, number, number | null, (value: number) => string][] = [
    ["Money", iteration.usage.cost_micros ?? 0, progress.usage.cost_micros ?? 0, limits.max_cost_micros, costText],
    ["Tokens", tokensOf(iteration.usage), tokensOf(progress.usage), limits.max_tokens, countText],
    ["Time", iteration.elapsed_ms, progress.worked_ms, limits.max_runtime_ms, durationText],
    ["Iterations", 1, progress.iteration, limits.max_iterations || null, String],
  ];
  return all.flatMap(([name, own, used, limit, write]) =>
    limit === null || limit <= 0
      ? []
      : [{ name, own: write(own), used, limit, text: `${write(used)} of ${write(limit)}` }],
  );
}
