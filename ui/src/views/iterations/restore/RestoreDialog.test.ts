import "../IterationsView.svelte";

import { beforeEach, describe, expect, it, vi } from "vitest";

import { BackendError } from "$lib/backend/backend";
import type { Scenario } from "$lib/backend/mock";
import { fault } from "$lib/backend/mock/faults";
import { iterationIdOf } from "$lib/backend/mock/iteration-data";

import { callsOf, openWindow, screen, type TestWindow } from "../../../testing/window";

const iteration = iterationIdOf(2, 1);

async function openDialog(scenario: Scenario = "completed"): Promise<TestWindow> {
  const window = await openWindow({ scenario });
  window.app.showIteration(iteration, "journal");
  await window.user.click(await screen.findByTestId("restore-open"));
  await screen.findByTestId("restore-dialog");
  return window;
}

const confirm = () => screen.getByTestId("restore-confirm") as HTMLButtonElement;

describe("going back to the files of an iteration", () => {
  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
  });

  it("shows what would happen before anything does", async () => {
    const { backend } = await openDialog();
    const plan = await screen.findByTestId("restore-plan");
    expect(screen.getByTestId("restore-write").textContent).toContain("teas.txt");
    expect(screen.getByTestId("restore-delete").textContent).toContain("src/ui/timer.ts");
    expect(screen.getByTestId("restore-keep").textContent).toContain(".env");
    expect(plan).toBeTruthy();
    expect(callsOf(backend, "previewRestore")).toEqual([{ iteration, side: "after" }]);
    expect(callsOf(backend, "restoreTree")).toEqual([]);
    expect(confirm().textContent).toContain("Restore 12 files");
  });

  it("restores exactly what was shown, and can be undone", async () => {
    const { backend, user } = await openDialog();
    await screen.findByTestId("restore-plan");
    await user.click(confirm());
    const safety = (await screen.findByTestId("restore-safety")).textContent;
    expect(callsOf(backend, "restoreTree")).toEqual([{ tree: { iteration, side: "after" }, now: "tree-0" }]);
    expect(await screen.findByText(/What was there before is kept in 5afe/)).toBeTruthy();
    await user.click(screen.getByTestId("restore-copy"));
    expect(await navigator.clipboard.readText()).toBe(safety);
    await user.click(screen.getByTestId("restore-undo"));
    expect(await screen.findByText(/Everything is as it was before/)).toBeTruthy();
    expect(callsOf(backend, "undoRestore")).toEqual([{ safety, now: "tree-1" }]);
    await user.click(screen.getByTestId("restore-close"));
    await vi.waitFor(() => expect(screen.queryByTestId("restore-dialog")).toBeNull());
  });

  it("can go back to before the agent", async () => {
    const { backend, user } = await openDialog();
    await user.click(screen.getByTestId("restore-before"));
    await vi.waitFor(() => expect(callsOf(backend, "previewRestore").at(-1)).toEqual({ iteration, side: "before" }));
    await screen.findByTestId("restore-plan");
    await user.click(confirm());
    await screen.findByTestId("restored");
    expect(callsOf(backend, "restoreTree")[0]).toMatchObject({ tree: { side: "before" } });
  });

  it("shows anew what would happen when the files changed meanwhile", async () => {
    const { backend, user } = await openDialog();
    await screen.findByTestId("restore-plan");
    const refused = new BackendError(fault("restore.changed", "The files are no longer what was shown."));
    vi.spyOn(backend, "restoreTree").mockRejectedValueOnce(refused);
    vi.spyOn(backend, "previewRestore").mockResolvedValue({
      now: "tree-other",
      writes: ["a.txt"],
      writes_total: 1,
      deletes: [],
      deletes_total: 0,
      kept: [],
    });
    await user.click(confirm());
    expect(await screen.findByTestId("restore-changed")).toBeTruthy();
    await vi.waitFor(() => expect(confirm().textContent).toContain("Restore 1 file"));
    expect(screen.queryByTestId("restored")).toBeNull();
  });

  it("says what went wrong and stays open", async () => {
    const { backend, user } = await openDialog();
    await screen.findByTestId("restore-plan");
    const refused = new BackendError(fault("store.full", "The disk is full.", "Make room, then try again."));
    vi.spyOn(backend, "restoreTree").mockRejectedValueOnce(refused);
    await user.click(confirm());
    expect((await screen.findByRole("alert")).textContent).toContain("The disk is full.");
    await user.click(confirm());
    expect(await screen.findByTestId("restored")).toBeTruthy();
  });

  it("does nothing while a run works on the files", async () => {
    await openDialog("running");
    expect(screen.getByTestId("restore-live").textContent).toContain("Pause or cancel it first");
    await screen.findByTestId("restore-plan");
    expect(confirm().disabled).toBe(true);
  });

  it("has nothing to do when the files are like this already", async () => {
    const { backend, app, user } = await openWindow({ scenario: "completed" });
    const nothing = { writes: [], writes_total: 0, deletes: [], deletes_total: 0, kept: [] };
    vi.spyOn(backend, "previewRestore").mockResolvedValue({ now: "t", ...nothing });
    app.showIteration(iteration, "journal");
    await user.click(await screen.findByTestId("restore-open"));
    expect(await screen.findByTestId("restore-nothing")).toBeTruthy();
    expect(confirm().disabled).toBe(true);
  });

  it("closes with Escape and stays on the page", async () => {
    const { app, user } = await openDialog();
    await screen.findByTestId("restore-plan");
    await user.keyboard("{Escape}");
    await vi.waitFor(() => expect(screen.queryByTestId("restore-dialog")).toBeNull());
    expect(app.iteration).toBe(iteration);
  });
});
