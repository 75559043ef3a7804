import type { App } from "$lib/app/app.svelte";
import { perWindow } from "$lib/app/per-window.svelte";
import { Resource } from "$lib/app/resource.svelte";
import type { SectionRow, TaskBoard, TaskDetail, TaskDraft, TaskId, TaskRow } from "$lib/backend/types";

import { heldById, rowsById } from "./board";
import { type Conflict, saveEdit } from "./edit";
import { TaskMoves } from "./moves.svelte";

/** The tasks of a window's project. Every view that shows tasks reads them here, so that all show the same. */
export class TaskStore {
  readonly board: Resource<TaskBoard>;
  /** The sections of the spec that tasks can be linked to. */
  readonly sections: Resource<SectionRow[]>;
  readonly moves: TaskMoves;
  /** An edit that somebody else's edit is in the way of; {@link ConflictDialog} asks about it. */
  conflict = $state.raw<Conflict | null>(null);

  readonly #app: App;

  readonly all = $derived.by((): TaskRow[] => this.board.data?.tasks ?? []);
  readonly byId = $derived.by(() => rowsById(this.all));
  readonly held = $derived.by(() => heldById(this.board.data?.held ?? []));

  constructor(app: App) {
    this.#app = app;
    this.board = new Resource(() => app.backend.taskBoard());
    this.sections = new Resource(() => app.backend.sections());
    this.moves = new TaskMoves(app, () => void this.board.refresh());
  }

  /**
   * Writes what a person changed in a task. When somebody else changed the same, {@link conflict} holds both and
   * nothing is written. Throws what the backend refuses.
   */
  async edit(
    id: TaskId,
    seen: Partial<TaskDraft>,
    mine: Partial<TaskDraft>,
    base: TaskDetail | null = null,
  ): Promise<TaskDetail | null> {
    const saved = await saveEdit(this.#app.backend, id, seen, mine, base?.task ?? null);
    if (saved.kind === "conflict") {
      this.conflict = saved.conflict;
      return null;
    }
    void this.board.refresh();
    return saved.detail;
  }

  /** Decides a conflict: what a person wrote is written over the others' words, or let go. */
  async decide(keepMine: boolean): Promise<void> {
    const { conflict } = this;
    if (conflict && keepMine) {
      const { theirs, mine, id } = conflict;
      await this.#app.attempt("keep_mine", () => this.edit(id, theirs.task, mine, theirs));
    }
    this.conflict = this.conflict === conflict ? null : this.conflict;
    await this.board.refresh();
  }
}

/** The tasks of a window. */
export const taskStoreOf = perWindow((app) => new TaskStore(app));
