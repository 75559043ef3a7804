import type { App } from "$lib/app/app.svelte";
import { perWindow } from "$lib/app/per-window.svelte";
import { Resource } from "$lib/app/resource.svelte";
import type { HandWork, TaskId } from "$lib/backend/types";

/** What a person works on by hand, in a window. */
export class Hand {
  readonly work: Resource<{ by_hand: HandWork | null }>;
  /** The task that was worked on last: how that ended is read before it is gone. */
  last = $state<TaskId | null>(null);

  constructor(app: App) {
    this.work = new Resource(async () => {
      const board = await app.backend.taskBoard();
      this.last = board.by_hand?.task ?? this.last;
      return board;
    });
  }
}

export const handOf = perWindow((app) => new Hand(app));
