import type { LiveOutput } from "$lib/app/live.svelte";
import { faultOf } from "$lib/backend/backend";
import type { OutputBackend } from "$lib/backend/output";
import type { Entry, EntryKind, Fault, KindCounts, OutputInfo, OutputPage, OutputTarget } from "$lib/backend/types";

import { isUnanswered, PAGE, PageCache, pageOf } from "./page-cache";

/** One request brings up to two pages; so many are under way at once. */
const AT_ONCE = 2;

/** How many entries a filter lets through; all when it names no kind. */
export function countOf(counts: KindCounts, kinds: readonly EntryKind[]): number {
  const named = kinds.length === 0 ? (Object.keys(counts) as EntryKind[]) : kinds;
  return named.reduce((sum, kind) => sum + counts[kind], 0);
}

/**
 * The entries of one file, by their place among those the filter lets through. What is looked at is read page by page
 * and soon forgotten again; the newest entries come by themselves while the file grows. An answer to a question that
 * nobody asks any more is dropped.
 */
export class OutputPages {
  readonly target: OutputTarget;
  fault = $state.raw<Fault | null>(null);

  readonly #backend: OutputBackend;
  #info = $state.raw<OutputInfo | null>(null);
  #live = $state.raw<LiveOutput | null>(null);
  #kinds = $state.raw<readonly EntryKind[]>([]);
  /** Counted up whenever pages change: they themselves are no reactive state. */
  #changes = $state(0);
  readonly #cache = new PageCache();
  #wanted: { first: number; last: number } = { first: 0, last: 0 };
  /** A filter's number: answers to questions under an earlier one are dropped. */
  #filtered = 0;
  #reading = false;

  readonly #counts = $derived.by(() => {
    const [info, live] = [this.#info, this.#live];
    return live !== null && live.total >= (info?.total ?? 0) ? live.counts : (info?.counts ?? null);
  });
  readonly #total = $derived(this.#counts === null ? 0 : countOf(this.#counts, this.#kinds));
  /** The newest entries that the filter lets through, and the place of the first of them. */
  readonly #tail = $derived.by(() => {
    if (this.#live === null) {
      return { first: this.#total, entries: [] };
    }
    const { entries, counts } = this.#live;
    const shown = this.#kinds.length === 0 ? entries : entries.filter((entry) => this.#kinds.includes(entry.kind));
    return { first: countOf(counts, this.#kinds) - shown.length, entries: shown };
  });

  /** The last entry with which the agent or the host went on: no tool that was called before it is still at work. */
  readonly #wentOn = $derived(
    this.#live?.entries.findLast(({ kind }) => kind === "message" || kind === "check")?.n ?? -1,
  );

  constructor(backend: OutputBackend, target: OutputTarget, kinds: readonly EntryKind[] = []) {
    this.#backend = backend;
    this.target = target;
    this.#kinds = kinds;
  }

  /** Whether it is known how much there is. */
  get known(): boolean {
    return this.#counts !== null;
  }

  get exists(): boolean {
    return this.#live !== null || this.#info?.exists !== false;
  }

  get finished(): boolean {
    return this.#live?.finished ?? this.#info?.finished ?? false;
  }

  get bytes(): number {
    return this.#info?.bytes ?? 0;
  }

  /** How many entries there are of each kind. */
  get counts(): KindCounts | null {
    return this.#counts;
  }

  get kinds(): readonly EntryKind[] {
    return this.#kinds;
  }

  /** How many entries the filter lets through. */
  get total(): number {
    return this.#total;
  }

  /** The entry at a place; `undefined` while it is not there yet. */
  get(place: number): Entry | undefined {
    void this.#changes;
    const { first, entries } = this.#tail;
    const newest = place >= first ? entries[place - first] : undefined;
    return newest ?? this.#cache.entryAt(place);
  }

  /** Whether a tool is at work on what it was asked for. */
  isRunning(entry: Entry): boolean {
    return isUnanswered(entry) && this.#live !== null && !this.finished && entry.n > this.#wentOn;
  }

  /** Asks how much there is. */
  async refresh(): Promise<void> {
    if (this.#reading) {
      return;
    }
    this.#reading = true;
    try {
      const info = await this.#backend.outputInfo(this.target);
      if (info.total >= (this.#info?.total ?? 0)) {
        this.#info = info;
      }
      this.#answered();
    } catch (thrown) {
      this.fault = faultOf(thrown);
    } finally {
      this.#reading = false;
    }
    this.#ask();
  }

  /** Tries again what failed. */
  retry(): void {
    this.#cache.failed.clear();
    this.fault = null;
    void this.refresh();
  }

  /** Takes the newest entries as they came. */
  follow(live: LiveOutput | null): void {
    if (live !== null && live.iteration === this.target.iteration && this.target.source.kind === "transcript") {
      this.#live = live;
      this.#ask();
    }
  }

  /** Looks at these kinds only; at all when there are none. */
  show(kinds: readonly EntryKind[]): void {
    this.#filtered++;
    this.#kinds = kinds;
    this.#cache.clear();
    this.#changes++;
    this.#ask();
  }

  /** These places are looked at, from the first up to, not including, the last. What is missing is asked for. */
  want(first: number, last: number): void {
    this.#wanted = { first, last };
    this.#ask();
  }

  /** Entries from a place on, for what is not looked at: to be copied. Nothing of it is kept. */
  async read(first: number, count: number): Promise<Entry[]> {
    const entries: Entry[] = [];
    while (entries.length < count) {
      const page = await this.#page(first + entries.length, Math.min(count - entries.length, PAGE * 2));
      if (page.entries.length === 0) {
        break;
      }
      entries.push(...page.entries);
    }
    return entries;
  }

  #page(first: number, count: number): Promise<OutputPage> {
    return this.#backend.outputPage(this.target, { kinds: [...this.#kinds] }, first, count);
  }

  /** Asks for the pages that are looked at and not there. Pages side by side are one question. */
  #ask(): void {
    const { first, entries } = this.#tail;
    const complete = first + entries.length >= this.#total;
    const last = Math.min(this.#wanted.last, complete ? first : this.#total);
    for (let number = pageOf(this.#wanted.first); number * PAGE < last && this.#cache.asked.size < AT_ONCE; number++) {
      if (this.#cache.lacks(number, this.#total)) {
        const both = (number + 1) * PAGE < last && this.#cache.lacks(number + 1, this.#total);
        void this.#fetch(number, both ? [number, number + 1] : [number]);
      }
    }
  }

  async #fetch(from: number, numbers: number[]): Promise<void> {
    const filtered = this.#filtered;
    numbers.forEach((number) => this.#cache.asked.add(number));
    try {
      const page = await this.#page(from * PAGE, numbers.length * PAGE);
      if (filtered === this.#filtered) {
        this.#cache.keep(numbers, page, this.#total, this.finished);
        this.#changes++;
        this.#answered();
      }
    } catch (thrown) {
      if (filtered === this.#filtered) {
        numbers.forEach((number) => this.#cache.failed.add(number));
        this.fault = faultOf(thrown);
      }
    }
    if (filtered === this.#filtered) {
      numbers.forEach((number) => this.#cache.asked.delete(number));
      this.#ask();
    }
  }

  #answered(): void {
    if (this.#cache.failed.size === 0) {
      this.fault = null;
    }
  }
}
