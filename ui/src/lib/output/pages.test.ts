import { describe, expect, it } from "vitest";

import type { OutputBackend } from "$lib/backend/output";
import type { Entry, EntryKind, KindCounts, OutputFilter, OutputPage, OutputTarget } from "$lib/backend/types";

import { KEPT_PAGES, PAGE } from "./page-cache";
import { countOf, OutputPages } from "./pages.svelte";

const TARGET: OutputTarget = { iteration: "i", source: { kind: "transcript" } };
const KINDS: EntryKind[] = ["message", "tool_call", "tool_result", "error"];

const kindOf = (n: number): EntryKind => KINDS[n % 7 < 4 ? n % 7 : 1] ?? "message";
const entryOf = (n: number): Entry => ({
  n,
  kind: kindOf(n),
  name: null,
  text: `entry ${n}`,
  failed: false,
  cut: false,
  answer: null,
});

function countsOf(total: number): KindCounts {
  const counts = { message: 0, aside: 0, tool_call: 0, tool_result: 0, error: 0, check: 0, note: 0, line: 0 };
  for (let n = 0; n < total; n++) {
    counts[kindOf(n)]++;
  }
  return counts;
}

function numbersOf(total: number, kinds: EntryKind[]): number[] {
  const all = Array.from({ length: total }, (_, n) => n);
  return kinds.length === 0 ? all : all.filter((n) => kinds.includes(kindOf(n)));
}

/** A file whose answers come in any order one likes. */
class File {
  total: number;
  failing = false;
  asked: { kinds: EntryKind[]; first: number; count: number }[] = [];
  #waiting: (() => void)[] = [];

  constructor(total: number) {
    this.total = total;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  readonly backend = {
    outputInfo: () =>
      Promise.resolve({
        total: this.total,
        counts: countsOf(this.total),
        bytes: 0,
        exists: true,
        finished: false,
      }),
    outputPage: (_target: OutputTarget, { kinds }: OutputFilter, first: number, count: number) => {
      this.asked.push({ kinds, first, count });
      return new Promise<OutputPage>((resolve, reject) => {
        this.#waiting.push(() => {
          if (this.failing) {
            reject(new Error("gone"));
            return;
          }
          const shown = numbersOf(this.total, kinds);
          resolve({ first, total: shown.length, entries: shown.slice(first, first + count).map(entryOf) });
        });
      });
    },
  } as unknown as OutputBackend;

  /** Gives one of the answers that are waited for. */
  async answer(which = 0): Promise<void> {
    this.#waiting.splice(which, 1)[0]?.();
    await new Promise((resolve) => setTimeout(resolve));
  }

  async answerAll(): Promise<void> {
    while (this.waiting > 0) {
      await this.answer();
    }
  }
}

async function opened(file: File, kinds: EntryKind[] = []): Promise<OutputPages> {
  const pages = new OutputPages(file.backend, TARGET, kinds);
  await pages.refresh();
  return pages;
}

function live(total: number, kept: number) {
  const first = Math.max(0, total - kept);
  const entries = Array.from({ length: total - first }, (_, index) => entryOf(first + index));
  return { iteration: "i", first, total, counts: countsOf(total), entries, finished: false };
}

