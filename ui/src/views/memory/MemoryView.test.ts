// Loaded on demand. Loading it here keeps the time that takes out of the tests.
import "./MemoryView.svelte";

import { waitFor, within } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { HOSTILE_TEXTS, type MockOptions } from "$lib/backend/mock";
import type { Route } from "$lib/app/route";

import { callsOf, openWindow, screen, type TestWindow } from "../../testing/window";

async function memory(options: Partial<MockOptions> = {}, route: Route = { view: "memory" }): Promise<TestWindow> {
  const test = await openWindow({ scenario: "tasks", ...options });
  test.app.go(route);
  await screen.findByRole("heading", { name: "Memory", level: 1 });
  return test;
}

// Rows that have no height are not drawn.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(1200);
});

const detail = async () => within(await screen.findByTestId("pattern-detail"));
const inspector = async () => within(await screen.findByTestId("solution-inspector"));

describe("failures", () => {
  it("are listed by pattern, and the first is shown with what fixed it", async () => {
    await memory();
    const patterns = await screen.findAllByTestId("pattern");
    expect(patterns.map((row) => row.dataset.pattern).slice(0, 2)).toEqual(["time_zone_mismatch", "typescript_error"]);
    const shown = await detail();
    expect(shown.getByRole("heading", { name: "Time zone mismatch" })).toBeTruthy();
    expect(shown.getByText(/^Test failure, trusted pattern\. First seen/)).toBeTruthy();
    expect((await shown.findByTestId("excerpt")).textContent).toContain("expected '02:30'");
    expect(shown.getByText("Attempts 2.1 without, 1.2 with it, n = 14")).toBeTruthy();
    expect(shown.getByText("Used 3 times, too few to measure")).toBeTruthy();
    expect(await shown.findByText("Tests need TZ=UTC, or the night of 25 October fails")).toBeTruthy();
    const solution = await inspector();
    expect(solution.getByRole("heading", { name: "Keep slots in UTC, convert once" })).toBeTruthy();
    expect(await solution.findByText("Same failure again, iteration 10 −0.20")).toBeTruthy();
  });

  it("are walked through by keys", async () => {
    const { app, user } = await memory();
    await screen.findAllByTestId("pattern");
    await user.keyboard("j");
    expect(app.route).toEqual({ view: "memory", tab: "failures", id: "typescript_error" });
    await user.keyboard("k{ArrowDown}");
    expect((await inspector()).getByRole("heading", { name: "Set TZ=UTC for every check" })).toBeTruthy();
  });

  it("are searched", async () => {
    const { user } = await memory();
    await screen.findAllByTestId("pattern");
    await user.keyboard("/listens");
    await waitFor(() =>
      expect(screen.getAllByTestId("pattern").map((row) => row.dataset.pattern)).toEqual(["port_in_use"]),
    );
    await user.keyboard("zzz");
    await screen.findByText("No matches");
  });

  it("lead to the iteration", async () => {
    const { app, user } = await memory();
    const recent = within(await screen.findByTestId("recent-failures"));
    await user.click(recent.getAllByRole("button")[0] as HTMLElement);
    expect(app.view).toBe("iterations");
    expect(app.iterationTab).toBe("checks");
  });

  it("say what will be here while there are none", async () => {
    await memory({ scenario: "empty" });
    expect((await screen.findByTestId("memory-empty")).textContent).toContain("No failures yet");
  });

  it("say why they cannot be read", async () => {
    await memory({ scenario: "failing" });
    await screen.findByText("Memory could not be read");
  });
});

