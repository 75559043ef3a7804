/** The texts of the Memory view. */
import type { Failure, PatternMetrics, SolutionDetail, TrustChange, TrustReason } from "$lib/backend/types";
import { trustChange, trustText } from "$lib/chart/trust";
import { SYSTEM_LOCALES, numberText } from "$lib/format/locale";
import { plural } from "$lib/format/text";
import { dayText, momentText } from "$lib/format/time";
import { CATEGORY_WORDS, STATUS_WORDS } from "$lib/memory/words";

const oneDigit = new Intl.NumberFormat(SYSTEM_LOCALES, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export const decimal = (value: number): string => oneDigit.format(value);

export const TABS = { failures: "Failures", solutions: "Solutions", learnings: "Learnings" } as const;

export type MemoryTab = keyof typeof TABS;

export function isMemoryTab(text: string | undefined): text is MemoryTab {
  return text !== undefined && Object.hasOwn(TABS, text);
}

export const TEXTS = {
  title: "Memory",
  search: "Search memory",
  importing: "Import…",
  exporting: "Export…",
  addSolution: "New solution…",
  addLearning: "New learning…",
  unreadable: "Memory could not be read",
  range: "Last 30 days, most frequent first",
  noFailures: {
    title: "No failures yet",
    text: "When an attempt fails, the failure is sorted by its pattern and kept here, with what fixed it. The next prompt then carries the fix.",
  },
  noSolutions: {
    title: "No solutions yet",
    text: "A solution is made when a task fails and then passes: what changed between the two. It starts on trial and earns trust by helping.",
  },
  noLearnings: {
    title: "No learnings yet",
    text: "Agents record what they found out at the end of a task. You can add what a newcomer to this project should know.",
  },
  noMatch: { title: "No matches", text: "Nothing here matches the search." },
  nothingSolvedIt: "Nothing has solved it yet. A solution is made when a task with this failure passes.",
} as const;

export function solvedText({ category, resolved, pattern }: PatternMetrics): string {
  if (pattern === "unknown") {
    return "Name it to track it";
  }
  return `${CATEGORY_WORDS[category]}, ${resolved === 0 ? "none solved" : `${numberText(resolved)} solved`}`;
}

export function trendText({ failures, trend }: PatternMetrics): string {
  const newest = trend.slice(-3).reduce((sum, count) => sum + count, 0);
  return `${plural(failures, "failure")}, ${numberText(newest)} in the newest third of the time`;
}

export function patternSummary(pattern: PatternMetrics, now: number): string {
  const { category, status, first_at, last_at } = pattern;
  const kind = category === "unknown" ? "Unsorted failures" : `${CATEGORY_WORDS[category]} failure`;
  const own = status === "built_in" ? "" : `, ${STATUS_WORDS[status]}`;
  return `${kind}${own}. First seen ${dayText(first_at, now)}, last seen ${momentText(last_at, now)}.`;
}

/** What a solution changes, with the number of cases it stands on; below five it says that they are too few. */
export function effectText({ effect, failed, included, state }: SolutionDetail): string {
  const { without, n, n_without } = effect;
  if (state === "sinking" && failed > 0) {
    return `Failed ${numberText(failed)} of ${plural(Math.max(included, failed), "time")} when included`;
  }
  if (without !== null && effect.with !== null && n >= 5 && n_without >= 5) {
    return `Attempts ${decimal(without)} without, ${decimal(effect.with)} with it, n = ${numberText(n)}`;
  }
  return included === 0 ? "Not used yet" : `Used ${plural(included, "time")}, too few to measure`;
}

const REASONS: Record<TrustReason, string> = {
  made: "Made",
  added: "Written by a person",
  imported: "Imported, on trial",
  helped: "Helped",
  failed_again: "Same failure again",
  found_again: "Found again",
  decayed: "Idle for 30 days",
  refreshed: "Still holds",
  edited: "Edited",
  retired: "Retired",
  restored: "Back in use",
};

/** A change of a solution's record: "Helped iteration 23 +0.15". */
export function changeText({ reason, before, after, number }: TrustChange): string {
  const shown = number === null ? null : numberText(number + 1);
  const what =
    shown === null
      ? REASONS[reason]
      : reason === "helped"
        ? `Helped iteration ${shown}`
        : reason === "made"
          ? `Made by iteration ${shown}`
          : `${REASONS[reason]}, iteration ${shown}`;
  if (before === null) {
    return `${what} ${trustText(after)}`;
  }
  return before === after ? what : `${what} ${trustChange(after - before)}`;
}

export function failureText({ task, check }: Failure): string {
  const where = task === null ? "An iteration" : `Task ${task}`;
  return check === null ? `${where}, the agent failed` : `${where}, check ${check}`;
}
