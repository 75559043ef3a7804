import type { LiveOutput } from "$lib/app/live.svelte";
import { faultOf } from "$lib/backend/backend";
import type { OutputBackend } from "$lib/backend/output";
import type { Entry, EntryKind, Fault, KindCounts, OutputInfo, OutputPage, OutputTarget } from "$lib/backend/types";

/** Entries are kept by pages of this many. One request brings up to two of them. */
export const PAGE = 250;
/** How many pages are kept: what a person may come back to soon. */
export const KEPT_PAGES = 24;
const AT_ONCE = 2;

interface Page {
  entries: Entry[];
  /** How many entries there were when it was read. */
  total: number;
  /** Whether its last entry was the last of all, which may have grown since. */
  open: boolean;
}

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
  /** In the order of their last use. */
  readonly #pages = new Map<number, Page>();
  readonly #asked = new Set<number>();
  readonly #failed = new Set<number>();
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
    return newest ?? this.#pages.get(pageOf(place))?.entries[place % PAGE];
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
    this.#failed.clear();
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
    this.#pages.clear();
    this.#asked.clear();
    this.#failed.clear();
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

  /** Whether a page has to be read: it is not there, or there is more of it now. */
  #lacks(number: number): boolean {
    const page = this.#pages.get(number);
    if (page === undefined) {
      return true;
    }
    this.#pages.delete(number);
    this.#pages.set(number, page);
    return this.#total > page.total && (page.open || page.entries.length < PAGE);
  }

  /** Asks for the pages that are looked at and not there. Pages side by side are one question. */
  #ask(): void {
    const { first, entries } = this.#tail;
    const complete = first + entries.length >= this.#total;
    const last = Math.min(this.#wanted.last, complete ? first : this.#total);
    for (let number = pageOf(this.#wanted.first); number * PAGE < last && this.#asked.size < AT_ONCE; number++) {
      if (this.#asks(number)) {
        const both = (number + 1) * PAGE < last && this.#asks(number + 1);
        void this.#fetch(number, both ? [number, number + 1] : [number]);
      }
    }
  }

  #asks(number: number): boolean {
    return !this.#asked.has(number) && !this.#failed.has(number) && this.#lacks(number);
  }

  async #fetch(from: number, numbers: number[]): Promise<void> {
    const filtered = this.#filtered;
    numbers.forEach((number) => this.#asked.add(number));
    try {
      const page = await this.#page(from * PAGE, numbers.length * PAGE);
      if (filtered === this.#filtered) {
        this.#keep(numbers, page);
        this.#answered();
      }
    } catch (thrown) {
      if (filtered === this.#filtered) {
        numbers.forEach((number) => this.#failed.add(number));
        this.fault = faultOf(thrown);
      }
    }
    if (filtered === this.#filtered) {
      numbers.forEach((number) => this.#asked.delete(number));
      this.#ask();
    }
  }

  #keep(numbers: number[], answer: OutputPage): void {
    for (const number of numbers) {
      const from = number * PAGE - answer.first;
      const entries = answer.entries.slice(from, from + PAGE);
      const open = number * PAGE + entries.length >= answer.total && !this.finished;
      this.#pages.delete(number);
      this.#pages.set(number, { entries, total: Math.max(this.#total, answer.total), open });
    }
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= KEPT_PAGES) {
        break;
      }
      this.#pages.delete(oldest);
    }
    this.#changes++;
  }

  #answered(): void {
    if (this.#failed.size === 0) {
      this.fault = null;
    }
  }
}

function pageOf(place: number): number {
  return Math.floor(place / PAGE);
}
