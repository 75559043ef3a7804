import { faultOf } from "$lib/backend/backend";
import type { Fault, OutputMatches } from "$lib/backend/types";

/** How long a person may type before the search begins. */
const PAUSE = 160;
/** How often a search in growing output is done again. */
const AGAIN = 1500;

/** A search through all entries the filter lets through, and the place one has come to in it. */
export class OutputSearch {
  text = $state("");
  searching = $state(false);
  fault = $state.raw<Fault | null>(null);
  #matches = $state.raw<OutputMatches>({ places: [], more: false });
  /** Which of the matches is looked at, counted from 0; -1 for none. */
  #current = $state(-1);

  readonly #find: (text: string) => Promise<OutputMatches>;
  readonly #show: (place: number) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;
  /** The text that the matches are for. */
  #found = "";

  /** `find` searches; `show` brings a place into sight. */
  constructor(find: (text: string) => Promise<OutputMatches>, show: (place: number) => void) {
    this.#find = find;
    this.#show = show;
  }

  get count(): number {
    return this.#matches.places.length;
  }

  /** Whether there are more matches than were counted. */
  get more(): boolean {
    return this.#matches.more;
  }

  /** Which match is looked at, counted from 1; 0 for none. */
  get current(): number {
    return this.#current + 1;
  }

  /** Whether the matches are those of the text as it is now. */
  get done(): boolean {
    return !this.searching && this.fault === null && this.#found === this.text.trim();
  }

  /** Takes what is typed, and looks from a place on when the person pauses. */
  type(text: string, from: number): void {
    this.text = text;
    clearTimeout(this.#timer);
    if (text.trim() === "") {
      this.clear();
    } else {
      this.#timer = setTimeout(() => void this.run(from), PAUSE);
    }
  }

  /** Searches now and goes to the first match from a place on. */
  async run(from: number): Promise<void> {
    clearTimeout(this.#timer);
    if ((await this.#search()) && this.count > 0) {
      const next = this.#matches.places.findIndex((place) => place >= from);
      this.#go(next < 0 ? 0 : next);
    }
  }

  /** Goes to the next match, or the one before; after the last comes the first. */
  async step(from: number, backwards: boolean): Promise<void> {
    if (this.text.trim() === "") {
      return;
    }
    if (this.#found !== this.text.trim()) {
      await this.run(from);
    } else if (this.count > 0) {
      const begin = this.#current < 0 ? (backwards ? 0 : -1) : this.#current;
      this.#go((begin + (backwards ? -1 : 1) + this.count) % this.count);
    }
  }

  /** The output has grown: looks again after a while. The match that is looked at stays the same. */
  grown(): void {
    if (this.#found === "" || this.#again !== undefined) {
      return;
    }
    this.#again = setTimeout(() => {
      this.#again = undefined;
      const place = this.#matches.places[this.#current];
      void this.#search().then((mine) => {
        if (mine) {
          this.#current = place === undefined ? -1 : this.#matches.places.indexOf(place);
        }
      });
    }, AGAIN);
  }

  /** Other entries are looked at: what was found says nothing about them. */
  async restart(): Promise<void> {
    if (this.text.trim() !== "") {
      await this.#search();
      this.#current = -1;
    }
  }

  clear(): void {
    this.stop();
    this.text = "";
    this.#matches = { places: [], more: false };
    this.#current = -1;
    this.#found = "";
    this.searching = false;
    this.fault = null;
  }

  /** Ends everything under way. */
  stop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#again);
    this.#again = undefined;
    this.#asked++;
  }

  /** `true` when the answer is still the one that is waited for. */
  async #search(): Promise<boolean> {
    const asked = ++this.#asked;
    const text = this.text.trim();
    this.searching = true;
    try {
      const matches = await this.#find(text);
      if (asked !== this.#asked) {
        return false;
      }
      this.#matches = matches;
      this.fault = null;
    } catch (thrown) {
      if (asked !== this.#asked) {
        return false;
      }
      this.#matches = { places: [], more: false };
      this.fault = faultOf(thrown);
    }
    this.#found = text;
    this.searching = false;
    return true;
  }

  #go(match: number): void {
    this.#current = match;
    const place = this.#matches.places[match];
    if (place !== undefined) {
      this.#show(place);
    }
  }
}
