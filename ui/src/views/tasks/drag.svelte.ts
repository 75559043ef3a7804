/** How far a pointer moves before pressing becomes dragging. */
const THRESHOLD = 5;
/** So close to the edge of the list it scrolls along. */
const EDGE = 36;
const SCROLL_STEP = 12;

/** What lies under the pointer while a task is dragged. */
export interface Over {
  /** The task there, and whether the pointer is past its middle. */
  task: number | null;
  after: boolean;
  /** The column there, by its name. */
  column: string | null;
}

const NOTHING: Over = { task: null, after: false, column: null };

/**
 * Dragging a task with the pointer. Pointer events are used rather than the system's drag and drop: they work in every
 * webview, and nothing can be dropped outside. Tasks and columns are told by `data-task` and `data-column`.
 */
export class TaskDrag {
  /** The task that is dragged. */
  task = $state<number | null>(null);
  over = $state.raw<Over>(NOTHING);
  /** Where the pointer is. */
  x = $state(0);
  y = $state(0);

  readonly #drop: (task: number, over: Over) => void;
  #pressed: { task: number; x: number; y: number } | null = null;
  #scroller: HTMLElement | null = null;
  #scrolling: ReturnType<typeof setInterval> | undefined;

  constructor(drop: (task: number, over: Over) => void) {
    this.#drop = drop;
  }

  /** A task is pressed; dragging begins when the pointer moves. */
  press(event: PointerEvent, task: number): void {
    if (event.button === 0) {
      this.#pressed = { task, x: event.clientX, y: event.clientY };
    }
  }

  move(event: PointerEvent): void {
    const pressed = this.#pressed;
    if (pressed === null) {
      return;
    }
    [this.x, this.y] = [event.clientX, event.clientY];
    if (this.task === null && Math.hypot(this.x - pressed.x, this.y - pressed.y) >= THRESHOLD) {
      this.task = pressed.task;
      this.#scrolling = setInterval(() => this.#scrollAlong(), 16);
    }
    if (this.task !== null) {
      event.preventDefault();
      this.#look();
    }
  }

  /** The pointer is let go. Says whether something was dragged: then it was no click. */
  release(): boolean {
    const { task, over } = this;
    this.cancel();
    if (task !== null) {
      this.#drop(task, over);
    }
    return task !== null;
  }

  cancel(): void {
    clearInterval(this.#scrolling);
    this.#pressed = null;
    this.#scroller = null;
    this.task = null;
    this.over = NOTHING;
  }

  #look(): void {
    const element = document.elementFromPoint(this.x, this.y);
    const row = element?.closest<HTMLElement>("[data-task]") ?? null;
    const box = row?.getBoundingClientRect();
    this.#scroller = element?.closest<HTMLElement>(".list.scroll") ?? this.#scroller;
    this.over = {
      task: row === null ? null : Number(row.dataset.task),
      after: box !== undefined && this.y > box.top + box.height / 2,
      column: element?.closest<HTMLElement>("[data-column]")?.dataset.column ?? null,
    };
  }

  #scrollAlong(): void {
    const box = this.#scroller?.getBoundingClientRect();
    if (this.#scroller && box) {
      const by = this.y < box.top + EDGE ? -SCROLL_STEP : this.y > box.bottom - EDGE ? SCROLL_STEP : 0;
      if (by !== 0) {
        this.#scroller.scrollTop += by;
        this.#look();
      }
    }
  }
}
