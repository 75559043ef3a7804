import type { App } from "$lib/app/app.svelte";
import type { EventEnvelope, IterationId, IterationRow } from "$lib/backend/types";

import { IterationList } from "./list.svelte";
import { RunHistory } from "./runs.svelte";

/** An iteration chosen to be compared, with what its name needs. */
export type Picked = Pick<IterationRow, "id" | "number" | "attempt" | "started_at">;

/** What the view remembers of a window while another view is shown. */
export class IterationsState {
  readonly runs: RunHistory;
  readonly list: IterationList;
  /** At most two, in the order they were chosen. */
  picked = $state.raw<Picked[]>([]);
  /** The two that are compared, the older first. */
  pair = $state.raw<[Picked, Picked] | null>(null);
  /** The iteration the keyboard is at. */
  active = $state<IterationId | null>(null);

  constructor({ backend }: App) {
    this.runs = new RunHistory(backend);
    this.list = new IterationList(backend);
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
      this.pair = first.started_at <= second.started_at ? [first, second] : [second, first];
    }
  }

  /** Fetches again what may have changed. */
  refresh(): void {
    void this.runs.newest.refresh();
    void this.list.refresh();
  }

  /** Something happened: whatever is about runs or iterations is fetched again. */
  take(events: readonly EventEnvelope[]): void {
    if (events.some(({ event }) => /^(run|iteration|agent)\./.test(event.type))) {
      this.refresh();
    }
  }
}

const states = new WeakMap<App, IterationsState>();

/** The window's state of this view. */
export function stateOf(app: App): IterationsState {
  const state = states.get(app) ?? new IterationsState(app);
  states.set(app, state);
  return state;
}
