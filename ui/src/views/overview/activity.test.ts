import { describe, expect, it } from "vitest";

import type { EventEnvelope } from "$lib/backend/types";

import { foldRuns } from "./activity";

const envelope = (seq: number, event: unknown): EventEnvelope =>
  ({ v: 1, seq, at: "2026-01-02T03:04:05Z", event }) as EventEnvelope;

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
