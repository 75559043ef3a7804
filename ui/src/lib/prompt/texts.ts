/** The texts of the Prompt X-ray. */
import type { PromptGroup, PromptItem, PromptItemKind, PromptPreview } from "$lib/backend/types";
import { numberText } from "$lib/format/locale";
import { costText } from "$lib/format/measure";
import { plural } from "$lib/format/text";

export const GROUPS: Record<PromptGroup, string> = {
  always: "Always in",
  spec: "Spec",
  last_attempt: "Last attempt",
  memory: "Memory",
  related_work: "Related work",
};

export const KINDS: Record<PromptItemKind, string> = {
  rules: "Rules",
  task: "Task",
  linked_section: "Linked section of the spec",
  plan: "Plan",
  document: "Document",
  related_section: "Related section of the spec",
  last_error: "Error of the last attempt",
  last_diff: "Diff of the last attempt",
  known_fix: "Known fix",
  solution: "Solution",
  trial_solution: "Solution on trial",
  dependency: "Task it depends on",
  similar_task: "Similar task",
  recent_failure: "Recent failure",
  learning: "Learning",
  approved_plan: "Approved plan",
  ending: "How to report",
};

export const TEXTS = {
  unreadable: "The prompt could not be read",
  whole: "Read whole prompt",
  keep: "Keep for this task",
  kept: "Kept for every further prompt of this task",
  reset: "Reset",
  inMemory: "Open in Memory",
  locked: "Always in",
  pin: "Pin: in before anything else",
  unpin: "No longer pin",
  none: "No item is like that.",
} as const;

export function countsText(items: readonly PromptItem[]): string {
  const count = (...states: PromptItem["state"][]) => items.filter(({ state }) => states.includes(state)).length;
  const cut = count("cut");
  return [
    `${numberText(count("in", "cut"))} in`,
    ...(cut > 0 ? [`${numberText(cut)} of them cut`] : []),
    `${numberText(count("out"))} out`,
  ].join(", ");
}

/** What sending the prompt once takes. The price is left out where nobody knows it. */
export function sizeText({ prompt_tokens, cost_micros }: PromptPreview): string {
  const tokens = plural(prompt_tokens, "token");
  return cost_micros === null ? tokens : `${tokens}, about ${costText(cost_micros)}`;
}

export function itemSize({ state, tokens, whole_tokens }: PromptItem): string {
  if (state === "cut") {
    return `${plural(tokens, "token")} of ${numberText(whole_tokens)}`;
  }
  return state === "out" ? `Would take ${plural(tokens, "token")}` : plural(tokens, "token");
}
