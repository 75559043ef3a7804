import { afterEach, describe, expect, it, vi } from "vitest";

import { firstFrame } from "./first-frame";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("firstFrame", () => {
  it("comes with the first contentful paint and the frame after it", async () => {
    let tell: (name: string) => void = () => undefined;
    const observe = vi.fn();
    const disconnect = vi.fn();
    vi.stubGlobal(
      "PerformanceObserver",
      class {
        constructor(heard: (list: unknown, observer: unknown) => void) {
          tell = (name) =>
            heard({ getEntriesByName: (asked: string) => (asked === name ? [{ name }] : []) }, { disconnect });
        }
        observe = observe;
      },
    );
    vi.useFakeTimers();
    let shown = false;
    void firstFrame().then(() => (shown = true));
    expect(observe).toHaveBeenCalledWith({ type: "paint", buffered: true });
    tell("first-paint");
    await vi.advanceTimersByTimeAsync(100);
    expect(shown).toBe(false);
    tell("first-contentful-paint");
    await vi.advanceTimersByTimeAsync(100);
    expect([shown, disconnect.mock.calls.length]).toEqual([true, 1]);
  });

  it("does not wait for ever in a window that is not painted", async () => {
    vi.stubGlobal(
      "PerformanceObserver",
      class {
        observe(): void {}
      },
    );
    vi.useFakeTimers();
    let shown = false;
    void firstFrame().then(() => (shown = true));
    await vi.advanceTimersByTimeAsync(600);
    expect(shown).toBe(true);
  });
});
