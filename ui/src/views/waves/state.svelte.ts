import type { App } from "$lib/app/app.svelte";
import { perWindow } from "$lib/app/per-window.svelte";
import type { Resource } from "$lib/app/resource.svelte";
import type { HeldTask, TaskBoard, TaskId, TaskRow } from "$lib/backend/types";
import { type Band, boxOf, NODE } from "$lib/graph/layout";
import { Viewport } from "$lib/graph/viewport.svelte";
import { type Direction, stepFrom } from "$lib/graph/walk";
import { idSet } from "$lib/task/board";
import type { TaskMoves } from "$lib/task/moves.svelte";
import { type TaskStore, taskStoreOf } from "$lib/task/store.svelte";

import { chainEdges, type Picture, pictureOf } from "./picture";
import { ofTag } from "./tag";
import { currentWave } from "./texts";

/** From this scale on tasks are cards in the page; below it they are drawn. */
export const CARDS_FROM = 0.7;
/** What is to be read is shown at least this large. */
const READABLE = 0.85;
/** A graph that is seen whole at this scale is shown whole at first; of a larger one, the task at hand. */
const WHOLE_FROM = 0.75;
/** Room around what is brought into sight; above it are the heads of the waves. */
const MARGIN = { x: 20, y: 72 };

/** What the view remembers of a window while another view is shown. */
export class WavesState {
  readonly #store: TaskStore;
  readonly viewport = new Viewport();
  critical = $state(true);
  layout = $state<"graph" | "bars">("graph");
  /** Only what has this tag is shown; null shows all. */
  #tag = $state<string | null>(null);

  /** The task the keyboard was at last. */
  #chosen = $state<TaskId | null>(null);
  readonly #app: App;
  /** Whether the graph was brought into sight once; from then on it stays where the person puts it. */
  #placed = false;
  #earlier: Picture | null = null;

  /** What of the board is shown. */
  readonly shown = $derived.by((): TaskBoard | null => {
    const board = this.board.data;
    return board === null ? null : ofTag(board, this.tag);
  });

  /** Where the tasks lie. It stays the same while only their statuses change. */
  readonly picture = $derived.by((): Picture | null => {
    const board = this.shown;
    this.#earlier = board === null ? null : pictureOf(board, this.#earlier);
    return this.#earlier;
  });

  readonly onCriticalPath = $derived.by(() => idSet(this.#criticalPath));
  readonly chain = $derived.by(() => idSet(this.picture ? chainEdges(this.picture, this.#criticalPath) : []));

  constructor(app: App) {
    this.#app = app;
    this.#store = taskStoreOf(app);
  }

  get board(): Resource<TaskBoard> {
    return this.#store.board;
  }

  get moves(): TaskMoves {
    return this.#store.moves;
  }

  get rows(): ReadonlyMap<TaskId, TaskRow> {
    return this.#store.byId;
  }

  get held(): ReadonlyMap<TaskId, HeldTask> {
    return this.#store.held;
  }

  /** The task that is shown in full, as the route says. */
  get #opened(): TaskId | null {
    const { route } = this.#app;
    return route.view === "waves" ? (route.id ?? null) : null;
  }

  /** The task the keyboard is at: the one that is shown in full, if there is one. */
  get chosen(): TaskId | null {
    return this.#opened ?? this.#chosen;
  }

  set chosen(id: TaskId | null) {
    this.#chosen = id;
    if (this.open && id !== null && id !== this.#opened) {
      this.#app.nav.replace({ view: "waves", id });
    }
  }

  /** Whether the chosen task is shown in full. */
  get open(): boolean {
    return this.#opened !== null;
  }

  set open(open: boolean) {
    const { chosen } = this;
    if (open && chosen !== null) {
      this.#app.go({ view: "waves", id: chosen });
    } else if (!open && this.open) {
      this.#chosen = chosen;
      this.#app.go({ view: "waves" });
    }
  }

  get #criticalPath(): TaskId[] {
    return this.critical ? (this.shown?.critical_path ?? []) : [];
  }

  /** The tag that is shown, as long as a task has it. */
  get tag(): string | null {
    return this.#tag !== null && this.board.data?.tags.includes(this.#tag) ? this.#tag : null;
  }

  /** Shows only what has a tag, or all of it. */
  narrow(tag: string | null): void {
    this.#tag = tag;
    if (this.row !== null && tag !== null && this.row.tag !== tag) {
      this.letGo();
    }
    this.#place();
  }

  /** The task that is chosen, as long as there is one. */
  get row(): TaskRow | null {
    return this.chosen === null ? null : (this.rows.get(this.chosen) ?? null);
  }

  /** What to look at first: what is being worked on, would be next, or begins the first unfinished wave. */
  get focus(): TaskId | null {
    const board = this.shown;
    const wave = board && currentWave(board);
    return board?.current ?? board?.next ?? wave?.tasks[0] ?? board?.tasks[0]?.id ?? null;
  }

  /** The node the keyboard is at. */
  get #node(): number | null {
    return this.chosen === null ? null : (this.picture?.nodes.get(this.chosen) ?? null);
  }

  /** Shows a task in full. */
  show(id: TaskId): void {
    if (this.tag !== null && this.rows.get(id)?.tag !== this.tag) {
      this.narrow(null);
    }
    this.chosen = id;
    this.open = true;
  }

  /** Shows the chosen task in full; without one, the keyboard begins at the task at hand. */
  openChosen(): void {
    if (this.row === null) {
      this.#begin();
    } else {
      this.open = true;
    }
  }

  /** Closes what is shown in full, then lets go of the task; `false` when there is neither. */
  closeChosen(): boolean {
    if (!this.open && this.chosen === null) {
      return false;
    }
    if (!this.open) {
      this.chosen = null;
    }
    this.open = false;
    return true;
  }

  letGo(): void {
    this.open = false;
    this.chosen = null;
  }

  /** Goes from the chosen task to the next in a direction. The first step begins at the task at hand. */
  step(direction: Direction): void {
    const { picture } = this;
    const node = this.#node;
    if (picture !== null && node !== null) {
      this.#goTo(stepFrom(picture.graph, picture.layout, node, direction));
    } else {
      this.#begin();
    }
  }

  /** Goes to the first task or to the last. */
  goToEnd(last: boolean): void {
    const order = this.picture?.layout.order ?? [];
    this.#goTo((last ? order.at(-1)?.at(-1) : order[0]?.[0]) ?? null);
  }

  #begin(): void {
    this.#goTo(this.focus === null ? null : (this.picture?.nodes.get(this.focus) ?? null));
  }

  #goTo(node: number | null): void {
    const row = node === null ? undefined : this.shown?.tasks[node];
    if (row) {
      this.chosen = row.id;
      this.#reveal();
    }
  }

