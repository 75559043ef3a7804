import type { App } from "$lib/app/app.svelte";
import type { Moved, TaskMove, TaskRow } from "$lib/backend/types";
import { plural } from "$lib/format/text";

import { type UndoMove, undoMoves } from "./undo";
import { waitingFor } from "./waiting";
import { idsText, type MoveKind } from "./words";

/** A move that something has to be said about first. */
export interface AskedMove {
  kind: "block" | "cancel";
  tasks: TaskRow[];
  /** Unfinished tasks that wait for these and could not start any more. */
  held: TaskRow[];
}

const DONE_WORDS: Record<MoveKind, string> = {
  done: "done",
  block: "blocked",
  unblock: "unblocked",
  cancel: "cancelled",
  reopen: "reopened",
};

/** Moves tasks from status to status. Blocking asks for a reason, cancelling says what depends on it. */
export class TaskMoves {
  /** What is asked about now; {@link MoveDialogs} shows it. */
  asked = $state.raw<AskedMove | null>(null);

  readonly #app: App;
  readonly #moved: (moved: Moved) => void;

  constructor(app: App, moved: (moved: Moved) => void) {
    this.#app = app;
    this.#moved = moved;
  }

  get busy(): boolean {
    return this.#app.working.has("move_tasks");
  }

  /** Begins a move; `all` are the tasks among which those that depend on it are found. */
  async begin(kind: MoveKind, tasks: TaskRow[], all: readonly TaskRow[]): Promise<void> {
    if (kind === "block") {
      this.asked = { kind, tasks, held: [] };
    } else if (kind === "cancel") {
      this.asked = { kind, tasks, held: waitingFor(tasks, all) };
    } else {
      await this.carryOut({ kind }, tasks);
    }
  }

  /** Does what was asked about, with what the person said. */
  async confirm(reason = ""): Promise<void> {
    const { asked } = this;
    if (asked) {
      await this.carryOut(asked.kind === "block" ? { kind: "block", reason } : { kind: "cancel" }, asked.tasks);
      this.asked = null;
    }
  }

  async carryOut(to: TaskMove, tasks: readonly TaskRow[]): Promise<void> {
    const ids = tasks.map(({ id }) => id);
    const moved = await this.#app.attempt("move_tasks", () => this.#app.backend.moveTasks(ids, to));
    if (moved) {
      const subject = tasks.length === 1 ? `Task #${ids[0]}` : plural(tasks.length, "task");
      const held = moved.held.map(({ task }) => task);
      this.#app.notify.success(
        `${subject} ${DONE_WORDS[to.kind]}`,
        held.length > 0 ? `Cannot start any more: ${idsText(held)}` : undefined,
        () => void this.#undo(undoMoves(to.kind, tasks)),
      );
      this.#moved(moved);
    }
  }

  async #undo(moves: UndoMove[]): Promise<void> {
    await this.#app.attempt("move_tasks", async () => {
      for (const { ids, to } of moves) {
        this.#moved(await this.#app.backend.moveTasks(ids, to));
      }
    });
  }
}
