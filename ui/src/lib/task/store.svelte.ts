import type { App } from "$lib/app/app.svelte";
import { perWindow } from "$lib/app/per-window.svelte";
import { Resource } from "$lib/app/resource.svelte";
import type { SectionRow, TaskBoard, TaskRow } from "$lib/backend/types";

import { heldById, rowsById } from "./board";
import { TaskMoves } from "./moves.svelte";

/** The tasks of a window's project. Every view that shows tasks reads them here, so that all show the same. */
export class TaskStore {
  readonly board: Resource<TaskBoard>;
  /** The sections of the spec that tasks can be linked to. */
  readonly sections: Resource<SectionRow[]>;
  readonly moves: TaskMoves;

  readonly all = $derived.by((): TaskRow[] => this.board.data?.tasks ?? []);
  readonly byId = $derived.by(() => rowsById(this.all));
  readonly held = $derived.by(() => heldById(this.board.data?.held ?? []));

  constructor(app: App) {
    this.board = new Resource(() => app.backend.taskBoard());
    this.sections = new Resource(() => app.backend.sections());
    this.moves = new TaskMoves(app, () => void this.board.refresh());
  }
}

/** The tasks of a window. */
export const taskStoreOf = perWindow((app) => new TaskStore(app));
