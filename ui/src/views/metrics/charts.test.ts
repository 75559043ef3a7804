import { describe, expect, it } from "vitest";

import type { DayMetrics } from "$lib/backend/types";

import { bucketsOf, burndownChart, costChart, durationChart, iterationsChart } from "./charts";

const day = (date: string, passed: number, failed: number, costs: Record<string, number> = {}): DayMetrics => ({
  date,
  iterations: passed + failed,
  passed,
  failed,
  usage: {},
  elapsed_ms: (passed + failed) * 120_000,
  cost_by_harness: Object.entries(costs).map(([harness, cost_micros]) => ({ harness, cost_micros })),
});
const NOW = Date.parse("2026-11-18T15:00:00Z");

describe("the days of a chart", () => {
  it("have a place also where nothing was done, up to today", () => {
    const buckets = bucketsOf([day("2026-11-14", 3, 1), day("2026-11-16", 2, 0)], NOW);
    expect(iterationsChart(buckets).series.map(({ values }) => values)).toEqual([
      [3, 0, 2, 0, 0],
      [1, 0, 0, 0, 0],
    ]);
    expect(durationChart(buckets).series[0]?.values).toEqual([2, null, 2, null, null]);
  });

  it("are weeks when they are very many", () => {
    const buckets = bucketsOf([day("2026-01-01", 1, 0), day("2026-01-05", 1, 0), day("2026-11-18", 2, 0)], NOW);
    expect(buckets.length).toBeLessThan(50);
    expect(iterationsChart(buckets).series[0]?.values[0]).toBe(2);
    expect(iterationsChart(buckets).xTitle).toBe("Week of");
  });

  it("are none without work, and none from what is no date", () => {
    expect(bucketsOf([], NOW)).toEqual([]);
    expect(bucketsOf([day("yesterday", 1, 1)], NOW)).toEqual([]);
  });
});

describe("the cost", () => {
  it("is told by harness, the costliest first, and more than four are put together", () => {
    const buckets = bucketsOf([day("2026-11-18", 1, 0, { a: 1, b: 5, c: 3, d: 2, e: 4 })], NOW);
    const { series } = costChart(buckets);
    expect(series.map(({ name, values }) => [name, values[0]])).toEqual([
      ["b", 5],
      ["e", 4],
      ["c", 3],
      ["others", 3],
    ]);
  });
});

describe("the tasks left", () => {
  const points = (count: number, minutes: number) =>
    Array.from({ length: count }, (_, index) => ({
      at: new Date(NOW - (count - 1 - index) * minutes * 60_000).toISOString(),
      left: 20 - index,
    }));

  it("have no forecast from too few", () => {
    expect(burndownChart(points(4, 10), NOW).series.map(({ name }) => name)).toEqual(["tasks left"]);
    expect(burndownChart([], NOW).x).toEqual([]);
  });

  it("lead to zero at the pace so far", () => {
    const model = burndownChart(points(11, 10), NOW);
    expect(model.series.map(({ name }) => name)).toEqual([
      "tasks left",
      "forecast",
      "at the earliest",
      "at the latest",
    ]);
    expect(model.x.at(-1)).toBeCloseTo(NOW / 1000 + 10 * 600);
    expect(model.series[1]?.values.at(-1)).toBeCloseTo(0);
    for (const { values } of model.series) {
      expect(values).toHaveLength(model.x.length);
    }
  });

  it("need no forecast when none is left", () => {
    const done = points(11, 10).map(({ at, left }) => ({ at, left: left - 10 }));
    expect(burndownChart(done, NOW).series).toHaveLength(1);
  });
});
