import type { App } from "$lib/app/app.svelte";
import { perWindow } from "$lib/app/per-window.svelte";
import type { Fault, GateId, GateSummary } from "$lib/backend/types";

import { Desk } from "./desk.svelte";

/** Something that came in between, told above the gate it is about. */
export type Notice =
  | { kind: "decided"; gate: GateId; fault: Fault }
  | { kind: "changed"; gate: GateId; fault: Fault }
  | { kind: "refused"; gate: GateId; fault: Fault }
  | { kind: "checks_failed"; gate: GateId; checks: string[]; output: string };

/** The inbox of a window: which gate is shown, and what a person has done about each so far. It outlives the view. */
export class Review {
  notice = $state.raw<Notice | null>(null);
  /** Whether only the changes are shown, with nothing around them. */
  bare = $state(false);

  /** For how many milliseconds an approval can be taken back. */
  undoFor = 5_000;

  readonly app: App;
  readonly #desks: Record<GateId, Desk> = {};

  constructor(app: App) {
    this.app = app;
  }

  /** All gates in the order of the list: those that wait, then those that were decided. */
  get listed(): GateSummary[] {
    const inbox = this.app.gates.data;
    return inbox === null ? [] : [...inbox.open, ...inbox.decided];
  }

  get open(): GateSummary[] {
    return this.app.gates.data?.open ?? [];
  }

  /** The gate that is shown: the chosen one, else the one that has waited longest, else the one decided last. */
  get shown(): GateId | null {
    return this.app.gate ?? this.listed[0]?.id ?? null;
  }

  /** The desk of a gate. What was typed there is kept while the window lives. */
  desk(id: GateId): Desk {
    return (this.#desks[id] ??= new Desk(this, id));
  }

  /** Shows a gate. One that a decision or a key leads to is no step of its own on the way back. */
  choose(id: GateId | null, replaces = true): void {
    const route = { view: "review" as const, ...(id === null ? {} : { id }) };
    if (this.app.view !== "review") {
      this.app.nav.leaveAt(route);
    } else if (replaces) {
      this.app.nav.replace(route);
    } else {
      this.app.go(route);
    }
    if (this.notice?.gate !== id) {
      this.notice = null;
    }
  }

  /** Shows the next or the previous gate of the list. */
  step(by: 1 | -1): void {
    const next = this.listed[this.listed.findIndex(({ id }) => id === this.shown) + by];
    if (next) {
      this.choose(next.id);
    }
  }

  /** After a decision: what waits now or, until something does, what was decided last. */
  goOn(): void {
    this.choose(null);
  }
}

/** The window's inbox. */
export const reviewOf = perWindow((app) => new Review(app));
