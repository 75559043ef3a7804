import { render } from "@testing-library/svelte";
import type { Component } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { createMockBackend } from "$lib/backend/mock";

import AppHost from "../../testing/AppHost.svelte";
import LiveProbe from "../../testing/LiveProbe.svelte";
import { App } from "./app.svelte";
import type { LiveOptions } from "./live-view.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function shown(options: LiveOptions = {}) {
  const backend = createMockBackend({ window: "project", scenario: "running" });
  const app = new App(backend);
  const stop = app.follow();
  await vi.advanceTimersByTimeAsync(0);
  const refresh = vi.fn();
  const part = LiveProbe as unknown as Component<Record<string, unknown>>;
  const { unmount } = render(AppHost, { app, part, given: { shown: { refresh }, options } });
  return { app, backend, refresh, unmount, stop };
}

describe("what a view shows", () => {
  it("is read at once, and again at its pace while the project changes", async () => {
    const { backend, refresh } = await shown({ pace: 3000 });
    expect(refresh).toHaveBeenCalledTimes(1);
    for (let change = 0; change < 5; change++) {
      backend.controls.changeProject();
    }
    await vi.advanceTimersByTimeAsync(2000);
    expect(refresh).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(2000);
    expect(refresh).toHaveBeenCalledTimes(3);
  });

  it("is read when a person asks for it", async () => {
    const { app, refresh } = await shown();
    app.refresh();
    app.refresh();
    expect(refresh).toHaveBeenCalledTimes(3);
  });

  it("is read at once for the events it waits for", async () => {
    const { backend, refresh } = await shown({ pace: 60_000, now: ({ type }) => type === "iteration.phase" });
    backend.controls.changeProject();
    const before = refresh.mock.calls.length;
    backend.controls.runs.step();
    expect(refresh).toHaveBeenCalledTimes(before + 1);
  });

  it("is left alone once it is gone", async () => {
    const { app, backend, refresh, unmount } = await shown({ now: () => true });
    unmount();
    const before = refresh.mock.calls.length;
    app.refresh();
    backend.controls.changeProject();
    backend.controls.runs.step();
    await vi.advanceTimersByTimeAsync(5000);
    expect(refresh).toHaveBeenCalledTimes(before);
  });
});
