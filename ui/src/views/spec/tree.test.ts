import { describe, expect, it } from "vitest";

import type { SpecEntry } from "$lib/backend/types";

import { linesOf } from "./tree";

const entry = (id: number, parent: number | null = null): SpecEntry => ({
  id,
  number: `${id}`,
  title: `Section ${id}`,
  parent,
  file: null,
  words: 1,
  edited: false,
  tasks: 0,
  stale: 0,
  findings: 0,
});
const shown = (entries: SpecEntry[], ...toggled: number[]) =>
  linesOf(entries, new Set(toggled)).map(
    ({ entry: { id }, depth, open }) => `${id}@${depth}${open ? "-" : open === null ? "" : "+"}`,
  );

describe("the tree of sections", () => {
  it("shows sections below theirs, also where they stand elsewhere in the list", () => {
    expect(shown([entry(1), entry(2, 1), entry(3), entry(4, 2), entry(5, 1)])).toEqual([
      "1@0-",
      "2@1-",
      "4@2",
      "5@1",
      "3@0",
    ]);
  });

  it("folds what was folded", () => {
    expect(shown([entry(1), entry(2, 1), entry(3)], 1)).toEqual(["1@0+", "3@0"]);
  });

  it("begins folded when there are many", () => {
    const many = Array.from({ length: 200 }, (_, index) =>
      entry(index + 1, index % 10 === 0 ? null : index - (index % 10) + 1),
    );
    expect(linesOf(many, new Set())).toHaveLength(20);
    expect(linesOf(many, new Set([1]))).toHaveLength(29);
  });

  it("shows a section whose parent is gone at the top", () => {
    expect(shown([entry(2, 1)])).toEqual(["2@0"]);
  });
});
