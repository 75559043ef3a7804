import { describe, expect, it } from "vitest";

import type { TaskId } from "$lib/backend/types";

import { findTasks } from "./search";

describe("a search with several words", () => {
  const rows = Array.from({ length: 30 }, (_, index) => ({
    id: index + 1,
    title: `Task number ${1970 + index}`,
    tag: null,
    external: null,
  }));
  /** As the backend does: any of the words, best first, and not all of them. */
  const searchTasks = (text: string): Promise<TaskId[]> =>
    Promise.resolve(
      text === "kettle"
        ? [9, 4]
        : rows
            .filter(({ title }) => title.includes(text))
            .map(({ id }) => id)
            .slice(0, 5),
    );

  it("finds what has all of them", async () => {
    expect(await findTasks({ searchTasks }, rows, "number 1999")).toEqual([30]);
    expect(await findTasks({ searchTasks }, rows, "number 1999 nowhere")).toEqual([]);
  });

  it("finds a word in the longer texts that only the backend knows, the best match first", async () => {
    expect(await findTasks({ searchTasks }, rows, "kettle")).toEqual([9, 4]);
    expect(await findTasks({ searchTasks }, rows, "kettle number")).toEqual([4, 9]);
    expect(await findTasks({ searchTasks }, rows, "kettle 1978")).toEqual([9]);
  });
});
