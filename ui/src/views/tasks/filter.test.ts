import { describe, expect, it } from "vitest";

import { createMockBackend } from "$lib/backend/mock";
import type { Scenario } from "$lib/backend/mock";
import type { TaskRow } from "$lib/backend/types";
import { waitingFor } from "$lib/task/waiting";

import { filtered, linesOf, NO_FILTER, placeBefore } from "./filter";

const board = (scenario: Scenario) => createMockBackend({ scenario }).taskBoard();
const ids = (rows: readonly TaskRow[]) => rows.map(({ id }) => id);

describe("the filter", () => {
  it("takes status, tag, kind, wave and words together, and what the backend found besides", async () => {
    const { tasks } = await board("tasks");
    expect(ids(filtered(tasks, { ...NO_FILTER, statuses: ["blocked", "in_progress"] }, []))).toEqual([9, 8]);
    expect(ids(filtered(tasks, { ...NO_FILTER, tags: ["docs"], kinds: ["docs"], waves: [2] }, []))).toEqual([11]);
    expect(ids(filtered(tasks, { ...NO_FILTER, text: "TEA by" }, []))).toEqual([6, 22]);
    expect(ids(filtered(tasks, { ...NO_FILTER, text: "clock" }, [2]))).toEqual([2, 8]);
    expect(ids(filtered(tasks, { ...NO_FILTER, text: "#12" }, []))[0]).toBe(12);
  });
});

describe("the lines of the list", () => {
  it("are every task under the head of its wave, the cancelled last", async () => {
    const { tasks, waves } = await board("tasks");
    const lines = linesOf(tasks, waves, () => true);
    const heads = lines.filter((line) => line.kind === "wave").map((line) => line.wave);
    expect(heads).toEqual([1, 2, 3, 4, 5, 6, null]);
    expect(lines.filter((line) => line.kind === "task")).toHaveLength(tasks.length);
    expect(lines.at(-1)).toMatchObject({ kind: "task", row: { id: 16, status: "cancelled" } });
  });

  it("hide the tasks of a closed wave", async () => {
    const { tasks, waves } = await board("sample");
    expect(linesOf(tasks, waves, (wave) => wave === 2)).toHaveLength(3 + 3);
  });
});

describe("a new place", () => {
  it("is found among all tasks of the wave, shown or not", async () => {
    const { tasks } = await board("sample");
    expect(placeBefore(tasks, 5, 3, false)).toBe(3);
    expect(placeBefore(tasks, 3, 4, true)).toBe(5);
    expect(placeBefore(tasks, 3, 5, true)).toBeNull();
    expect(placeBefore(tasks, 3, 1, false)).toBeUndefined();
  });
});

describe("what waits for a task", () => {
  it("is all that is unfinished behind it, directly or through others", async () => {
    const { tasks } = await board("tasks");
    const blocked = tasks.filter(({ id }) => id === 12);
    expect(ids(waitingFor(blocked, tasks)).sort((left, right) => left - right)).toEqual([17, 18, 19, 22, 23, 24]);
  });
});
