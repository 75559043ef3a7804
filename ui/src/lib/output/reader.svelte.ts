import { SvelteMap, SvelteSet } from "svelte/reactivity";

import type { Backend } from "$lib/backend/backend";
import type { Entry, EntryKind, OutputTarget } from "$lib/backend/types";

import { isCut, plainText } from "./kinds";
import { OutputPages } from "./pages.svelte";
import { OutputSearch } from "./search.svelte";

/** At most so many entries are copied at once: what a person can still paste somewhere. */
export const COPY_LIMIT = 2000;

/** So many whole entries are read at once, asked for at most, and remembered. */
const READ_AT_ONCE = 4;
const ASKED_LIMIT = 64;
const KEPT_WHOLE = 200;

/** A row of entries, both ends included. */
export interface Range {
  first: number;
  last: number;
}

/** Brings a place into sight. */
type Reveal = (place: number) => void;

/** One file while a person reads it: what is chosen, followed, searched and opened. */
export class OutputReader {
  readonly target: OutputTarget;
  readonly pages: OutputPages;
  readonly search: OutputSearch;
  /** Whether the end is held in sight. */
  follow = $state(false);
  /** The entry the keyboard is at, by its place; `null` for none. */
  active = $state<number | null>(null);
  /** Whether entries are open unless told otherwise. */
  allOpen = $state(false);
  /** The entry shown whole in a dialog, by its place. */
  whole = $state<number | null>(null);

  /** The entries, by their number, for which the contrary holds. */
  readonly #toggled = new SvelteSet<number>();
  /** Whole entries of those that are sent cut, by their number. */
  readonly #whole = new SvelteMap<number, Entry>();
  #asked: Entry[] = [];
  #reading = 0;
  readonly #backend: Backend;
  readonly #reveal: Reveal;
  /** The other end of what is chosen. */
  #anchor = $state<number | null>(null);
  /** How many entries there were when the end was let go. */
  #left = $state(0);

  constructor(backend: Backend, target: OutputTarget, kinds: readonly EntryKind[], follow: boolean, reveal: Reveal) {
    this.#backend = backend;
    this.target = target;
    this.follow = follow;
    this.pages = new OutputPages(backend, target, kinds);
    this.#reveal = reveal;
    this.search = new OutputSearch(
      (text) => backend.searchOutput(target, { kinds: [...this.pages.kinds] }, text),
      (place) => this.go(place),
    );
  }

  /** What is chosen: one entry, a row of them, or nothing. */
  get chosen(): Range | null {
    if (this.active === null) {
      return null;
    }
    const other = this.#anchor ?? this.active;
    return { first: Math.min(this.active, other), last: Math.max(this.active, other) };
  }

  /** How many entries came since the end was let go. */
  get missed(): number {
    return this.follow ? 0 : Math.max(0, this.pages.total - this.#left);
  }

  /** Holds the end in sight, or lets go of it. */
  setFollow(follow: boolean): void {
    if (!follow && this.follow) {
      this.#left = this.pages.total;
    }
    this.follow = follow;
  }

  /** Looks at these kinds only. Places mean other entries then. */
  show(kinds: readonly EntryKind[]): void {
    this.pages.show(kinds);
    this.active = null;
    this.#anchor = null;
    this.#left = this.pages.total;
    void this.search.restart();
  }

  /** Chooses an entry, or everything from the one chosen before up to it. */
  choose(place: number, extend: boolean): void {
    this.#anchor = extend ? (this.#anchor ?? this.active) : null;
    this.active = place;
  }

  /** Chooses an entry and brings it into sight. */
  go(place: number, extend = false): void {
    const within = Math.max(0, Math.min(place, this.pages.total - 1));
    this.setFollow(false);
    this.choose(within, extend);
    this.#reveal(within);
  }

  /** Chooses nothing. `true` when something was chosen. */
  unchoose(): boolean {
    const chosen = this.active !== null;
    this.active = null;
    this.#anchor = null;
    return chosen;
  }

  /** Goes to the next error, or the one before. `false` when there is none that way. */
  async goToError(from: number | null, backwards: boolean): Promise<boolean> {
    const kinds = [...this.pages.kinds];
    const place = await this.#backend.findError(this.target, { kinds }, from, backwards);
    if (place === null || kinds.join() !== this.pages.kinds.join()) {
      return place !== null;
    }
    this.go(place);
    return true;
  }

  /** Whether an entry shows more than one line of it. */
  isOpen(n: number): boolean {
    return this.allOpen !== this.#toggled.has(n);
  }

  toggle(n: number): void {
    this.open(n, !this.isOpen(n));
  }

  open(n: number, open: boolean): void {
    if (open === this.allOpen) {
      this.#toggled.delete(n);
    } else {
      this.#toggled.add(n);
    }
  }

  /** Opens or folds the entry the keyboard is at. */
  openActive(open: boolean): void {
    const entry = this.active === null ? undefined : this.pages.get(this.active);
    if (entry) {
      this.open(entry.n, open);
    }
  }

  /** Opens every entry, or folds every one. */
  openAll(open: boolean): void {
    this.allOpen = open;
    this.#toggled.clear();
  }

  /** An entry that was sent cut with all of its text, as soon as it was read for being open. */
  wholeRead(entry: Entry): Entry | undefined {
    const read = this.#whole.get(entry.n);
    // A tool may have answered since.
    return (read?.answer ?? null) === null && entry.answer !== null ? undefined : read;
  }

  /** An open entry is in sight, of which only a part was sent: reads the rest. What came into sight last comes first. */
  need(entry: Entry): void {
    if (isCut(entry) && !this.wholeRead(entry) && !this.#asked.some((asked) => asked.n === entry.n)) {
      this.#asked = [...this.#asked, entry].slice(-ASKED_LIMIT);
      this.#readNext();
    }
  }

  #readNext(): void {
    const next = this.#reading < READ_AT_ONCE ? this.#asked.pop() : undefined;
    if (next === undefined) {
      return;
    }
    this.#reading++;
    void this.wholeOf(next)
      .then((read) => this.#keep(read))
      // What cannot be read stays as it was sent; the dialog of the whole entry says why.
      .catch(() => this.#keep(next))
      .finally(() => {
        this.#reading--;
        this.#readNext();
      });
  }

  #keep(read: Entry): void {
    this.#whole.set(read.n, read);
    const oldest = this.#whole.keys().next();
    if (this.#whole.size > KEPT_WHOLE && !oldest.done) {
      this.#whole.delete(oldest.value);
    }
  }

  /** What would be copied: what is chosen, or the last of all that the filter lets through. */
  get copied(): Range {
    const all = { first: 0, last: this.pages.total - 1 };
    const { first, last } = this.chosen ?? all;
    return this.chosen === null
      ? { first: Math.max(first, last - COPY_LIMIT + 1), last }
      : { first, last: Math.min(last, first + COPY_LIMIT - 1) };
  }

  /** The entries as text. Texts that are shown cut are read whole when few are copied. */
  async textOf({ first, last }: Range): Promise<string> {
    const entries = await this.pages.read(first, last - first + 1);
    const whole = entries.length === 1 ? await Promise.all(entries.map((entry) => this.wholeOf(entry))) : entries;
    return whole.map(plainText).join("\n");
  }

  /** The entry with all of its text. */
  wholeOf(entry: Entry): Promise<Entry> {
    return isCut(entry) ? this.#backend.outputEntry(this.target, entry.n) : Promise.resolve(entry);
  }
}
