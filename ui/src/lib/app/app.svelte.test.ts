import { describe, expect, it, vi } from "vitest";

import { createMockBackend, type MockOptions } from "$lib/backend/mock";

import { App } from "./app.svelte";

async function appWith(options: Partial<MockOptions> = {}) {
  const opened = vi.fn();
  const backend = createMockBackend({ window: "start", ...options }, { openWindow: opened });
  const app = new App(backend);
  const faults = vi.spyOn(app.notify, "fault").mockReturnValue();
  return { app, backend, opened, faults };
}

describe("attempt", () => {
  it("does not begin again what is under way", async () => {
    const { app } = await appWith();
    let finish: (() => void) | undefined;
    const work = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
    const first = app.attempt("open", work);
    await app.attempt("open", work);
    expect(work).toHaveBeenCalledTimes(1);
    finish?.();
    await first;
    expect(app.working.has("open")).toBe(false);
  });

  it("turns a refusal into a message", async () => {
    const { app, faults } = await appWith({ scenario: "failing" });
    await app.openProject("/home/ada/code/heron");
    expect(faults).toHaveBeenCalledWith(expect.objectContaining({ code: "store.read_only" }));
    expect(app.working.size).toBe(0);
  });
});

describe("openFolder", () => {
  it("opens the project the folder belongs to", async () => {
    const { app, opened } = await appWith();
    await app.openFolder();
    expect(opened).toHaveBeenCalledWith({ path: "/home/ada/code/heron", name: "heron" });
  });

  it("offers to make a project of a folder that is none", async () => {
    const { app, backend, opened } = await appWith();
    vi.spyOn(backend, "chooseFolder").mockResolvedValue("/home/ada/code/swift");
    await app.openFolder();
    expect(opened).not.toHaveBeenCalled();
    expect(app.overlay).toEqual({ kind: "new-project", path: "/home/ada/code/swift" });
  });

  it("does nothing when the dialog is closed", async () => {
    const { app, backend, opened, faults } = await appWith();
    vi.spyOn(backend, "chooseFolder").mockResolvedValue(null);
    await app.openFolder();
    expect([opened.mock.calls, faults.mock.calls, app.overlay]).toEqual([[], [], null]);
  });
});

describe("openSample", () => {
  it("makes it the first time and opens it after that", async () => {
    const { app, backend } = await appWith({ scenario: "empty" });
    await app.openSample();
    await app.openSample();
    const methods = backend.controls.calls.map((call) => call.method).filter((name) => /Sample|openProject/.test(name));
    expect(methods).toEqual(["createSample", "openProject"]);
  });
});

describe("setTheme", () => {
  it("is shown at once, remembered for the next start and written to the user's file", async () => {
    const { app, backend } = await appWith();
    const done = app.setTheme("dark");
    expect(document.documentElement.dataset.theme).toBe("dark");
    await done;
    expect(localStorage.getItem("loopwright.theme")).toBe("dark");
    expect(backend.controls.calls.at(-1)).toEqual({
      method: "setSetting",
      argument: { scope: "user", key: "ui.theme", value: "dark" },
    });
  });

  it("comes back when it cannot be written", async () => {
    const { app, faults } = await appWith({ scenario: "failing" });
    await app.setTheme("dark");
    expect(document.documentElement.dataset.theme).toBe("light");
    expect(app.theme.choice).toBe("system");
    expect(faults).toHaveBeenCalled();
  });

  it("follows what decides in the end, such as an environment variable", async () => {
    const { app, backend } = await appWith();
    const report = await backend.settings();
    vi.spyOn(backend, "setSetting").mockResolvedValue({
      ...report,
      settings: report.settings.map((item) => (item.key === "ui.theme" ? { ...item, value: "light" } : item)),
    });
    await app.setTheme("dark");
    expect(app.theme.choice).toBe("light");
  });
});

describe("forgetRecent", () => {
  it("takes it off the list", async () => {
    const { app } = await appWith();
    await app.start.refresh();
    const path = app.start.data?.recents[0]?.path ?? "";
    await app.forgetRecent(path);
    expect(app.start.data?.recents.map((recent) => recent.path)).not.toContain(path);
  });
});

describe("following the project", () => {
  async function following() {
    vi.useFakeTimers();
    const test = await appWith({ window: "project", scenario: "running" });
    const fetched = (method: string) => test.backend.controls.calls.filter((call) => call.method === method).length;
    const stop = test.app.follow();
    test.app.overview.ensure();
    test.app.choices.ensure();
    await vi.advanceTimersByTimeAsync(0);
    const { runs } = test.backend.controls;
    return { ...test, runs, fetched, stop };
  }

  it("fetches again what an event changed, and not for every step of an iteration", async () => {
    const { app, runs, fetched, stop } = await following();
    expect([fetched("overview"), fetched("runChoices")]).toEqual([1, 1]);
    runs.step();
    await vi.advanceTimersByTimeAsync(5000);
    expect([fetched("overview"), fetched("runChoices")]).toEqual([1, 1]);
    runs.finishIteration();
    await vi.advanceTimersByTimeAsync(5000);
    expect([fetched("overview"), fetched("runChoices")]).toEqual([2, 2]);
    for (let count = 0; count < 5; count++) {
      runs.step();
      runs.finishIteration();
    }
    await vi.advanceTimersByTimeAsync(5000);
    expect(fetched("overview")).toBe(4);
    stop();
    app.projectChanged();
    vi.useRealTimers();
  });

  it("shows what happened at once, before the overview was read again", async () => {
    const { app, runs, stop } = await following();
    const [before] = app.activity;
    runs.step();
    expect(app.activity[0]?.event.type).toBe("iteration.phase");
    expect(app.activity[1]).toEqual(before);
    runs.finishIteration();
    await vi.advanceTimersByTimeAsync(5000);
    const seqs = app.activity.map((event) => event.seq);
    expect(seqs).toEqual([...new Set(seqs)].sort((left, right) => right - left));
    expect(app.activity.length).toBeLessThanOrEqual(20);
    stop();
    vi.useRealTimers();
  });
});

describe("closing", () => {
  it("keeps the question when the answer could not be given", async () => {
    const { app, backend, faults } = await appWith({ window: "project", scenario: "running" });
    const run = (await backend.runState(null))?.run;
    if (!run) {
      throw new Error("There is no run.");
    }
    await app.askToClose({ run, own: true });
    vi.spyOn(backend, "closeWindow").mockRejectedValueOnce(new Error("gone"));
    await app.answerClose("stop_now");
    expect([app.closeAsked?.own, faults.mock.calls.length]).toEqual([true, 1]);
    await app.answerClose("stay");
    expect(app.closeAsked).toBeNull();
  });
});
