// The view is loaded on demand. Loading it here keeps the time that takes out of the tests.
import "./IterationsView.svelte";

import { within } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { BackendError } from "$lib/backend/backend";
import type { Scenario } from "$lib/backend/mock";
import { fault } from "$lib/backend/mock/faults";
import { settledIterations } from "$lib/backend/mock/iteration-data";
import type { IterationRow } from "$lib/backend/types";

import { callsOf, openWindow, screen, type TestWindow } from "../../testing/window";

/** As many nodes as a page of this view may have, however much there is to show. */
const MOST_NODES = 2_000;

async function openList(scenario: Scenario): Promise<TestWindow> {
  const window = await openWindow({ scenario });
  window.app.show("iterations");
  return window;
}

/** A window whose newest run has so many iterations. */
async function openListOf(count: number): Promise<TestWindow> {
  const window = await openWindow({ scenario: "completed" });
  const rows = settledIterations(2, count, 0).map(
    (each) => ({ ...each, tokens: 1, cost_micros: null, estimated: false }) as unknown as IterationRow,
  );
  vi.spyOn(window.backend, "iterations").mockImplementation((_run, _sort, offset, limit) =>
    Promise.resolve({ total: count, rows: rows.slice(offset, offset + limit) }),
  );
  window.app.show("iterations");
  return window;
}

const rowsShown = () => screen.findAllByTestId("iteration-row");
const numbers = async () => (await rowsShown()).map((row) => within(row).getByTestId("iteration-number").textContent);
const nodes = () => document.querySelectorAll("*").length;