  #reveal(): void {
    const node = this.#node;
    if (this.picture !== null && node !== null) {
      this.viewport.reveal(boxOf(this.picture.layout, node), MARGIN);
    }
  }

  /** The room for the graph changed. The first time it is put into it; later the chosen task stays in sight. */
  resize(width: number, height: number): void {
    [this.viewport.width, this.viewport.height] = [width, height];
    if (width > 0 && height > 0 && this.picture !== null) {
      if (this.#placed) {
        this.#reveal();
      } else {
        this.#placed = true;
        this.#place();
      }
    }
  }

  #place(): void {
    this.fit();
    if (this.viewport.scale < WHOLE_FROM && this.focus !== null) {
      this.lookAt(this.focus);
      this.#fill();
    }
  }

  #fill(): void {
    if (this.picture !== null) {
      const { width, height } = this.picture.layout;
      this.viewport.fill({ x: 0, y: 0, width, height }, MARGIN);
    }
  }

  /** Shows the whole graph. */
  fit(): void {
    if (this.picture !== null) {
      const { width, height } = this.picture.layout;
      this.viewport.fit({ x: 0, y: 0, width, height }, MARGIN);
    }
  }

  /** Brings a task into the middle, large enough to be read. */
  lookAt(id: TaskId): void {
    const node = this.picture?.nodes.get(id);
    if (this.picture !== null && node !== undefined) {
      this.viewport.zoom(Math.max(this.viewport.scale, READABLE));
      this.viewport.center(boxOf(this.picture.layout, node));
    }
  }

  /** Brings a task into sight that something outside of the graph asked for. */
  bringIn(id: TaskId): void {
    if (this.tag !== null && this.rows.get(id)?.tag !== this.tag) {
      this.narrow(null);
    }
    this.#reveal();
  }

  lookAtWave(number: number): void {
    const band = this.picture?.layout.bands[this.picture.places.indexOf(number)];
    if (band !== undefined) {
      this.lookAtBand(band);
    }
  }

  /** Shows a wave whole or, where it would be too small, its beginning. */
  lookAtBand({ x, width }: Band): void {
    const height = this.picture?.layout.height ?? 0;
    this.viewport.fit({ x, y: 0, width, height }, MARGIN);
    if (this.viewport.scale < WHOLE_FROM) {
      this.viewport.zoom(READABLE);
      this.viewport.center({ x, y: 0, width, height: 0 });
      this.viewport.reveal({ x, y: 0, width: Math.min(width, NODE.width), height: NODE.height }, MARGIN);
    }
  }
}

/** The view's memory of a window. */
export const stateOf = perWindow((app) => new WavesState(app));
