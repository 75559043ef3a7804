import { SvelteMap } from "svelte/reactivity";

import type { App } from "$lib/app/app.svelte";
import { perWindow } from "$lib/app/per-window.svelte";
import type { Resource } from "$lib/app/resource.svelte";
import type {
  BulkEdit,
  HeldTask,
  SectionRow,
  TaskBoard,
  TaskDetail,
  TaskDraft,
  TaskId,
  TaskRow,
} from "$lib/backend/types";
import { plural } from "$lib/format/text";
import { idSet } from "$lib/task/board";
import type { TaskMoves } from "$lib/task/moves.svelte";
import { type TaskStore, taskStoreOf } from "$lib/task/store.svelte";
import { undoEdits } from "$lib/task/undo";
import { type MoveKind, movesFrom } from "$lib/task/words";

import { type Conflict, type Field, saveEdit } from "./edit";
import {
  type Filter,
  filtered,
  isFiltering,
  type Line,
  linesOf,
  NO_FILTER,
  placeBefore,
  placesOf,
  toggled,
} from "./filter";

import { type Column, nextSort, type Sort, sorted } from "./sort";

export type Layout = "list" | "board";

/** What the view remembers of a window while another view is shown. */
export class TasksState {
  readonly #store: TaskStore;
  layout = $state<Layout>("list");
  grouped = $state(true);
  /** How the list is sorted; null is as a run takes the tasks. */
  sort = $state.raw<Sort | null>(null);
  filter = $state.raw<Filter>(NO_FILTER);
  /** The tasks in whose longer texts the backend found what is searched for. */
  found = $state.raw<TaskId[]>([]);
  selected = $state.raw<ReadonlySet<TaskId>>(idSet());
  /** The task the keyboard is at. */
  active = $state<TaskId | null>(null);
  /** The part of a line that is being edited. */
  editing = $state.raw<{ id: TaskId; field: Field } | null>(null);
  /** The title of a new task, as far as it is typed below the list. */
  quickTitle = $state("");
  /** The dialog for a new task, and what is known of it already. */
  adding = $state.raw<{ title: string } | null>(null);
  /** A new task that is half written. It is there again when the dialog is opened again. */
  draft = $state.raw<TaskDraft | null>(null);
  conflict = $state.raw<Conflict | null>(null);
  /** The wave heads that a person opened or closed. */
  readonly #chosen = new SvelteMap<number | null, boolean>();
  /** Where a range of selected tasks begins. */
  #anchor: TaskId | null = null;

  readonly #app: App;

  readonly filtering = $derived.by(() => isFiltering(this.filter));
  readonly rows = $derived.by(() => filtered(this.all, this.filter, this.found));
  readonly lines = $derived.by((): Line[] =>
    this.grouped
      ? linesOf(this.rows, this.board.data?.waves ?? [], (wave) => this.isOpen(wave), this.sort)
      : sorted(this.rows, this.sort).map((row) => ({ kind: "task", row })),
  );
  /** Where each task stands in the list. */
  readonly places = $derived.by(() => placesOf(this.lines));
  readonly selectedRows = $derived.by(() => this.all.filter((row) => this.selected.has(row.id)));

  constructor(app: App) {
    this.#app = app;
    this.#store = taskStoreOf(app);
  }

  get board(): Resource<TaskBoard> {
    return this.#store.board;
  }

  get sections(): Resource<SectionRow[]> {
    return this.#store.sections;
  }

  get moves(): TaskMoves {
    return this.#store.moves;
  }

  get all(): TaskRow[] {
    return this.#store.all;
  }

  get byId(): ReadonlyMap<TaskId, TaskRow> {
    return this.#store.byId;
  }

  get held(): ReadonlyMap<TaskId, HeldTask> {
    return this.#store.held;
  }

  /** The task that is shown in full. */
  get opened(): TaskId | null {
    return this.#app.task;
  }

  set opened(id: TaskId | null) {
    if (id !== this.opened) {
      this.#app.go(id === null ? { view: "tasks" } : { view: "tasks", id });
    }
  }

  get openedRow(): TaskRow | null {
    return this.opened === null ? null : (this.byId.get(this.opened) ?? null);
  }

  /** Whether a wave shows its tasks: finished ones do not until somebody asks or looks for something. */
  isOpen(wave: number | null): boolean {
    const waves = this.board.data?.waves ?? [];
    const finished = waves.filter(({ done, total }) => done === total);
    const quiet = finished.length < waves.length && finished.some(({ number }) => number === wave);
    return this.#chosen.get(wave) ?? (this.filtering || !quiet);
  }

  toggleWave(wave: number | null): void {
    this.#chosen.set(wave, !this.isOpen(wave));
  }

  sortBy(column: Column): void {
    this.sort = nextSort(this.sort, column);
  }

  narrow(change: Partial<Filter>): void {
    this.filter = { ...this.filter, ...change };
  }

  /** Shows a task in full, wherever it is. */
  show(id: TaskId): void {
    this.reveal(id);
    this.opened = id;
  }

