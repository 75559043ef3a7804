import { numberText } from "$lib/format/locale";
import type { ExitReason, RunChoices, RunOptions, SettingsReport } from "$lib/backend/types";
import { plural } from "$lib/format/text";

import type { Draft, LimitField, LimitFields } from "./draft.svelte";

/** What a person writes where there is to be no limit. */
export const NONE = "none";
const ENDLESS = "without end";
const NEVER = "never";

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
export function limitTexts({ limits, times, promise, rules }: RunOptions): LimitFields {
  return {
    iterations: String(limits.max_iterations),
    time: limits.max_runtime_ms === null ? NONE : timeSetting(limits.max_runtime_ms),
    money: limits.max_cost_micros === null ? NONE : String(limits.max_cost_micros / 1_000_000),
    tokens: shortCount(limits.max_tokens ?? 0),
    failures: String(limits.failure_threshold),
    timeout: times.wall_ms === null ? NONE : timeSetting(times.wall_ms),
    promise: promise ?? "",
    attempts: rules ? String(rules.max_attempts) : "",
  };
}

/** A count in the fewest digits that {@link countOf} reads as the same. */
function shortCount(count: number): string {
  if (count === 0 || count % 1_000 !== 0) {
    return String(count);
  }
  return count % 1_000_000 === 0 ? `${count / 1_000_000}M` : `${count / 1_000}k`;
}

/** What each limit is when nothing is written, for the fields' placeholders. */
export function limitDefaults(draft: Draft, choices: RunChoices, settings: SettingsReport | null): LimitFields {
  const { defaults } = choices;
  const procedure = choices.procedures.find((each) => each.name === draft.procedure) ?? null;
  const own = draft.kind === "procedure" ? procedure : null;
  return {
    iterations: countDefault(String(iterationsOf(draft, choices, settings)), ENDLESS),
    time: defaults.max_runtime || NONE,
    money: defaults.max_cost || NONE,
    tokens: countDefault(defaults.max_tokens, NONE),
    failures: countDefault(String(defaults.failure_threshold), NEVER),
    timeout: defaults.timeout || NONE,
    promise: (own === null ? defaults.promise : own.promise) || NONE,
    attempts: settingOf(settings, "run.max_attempts") ?? "3",
  };
}

/** A procedure that names no number goes on without end, unless somebody has set one. */
function iterationsOf({ kind, procedure }: Draft, choices: RunChoices, settings: SettingsReport | null): number {
  const { fix_iterations, loop_iterations } = choices.defaults;
  if (kind === "tasks") {
    return Number(settingOf(settings, "run.max_iterations") ?? 100);
  }
  if (kind !== "procedure") {
    return kind === "fix" ? fix_iterations : loop_iterations;
  }
  const origin = settings?.settings.find((setting) => setting.key === "loop.max_iterations")?.origin.type ?? "default";
  const own = choices.procedures.find((each) => each.name === procedure)?.max_iterations ?? null;
  return own ?? (origin === "default" ? 0 : loop_iterations);
}

/** A setting as it holds now; none before the settings are known. */
export function settingOf(settings: SettingsReport | null, key: string): string | null {
  return settings?.settings.find((setting) => setting.key === key)?.value ?? null;
}

/** The limits in one sentence: "Stops after 20 iterations, 8h, $25 or 3 failures in a row". */
export function limitsSentence(written: LimitFields, defaults: LimitFields): string {
  const value = (field: LimitField) => written[field].trim() || defaults[field];
  const counted = (text: string, one: string, many: string) => {
    const count = Number(countOf(text) ?? 0);
    return count > 0 ? plural(count, one, many) : null;
  };
  const [time, money] = [value("time"), value("money")];
  const parts = [
    counted(value("iterations"), "iteration", "iterations"),
    time === NONE ? null : time,
    money === NONE ? null : `$${money.replace("$", "").trim()}`,
    counted(value("failures"), "failure", "failures in a row"),
  ].filter((part) => part !== null);
  if (parts.length === 0) {
    return "Goes on without end";
  }
  return `Stops after ${parts.slice(0, -1).join(", ")}${parts.length > 1 ? " or " : ""}${parts.at(-1)}`;
}

function countDefault(text: string, zero: string): string {
  const count = Number(text);
  return count === 0 ? zero : Number.isFinite(count) ? numberText(count) : text;
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
