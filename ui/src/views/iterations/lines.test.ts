import { beforeEach, describe, expect, it, vi } from "vitest";

import { createMockBackend } from "$lib/backend/mock";

import { LineCounts } from "./lines.svelte";

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

describe("the lines that iterations changed", () => {
  it("are counted once each, when the list is still, and not while the agent works", async () => {
    const backend = createMockBackend({ scenario: "running" });
    const asked = vi.fn(backend.diffFiles);
    const { rows } = await backend.iterations(null, { column: "number", descending: true }, 0, 3);
    const counts = new LineCounts({ diffFiles: asked });
    counts.look(rows);
    counts.look(rows);
    await vi.runAllTimersAsync();
    expect(asked).toHaveBeenCalledTimes(rows.filter(({ outcome }) => outcome !== null).length);
    const over = rows.find(({ outcome }) => outcome === "succeeded");
    expect(counts.of(over?.id ?? "")?.added).toBeGreaterThan(0);
    counts.look(rows);
    await vi.runAllTimersAsync();
    expect(asked).toHaveBeenCalledTimes(rows.filter(({ outcome }) => outcome !== null).length);
  });

  it("are nothing where no files were saved", async () => {
    const backend = createMockBackend({ scenario: "completed" });
    const { rows } = await backend.iterations(null, { column: "number", descending: true }, 0, 1);
    const counts = new LineCounts({ diffFiles: () => Promise.reject(new Error("not saved")) });
    counts.look(rows);
    await vi.runAllTimersAsync();
    expect(counts.of(rows[0]?.id ?? "")).toBeNull();
  });
});
