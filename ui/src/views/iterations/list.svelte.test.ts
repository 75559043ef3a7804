import { describe, expect, it, vi } from "vitest";

import { BackendError } from "$lib/backend/backend";
import type { HistoryBackend } from "$lib/backend/history";
import { fault } from "$lib/backend/mock/faults";
import type { IterationPage, IterationRow } from "$lib/backend/types";

import { IterationList, PAGE } from "./list.svelte";

type Ask = HistoryBackend["iterations"];

const rows = (offset: number, limit: number, total: number, mark = ""): IterationPage => ({
  total,
  rows: Array.from(
    { length: Math.max(0, Math.min(limit, total - offset)) },
    (_, index) => ({ id: `${mark}${offset + index}`, number: offset + index }) as IterationRow,
  ),
});

function listOf(total: number) {
  const ask = vi.fn<Ask>((_run, _sort, offset, limit) => Promise.resolve(rows(offset, limit, total)));
  return { ask, list: new IterationList({ iterations: ask }) };
}

describe("IterationList", () => {
  it("fetches only what is looked at, of 100,000", async () => {
    const { ask, list } = listOf(100_000);
    await list.refresh();
    expect(list.total).toBe(100_000);
    list.look(50_150, 50_230);
    await vi.waitFor(() => expect(list.row(50_210)?.id).toBe("50210"));
    expect(ask.mock.calls.map(([, , offset, limit]) => [offset, limit])).toEqual([
      [0, PAGE],
      [50_000, PAGE],
      [50_200, PAGE],
    ]);
    expect(list.row(70_000)).toBeUndefined();
  });

  it("asks for a page once, and lets go of what is far away", async () => {
    const { ask, list } = listOf(100_000);
    await list.refresh();
    for (let page = 1; page < 40; page++) {
      list.look(page * PAGE, page * PAGE + 30);
      list.look(page * PAGE, page * PAGE + 31);
      await vi.waitFor(() => expect(list.row(page * PAGE)).toBeDefined());
    }
    expect(ask).toHaveBeenCalledTimes(40);
    expect(list.row(0)).toBeUndefined();
    expect(list.indexOf(String(39 * PAGE))).toBe(39 * PAGE);
    expect(list.indexOf("0")).toBeNull();
  });

  it("keeps what is shown until the newer answer is there", async () => {
    const { ask, list } = listOf(3);
    await list.refresh();
    let answer: (page: IterationPage) => void = () => undefined;
    ask.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    const order = list.order;
    const refreshing = list.refresh();
    expect(list.row(0)?.id).toBe("0");
    answer(rows(0, PAGE, 4, "new-"));
    await refreshing;
    expect([list.row(0)?.id, list.total, list.order]).toEqual(["new-0", 4, order]);
  });

  it("sorts by asking again, the largest first, and turns around", async () => {
    const { ask, list } = listOf(500);
    await list.refresh();
    const order = list.order;
    await list.sortBy("cost");
    await list.sortBy("cost");
    await list.sortBy("outcome");
    expect(ask.mock.calls.map(([, sort]) => sort)).toEqual([
      { column: "number", descending: true },
      { column: "cost", descending: true },
      { column: "cost", descending: false },
      { column: "outcome", descending: false },
    ]);
    expect(list.order).toBe(order + 3);
  });

  it("never shows an older answer over a newer one", async () => {
    const { ask, list } = listOf(5);
    await list.refresh();
    const late: (() => void)[] = [];
    ask.mockImplementation(
      (run, _sort, offset, limit) =>
        new Promise((resolve) => late.push(() => resolve(rows(offset, limit, 5, `${run}-`)))),
    );
    void list.setRun("one");
    void list.setRun("two");
    late[0]?.();
    await vi.waitFor(() => expect(late).toHaveLength(2));
    expect(list.row(0)?.id).toBe("0");
    late[1]?.();
    await vi.waitFor(() => expect(list.row(0)?.id).toBe("two-0"));
  });

  it("says why it could not be read, and forgets that when it can", async () => {
    const { ask, list } = listOf(1);
    ask.mockRejectedValueOnce(new BackendError(fault("store.busy", "Busy.")));
    await list.refresh();
    expect([list.fault?.code, list.total, list.loading]).toEqual(["store.busy", null, false]);
    await list.refresh();
    expect([list.fault, list.total]).toEqual([null, 1]);
  });

  it("answers many wishes to refresh with one more", async () => {
    const { ask, list } = listOf(1);
    void list.refresh();
    void list.refresh();
    void list.refresh();
    await vi.waitFor(() => expect(list.loading).toBe(false));
    expect(ask).toHaveBeenCalledTimes(2);
  });
});
