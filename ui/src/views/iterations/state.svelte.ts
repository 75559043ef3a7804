import type { App } from "$lib/app/app.svelte";
import { perWindow } from "$lib/app/per-window.svelte";
import type { IterationId, IterationRow } from "$lib/backend/types";

import { LineCounts } from "./lines.svelte";
import { IterationList } from "./list.svelte";
import { RunHistory } from "./runs.svelte";

/** An iteration chosen to be compared, with what its name needs. */
export type Picked = Pick<IterationRow, "id" | "number" | "attempt" | "started_at">;

/** What the view remembers of a window while another view is shown. */
export class IterationsState {
  readonly runs: RunHistory;
  readonly list: IterationList;
  readonly lines: LineCounts;
  /** At most two, in the order they were chosen. */
  picked = $state.raw<Picked[]>([]);
  /** The iteration the keyboard is at. */
  active = $state<IterationId | null>(null);

  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
    this.runs = new RunHistory(app.backend);
    this.list = new IterationList(app.backend);
    this.lines = new LineCounts(app.backend);
  }

  isPicked(id: IterationId): boolean {
    return this.picked.some((each) => each.id === id);
  }

  /** Chooses an iteration or takes it back. A third one takes the place of the first. */
  pick({ id, number, attempt, started_at }: Picked): void {
    this.picked = this.isPicked(id)
      ? this.picked.filter((each) => each.id !== id)
      : [...this.picked, { id, number, attempt, started_at }].slice(-2);
  }

  compare(): void {
    const [first, second] = this.picked;
    if (first && second) {
      const [older, newer] = first.started_at <= second.started_at ? [first, second] : [second, first];
      this.#app.go({ view: "iterations", id: older.id, with: newer.id });
    }
  }

  /** Fetches again what may have changed. */
  refresh(): void {
    void this.runs.newest.refresh();
    void this.list.refresh();
  }
}

/** The window's state of this view. */
export const stateOf = perWindow((app) => new IterationsState(app));
