import { describe, expect, it } from "vitest";

import type { SolutionDetail, TrustChange } from "$lib/backend/types";

import { isRising, neighbour } from "./rules";
import { changeText, effectText } from "./texts";

describe("a pattern gets worse", () => {
  it.each([
    ["more often lately", [0, 0, 0, 0, 0, 1, 0, 1, 1, 1], 5, 0, true],
    ["all of it solved", [0, 0, 0, 0, 0, 1, 0, 1, 1, 1], 5, 5, false],
    ["once is nothing", [0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 1, 0, false],
    ["less often lately", [3, 2, 2, 1, 1, 1, 0, 1, 1, 0], 12, 1, false],
    ["no trend", [], 3, 0, false],
  ])("%s", (_name, trend, failures, resolved, expected) => {
    expect(isRising({ trend, failures, resolved })).toBe(expected);
  });
});

describe("a neighbour in a list", () => {
  it("stays at the ends, and begins at the first", () => {
    expect(neighbour(["a", "b"], "a", 1)).toBe("b");
    expect(neighbour(["a", "b"], "b", 1)).toBe("b");
    expect(neighbour(["a", "b"], undefined, -1)).toBe("a");
    expect(neighbour([], undefined, 1)).toBeUndefined();
  });
});

const change = (part: Partial<TrustChange>): TrustChange => ({
  at: "2026-11-12T10:00:00Z",
  reason: "helped",
  before: 0.6,
  after: 0.75,
  iteration: null,
  number: null,
  note: "",
  ...part,
});

describe("a change of a solution's trust in words", () => {
  it.each([
    [{ number: 22 }, "Helped iteration 23 +0.15"],
    [{ reason: "failed_again", before: 0.6, after: 0.4, number: 4 }, "Same failure again, iteration 5 −0.20"],
    [{ reason: "made", before: null, after: 0.3, number: 3 }, "Made by iteration 4 0.30"],
    [{ reason: "decayed", before: 0.65, after: 0.6 }, "Idle for 30 days −0.05"],
    [{ reason: "edited", before: 0.6, after: 0.6 }, "Edited"],
  ] as [Partial<TrustChange>, string][])("%o", (part, text) => {
    expect(changeText(change(part))).toBe(text);
  });
});

describe("the effect of a solution", () => {
  const solution = (part: Partial<SolutionDetail>): SolutionDetail =>
    ({
      state: "trusted",
      failed: 0,
      included: 14,
      effect: { with: 1.2, without: 2.1, n: 14, n_without: 9 },
      ...part,
    }) as SolutionDetail;

  it("is said with its sample, and not at all below five", () => {
    expect(effectText(solution({}))).toBe("Attempts 2.1 without, 1.2 with it, n = 14");
    expect(effectText(solution({ included: 4, effect: { with: 1, without: 3, n: 4, n_without: 9 } }))).toBe(
      "Used 4 times, too few to measure",
    );
    expect(effectText(solution({ included: 9, effect: { with: 1, without: 3, n: 9, n_without: 4 } }))).toBe(
      "Used 9 times, too few to measure",
    );
    expect(effectText(solution({ included: 0, effect: { with: null, without: null, n: 0, n_without: 0 } }))).toBe(
      "Not used yet",
    );
    expect(effectText(solution({ state: "sinking", included: 3, failed: 2 }))).toBe(
      "Failed 2 of 3 times when included",
    );
  });
});
