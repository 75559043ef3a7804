import type { Entry, OutputPage } from "$lib/backend/types";

/** Entries are kept by pages of this many. */
export const PAGE = 250;
/** How many pages are kept: what a person may come back to soon. */
export const KEPT_PAGES = 24;

/** A tool's answer comes to its entry as long as that is one of so many last ones; see the engine's `calls.rs`. */
const REACH = 256;

/** Whether it is the use of a tool that has not answered. */
export function isUnanswered(entry: Entry): boolean {
  return entry.kind === "tool_call" && entry.answer === null;
}

interface Page {
  entries: Entry[];
  /** How many entries there were when it was read. */
  total: number;
  /** Whether an entry may have grown since: the last of all, or one near it that waits for an answer. */
  open: boolean;
}

/** The number of the page that an entry is on. */
export function pageOf(place: number): number {
  return Math.floor(place / PAGE);
}

/** The pages that were read last, which of them are on their way, and which could not be read. */
export class PageCache {
  readonly asked = new Set<number>();
  readonly failed = new Set<number>();
  /** In the order of their last use. */
  readonly #pages = new Map<number, Page>();

  get size(): number {
    return this.#pages.size;
  }

  entryAt(place: number): Entry | undefined {
    return this.#pages.get(pageOf(place))?.entries[place % PAGE];
  }

  /** Whether a page has to be asked for: it is not there, or there may be more of it, and nobody asked yet. */
  lacks(number: number, total: number): boolean {
    const page = this.#pages.get(number);
    if (page) {
      this.#pages.delete(number);
      this.#pages.set(number, page);
    }
    const stale = page === undefined || (total > page.total && (page.open || page.entries.length < PAGE));
    return stale && !this.asked.has(number) && !this.failed.has(number);
  }

  /** Takes the pages that an answer was to bring. `total` is how many entries are known of meanwhile. */
  keep(numbers: number[], answer: OutputPage, total: number, finished: boolean): void {
    for (const number of numbers) {
      const from = number * PAGE - answer.first;
      const entries = answer.entries.slice(from, from + PAGE);
      const after = answer.total - number * PAGE - entries.length;
      const open = !finished && (after <= 0 || (after < REACH && entries.some(isUnanswered)));
      this.#pages.delete(number);
      this.#pages.set(number, { entries, total: Math.max(total, answer.total), open });
    }
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= KEPT_PAGES) {
        break;
      }
      this.#pages.delete(oldest);
    }
  }

  clear(): void {
    this.#pages.clear();
    this.asked.clear();
    this.failed.clear();
  }
}
