/** The texts of the Metrics view. */
import type { AgentMetrics, HealthFactor, Metrics } from "$lib/backend/types";
import { numberText } from "$lib/format/locale";
import { plural } from "$lib/format/text";

export const RANGES = {
  "7": "7 days",
  "30": "30 days",
  "90": "90 days",
  all: "All",
} as const;

export type Range = keyof typeof RANGES;

export const daysOf = (range: Range): number | null => (range === "all" ? null : Number(range));

export const TEXTS = {
  title: "Metrics",
  unreadable: "The metrics could not be read",
  none: {
    title: "No figures yet",
    text: "After the first iteration this shows what passed, how long it took, what it cost and how the project is doing.",
  },
  tooFew: "too few to say",
  nothingIn: (range: Range): string =>
    range === "all" ? "Nothing happened yet." : `Nothing happened in the last ${RANGES[range]}.`,
  noCost: "No agent said what it cost, and no price is known for its model.",
  oneDay: "One day says nothing about a trend. It is drawn from the second day on.",
  noTasks: "There are no tasks to burn down.",
} as const;

export function scopeText({ runs, totals }: Metrics): string {
  return `${plural(runs, "run")}, ${plural(totals.iterations, "iteration")}`;
}

/** What a factor stands on; with too few cases how many there are, and no score. */
export function whyText({ score, n, needed, detail }: HealthFactor): string {
  return score === null ? `Not enough data: ${numberText(n)} of ${numberText(needed)}` : sentence(detail);
}

export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function agentName({ harness, model }: AgentMetrics): string {
  return model === null ? harness : `${harness} ${model}`;
}
