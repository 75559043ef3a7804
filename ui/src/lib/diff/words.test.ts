import { describe, expect, it } from "vitest";

import { changedWords, type Range } from "./words";

const cut = (text: string, ranges: Range[]) => ranges.map(({ from, to }) => text.slice(from, to));
const rest = (text: string, ranges: Range[]) =>
  ranges.reduceRight((left, { from, to }) => left.slice(0, from) + left.slice(to), text).replace(/\s/g, "");

describe("changedWords", () => {
  it.each([
    ["let a = 1;", "let b = 1;", ["a"], ["b"]],
    ["price(tea)", "price(tea, cents)", [], [", cents"]],
    ["one two three", "one three", ["two "], []],
    ["return PRICES[tea]", "return PRICES.get(tea)", ["[", "]"], [".get(", ")"]],
  ])("marks what differs between %s and %s", (before, after, old, fresh) => {
    const words = changedWords(before, after);
    expect(cut(before, words.old)).toEqual(old);
    expect(cut(after, words.new)).toEqual(fresh);
  });

  it.each([
    ["the same", "the same"],
    ["completely different words here", "xyz"],
    ["", "new"],
    ["a".repeat(5_000), "b".repeat(5_000)],
  ])("marks nothing between lines that are equal, too different or too long", (before, after) => {
    expect(changedWords(before, after)).toEqual({ old: [], new: [] });
  });

  it("leaves the same text on both sides, whatever the lines are", () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 0x7fffffff) % below;
    const parts = ["let", " ", "tea", "=", "(", ")", "é", "1", "\t", "茶", "_x", "."];
    const line = () => Array.from({ length: random(30) }, () => parts[random(parts.length)]).join("");
    for (let round = 0; round < 500; round++) {
      const before = line();
      const after = random(3) === 0 ? line() : before.slice(0, random(9)) + line() + before.slice(random(20));
      const words = changedWords(before, after);
      if (words.old.length + words.new.length > 0) {
        expect(rest(before, words.old)).toBe(rest(after, words.new));
      }
      for (const [text, ranges] of [[before, words.old] as const, [after, words.new] as const]) {
        ranges.forEach(({ from, to }, index) => {
          expect(from).toBeLessThan(to);
          expect(to).toBeLessThanOrEqual(text.length);
          expect(from).toBeGreaterThanOrEqual(ranges[index - 1]?.to ?? 0);
        });
      }
    }
  });
});
