import { render, screen, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import Chart from "./Chart.svelte";
import type { ChartModel } from "./model";
import Sparkline from "./Sparkline.svelte";
import TrendBars from "./TrendBars.svelte";
import TrustBar from "./TrustBar.svelte";
import TrustHistory from "./TrustHistory.svelte";

const MODEL: ChartModel = {
  kind: "stacked",
  x: [0, 1],
  xText: (x) => `day ${x}`,
  xTitle: "Day",
  series: [
    { name: "passed", tone: "ok", values: [3, 4] },
    { name: "failed", tone: "danger", values: [1, null] },
  ],
  valueText: String,
};

describe("a chart", () => {
  it("says the same as a table where nothing can be drawn", async () => {
    render(Chart, { title: "Iterations", model: MODEL, nothing: "Nothing yet" });
    const table = within(await screen.findByRole("table"));
    const cells = (row: HTMLElement) => [...row.children].map((cell) => cell.textContent);
    expect(table.getAllByRole("row").map(cells)).toEqual([
      ["Day", "passed", "failed"],
      ["day 1", "4", "–"],
      ["day 0", "3", "1"],
    ]);
  });

  it("draws nothing from nothing, and nothing from too little", () => {
    const none = { ...MODEL, series: [{ name: "passed", tone: "ok" as const, values: [0, 0] }] };
    render(Chart, { title: "Iterations", model: none, nothing: "Nothing yet" });
    expect(screen.getByText("Nothing yet")).toBeTruthy();
    render(Chart, { title: "Cost", model: MODEL, nothing: "Too little", tooLittle: true });
    expect(screen.getByText("Too little")).toBeTruthy();
    expect(screen.queryByRole("table")).toBeNull();
  });
});

describe("small pictures", () => {
  it("have words, and stand for nothing without data", () => {
    const { container } = render(Sparkline, { label: "Health, 77", values: [] });
    expect(container.textContent).toBe("");
    render(Sparkline, { label: "Health, 77", values: [71, 77] });
    expect(screen.getByRole("img", { name: "Health, 77" })).toBeTruthy();
    render(TrendBars, { label: "2 in the last 30 days", counts: [0, 2] });
    expect(screen.getByRole("img", { name: "2 in the last 30 days" })).toBeTruthy();
  });

  it("tell the trust in a solution and where it begins", () => {
    render(TrustBar, { trust: 0.45, trustedAt: 0.6 });
    expect(screen.getByRole("meter", { name: "Trust" }).getAttribute("aria-valuetext")).toBe("0.45, trusted from 0.60");
    render(TrustHistory, {
      points: [
        { at: "2026-07-03T10:00:00Z", trust: 0.3 },
        { at: "2026-08-09T10:00:00Z", trust: 0.1, failed: true },
      ],
      trustedAt: 0.6,
      now: Date.parse("2026-11-18T10:00:00Z"),
    });
    expect(screen.getByRole("img", { name: /^From 0\.30 on .* to 0\.10 today$/ })).toBeTruthy();
  });
});
