// Loaded on demand. Loading it here keeps the time that takes out of the tests.
import "./MetricsView.svelte";

import { waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import type { MockOptions } from "$lib/backend/mock";

import { callsOf, openWindow, screen, type TestWindow } from "../../testing/window";

async function metrics(options: Partial<MockOptions> = {}): Promise<TestWindow> {
  const test = await openWindow({ scenario: "tasks", ...options });
  test.app.show("metrics");
  await screen.findByRole("heading", { name: "Metrics", level: 1 });
  return test;
}

const factor = (name: string) => {
  const row = document.querySelector(`[data-factor="${name}"]`);
  return [...(row?.children ?? [])].map((cell) => cell.textContent?.trim());
};

describe("the metrics", () => {
  it("tell health with its factors, and what would raise it most", async () => {
    await metrics();
    const health = within(await screen.findByTestId("health"));
    expect(health.getByTestId("health-score").textContent).toContain("77");
    expect(health.getByText("71 seven days ago")).toBeTruthy();
    expect(health.getByTestId("health-best").textContent).toBe("Success rate would raise it most, by up to 5 points.");
    expect(factor("unblocked_tasks")).toEqual([
      "Unblocked tasks",
      "15 %",
      "",
      "95",
      "1 of 20 tasks is blocked",
      "Unblock task 14",
    ]);
  });

  it("rate an agent only from enough iterations", async () => {
    await metrics();
    const agents = within(await screen.findByTestId("agents-metrics"));
    const rows = agents.getAllByRole("row").map((row) => row.textContent?.replace(/\s+/g, " ").trim());
    expect(rows[1]).toMatch(/^claude sonnet-4\.5\s*118\s*84 %/);
    expect(rows.at(-1)).toContain("too few to say");
  });

  it("are of the time that is chosen, by pointer and by key", async () => {
    const { backend, user } = await metrics();
    await screen.findByTestId("metrics");
    await user.click(screen.getByTestId("range-7"));
    await waitFor(() => expect(callsOf(backend, "metrics")).toContain(7));
    await user.keyboard("4");
    await waitFor(() => expect(callsOf(backend, "metrics")).toContain(null));
  });

  it("are written to a file", async () => {
    const { backend, user } = await metrics();
    await screen.findByTestId("metrics");
    await user.click(screen.getByTestId("metrics-export"));
    await user.click(await screen.findByTestId("menu-csv"));
    await waitFor(() => expect(callsOf(backend, "exportMetrics")).toEqual([{ days: 30, format: "csv" }]));
    await screen.findByText("Written to /home/ada/metrics.csv");
  });

  it("lead from a pattern to Memory", async () => {
    const { app, user } = await metrics();
    const patterns = within(await screen.findByTestId("pattern-metrics"));
    await user.click(patterns.getByText("Time zone mismatch"));
    expect(app.route).toEqual({ view: "memory", tab: "failures", id: "time_zone_mismatch" });
  });

  it("say what is not known from little data", async () => {
    await metrics({ scenario: "running" });
    const health = await screen.findByTestId("health");
    expect(health.textContent).toContain("Not enough data yet: 1 of 6 factors known.");
    expect(factor("success_rate")).toEqual(["Success rate", "30 %", "", "–", "Not enough data: 5 of 10", ""]);
    expect(screen.getByTestId("chart-tokens").textContent).toContain("One day says nothing about a trend.");
  });

  it("say what will be here while there is nothing, and why they cannot be read", async () => {
    await metrics({ scenario: "empty" });
    await screen.findByTestId("metrics-empty");
    document.body.innerHTML = "";
    await metrics({ scenario: "failing" });
    await screen.findByText("The metrics could not be read");
  });
});
