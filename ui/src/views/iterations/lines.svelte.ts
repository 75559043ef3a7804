import { SvelteMap } from "svelte/reactivity";

import type { HistoryBackend } from "$lib/backend/history";
import type { IterationId, IterationRow } from "$lib/backend/types";

export interface Lines {
  added: number;
  removed: number;
}

/** The list is still when it was not scrolled for so long, in milliseconds; only then it is counted. */
const STILL = 200;

/** How many lines iterations changed. They are counted one after another, those in sight first, and each only once. */
export class LineCounts {
  readonly #counts = new SvelteMap<IterationId, Lines | null>();
  readonly #backend: Pick<HistoryBackend, "diffFiles">;
  #wanted: IterationId[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #counting = false;

  constructor(backend: Pick<HistoryBackend, "diffFiles">) {
    this.#backend = backend;
  }

  /** What is known of an iteration; null when nothing is, or its files were not saved. */
  of(id: IterationId): Lines | null {
    return this.#counts.get(id) ?? null;
  }

  /** These are in sight. What is not over yet is counted when it is. */
  look(rows: readonly IterationRow[]): void {
    this.#wanted = rows.filter(({ id, outcome }) => outcome !== null && !this.#counts.has(id)).map(({ id }) => id);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#count(), STILL);
  }

  async #count(): Promise<void> {
    if (this.#counting) {
      return;
    }
    this.#counting = true;
    for (let id = this.#wanted.shift(); id !== undefined; id = this.#wanted.shift()) {
      this.#counts.set(id, await this.#lines(id));
    }
    this.#counting = false;
  }

  async #lines(iteration: IterationId): Promise<Lines | null> {
    try {
      const { files } = await this.#backend.diffFiles({
        from: { iteration, side: "before" },
        to: { iteration, side: "after" },
      });
      return files.reduce((sum, file) => ({ added: sum.added + file.added, removed: sum.removed + file.removed }), {
        added: 0,
        removed: 0,
      });
    } catch {
      // Its files were not saved: there is nothing to count, and the iteration's own page says why.
      return null;
    }
  }
}
