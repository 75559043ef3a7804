import { createRawSnippet } from "svelte";
import { describe, expect, it } from "vitest";

import { type Column, Group, movesAtStart, readWidths, shownColumns, stepFrom, templateOf } from "./columns";

const cell = createRawSnippet<[row: number, index: number]>(() => ({ render: () => "<span></span>" }));
const columns: Column<number>[] = [
  { id: "a", title: "A", width: 40, cell },
  { id: "b", title: "B", width: 120, grow: true, cell },
  { id: "c", title: "C", width: 80, hideBelow: 600, cell },
];

describe("the columns of a table", () => {
  it.each([
    [0, "abc"],
    [600, "abc"],
    [599, "ab"],
  ])("at %i pixels are %s", (width, ids) => {
    expect(
      shownColumns(columns, width)
        .map(({ id }) => id)
        .join(""),
    ).toBe(ids);
  });

  it("take the widths a person gave them, except the one that grows", () => {
    expect(templateOf(columns, { a: 64, b: 300 })).toBe("64px minmax(120px, 1fr) 80px");
    expect(columns.map((_, index) => movesAtStart(columns, index))).toEqual([false, false, true]);
  });

  it.each([
    [null, {}],
    ["not json", {}],
    ["null", {}],
    ['["x"]', {}],
    ['{"a":50,"b":"wide","c":1e9,"d":-4}', { a: 50, c: 640, d: 28 }],
  ])("read %s as kept widths", (text, widths) => {
    expect(readWidths(text)).toEqual(widths);
  });
});

describe("a step of the cursor", () => {
  const rows = [new Group("one"), 1, 2, new Group("two"), new Group("three"), 3];

  it.each([
    ["down over heads", 2, 1, 5],
    ["up over heads", 5, -1, 2],
    ["up at the first row", 1, -1, 1],
    ["to the start", 5, -Infinity, 1],
    ["to the end", 1, Infinity, 5],
    ["down at the last row", 5, 1, 5],
    ["from nowhere", -1, 1, 1],
  ])("%s", (_, from, by, to) => {
    expect(stepFrom(rows, from, by)).toBe(to);
  });

  it("stays where there are only heads", () => {
    expect(stepFrom([new Group("one"), new Group("two")], -1, 1)).toBe(-1);
    expect(stepFrom([], -1, 1)).toBe(-1);
  });
});