  /** Brings a task into the list, whatever is filtered and folded, and the keyboard to it. */
  reveal(id: TaskId): void {
    const row = this.byId.get(id);
    if (row && !this.places.has(id)) {
      this.filter = this.rows.includes(row) ? this.filter : NO_FILTER;
      this.#chosen.set(row.wave, true);
    }
    this.active = id;
  }

  /** Goes to the task so many lines further on. */
  step(by: number): void {
    const tasks = this.lines.filter((line) => line.kind === "task");
    const found = tasks.findIndex((line) => line.row.id === this.active);
    const at = found >= 0 ? found : by > 0 ? -1 : tasks.length;
    const to = Math.max(0, Math.min(at + by, tasks.length - 1));
    this.active = tasks[to]?.row.id ?? null;
  }

  toggle(id: TaskId): void {
    this.selected = toggled(this.selected, id);
    this.#anchor = id;
  }

  /** Selects everything from where the selection began up to a task. */
  extendTo(id: TaskId): void {
    const order = this.layout === "board" ? this.rows.map((row) => row.id) : [...this.places.keys()];
    const [from, to] = [order.indexOf(this.#anchor ?? this.active ?? id), order.indexOf(id)];
    const range = order.slice(Math.min(from < 0 ? to : from, to), Math.max(from, to) + 1);
    this.selected = idSet(this.selected, range);
    this.#anchor ??= id;
  }

  selectAll(): void {
    this.selected = idSet(this.rows.map((row) => row.id));
  }

  clearSelection(): void {
    this.selected = idSet();
    this.#anchor = null;
  }

  move(kind: MoveKind, rows: TaskRow[]): void {
    const able = rows.filter((row) => movesFrom(row.status).includes(kind));
    const left = rows.length - able.length;
    if (left > 0) {
      const why = "They are worked on, wait at a gate, or stand there already.";
      this.#app.notify.info(
        `${plural(left, "task")} ${left === 1 ? "is" : "are"} left as ${left === 1 ? "it is" : "they are"}`,
        why,
      );
    }
    if (able.length > 0) {
      void this.moves.begin(kind, able, this.all);
    }
  }

  async bulkEdit(edit: Partial<BulkEdit>): Promise<void> {
    const before = this.selectedRows;
    const ids = before.map(({ id }) => id);
    const whole: BulkEdit = { priority: null, tag: null, kind: null, size: null, ...edit };
    const moved = await this.#app.attempt("edit_tasks", () => this.#app.backend.editTasks(ids, whole));
    if (moved) {
      const undo = undoEdits(whole, before);
      this.#app.notify.success(
        `${plural(moved.changed.length, "task")} changed`,
        undefined,
        undo ? () => void this.#undoEdits(undo) : undefined,
      );
      await this.board.refresh();
    }
  }

  async #undoEdits(edits: NonNullable<ReturnType<typeof undoEdits>>): Promise<void> {
    await this.#app.attempt("edit_tasks", async () => {
      for (const { ids, edit } of edits) {
        await this.#app.backend.editTasks(ids, edit);
      }
    });
    await this.board.refresh();
  }

  /** Puts a task right before or after another one of its wave. Says whether that was possible. */
  async place(id: TaskId, target: TaskId, after: boolean): Promise<boolean> {
    if (this.sort !== null && this.layout === "list") {
      const why = "Click the column's head again until no arrow is shown, then move tasks.";
      this.#app.notify.info("The list is sorted, and not in the order of a run", why);
      return false;
    }
    const before = placeBefore(this.all, id, target, after);
    if (before === undefined || id === target) {
      return false;
    }
    const placed = await this.#app.attempt("place_task", () => this.#app.backend.placeTask(id, before));
    if (placed) {
      await this.board.refresh();
    }
    return placed !== undefined;
  }

  /** Moves a task one place up or down among those of its wave that are shown. */
  async shift(id: TaskId, by: -1 | 1): Promise<boolean> {
    const wave = this.byId.get(id)?.wave ?? null;
    const shown = this.rows.filter((row) => row.wave === wave);
    const target = shown[shown.findIndex((row) => row.id === id) + by];
    return wave !== null && target !== undefined && (await this.place(id, target.id, by > 0));
  }

  /** Adds a task and brings it into the list; `open` shows it in full too. */
  async add(draft: TaskDraft, open = true): Promise<TaskId> {
    const id = await this.#app.backend.addTask(draft);
    await this.board.refresh();
    if (open) {
      this.show(id);
    } else {
      this.reveal(id);
    }
    return id;
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

  /** The same for a line of the list, where a refusal becomes a message. */
  async editLine(row: TaskRow, change: Partial<TaskDraft>): Promise<void> {
    const seen = Object.fromEntries(Object.keys(change).map((field) => [field, row[field as keyof TaskRow]]));
    await this.#app.attempt(`edit ${row.id}`, () => this.edit(row.id, seen, change));
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

/** The state of a window. */
export const tasksOf = perWindow((app) => new TasksState(app));
