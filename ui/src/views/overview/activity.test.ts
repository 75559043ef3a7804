import { describe, expect, it } from "vitest";

import type { EventEnvelope } from "$lib/backend/types";

import { describe as inWords, foldRuns } from "./activity";

const envelope = (seq: number, event: unknown): EventEnvelope =>
  ({ v: 1, seq, at: "2026-01-02T03:04:05Z", event }) as EventEnvelope;

describe("describe", () => {
  it.each([
    [{ type: "project.created", name: "tea", origin: "cli", sample: false }, "Project made", "tea", "in a terminal"],
    [{ type: "project.trusted", digest: "ab", origin: "app" }, "Folder trusted", undefined, "in the app"],
    [{ type: "config.changed", key: "mode", value: null, origin: "app" }, "Setting removed", "mode", "in the app"],
    [{ type: "config.changed", key: "mode", value: "x", origin: "app" }, "Setting changed", "mode = x", "in the app"],
    [
      { type: "store.recovered", moved_to: "a", reason: "b" },
      "Damaged state set aside and begun anew",
      "b; kept at a",
      undefined,
    ],
    [{ type: "task.added", task: 3, title: "Brew" }, "Task #3 added", "Brew", undefined],
    [
      {
        type: "run.started",
        run: "r",
        kind: "loop",
        title: "Build it",
        harness: "h",
        max_iterations: 3,
        origin: "cli",
      },
      "Run started (loop)",
      "Build it",
      "in a terminal",
    ],
    [
      { type: "run.status", run: "r", status: "completed", reason: "promise", message: "done" },
      "Run completed",
      "done",
      undefined,
    ],
    [
      { type: "iteration.settled", run: "r", iteration: "i", number: 2, outcome: "failed", message: "exit 1" },
      "Iteration 3 failed",
      "exit 1",
      undefined,
    ],
    [
      { type: "control.requested", run: "r", control: "pause_after_iteration", origin: "app" },
      "Asked for: pause after iteration",
      undefined,
      "in the app",
    ],
    [{ type: "something.newer" }, "something.newer", undefined, undefined],
  ])("puts %o into words", (event, text, subject, by) => {
    const happening = inWords(envelope(1, event).event);
    expect([happening.text, happening.subject, happening.by]).toEqual([text, subject, by]);
  });
});

describe("foldRuns", () => {
  it("shortens long runs and leaves short ones alone", () => {
    const added = (seq: number) => envelope(seq, { type: "task.added", task: seq, title: "t" });
    const trusted = envelope(9, { type: "project.trusted", digest: "d", origin: "app" });
    const entries = foldRuns([trusted, ...[8, 7, 6, 5, 4].map(added), trusted, added(1)]);
    expect(entries.map((entry) => [entry.envelope.seq, entry.folded])).toEqual([
      [9, 0],
      [8, 0],
      [7, 0],
      [6, 2],
      [9, 0],
      [1, 0],
    ]);
    expect(foldRuns([])).toEqual([]);
  });
});
