import { SvelteMap } from "svelte/reactivity";

import { faultOf } from "$lib/backend/backend";
import type { HistoryBackend } from "$lib/backend/history";
import type { Fault, IterationColumn, IterationRow, IterationSort, RunId } from "$lib/backend/types";

/** How many rows are asked for at once. */
export const PAGE = 200;
/** How many pages are kept: enough to scroll back and forth without asking again. */
const KEPT = 25;

/**
 * The iterations of one run, however many: only the pages that are looked at are fetched, sorted by the backend. What
 * was shown stays until the newer answer is there.
 */
export class IterationList {
  /** How many there are; none until that is known. */
  total = $state<number | null>(null);
  fault = $state.raw<Fault | null>(null);
  loading = $state(false);
  sort = $state.raw<IterationSort>({ column: "number", descending: true });
  run = $state<RunId | null>(null);
  /** Changes when the rows are other ones: another run or another order. */
  order = $state(0);

  readonly #backend: Pick<HistoryBackend, "iterations">;
  readonly #pages = new SvelteMap<number, IterationRow[]>();
  #asked: number[] = [];
  #version = 0;
  #again = false;
  #seen: [first: number, last: number] = [0, 0];
  /** The run and the order of the rows that are here. */
  #shown: { run: RunId | null; sort: IterationSort } | null = null;

  constructor(backend: Pick<HistoryBackend, "iterations">) {
    this.#backend = backend;
  }

  /** A row; none while it is on its way. */
  row(index: number): IterationRow | undefined {
    return this.#pages.get(Math.floor(index / PAGE))?.[index % PAGE];
  }

  /** Where an iteration is, among the rows that are here. */
  indexOf(id: string): number | null {
    for (const [page, rows] of this.#pages) {
      const at = rows.findIndex((row) => row.id === id);
      if (at >= 0) {
        return page * PAGE + at;
      }
    }
    return null;
  }

  /** These rows are looked at, the last one not included. */
  look(first: number, last: number): void {
    this.#seen = [first, last];
    for (const page of this.#seenPages()) {
      if (!this.#pages.has(page) && !this.#asked.includes(page)) {
        void this.#fetch(page);
      }
    }
  }

  async setRun(run: RunId | null): Promise<void> {
    if (run !== this.run || this.total === null) {
      this.run = run;
      await this.#startOver();
    }
  }

  /** Sorts by a column, or turns its order around. Numbers and times begin with the newest. */
  async sortBy(column: IterationColumn): Promise<void> {
    const descending = this.sort.column === column ? !this.sort.descending : column !== "outcome";
    this.sort = { column, descending };
    await this.#startOver();
  }

  /** Fetches again what is looked at. While that is under way further calls are answered by one more after it. */
  async refresh(): Promise<void> {
    if (this.loading) {
      this.#again = true;
      return;
    }
    this.loading = true;
    do {
      this.#again = false;
      await this.#replace();
    } while (this.#again);
    this.loading = false;
  }

  async #startOver(): Promise<void> {
    this.#seen = [0, PAGE];
    this.#version++;
    this.#again = this.loading;
    if (!this.loading) {
      await this.refresh();
    }
  }

  /** Takes what is looked at anew and lets go of everything else, at once: nothing is ever half old. */
  async #replace(): Promise<void> {
    const version = ++this.#version;
    const { run, sort } = this;
    const pages = this.#seenPages();
    try {
      const answers = await Promise.all(pages.map((page) => this.#backend.iterations(run, sort, page * PAGE, PAGE)));
      if (version !== this.#version) {
        return;
      }
      this.#pages.clear();
      this.#asked = [];
      answers.forEach(({ rows }, index) => this.#pages.set(pages[index] ?? 0, rows));
      this.total = answers.at(-1)?.total ?? 0;
      this.fault = null;
      if (this.#shown?.run !== run || this.#shown.sort !== sort) {
        this.#shown = { run, sort };
        this.order++;
      }
    } catch (thrown) {
      if (version === this.#version) {
        this.fault = faultOf(thrown);
      }
    }
  }

  async #fetch(page: number): Promise<void> {
    const version = this.#version;
    this.#asked.push(page);
    try {
      const { rows, total } = await this.#backend.iterations(this.run, this.sort, page * PAGE, PAGE);
      if (version === this.#version) {
        this.#pages.set(page, rows);
        this.total = total;
        this.fault = null;
        this.#forget(page);
      }
    } catch (thrown) {
      if (version === this.#version) {
        this.fault = faultOf(thrown);
      }
    } finally {
      this.#asked = this.#asked.filter((each) => each !== page);
    }
  }

  /** Lets go of the page that is furthest away. */
  #forget(from: number): void {
    if (this.#pages.size > KEPT) {
      const far = [...this.#pages.keys()].reduce((left, right) =>
        Math.abs(right - from) > Math.abs(left - from) ? right : left,
      );
      this.#pages.delete(far);
    }
  }

  #seenPages(): number[] {
    const [first, last] = this.#seen;
    const pages: number[] = [];
    for (let page = Math.floor(first / PAGE); page * PAGE < Math.max(last, 1); page++) {
      pages.push(page);
    }
    return pages;
  }
}
