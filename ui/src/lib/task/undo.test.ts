import { describe, expect, it } from "vitest";

import type { TaskRow } from "$lib/backend/types";

import { undoEdits, undoMoves } from "./undo";

const row = (id: number, status: TaskRow["status"], reason?: string) => ({
  id,
  status,
  blocked: reason === undefined ? null : { reason, at: "2026-01-01T00:00:00Z", attempts: 1, iteration: null },
});

describe("undoing a move", () => {
  it("goes back to where each task was", () => {
    expect(undoMoves("done", [row(1, "pending"), row(2, "blocked", "no key")])).toEqual([
      { ids: [1, 2], to: { kind: "reopen" } },
      { ids: [2], to: { kind: "block", reason: "no key" } },
    ]);
    expect(undoMoves("reopen", [row(1, "done"), row(2, "cancelled")])).toEqual([
      { ids: [1], to: { kind: "done" } },
      { ids: [2], to: { kind: "cancel" } },
    ]);
    expect(undoMoves("block", [row(1, "pending")])).toEqual([{ ids: [1], to: { kind: "unblock" } }]);
    expect(undoMoves("unblock", [row(3, "blocked", "flaky")])).toEqual([
      { ids: [3], to: { kind: "block", reason: "flaky" } },
    ]);
  });
});

describe("undoing an edit of many tasks", () => {
  const edit = { priority: null, tag: null, kind: null, size: null };
  const before = [
    { id: 1, priority: 2, tag: "core", kind: null, size: "S" as const },
    { id: 2, priority: 5, tag: null, kind: null, size: "M" as const },
    { id: 3, priority: 2, tag: "core", kind: null, size: null },
  ];

  it("gives each task its own value back, with one call for each value", () => {
    expect(undoEdits({ ...edit, priority: 9 }, before)).toEqual([
      { ids: [1, 3], edit: { ...edit, priority: 2 } },
      { ids: [2], edit: { ...edit, priority: 5 } },
    ]);
    expect(undoEdits({ ...edit, tag: "x" }, before)).toEqual([
      { ids: [1, 3], edit: { ...edit, tag: "core" } },
      { ids: [2], edit: { ...edit, tag: "" } },
    ]);
  });

  it("is not offered where a task had no size: an edit cannot take one away", () => {
    expect(undoEdits({ ...edit, size: "L" }, before)).toBeNull();
    expect(undoEdits({ ...edit, size: "L" }, before.slice(0, 2))).not.toBeNull();
  });
});
