import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { FramePace, restAfter } from "./frame-pace";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("work that is done frame by frame", () => {
  it("is done once, however often it is asked for in a frame", () => {
    const work = vi.fn();
    const pace = new FramePace(work);
    for (let frame = 1; frame <= 5; frame++) {
      pace.ask();
      pace.ask();
      pace.ask();
      expect(work).toHaveBeenCalledTimes(frame - 1);
      vi.advanceTimersToNextFrame();
      expect(work).toHaveBeenCalledTimes(frame);
    }
  });

  it("rests after it held a frame up, and is done at last", () => {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now);
    const work = vi.fn(() => void (now += 60));
    const pace = new FramePace(work);
    pace.ask();
    vi.advanceTimersToNextFrame();
    vi.advanceTimersToNextFrame();
    pace.ask();
    vi.advanceTimersByTime(200);
    expect(work).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(400);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it("leaves room for twenty good frames after one that a person can see", () => {
    expect(restAfter(10)).toBe(0);
    expect(restAfter(24)).toBe(0);
    expect(restAfter(52)).toBeGreaterThan(20 * 16);
    expect(restAfter(5000)).toBe(400);
  });

  it("is not done any more when it is stopped", () => {
    const work = vi.fn();
    const pace = new FramePace(work);
    pace.ask();
    pace.stop();
    vi.advanceTimersByTime(1000);
    expect(work).not.toHaveBeenCalled();
  });
});