describe("the pages of a file", () => {
  it("are asked for when they are looked at, those side by side at once", async () => {
    const file = new File(10_000);
    const pages = await opened(file);
    expect(pages.get(600)).toBeUndefined();
    pages.want(600, 640);
    pages.want(600, 645);
    expect(file.asked).toEqual([{ kinds: [], first: 500, count: PAGE }]);
    await file.answerAll();
    expect(pages.get(600)?.text).toBe("entry 600");
    pages.want(740, 760);
    expect(file.asked.at(-1)).toEqual({ kinds: [], first: 750, count: PAGE });
    pages.want(1240, 1260);
    await file.answerAll();
    expect(file.asked.at(-1)).toEqual({ kinds: [], first: 1000, count: 2 * PAGE });
    expect(pages.get(1259)?.n).toBe(1259);
  });

  it("show the right entries, whatever is looked at, filtered, grown, and answered in whatever order", async () => {
    for (let seed = 1; seed <= 12; seed++) {
      let state = seed * 7919;
      const next = (below: number): number => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        return Math.floor((state / 2_147_483_648) * below);
      };
      const file = new File(2000 + next(4000));
      const pages = await opened(file);
      let kinds: EntryKind[] = [];
      for (let step = 0; step < 60; step++) {
        const what = next(6);
        if (what === 0) {
          kinds = [[], ["error" as const], ["message" as const, "tool_call" as const]][next(3)] ?? [];
          pages.show(kinds);
        } else if (what === 1) {
          file.total += next(900);
          pages.follow(live(file.total, 100));
        } else if (what < 4) {
          const first = next(Math.max(1, pages.total));
          pages.want(first, Math.min(pages.total, first + 40));
        } else {
          await file.answer(next(Math.max(1, file.waiting)));
        }
        const shown = numbersOf(file.total, kinds);
        expect(pages.total).toBe(shown.length);
        for (let probe = 0; probe < 20; probe++) {
          const place = next(shown.length);
          const entry = pages.get(place);
          expect(entry === undefined || entry.n === shown[place]).toBe(true);
        }
      }
      const last = pages.total;
      pages.want(last - 60, last);
      await file.answerAll();
      expect(pages.get(last - 50)).toBeDefined();
      expect(pages.get(last - 1)).toBeDefined();
    }
  });

  it("drop answers to what was asked under another filter", async () => {
    const file = new File(5000);
    const pages = await opened(file);
    pages.want(0, 40);
    pages.show(["error"]);
    pages.want(0, 40);
    await file.answer(0);
    expect(pages.get(0)).toBeUndefined();
    await file.answerAll();
    expect(pages.get(0)?.kind).toBe("error");
  });

  it("are asked for a few at a time, however fast one scrolls, and in the end those that are looked at", async () => {
    const file = new File(20_000);
    const pages = await opened(file);
    for (let place = 0; place < 19_000; place += 1000) {
      pages.want(place, place + 40);
      expect(file.waiting).toBeLessThanOrEqual(2);
    }
    await file.answerAll();
    expect(file.asked).toHaveLength(3);
    expect(pages.get(18_020)).toBeDefined();
  });

  it("are forgotten again: never more than a few are kept", async () => {
    const file = new File(KEPT_PAGES * 3 * PAGE);
    const pages = await opened(file);
    for (let page = 0; page < KEPT_PAGES * 3; page++) {
      pages.want(page * PAGE, page * PAGE + 10);
      await file.answerAll();
    }
    expect(pages.get(0)).toBeUndefined();
    expect(pages.get((KEPT_PAGES * 3 - 1) * PAGE)).toBeDefined();
  });

  it("take the newest entries as they come, without asking", async () => {
    const file = new File(1000);
    const pages = await opened(file);
    pages.follow(live(1000, 1000));
    pages.want(960, 1000);
    expect(file.asked).toEqual([]);
    file.total = 50_000;
    pages.follow(live(50_000, 1000));
    expect(pages.total).toBe(50_000);
    expect(pages.get(49_999)?.text).toBe("entry 49999");
    pages.want(40_000, 40_040);
    await file.answerAll();
    expect(pages.get(40_020)?.n).toBe(40_020);
  });

  it("read a last entry again that may have grown since", async () => {
    const file = new File(300);
    const pages = await opened(file);
    pages.want(260, 300);
    await file.answerAll();
    expect(file.asked).toHaveLength(1);
    file.total = 5000;
    pages.follow(live(5000, 10));
    expect(file.asked).toHaveLength(2);
    await file.answerAll();
    pages.want(300, 340);
    expect(file.asked).toHaveLength(2);
    expect(pages.get(320)?.n).toBe(320);
  });

  it("read a page again in which a tool may have answered since, as long as it may", async () => {
    const file = new File(700);
    const pages = await opened(file);
    pages.want(0, 20);
    await file.answerAll();
    pages.want(260, 280);
    await file.answerAll();
    expect(file.asked.map(({ first }) => first)).toEqual([0, 250]);
    file.total = 5000;
    pages.follow(live(5000, 10));
    pages.want(0, 20);
    pages.want(260, 280);
    await file.answerAll();
    expect(file.asked.map(({ first }) => first)).toEqual([0, 250, 250]);
    file.total = 6000;
    pages.follow(live(6000, 10));
    expect(file.asked).toHaveLength(3);
  });

  it("know which tools are at work: those called since the agent or the host went on", async () => {
    const pages = await opened(new File(14));
    const call = (n: number) => ({ ...entryOf(n), kind: "tool_call" as const });
    expect(pages.isRunning(call(12))).toBe(false);
    // Entry 7 is the last message.
    pages.follow(live(14, 14));
    expect([6, 8, 12].map((n) => pages.isRunning(call(n)))).toEqual([false, true, true]);
    const answer = { text: "", lines: 0, denied: false, cut: false, clipped: false };
    expect(pages.isRunning({ ...call(12), answer })).toBe(false);
    expect(pages.isRunning(entryOf(9))).toBe(false);
    pages.follow({ ...live(14, 14), finished: true });
    expect(pages.isRunning(call(12))).toBe(false);
  });

  it("say when they cannot be read, are not asked for again by themselves, and are when a person asks", async () => {
    const file = new File(1000);
    const pages = await opened(file);
    file.failing = true;
    pages.want(0, 40);
    await file.answerAll();
    expect(pages.fault?.code).toBe("internal");
    pages.want(0, 41);
    expect(file.asked).toHaveLength(1);
    file.failing = false;
    pages.retry();
    await new Promise((resolve) => setTimeout(resolve));
    await file.answerAll();
    expect(pages.fault).toBeNull();
    expect(pages.get(0)).toBeDefined();
  });

  it("are counted by what the filter lets through", () => {
    const counts = countsOf(700);
    expect(countOf(counts, [])).toBe(700);
    expect(countOf(counts, ["error", "tool_result"])).toBe(200);
  });
});
