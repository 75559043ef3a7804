import { describe, expect, it } from "vitest";

import { createMockBackend } from "$lib/backend/mock";

import { selectedTasks, selectionOf, selectionValue } from "./selection";

const ALL = { tag: null, wave: null, task: null };

describe("the tasks of a run", () => {
  it("are the pending ones of the wave, tag or task, in the order of a run", async () => {
    const overview = await createMockBackend({ window: "project" }).overview();
    const ids = (selection: Partial<Parameters<typeof selectedTasks>[1]>) =>
      selectedTasks(overview, { ...ALL, ...selection }).map(({ id }) => id);
    expect(ids({})).toEqual(overview.waves.flatMap(({ tasks }) => tasks));
    expect(ids({ wave: 1 })).toEqual(overview.waves[0]?.tasks);
    expect(ids({ task: 3 })).toEqual([3]);
    expect(ids({ wave: 99 })).toEqual([]);
    expect(ids({ tag: "no such tag" })).toEqual([]);
  });

  it("have a value in a list and are read back from it", () => {
    for (const selection of [ALL, { ...ALL, wave: 2 }, { ...ALL, tag: "a: b\nc" }, { ...ALL, task: 7 }]) {
      expect(selectionOf(selectionValue(selection), 7)).toEqual(selection);
    }
  });
});
