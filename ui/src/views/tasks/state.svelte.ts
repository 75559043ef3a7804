import { SvelteMap } from "svelte/reactivity";

import type { App } from "$lib/app/app.svelte";
import { perWindow } from "$lib/app/per-window.svelte";
import type { Resource } from "$lib/app/resource.svelte";
import type { BulkEdit, HeldTask, SectionRow, TaskBoard, TaskDraft, TaskId, TaskRow } from "$lib/backend/types";
import { plural } from "$lib/format/text";
import { idSet } from "$lib/task/board";
import type { Field } from "$lib/task/edit";
import type { TaskMoves } from "$lib/task/moves.svelte";
import { type TaskStore, taskStoreOf } from "$lib/task/store.svelte";
import { undoEdits } from "$lib/task/undo";
import { type MoveKind, movesFrom } from "$lib/task/words";

import { type Filter, filtered, type Line, linesOf, placeBefore, placesOf, toggled } from "./filter";
import { parseQuery } from "./query";
import { type Column, nextSort, type Sort, sorted } from "./sort";

export type Layout = "list" | "board";

/** What the view remembers of a window while another view is shown. */
export class TasksState {
  readonly #store: TaskStore;
  layout = $state<Layout>("list");
  grouped = $state(true);
  /** How the list is sorted; null is as a run takes the tasks. */
  sort = $state.raw<Sort | null>(null);
  /** What is written in the filter field. */
  query = $state("");
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
  /** The wave heads that a person opened or closed. */
  readonly #chosen = new SvelteMap<number | null, boolean>();
  /** Where a range of selected tasks begins. */
  #anchor: TaskId | null = null;

  readonly #app: App;

  readonly filter = $derived.by((): Filter => parseQuery(this.query));
  readonly filtering = $derived.by(() => this.query.trim() !== "");
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

  /** What a new task has of the filter: whoever looks at one tag or kind adds to it. */
  get preset(): Pick<TaskDraft, "tag" | "kind"> {
    const { tags, kinds } = this.filter;
    const tag = this.board.data?.tags.find((each) => tags.length === 1 && each.toLowerCase() === tags[0]) ?? null;
    return { tag, kind: kinds.length === 1 ? (kinds[0] ?? null) : null };
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

  /** Shows a task in full, wherever it is. */
  show(id: TaskId): void {
    this.reveal(id);
    this.opened = id;
  }

  /** Brings a task into the list, whatever is filtered and folded, and the keyboard to it. */
  reveal(id: TaskId): void {
    const row = this.byId.get(id);
    if (row && !this.places.has(id)) {
      this.query = this.rows.includes(row) ? this.query : "";
      this.#chosen.set(row.wave, true);
    }
    this.active = id;
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

  /** Writes what a person changed in a line of the list; a refusal becomes a message. */
  async editLine(row: TaskRow, change: Partial<TaskDraft>): Promise<void> {
    const seen = Object.fromEntries(Object.keys(change).map((field) => [field, row[field as keyof TaskRow]]));
    await this.#app.attempt(`edit ${row.id}`, () => this.#store.edit(row.id, seen, change));
  }
}

/** The state of a window. */
export const tasksOf = perWindow((app) => new TasksState(app));
