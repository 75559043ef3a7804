import { describe, expect, it } from "vitest";

import { Heights } from "./heights";

/** Numbers that look random and are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

describe("the heights of a long list", () => {
  it("agree with adding them up, whatever was measured in whatever order", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const next = numbers(seed);
      const count = 1 + next(3000);
      const heights = new Heights(20);
      heights.resize(count);
      const plain = Array.from({ length: count }, () => 20);
      for (let step = 0; step < 200; step++) {
        const [row, height] = [next(count), 1 + next(200)];
        heights.measure(row, height);
        plain[row] = height;
      }
      const place = next(count);
      const before = plain.slice(0, place).reduce((sum, each) => sum + each, 0);
      expect(heights.offsetOf(place)).toBe(before);
      expect(heights.total).toBe(plain.reduce((sum, each) => sum + each, 0));
      expect(heights.rowAt(before)).toBe(place);
      expect(heights.rowAt(before + (plain[place] ?? 0) - 1)).toBe(place);
    }
  });

  it("keep what was measured when the list grows, and forget what is gone when it shrinks", () => {
    const heights = new Heights(10);
    heights.resize(2000);
    heights.measure(3, 50);
    heights.measure(1999, 90);
    heights.resize(5000);
    expect(heights.total).toBe(5000 * 10 + 40 + 80);
    heights.resize(1000);
    expect(heights.total).toBe(1000 * 10 + 40);
    heights.resize(2000);
    expect(heights.of(1999)).toBe(10);
  });

  it("find rows in a million of them, and stay inside the list", () => {
    const heights = new Heights(20);
    heights.resize(1_000_000);
    heights.measure(999_999, 100);
    expect(heights.rowAt(19_999_980)).toBe(999_999);
    expect(heights.rowAt(Number.MAX_SAFE_INTEGER)).toBe(999_999);
    expect(heights.rowAt(-5)).toBe(0);
    expect(heights.measure(1_000_000, 10)).toBe(false);
    expect(heights.measure(1, 0)).toBe(false);
    expect(new Heights(20).rowAt(10)).toBe(0);
  });
});
