import type { App } from "$lib/app/app.svelte";
import { Resource } from "$lib/app/resource.svelte";
import type { HandWork } from "$lib/backend/types";

/** What a person works on by hand, in a window. */
export class Hand {
  readonly work: Resource<{ by_hand: HandWork | null }>;

  constructor(app: App) {
    this.work = new Resource(() => app.backend.taskBoard());
  }
}

const hands = new WeakMap<App, Hand>();

export function handOf(app: App): Hand {
  const hand = hands.get(app) ?? new Hand(app);
  hands.set(app, hand);
  return hand;
}
