import type { ItemChoice, PromptChoice, PromptGroup, PromptItem } from "$lib/backend/types";

const GROUP_ORDER: PromptGroup[] = ["always", "spec", "last_attempt", "memory", "related_work"];

/** Items by their group, in the order of the groups; groups without items are left out. */
export function grouped(items: readonly PromptItem[]): { group: PromptGroup; items: PromptItem[]; tokens: number }[] {
  return GROUP_ORDER.map((group) => {
    const own = items.filter((item) => item.group === group);
    return { group, items: own, tokens: sizeOf(own) };
  }).filter(({ items: own }) => own.length > 0);
}

/** What items take that are in. */
export function sizeOf(items: readonly PromptItem[]): number {
  return items.reduce((sum, { state, tokens }) => sum + (state === "out" ? 0 : tokens), 0);
}

/** Items that are in whatever a person chooses. */
export function isFixed({ group }: Pick<PromptItem, "group">): boolean {
  return group === "always";
}

/** The choices that are kept for the task, as the engine told them with its items. */
export function choicesOf(items: readonly PromptItem[]): PromptChoice[] {
  return items.flatMap(({ key, choice }) => (choice === null ? [] : [{ key, choice }]));
}

/** The choices with one more; without a choice the engine decides about the item again. */
export function withChoice(choices: readonly PromptChoice[], key: string, choice: ItemChoice | null): PromptChoice[] {
  const others = choices.filter((each) => each.key !== key);
  return choice === null ? others : [...others, { key, choice }];
}

export function sameChoices(left: readonly PromptChoice[], right: readonly PromptChoice[]): boolean {
  const text = (choices: readonly PromptChoice[]) =>
    choices
      .map(({ key, choice }) => `${key} ${choice}`)
      .toSorted()
      .join("\n");
  return text(left) === text(right);
}

/** What an item stands for elsewhere in the window, from its key: `solution:3`, `learning:7`, `task:9`. */
export function subjectOf({ key }: Pick<PromptItem, "key">): { kind: string; id: number } | null {
  const [, kind = "", id = ""] = /^([a-z_]+):(\d+)$/.exec(key) ?? [];
  return kind === "" ? null : { kind, id: Number(id) };
}
