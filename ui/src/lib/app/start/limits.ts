import type { ExitReason, ProcedureChoice, RunOptions, StartDefaults } from "$lib/backend/types";

import type { Draft, LimitField, LimitFields } from "./draft.svelte";

/** What a person writes where there is to be no limit. */
export const NONE = "none";

/** The limit that ended a run, by its field; none when something else did. */
export function limitThatEnded(reason: ExitReason | null): LimitField | null {
  const fields: Partial<Record<ExitReason, LimitField>> = {
    max_iterations: "iterations",
    time: "time",
    money: "money",
    tokens: "tokens",
    failure_threshold: "failures",
  };
  return reason === null ? null : (fields[reason] ?? null);
}

/** A length of time as it is written in the settings: "8h", "1h 30m", "45s". */
export function timeSetting(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const parts: [number, string][] = [
    [Math.floor(seconds / 3600), "h"],
    [Math.floor((seconds % 3600) / 60), "m"],
    [seconds % 60, "s"],
  ];
  const written = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}${unit}`);
  return written.join(" ") || "1s";
}

/** The limits a run had, as a person would write them. */
export function limitTexts({ limits, times, promise }: RunOptions): LimitFields {
  return {
    iterations: String(limits.max_iterations),
    time: limits.max_runtime_ms === null ? NONE : timeSetting(limits.max_runtime_ms),
    money: limits.max_cost_micros === null ? NONE : String(limits.max_cost_micros / 1_000_000),
    tokens: limits.max_tokens === null ? "0" : String(limits.max_tokens),
    failures: String(limits.failure_threshold),
    timeout: times.wall_ms === null ? NONE : timeSetting(times.wall_ms),
    promise: promise ?? "",
  };
}

/** What each limit is when nothing is written, for the fields' placeholders. */
export function limitDefaults(
  kind: Draft["kind"],
  defaults: StartDefaults,
  procedure: ProcedureChoice | null,
): LimitFields {
  const own = kind === "procedure" ? procedure : null;
  const iterations = kind === "fix" ? defaults.fix_iterations : (own?.max_iterations ?? defaults.loop_iterations);
  const asNamed = own !== null && own.max_iterations === null;
  return {
    iterations: asNamed ? "as the settings say" : iterations === 0 ? "without end" : String(iterations),
    time: defaults.max_runtime || NONE,
    money: defaults.max_cost || NONE,
    tokens: countDefault(defaults.max_tokens),
    failures: defaults.failure_threshold === 0 ? "never" : String(defaults.failure_threshold),
    timeout: defaults.timeout || NONE,
    promise: (own === null ? defaults.promise : own.promise) || NONE,
  };
}

function countDefault(text: string): string {
  const count = Number(text);
  return count === 0 ? NONE : Number.isFinite(count) ? count.toLocaleString("en") : text;
}

/** A count as people write it, as digits: "20 000", "20,000", "2M" and "1.5k" too. None when it is no count. */
export function countOf(text: string): string | null {
  const match = /^(\d+(?:\.\d+)?)([kKmM]?)$/.exec(text.replace(/[\s,_']/g, ""));
  if (!match) {
    return null;
  }
  const factor = { k: 1_000, m: 1_000_000 }[match[2]?.toLowerCase() ?? ""] ?? 1;
  const count = Number(match[1]) * factor;
  return Number.isSafeInteger(count) ? String(count) : null;
}
