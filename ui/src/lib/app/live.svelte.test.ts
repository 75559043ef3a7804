import { beforeEach, describe, expect, it, vi } from "vitest";

import { type Backend, BackendError } from "$lib/backend/backend";
import { createMockBackend, type MockBackend } from "$lib/backend/mock";
import { fault } from "$lib/backend/mock/faults";
import type { EventEnvelope, RunUpdate } from "$lib/backend/types";

import { joined, Live, type LiveOutput } from "./live.svelte";

const event = (seq: number): EventEnvelope => ({
  v: 1,
  seq,
  at: "2026-01-02T03:04:05Z",
  event: { type: "project.trusted", digest: "d", origin: "app" },
});
const events = (...seqs: number[]): RunUpdate => ({ kind: "events", events: seqs.map(event) });

/** A backend whose stream the test writes itself. */
function scripted(backend: MockBackend = createMockBackend({ scenario: "running" })) {
  const opened: number[] = [];
  let batch: (updates: RunUpdate[]) => void = () => undefined;
  let fail: (thrown: unknown) => void = () => undefined;
  let open = 0;
  vi.spyOn(backend, "follow").mockImplementation((after, onBatch, onFailed) => {
    opened.push(after);
    open++;
    batch = onBatch;
    fail = onFailed;
    return () => open--;
  });
  const heard: number[] = [];
  const live = new Live(backend as Backend);
  live.onEvents((told) => heard.push(...told.map((each) => each.seq)));
  return {
    live,
    backend,
    heard,
    opened,
    open: () => open,
    send: (...updates: RunUpdate[]) => batch(updates),
    fail: (thrown: unknown) => fail(thrown),
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(0);

describe("following", () => {
  it("begins where the run stands and tells only what comes after", async () => {
    const { live, heard, opened, send } = scripted();
    expect([live.state, live.active]).toEqual([undefined, false]);
    const stop = live.start();
    await settle();
    expect([live.state?.run.status, live.active, opened]).toEqual(["running", true, [10]]);
    send(events(9, 10, 11), events(12));
    send(events(12, 13));
    expect([heard, live.seq]).toEqual([[11, 12, 13], 13]);
    stop();
  });

  it("loses no event to a state that is newer than they are", async () => {
    const { live, heard, send } = scripted();
    live.start();
    await settle();
    const newer = live.state && { ...live.state, seq: 12 };
    send({ kind: "state", state: newer ?? null }, events(11, 12));
    expect(heard).toEqual([11, 12]);
  });

  it("goes on from the last event it knows after a failure, and says what is wrong until then", async () => {
    const { live, heard, opened, send, fail } = scripted();
    live.start();
    await settle();
    send(events(11, 12));
    fail(new BackendError(fault("store.busy", "The state is locked.")));
    expect(live.fault?.code).toBe("store.busy");
    await vi.advanceTimersByTimeAsync(1000);
    expect(opened).toEqual([10, 12]);
    send(events(13));
    expect([heard, live.fault]).toEqual([[11, 12, 13], null]);
  });

  it("asks again when something is missing between, once", async () => {
    const { live, heard, opened, open, send } = scripted();
    live.start();
    await settle();
    send(events(13), { kind: "state", state: null });
    expect([heard, live.state === null]).toEqual([[], false]);
    await settle();
    expect([opened, open()]).toEqual([[10, 10], 1]);
    send(events(13));
    expect(heard).toEqual([13]);
  });

  it("tries again when the beginning cannot be read", async () => {
    const { live, backend, opened } = scripted();
    const state = vi.spyOn(backend, "runState").mockRejectedValueOnce(new BackendError(fault("store.busy", "Locked.")));
    live.start();
    await settle();
    expect([live.state, live.fault?.code, opened]).toEqual([undefined, "store.busy", []]);
    await vi.advanceTimersByTimeAsync(1000);
    expect([state.mock.calls.length, opened, live.state?.run.status]).toEqual([2, [10], "running"]);
  });

  it("opens nothing after it was stopped", async () => {
    const { live, opened, open, fail } = scripted();
    const stop = live.start();
    stop();
    await settle();
    expect(opened).toEqual([]);
    const again = live.start();
    await settle();
    again();
    fail(new Error("closed"));
    await vi.advanceTimersByTimeAsync(5000);
    expect([opened.length, open(), live.fault]).toEqual([1, 0, null]);
  });

  it("knows when the phase began that it saw beginning", async () => {
    const { live, backend } = scripted(createMockBackend());
    vi.mocked(backend.follow).mockRestore();
    live.start();
    await settle();
    expect([live.state, live.phase]).toEqual([null, null]);
    backend.controls.runs.startElsewhere();
    expect(live.phase?.phase).toBe("planned");
    backend.controls.runs.step();
    expect([live.phase?.phase, live.phase?.iteration]).toEqual(["running", live.state?.current?.id]);
  });
});

describe("output", () => {
  const counts = { message: 0, aside: 0, tool_call: 0, tool_result: 0, error: 0, check: 0, note: 0, line: 0 };
  const part = (iteration: string, first: number, count: number, text = "x"): LiveOutput => ({
    iteration,
    first,
    total: first + count,
    counts,
    entries: Array.from({ length: count }, (_, index) => ({
      n: first + index,
      kind: "line" as const,
      name: null,
      text,
      failed: false,
      cut: false,
      answer: null,
    })),
    finished: false,
  });
  const numbers = (output: LiveOutput) => output.entries.map((entry) => entry.n);

  it("is put together, and an entry that went on is replaced", () => {
    const both = joined(part("a", 0, 3), part("a", 2, 2, "longer"));
    expect([numbers(both), both.first, both.entries[2]?.text]).toEqual([[0, 1, 2, 3], 0, "longer"]);
  });

  it("keeps only the newer part across a gap, and nothing of another iteration", () => {
    expect(numbers(joined(part("a", 0, 3), part("a", 9, 2)))).toEqual([9, 10]);
    expect(numbers(joined(part("a", 0, 3), part("b", 0, 1)))).toEqual([0]);
    expect(numbers(joined(part("a", 5, 3), part("a", 0, 2)))).toEqual([0, 1]);
  });

  it("stays small whatever is printed", () => {
    const many = joined(part("a", 0, 900), part("a", 900, 400));
    expect([many.entries.length, many.first, many.total]).toEqual([1000, 300, 1300]);
  });
});
