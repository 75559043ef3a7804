import { describe, expect, it } from "vitest";

import type { PromptItem } from "$lib/backend/types";

import { choicesOf, grouped, sameChoices, subjectOf, withChoice } from "./rules";
import { countsText } from "./texts";

const item = (part: Partial<PromptItem>): PromptItem => ({
  key: "solution:1",
  kind: "solution",
  group: "memory",
  title: "",
  why: "",
  state: "in",
  choice: null,
  tokens: 100,
  whole_tokens: 100,
  trust: null,
  cost_micros: null,
  cited: null,
  text: "",
  ...part,
});

describe("the items of a prompt", () => {
  it("are grouped in order, and only what is in has a size", () => {
    const items = [
      item({}),
      item({ state: "out" }),
      item({ group: "always", key: "rules" }),
      item({ state: "cut", tokens: 7 }),
    ];
    expect(grouped(items).map(({ group, tokens }) => [group, tokens])).toEqual([
      ["always", 100],
      ["memory", 107],
    ]);
    expect(countsText(items)).toBe("3 in, 1 of them cut, 1 out");
  });

  it.each([
    ["solution:3", { kind: "solution", id: 3 }],
    ["learning:7", { kind: "learning", id: 7 }],
    ["rules", null],
    ["solution:x", null],
    ["", null],
  ])("%s stands for %o", (key, subject) => {
    expect(subjectOf({ key })).toEqual(subject);
  });
});

describe("the choices for a task", () => {
  it("have one for each item, and none where the engine decides", () => {
    const first = withChoice([], "a", "out");
    expect(withChoice(first, "a", "pinned")).toEqual([{ key: "a", choice: "pinned" }]);
    expect(withChoice(first, "a", null)).toEqual([]);
    expect(choicesOf([item({}), item({ key: "b", choice: "in" })])).toEqual([{ key: "b", choice: "in" }]);
  });

  it("are the same in any order", () => {
    const [a, b] = [
      { key: "a", choice: "in" as const },
      { key: "b", choice: "out" as const },
    ];
    expect(sameChoices([a, b], [b, a])).toBe(true);
    expect(sameChoices([a], [b])).toBe(false);
  });
});
