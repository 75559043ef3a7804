import { describe, expect, it } from "vitest";

import { type ChartModel, hasValues, labelled, placeText, stacked, ticksUpTo } from "./model";

describe("the numbers beside the y axis", () => {
  it.each([
    [0, false, [0, 1]],
    [Number.NaN, false, [0, 1]],
    [1, true, [0, 1]],
    [3, true, [0, 1, 2, 3]],
    [26, true, [0, 10, 20, 30]],
    [20, true, [0, 5, 10, 15, 20]],
    [8.1, false, [0, 2.5, 5, 7.5, 10]],
    [0.0042, false, [0, 0.002, 0.004, 0.006]],
  ])("up to %s (whole: %s)", (greatest, whole, expected) => {
    expect(ticksUpTo(greatest, whole)).toEqual(expected);
  });

  it("always reach the greatest value and are few", () => {
    for (let greatest = 0.013; greatest < 1e7; greatest *= 1.37) {
      const ticks = ticksUpTo(greatest);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(greatest * (1 - 1e-9));
      expect(ticks.length).toBeLessThanOrEqual(6);
    }
  });
});

describe("the labels of the x axis", () => {
  it("have room, and the newest place has one", () => {
    expect(labelled(7, 700, 40)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(labelled(7, 140, 40)).toEqual([0, 2, 4, 6]);
    expect(labelled(0, 100, 40)).toEqual([]);
  });
});

const MODEL: ChartModel = {
  kind: "stacked",
  x: [0, 1],
  xText: (x) => `day ${x}`,
  xTitle: "Day",
  series: [
    { name: "passed", tone: "ok", values: [3, 0] },
    { name: "failed", tone: "danger", values: [1, null] },
  ],
  valueText: String,
};

describe("a chart's data", () => {
  it("is stacked from zero", () => {
    expect(stacked(MODEL.series)).toEqual([
      { from: [0, 0], to: [3, 0] },
      { from: [3, 0], to: [4, 0] },
    ]);
  });

  it("can be read as a sentence", () => {
    expect(placeText(MODEL, 0)).toBe("day 0: passed 3, failed 1");
    expect(placeText(MODEL, 1)).toBe("day 1: passed 0");
    expect(placeText(MODEL, 9)).toBe("");
  });

  it("is nothing when it is only zeros", () => {
    expect(hasValues(MODEL)).toBe(true);
    expect(hasValues({ ...MODEL, series: [{ name: "passed", tone: "ok", values: [0, null] }] })).toBe(false);
  });
});