describe("solutions", () => {
  it("are changed, and the change is in the history", async () => {
    const { backend, user } = await memory();
    await inspector();
    await user.keyboard("e");
    const title = await screen.findByTestId("draft-title");
    await user.clear(title);
    await user.type(title, "Keep every time in UTC");
    await user.click(screen.getByTestId("card-save"));
    await waitFor(() => expect(screen.queryByTestId("solution-dialog")).toBeNull());
    expect(callsOf(backend, "saveSolution")).toMatchObject([{ id: 1, draft: { title: "Keep every time in UTC" } }]);
    expect(await (await inspector()).findByText("Edited")).toBeTruthy();
  });

  it("are retired and taken back", async () => {
    const { user } = await memory();
    await inspector();
    await user.click(screen.getByTestId("solution-retire"));
    // The retired one goes to the end; the next best is shown.
    await waitFor(() =>
      expect(screen.getAllByTestId("solution").at(-1)?.textContent).toContain("Keep slots in UTC, convert once"),
    );
    await user.click(screen.getAllByTestId("solution").at(-1) as HTMLElement);
    await user.click(await screen.findByText("Use again"));
    await waitFor(() => expect(screen.getAllByTestId("solution").at(-1)?.textContent).not.toContain("Retired"));
  });

  it("are added from the table, and a refusal loses nothing", async () => {
    const { app, backend, user } = await memory({}, { view: "memory", tab: "solutions" });
    await screen.findAllByTestId("solution-row");
    await user.click(screen.getByTestId("solution-add"));
    await user.type(await screen.findByTestId("draft-title"), "Warm the pot first");
    vi.spyOn(backend, "saveSolution").mockRejectedValueOnce(new Error("disk full"));
    await user.type(screen.getByTestId("draft-text"), "Fill it with hot water.");
    await user.click(screen.getByTestId("card-save"));
    await screen.findByText(/disk full/);
    expect((screen.getByTestId("draft-title") as HTMLInputElement).value).toBe("Warm the pot first");
    await user.click(screen.getByTestId("card-save"));
    await waitFor(() => expect(app.route).toEqual({ view: "memory", tab: "solutions", id: "8" }));
    expect((await inspector()).getByRole("heading", { name: "Warm the pot first" })).toBeTruthy();
  });
});

describe("learnings", () => {
  it("are searched by the engine, edited and removed", async () => {
    const { backend, user } = await memory({}, { view: "memory", tab: "learnings" });
    await screen.findAllByTestId("learning-row");
    await user.type(screen.getByTestId("memory-search"), "libvips");
    await waitFor(() => expect(screen.getAllByTestId("learning-row")).toHaveLength(1));
    expect(callsOf(backend, "learnings")).toContain("libvips");
    await user.click(screen.getByText("The image pipeline needs libvips 8.15"));
    await user.click(await screen.findByTestId("learning-edit"));
    const text = await screen.findByTestId("draft-text");
    await user.clear(text);
    await user.type(text, "Before libvips 8.15 there is no AVIF.");
    await user.click(screen.getByTestId("card-save"));
    await screen.findByText("Before libvips 8.15 there is no AVIF.");
    await user.click(screen.getByTestId("learning-remove"));
    await user.click(await screen.findByTestId("confirm-yes"));
    await waitFor(() => expect(callsOf(backend, "removeLearning")).toEqual([4]));
    await screen.findByText("No matches");
  });

  it("are added by a key", async () => {
    const { backend, user } = await memory({}, { view: "memory", tab: "learnings" });
    await screen.findAllByTestId("learning-row");
    await user.keyboard("n");
    await user.type(await screen.findByTestId("draft-text"), "Green tea wants 70 degrees.");
    await user.click(screen.getByTestId("card-save"));
    await waitFor(() => expect(screen.queryByTestId("learning-dialog")).toBeNull());
    expect(callsOf(backend, "saveLearning")).toMatchObject([
      { id: null, draft: { text: "Green tea wants 70 degrees.", scope: "project" } },
    ]);
  });
});

describe("text from outside", () => {
  it("is text", async () => {
    const { app } = await memory({ scenario: "hostile" });
    await detail();
    app.go({ view: "memory", tab: "solutions", id: "1" });
    expect((await inspector()).getByRole("heading", { name: HOSTILE_TEXTS[0] })).toBeTruthy();
    app.go({ view: "memory", tab: "learnings", id: "2" });
    await screen.findByTestId("learning-inspector");
    expect(document.querySelector("main script, main iframe, main img[src='x']")).toBeNull();
    expect((globalThis as { __pwned?: boolean }).__pwned).toBeUndefined();
  });
});
