import { describe, expect, it } from "vitest";

import { groupExecutables } from "./executables";

const item = (kind: string, name: string) => ({ kind, name, command: name, fingerprint: "" });

describe("groupExecutables", () => {
  it("orders the kinds, and leaves out none", () => {
    const groups = groupExecutables([item("git hook", "pre-commit"), item("plugin", "later"), item("check", "test")]);
    expect(groups.map((group) => [group.title, group.items.map((each) => each.name)])).toEqual([
      ["Checks", ["test"]],
      ["Git hooks", ["pre-commit"]],
      ["plugin", ["later"]],
    ]);
    expect(groupExecutables([])).toEqual([]);
  });
});
