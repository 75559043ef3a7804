import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { OutputMatches } from "$lib/backend/types";

import { OutputSearch } from "./search.svelte";

let answers: Map<string, OutputMatches>;
let shown: number[];

function search(delay: (text: string) => number = () => 0): OutputSearch {
  return new OutputSearch(
    (text) =>
      new Promise((resolve) =>
        setTimeout(() => resolve(answers.get(text) ?? { places: [], more: false }), delay(text)),
      ),
    (place) => shown.push(place),
  );
}

beforeEach(() => {
  vi.useFakeTimers();
  answers = new Map([["tea", { places: [3, 40, 41, 900], more: false }]]);
  shown = [];
});
afterEach(() => vi.useRealTimers());

describe("a search", () => {
  it("begins when the person pauses, at the first match from where they are", async () => {
    const found = search();
    found.type("t", 10);
    found.type("te", 10);
    found.type("tea", 10);
    await vi.runAllTimersAsync();
    expect([found.count, found.current, shown]).toEqual([4, 2, [40]]);
  });

  it("goes on from match to match, and around at both ends", async () => {
    const found = search();
    found.type("tea", 0);
    await vi.runAllTimersAsync();
    for (let step = 0; step < 4; step++) {
      await found.step(0, false);
    }
    expect(shown).toEqual([3, 40, 41, 900, 3]);
    await found.step(0, true);
    expect([shown.at(-1), found.current]).toEqual([900, 4]);
  });

  it("drops an answer that comes after that to a newer question", async () => {
    answers.set("slow", { places: [7], more: false });
    const found = search((text) => (text === "slow" ? 5000 : 10));
    found.type("slow", 0);
    await vi.advanceTimersByTimeAsync(500);
    found.type("tea", 0);
    await vi.runAllTimersAsync();
    expect([found.count, shown]).toEqual([4, [3]]);
  });

  it("stays at its match when the output grows", async () => {
    const found = search();
    found.type("tea", 41);
    await vi.runAllTimersAsync();
    answers.set("tea", { places: [3, 40, 41, 900, 1000, 1001], more: true });
    found.grown();
    found.grown();
    await vi.runAllTimersAsync();
    expect([found.count, found.current, found.more, shown]).toEqual([6, 3, true, [41]]);
  });

  it("says when nothing was found, and nothing more once it is cleared", async () => {
    const found = search();
    found.type("coffee", 0);
    await vi.runAllTimersAsync();
    expect([found.done, found.count]).toEqual([true, 0]);
    found.type("tea", 0);
    found.clear();
    await vi.runAllTimersAsync();
    expect([found.text, found.count, shown]).toEqual(["", 0, []]);
  });
});
