import { describe, expect, it } from "vitest";

import { mockTask } from "$lib/backend/mock/task-data";
import { boardOf } from "$lib/backend/mock/task-graph";

import { type Column, nextSort, sorted } from "./sort";

const { tasks } = boardOf(
  [
    mockTask(1, "cup 10", { size: "L", tag: "b", status: "done", complexity: 3, attempts: 2, failures: 1 }),
    mockTask(2, "Cup 9", { priority: 1, kind: "docs", status: "blocked", attempts: 2 }),
    mockTask(3, "ant", { size: "S", tag: "a", kind: "feature" }),
  ],
  { wave_commits: [], by_hand: null },
);

const ids = (column: Column, descending = false) => sorted(tasks, { column, descending }).map(({ id }) => id);

describe("tasks by column", () => {
  it("are as a run takes them until somebody says otherwise", () => {
    expect(sorted(tasks, null).map(({ id }) => id)).toEqual(tasks.map(({ id }) => id));
  });

  it("are sorted as people read each column", () => {
    expect(ids("id", true)).toEqual([3, 2, 1]);
    expect(ids("title")).toEqual([3, 2, 1]);
    expect(ids("status")).toEqual([3, 2, 1]);
    expect(ids("attempts", true)).toEqual([1, 2, 3]);
  });

  it("have those without a value last, up and down", () => {
    expect(ids("size")).toEqual([3, 1, 2]);
    expect(ids("size", true)).toEqual([1, 3, 2]);
    expect(ids("tag", true)).toEqual([1, 3, 2]);
  });

  it("go up, down and back to the order of a run", () => {
    const up = nextSort(null, "title");
    const down = nextSort(up, "title");
    expect([up, down]).toEqual([
      { column: "title", descending: false },
      { column: "title", descending: true },
    ]);
    expect(nextSort(down, "title")).toBeNull();
    expect(nextSort(down, "id")).toEqual({ column: "id", descending: false });
  });
});
