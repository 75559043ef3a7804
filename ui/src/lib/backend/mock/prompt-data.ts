/** The prompts of the mock, item by item, and how choices change them. */
import type { PromptChoice, PromptItem, PromptPreview, TaskId } from "../types";

import { HOSTILE_TEXTS } from "./hostile";
import type { Amount } from "./memory-data";

const BUDGET = 8_000;
/** Millionths of a dollar for a token. */
const PRICE = 21;

type Seed = Pick<PromptItem, "key" | "kind" | "group" | "title" | "why" | "text"> & {
  tokens: number;
  whole?: number;
  out?: boolean;
  trust?: number;
  cited?: number;
};

const of = (
  group: PromptItem["group"],
  kind: PromptItem["kind"],
  key: string,
  title: string,
  why: string,
  tokens: number,
  more: Partial<Seed> = {},
): Seed => ({ group, kind, key, title, why, tokens, text: `${title}.\n\n${why}.`, ...more });

const RULES = of("always", "rules", "rules", "Rules", "One task, no placeholders", 412);
const TASK = of("always", "task", "task", "Task and criteria", "What is asked, three criteria", 305, { cited: 4 });
const MEMORY: Seed[] = [
  of("spec", "linked_section", "section:3", "3.2 Booking", "Linked to the task", 1_240, { cited: 5 }),
  of("spec", "related_section", "section:2", "2.4 Opening hours", "Shares 6 terms, cut from 1,104", 618, {
    whole: 1_104,
    cited: 2,
  }),
  of("spec", "related_section", "section:7", "5.1 Privacy", "Below the cut: shares 1 term", 702, { out: true }),
  of("last_attempt", "last_error", "last_error", "Error of attempt 1", "First real error of the check unit", 236, {
    cited: 3,
    text: "AssertionError: expected '02:30' to equal '02:30 (UTC+1)'\n  at tests/availability.test.ts:64:22",
  }),
  of("last_attempt", "last_diff", "last_diff", "Diff of attempt 1", "So it is not repeated, cut from 3,960", 1_480, {
    whole: 3_960,
    cited: 1,
  }),
  of("memory", "known_fix", "solution:1", "Keep slots in UTC, convert once", "Fixed the same failure 5 times", 164, {
    trust: 0.75,
    cited: 2,
    text: "Store and compare every slot in UTC. Convert to the house’s zone in one function at the edge, never in a component.",
  }),
  of(
    "memory",
    "trial_solution",
    "solution:3",
    "Freeze the clock in availability tests",
    "On trial for this pattern",
    142,
    {
      trust: 0.45,
      cited: 0,
    },
  ),
  of("memory", "learning", "learning:1", "Tests need TZ=UTC", "Learned in iteration 6", 48, { cited: 1 }),
  of("memory", "solution", "solution:4", "Use a Temporal polyfill", "Failed twice when included", 210, {
    trust: 0.05,
    out: true,
  }),
  of("related_work", "dependency", "task:7", "Task 7, Reservation schema", "This task depends on it", 396, {
    cited: 2,
  }),
  of("related_work", "dependency", "task:6", "Task 6, Opening hours", "This task depends on it", 288, { cited: 0 }),
  of("related_work", "similar_task", "task:5", "Task 5, Menu filters", "Shares 2 terms", 640, { out: true }),
];

/** A prompt with these choices: pinned items first, then the others in order, as long as there is room. */
export function promptData(
  amount: Amount,
  task: TaskId | null,
  choices: readonly PromptChoice[],
  past: boolean,
): PromptPreview {
  const seeds = amount === "none" || amount === "little" ? MEMORY.slice(0, 1) : MEMORY;
  const hostile = (index: number): string => HOSTILE_TEXTS[index % HOSTILE_TEXTS.length] ?? "";
  const chosen = new Map(choices.map(({ key, choice }) => [key, choice]));
  let context = 0;
  const items = [RULES, TASK, ...seeds].map((seed, index): PromptItem => {
    const { out = false, whole = seed.tokens, trust, cited, ...rest } = seed;
    const choice = chosen.get(seed.key) ?? null;
    const fixed = seed.group === "always";
    const wanted = fixed || choice === "in" || choice === "pinned" || (choice === null && !out);
    const room = fixed || choice === "pinned" || context + seed.tokens <= BUDGET;
    const state = !wanted || !room ? "out" : whole > seed.tokens ? "cut" : "in";
    if (state !== "out" && !fixed) {
      context += seed.tokens;
    }
    const why =
      choice === "out"
        ? "You took it out"
        : choice === "pinned"
          ? "You pinned it"
          : choice === "in"
            ? "You put it in"
            : seed.why;
    return {
      ...rest,
      ...(amount === "hostile" ? { title: hostile(index), text: HOSTILE_TEXTS.join("\n") } : {}),
      why,
      state,
      choice,
      whole_tokens: whole,
      trust: trust ?? null,
      cost_micros: state === "out" ? null : seed.tokens * PRICE,
      cited: past && state !== "out" ? (cited ?? null) : null,
    };
  });
  const prompt_tokens = items.reduce((sum, { state, tokens }) => sum + (state === "out" ? 0 : tokens), 0);
  return {
    task,
    iteration: null,
    model: "sonnet-4.5",
    items,
    context_tokens: context,
    budget: BUDGET,
    prompt_tokens,
    cost_micros: prompt_tokens * PRICE,
    warnings: [],
    suggested: [],
    waits_for: [],
    prompt: items
      .filter(({ state }) => state !== "out")
      .map(({ title, text }) => `## ${title}\n\n${text}`)
      .join("\n\n"),
  };
}
