import { describe, expect, it } from "vitest";

import { inlineDiff } from "./inline";

const shown = (before: string, after: string) =>
  inlineDiff(before, after)
    .map(({ kind, text }) => (kind === "same" ? text : kind === "added" ? `{${text}}` : `[${text}]`))
    .join("");

describe("two versions of a text as one", () => {
  it.each([
    ["", "", ""],
    ["", "new", "{new}"],
    ["old", "", "[old]"],
    ["Up to six guests.", "Up to eight guests.", "Up to [six]{eight} guests."],
    ["one two three", "one three", "one [two ]three"],
    ["a\nb", "a\nc\nb", "a\n{c\n}b"],
  ])("%j and %j", (before, after, expected) => {
    expect(shown(before, after)).toBe(expected);
  });

  it("keeps both texts, however long and different", () => {
    const word = (seed: number) => `w${(seed * 7919) % 97}`;
    for (const length of [10, 300, 4000]) {
      const before = Array.from({ length }, (_, index) => word(index)).join(" ");
      const after = Array.from({ length }, (_, index) => word(index * 3 + 1)).join(" ");
      const pieces = inlineDiff(before, after);
      const join = (without: string) =>
        pieces
          .filter(({ kind }) => kind !== without)
          .map(({ text }) => text)
          .join("");
      expect(join("added")).toBe(before);
      expect(join("removed")).toBe(after);
    }
  });
});
