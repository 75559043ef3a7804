import { describe, expect, it } from "vitest";

import type { GitSummary } from "$lib/backend/types";

import { branchText, changesText } from "./git";

const git: GitSummary = {
  branch: "main",
  head: "4f2c91e",
  detached: false,
  unborn: false,
  changed: 0,
  operation: null,
};

describe("branchText", () => {
  it.each([
    [git, "main"],
    [{ ...git, branch: null, detached: true }, "4f2c91e"],
    [{ ...git, branch: null, head: null, detached: true }, "detached"],
    [{ ...git, branch: null }, "no branch"],
  ])("names the place", (summary, text) => {
    expect(branchText(summary)).toBe(text);
  });
});

describe("changesText", () => {
  it.each([
    [git, "Nothing changed since the last commit"],
    [{ ...git, changed: 1 }, "1 file changed"],
    [{ ...git, changed: null }, "Changes not counted"],
    [{ ...git, unborn: true, changed: 4 }, "No commit yet"],
  ])("says what changed", (summary, text) => {
    expect(changesText(summary)).toBe(text);
  });
});