describe("the list of iterations", () => {
  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
  });

  it("says what will be here when there was no run yet", async () => {
    const { user, app } = await openList("sample");
    const empty = await screen.findByTestId("iterations-empty");
    await user.click(within(empty).getByRole("button"));
    expect(app.view).toBe("overview");
  });

  it("says so when a run has not begun its first iteration", async () => {
    await openListOf(0);
    expect(await screen.findByTestId("run-empty")).toBeTruthy();
  });

  it.each([1, 1_000])("shows %i", async (count) => {
    await openListOf(count);
    await rowsShown();
    expect(screen.getByTestId("iteration-table").getAttribute("aria-rowcount")).toBe(String(count + 1));
    expect(nodes()).toBeLessThan(MOST_NODES);
  });

  it("shows 100,000 without fetching them", async () => {
    const { backend, user } = await openList("large");
    expect((await numbers())[0]).toBe("100,000");
    expect(screen.getByTestId("iterations-total").textContent).toBe("100,000 iterations");
    expect(nodes()).toBeLessThan(MOST_NODES);
    screen.getByTestId("iteration-table").focus();
    await user.keyboard("{End}");
    await vi.waitFor(async () => expect(await numbers()).toContain("1"));
    expect(nodes()).toBeLessThan(MOST_NODES);
    expect(callsOf(backend, "iterations").length).toBeLessThan(6);
  });

  it("shows what there is to know of each", async () => {
    await openList("running");
    const [live, good, , failed] = await rowsShown();
    expect(live?.textContent).toContain("Working");
    expect(good?.textContent).toMatch(/8.*Succeeded.*herbal teas.*0.*91\.9k.*\$0\.33/s);
    expect(failed?.textContent).toContain("Agent failed");
    expect(live?.className).toContain("live");
  });

  it("says which agent worked, where another took over", async () => {
    await openList("fallback");
    const agents = (await rowsShown()).map((row) => within(row).getByTestId("iteration-agent"));
    expect(agents[0]?.textContent).toMatch(/Codex\s+gpt-5\.1-codex/);
    expect(agents[1]?.textContent).toMatch(/Claude\s+sonnet-4-5/);
    expect(agents[1]?.title).toBe("Claude · claude-sonnet-4-5");
  });

  it("marks an estimated cost and another attempt", async () => {
    const { backend, app } = await openWindow({ scenario: "completed" });
    const page = await backend.iterations(null, { column: "number", descending: true }, 0, 5);
    const [first] = page.rows;
    vi.spyOn(backend, "iterations").mockResolvedValue({
      total: 1,
      rows: [{ ...(first as IterationRow), attempt: 3, estimated: true }],
    });
    app.show("iterations");
    const [row] = await rowsShown();
    expect(row?.textContent).toContain("≈ $0.22");
    expect(row?.textContent).toContain("×3");
  });

  it("lets the backend sort", async () => {
    const { user, backend } = await openList("completed");
    await rowsShown();
    const header = () => screen.getByTestId("sort-cost").closest("[role=columnheader]");
    expect(header()?.getAttribute("aria-sort")).toBe("none");
    await user.click(screen.getByTestId("sort-cost"));
    await vi.waitFor(async () => expect((await numbers())[0]).toBe("9"));
    expect(header()?.getAttribute("aria-sort")).toBe("descending");
    await user.click(screen.getByTestId("sort-cost"));
    await vi.waitFor(async () => expect((await numbers())[0]).toBe("1"));
    expect(callsOf(backend, "iterations").at(-1)).toMatchObject({ sort: { column: "cost", descending: false } });
  });

  it("is used by keyboard", async () => {
    const { user, app } = await openList("completed");
    const [, second, third] = await rowsShown();
    const table = screen.getByTestId("iteration-table");
    table.focus();
    await user.keyboard("{ArrowDown} {ArrowDown} ");
    expect(table.getAttribute("aria-activedescendant")).toBe(third?.id);
    expect([second, third].map((row) => row?.getAttribute("aria-selected"))).toEqual(["true", "true"]);
    expect(screen.getByTestId("compare-bar").textContent).toContain("#11 and #10");
    await user.keyboard("{Enter}");
    expect(app.iteration).toBe(third?.dataset.id);
    expect(await screen.findByText("Iteration 10")).toBeTruthy();
    await user.keyboard("{Escape}");
    await rowsShown();
    const back = screen.getByTestId("iteration-table");
    await vi.waitFor(() => expect(back.getAttribute("aria-activedescendant")).toMatch(/-2$/));
  });

  it("compares at most two, and none when asked to", async () => {
    const { user } = await openList("completed");
    await rowsShown();
    const picks = screen.getAllByTestId("iteration-pick");
    await user.click(picks[0] as HTMLElement);
    expect((screen.getByTestId("compare") as HTMLButtonElement).disabled).toBe(true);
    await user.click(picks[1] as HTMLElement);
    await user.click(picks[2] as HTMLElement);
    expect(screen.getByTestId("compare-bar").textContent).toContain("#11 and #10");
    await user.click(screen.getByRole("button", { name: "Compare none" }));
    expect(screen.queryByTestId("compare-bar")).toBeNull();
  });

  it("follows what happens and keeps what was chosen", async () => {
    const { user, backend } = await openList("running");
    await user.click((await screen.findAllByTestId("iteration-pick"))[1] as HTMLElement);
    backend.controls.runs.finishIteration("checks");
    backend.controls.runs.step();
    await vi.waitFor(async () => {
      const shown = await numbers();
      expect(shown[0]).toBe("10");
      expect((await rowsShown())[1]?.textContent).toContain("Check failed: teas are well formed");
    });
    expect(screen.getByTestId("compare-bar").textContent).toContain("#8");
    expect((await rowsShown()).find((row) => row.getAttribute("aria-selected") === "true")?.textContent).toContain("8");
  });

  it("shows an earlier run", async () => {
    const { user, backend } = await openList("running");
    await user.click(await screen.findByTestId("run-picker"));
    const options = await screen.findAllByTestId("run-option");
    expect(options).toHaveLength(2);
    expect(options[1]?.textContent).toContain("Every required check passes.");
    await user.click(options[1] as HTMLElement);
    await vi.waitFor(() =>
      expect(callsOf(backend, "iterations").at(-1)).toMatchObject({ run: expect.stringContaining("0193") }),
    );
    await vi.waitFor(async () => expect((await numbers()).length).toBe(2));
    expect(screen.getByTestId("run-picker").textContent).toContain("Mend what fails");
  });

  it("fetches older runs when asked to", async () => {
    const { backend, app, user } = await openWindow({ scenario: "completed" });
    const [one] = await backend.runs(null, 1);
    const many = Array.from({ length: 25 }, (_, index) => ({ ...one, id: `run-${index}`, title: `Run ${index}` }));
    vi.spyOn(backend, "runs").mockImplementation((before, limit) => {
      const from = many.findIndex((run) => run.id === before) + 1;
      return Promise.resolve(many.slice(from, from + limit) as never);
    });
    app.show("iterations");
    await user.click(await screen.findByTestId("run-picker"));
    expect(await screen.findAllByTestId("run-option")).toHaveLength(20);
    await user.click(screen.getByTestId("runs-more"));
    await vi.waitFor(() => expect(screen.getAllByTestId("run-option")).toHaveLength(25));
    expect(screen.queryByTestId("runs-more")).toBeNull();
  });

  it("says why it cannot be read, and tries again", async () => {
    const { user, backend, app } = await openWindow({ scenario: "completed" });
    const refused = new BackendError(fault("store.busy", "Another process holds the database."));
    vi.spyOn(backend, "iterations").mockRejectedValueOnce(refused);
    app.show("iterations");
    await user.click(await screen.findByTestId("retry"));
    expect(await rowsShown()).not.toHaveLength(0);
  });

  it("shows hostile text as text", async () => {
    await openList("hostile");
    expect((await rowsShown())[0]?.textContent).toContain("</style><script>");
    expect(document.querySelector("main script, main iframe, main img")).toBeNull();
    expect("__pwned" in globalThis).toBe(false);
  });

  it("goes back to its list when it is chosen once more", async () => {
    const { app } = await openList("completed");
    await rowsShown();
    app.show("overview");
    app.showIteration(settledIterations(2, 1, 0)[0]?.id ?? "");
    expect(app.iteration).not.toBeNull();
    app.show("iterations");
    expect(app.iteration).toBeNull();
    await rowsShown();
  });
});
