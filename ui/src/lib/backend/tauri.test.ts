import { clearMocks, mockIPC, mockWindows } from "@tauri-apps/api/mocks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { BackendError, faultOf } from "./backend";
import { fault } from "./mock/faults";
import { overviewFor } from "./mock/projects";
import { createTauriBackend, subscription, unwrap } from "./tauri";

beforeEach(() => mockWindows("main"));
afterEach(clearMocks);

describe("unwrap", () => {
  it("gives the data of a good answer", async () => {
    expect(await unwrap(Promise.resolve({ status: "ok" as const, data: null }))).toBeNull();
  });

  it("gives the answer of a command that cannot fail", async () => {
    expect(await unwrap(Promise.resolve({ kind: "start" as const }))).toEqual({ kind: "start" });
  });

  it("throws the fault of a refusal", async () => {
    const refused = fault("trust.changed", "It changed.");
    const answer = unwrap(Promise.resolve({ status: "error" as const, error: refused }));
    await expect(answer).rejects.toBeInstanceOf(BackendError);
    await expect(answer).rejects.toMatchObject({ fault: refused });
  });
});

describe("createTauriBackend", () => {
  it("calls the commands by their names with their arguments", async () => {
    const seen: [string, unknown][] = [];
    const answers: Record<string, unknown> = {
      overview: overviewFor("sample"),
      search_tasks: [3],
    };
    mockIPC((command, args) => {
      seen.push([command, args]);
      return answers[command] ?? null;
    });
    const backend = createTauriBackend();
    expect((await backend.overview()).project.name).toBe("Tea timer");
    expect(await backend.searchTasks("tea")).toEqual([3]);
    await backend.forgetRecent("/a");
    await backend.setSetting({ scope: "user", key: "ui.theme", value: null });
    const byName = Object.fromEntries(seen);
    expect(byName.search_tasks).toEqual({ text: "tea" });
    expect(byName.forget_recent).toEqual({ path: "/a" });
    expect(Object.values(byName.set_setting as object)).toEqual([{ scope: "user", key: "ui.theme", value: null }]);
  });

  it("has what the shell handed over, and says so when there is nothing", () => {
    const start = {
      version: "1",
      platform: "linux" as const,
      process: 1,
      context: { kind: "start" as const, problem: null },
    };
    window.__LOOPWRIGHT_WINDOW__ = start;
    expect(createTauriBackend().windowStart()).toBe(start);
    delete window.__LOOPWRIGHT_WINDOW__;
    expect(() => createTauriBackend().windowStart()).toThrow("outside of the app");
  });

  it("turns a rejected command into a BackendError with its fault", async () => {
    const refused = fault("store.busy", "Another process keeps the database.");
    mockIPC(() => {
      throw refused;
    });
    await expect(createTauriBackend().overview()).rejects.toMatchObject({ fault: refused });
  });

  it("hears what is meant for it until it stops listening", async () => {
    mockIPC(() => null, { shouldMockEvents: true });
    const { emit } = await import("@tauri-apps/api/event");
    const backend = createTauriBackend();
    const changed = vi.fn();
    const actions: string[] = [];
    const stop = backend.onProjectChanged(changed);
    backend.onMenuAction((action) => actions.push(action));
    await new Promise((resolve) => setTimeout(resolve));
    await emit("project-changed", {});
    await emit("menu-action", { action: "palette" });
    expect([changed.mock.calls.length, actions]).toEqual([1, ["palette"]]);
    stop();
    await new Promise((resolve) => setTimeout(resolve));
    await emit("project-changed", {});
    expect(changed).toHaveBeenCalledTimes(1);
  });
});

describe("subscription", () => {
  it("ends also when it was ended before it had begun", async () => {
    const unlisten = vi.fn();
    subscription(Promise.resolve(unlisten))();
    await Promise.resolve();
    await Promise.resolve();
    expect(unlisten).toHaveBeenCalledTimes(1);
  });
});

describe("faultOf", () => {
  it("keeps a fault and explains a defect", () => {
    expect(faultOf(new BackendError(fault("io.failed", "No.")))).toMatchObject({ code: "io.failed" });
    expect(faultOf("text")).toMatchObject({ code: "internal", kind: "internal" });
  });
});
