import { beforeEach, describe, expect, it, vi } from "vitest";

import { Paced } from "./paced";

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

describe("Paced", () => {
  it("acts at once, and then once for all that was asked meanwhile", () => {
    const work = vi.fn();
    const paced = new Paced(1000, work);
    paced.ask();
    expect(work).toHaveBeenCalledTimes(1);
    for (let asked = 0; asked < 50; asked++) {
      paced.ask();
    }
    expect(work).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1000);
    expect(work).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(5000);
    paced.ask();
    expect(work).toHaveBeenCalledTimes(3);
  });

  it("does nothing more when it was stopped, and can be asked again", () => {
    const work = vi.fn();
    const paced = new Paced(1000, work);
    paced.ask();
    paced.ask();
    paced.stop();
    vi.advanceTimersByTime(5000);
    expect(work).toHaveBeenCalledTimes(1);
    paced.ask();
    expect(work).toHaveBeenCalledTimes(2);
  });
});
