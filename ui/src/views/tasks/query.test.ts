import { describe, expect, it } from "vitest";

import { createMockBackend } from "$lib/backend/mock";

import { filtered } from "./filter";
import { parseQuery, suggestionsFor } from "./query";

describe("the filter field", () => {
  it.each([
    ["", {}],
    ["kettle  boil", { text: "kettle boil" }],
    ["tag:core status:blocked", { tags: ["core"], statuses: ["blocked"] }],
    ["STATUS:Needs-review tea", { statuses: ["awaiting_approval"], text: "tea" }],
    ['tag:"two words" wave:3', { tags: ["two words"], waves: [3] }],
    ["kind:fix kind:docs", { kinds: ["fix", "docs"] }],
    ["tag:", {}],
    ["status:nowhere", { impossible: true }],
    ["wave:first", { impossible: true }],
    ["http://x y:z", { text: "http://x y:z" }],
    ['tag:"open', { tags: ["open"] }],
  ])("reads %j", (query, expected) => {
    expect(parseQuery(query)).toEqual({
      text: "",
      statuses: [],
      tags: [],
      kinds: [],
      waves: [],
      impossible: false,
      ...expected,
    });
  });

  it("lets through what has any value of each key", async () => {
    const { tasks } = await createMockBackend({ scenario: "tasks" }).taskBoard();
    const ids = (query: string) => filtered(tasks, parseQuery(query), []).map(({ id }) => id);
    expect(ids("status:blocked status:in-progress")).toEqual([9, 8]);
    expect(ids("tag:docs kind:docs wave:2")).toEqual([11]);
    expect(ids("status:nowhere")).toEqual([]);
    expect(ids("#12")[0]).toBe(12);
  });

  it("completes keys, then their values, and keeps what is written before", async () => {
    const board = await createMockBackend({ scenario: "tasks" }).taskBoard();
    const values = (query: string) => suggestionsFor(query, board).map(({ value }) => value);
    expect(values("tea st")).toEqual(["tea status:"]);
    expect(values("tea status:b")).toEqual(["tea status:blocked "]);
    expect(values("wave:")).toContain("wave:2 ");
    expect(values("tag:co")).toEqual(["tag:core "]);
    expect(values("tag:zzz")).toEqual([]);
  });
});
