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
