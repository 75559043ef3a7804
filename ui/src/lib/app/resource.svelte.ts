import { faultOf } from "$lib/backend/backend";
import type { Fault } from "$lib/backend/types";

/**
 * Something fetched from the backend and fetched again when it may have changed.
 *
 * Data that was shown stays shown while a newer answer is on its way, and also when that fails: the fault is then
 * beside it. An answer never overwrites a newer one.
 */
export class Resource<T> {
  data = $state.raw<T | null>(null);
  fault = $state.raw<Fault | null>(null);
  loading = $state(false);

  readonly #load: () => Promise<T>;
  #version = 0;
  #askedAgain = false;
  #underWay: Promise<void> = Promise.resolve();

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** Whether anything was asked for yet. */
  get started(): boolean {
    return this.#version > 0;
  }

  /**
   * Fetches. While a fetch is under way further calls are answered by one more fetch after it. Whoever waits for the
   * returned promise sees what was fetched after the call.
   */
  refresh(): Promise<void> {
    if (this.loading) {
      this.#askedAgain = true;
    } else {
      this.#underWay = this.#fetchAll();
    }
    return this.#underWay;
  }

  /** Fetches if nothing was asked for yet. */
  ensure(): void {
    if (!this.started) {
      void this.refresh();
    }
  }

  /** Puts in what another call returned. A fetch still under way is older and is dropped. */
  set(data: T): void {
    this.#version++;
    this.data = data;
    this.fault = null;
  }

  async #fetchAll(): Promise<void> {
    this.loading = true;
    do {
      this.#askedAgain = false;
      await this.#fetch();
    } while (this.#askedAgain);
    this.loading = false;
  }

  async #fetch(): Promise<void> {
    const version = ++this.#version;
    try {
      const data = await this.#load();
      if (version === this.#version) {
        this.data = data;
        this.fault = null;
      }
    } catch (thrown) {
      if (version === this.#version) {
        this.fault = faultOf(thrown);
      }
    }
  }
}
